"""What happens in a hand, event by event, as an engine tells and logs it.

Cards are in the order of the deck; what one seat alone may see is for the reader to leave out.
"""

from dataclasses import dataclass

from counterfold.bots.shuffled_deck import Cards
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import Situation


@dataclass(frozen=True)
class ActionTaken:
    """A player's action."""

    seat: int
    action: str
    before: Situation
    forced: bool = False  # a check that an engine asks for although it decides nothing

    @property
    def opens(self) -> bool:
        """Whether nothing has been bet on this street, so a raise is called a bet."""
        return max(self.before[betting.SPENT_0 : betting.SPENT_1 + 1]) == self.before[betting.BASE]


@dataclass(frozen=True)
class BoardDealt:
    """A street was dealt."""

    board: Cards  # of all streets so far
    n_new: int
    spent: tuple[int, int]  # chips that each seat has put in


@dataclass(frozen=True)
class CardDrawn:
    """A seat got a card for one that it discarded."""

    seat: int
    old: int
    new: int


@dataclass(frozen=True)
class CardAdded:
    """A seat got a card more."""

    seat: int
    card: int


@dataclass(frozen=True)
class CardSeen:
    """A seat saw a card of the other's hand."""

    seat: int
    card: int


@dataclass(frozen=True)
class AuctionEnded:
    """Both seats have bid, the winner has paid, and the cards that it got were dealt."""

    bids: tuple[int, int]  # by seat
    spent: tuple[int, int]
    board: Cards
    hands: tuple[Cards, Cards]  # by seat, in the order dealt


@dataclass(frozen=True)
class HandsSwapped:
    """Chance replaced hole cards, or left them; by seat, in the order dealt."""

    before: tuple[Cards, Cards]
    after: tuple[Cards, Cards]


@dataclass(frozen=True)
class Fault:
    """A player did not answer as it should."""

    seat: int
    text: str


@dataclass(frozen=True)
class End:
    """The hand is over."""

    chips: tuple[int, int]  # won by each seat
    showdown: bool


Event = (
    ActionTaken
    | BoardDealt
    | CardDrawn
    | CardAdded
    | CardSeen
    | AuctionEnded
    | HandsSwapped
    | Fault
    | End
)
