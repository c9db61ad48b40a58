"""A street: cards, the steps that a variant lists between them and the betting, and the betting.

`Swap` and `Deal` are chance; at a `Discard` and an `Auction` both players choose, one after the
other. What a player sees follows from the step: its own cards, and what the step makes public.
"""

from dataclasses import dataclass
from typing import Literal

from counterfold.errors import GameError
from counterfold.games.protocol import check_parameter

MAX_DISCARDS = 5  # of a seat at one step
MAX_ROUNDS = 31  # of a hand; see `betting_kernels.DREW`
KINDS_OF_PRICE = ("first", "second")
PRIZES = ("card", "look")


@dataclass(frozen=True)
class Swap:
    """Each hole card is replaced with some probability, unseen by the opponent."""

    probability: float = 0.1

    @property
    def unequal(self) -> bool:
        """Whether the seats may have different numbers of hole cards afterwards."""
        return False

    def check(self) -> None:
        """Raise `GameError` for what makes no sense."""
        value = self.probability
        if not isinstance(value, int | float) or not 0 < value < 1:
            raise GameError(f"probability of swap must be between 0 and 1, not {value!r}")


@dataclass(frozen=True)
class Deal:
    """Cards dealt along the way: to the board, where all see them, and to each seat's hand."""

    board: int = 0
    holes: tuple[int, int] = (0, 0)  # by seat

    def __post_init__(self) -> None:
        if isinstance(self.holes, list):
            object.__setattr__(self, "holes", tuple(self.holes))

    @property
    def unequal(self) -> bool:
        """Whether the seats may have different numbers of hole cards afterwards."""
        return self.holes[0] != self.holes[1]

    def check(self) -> None:
        """Raise `GameError` for what makes no sense."""
        check_parameter("board of deal", self.board, 0, 52)
        if not isinstance(self.holes, tuple) or len(self.holes) != 2:
            raise GameError(
                f"holes of deal must be two numbers of cards, by seat, not {self.holes!r}"
            )
        for n in self.holes:
            check_parameter("each of holes of deal", n, 0, 52)
        if not self.board and not any(self.holes):
            raise GameError("a deal must have a card for the board or for a hand")


@dataclass(frozen=True)
class Discard:
    """Each player in turn gives up to `count` hole cards away, or exactly that many if `forced`.

    The opponent sees how many, and the cards themselves if they are `shown` or go `to_board`. With
    `redraw` a player gets the same number of new cards. A card that does not go to the board is
    dead.
    """

    first: int = 1  # seat that decides first
    count: int = 1
    forced: bool = False
    shown: bool = False
    redraw: bool = True
    to_board: bool = False

    @property
    def public(self) -> bool:
        """Whether the opponent sees which cards go."""
        return self.shown or self.to_board

    @property
    def unequal(self) -> bool:
        """Whether the seats may have different numbers of hole cards afterwards."""
        return not self.forced and not self.redraw

    @property
    def resizes(self) -> bool:
        """Whether a seat chooses how many cards lie on the board or are left in its hand."""
        return not self.forced and (self.to_board or not self.redraw)

    @property
    def takes_place(self) -> bool:
        """Whether a new card takes the place of the discarded one, which waits there for it."""
        return self.redraw and self.count == 1 and not self.to_board

    def check(self) -> None:
        """Raise `GameError` for what makes no sense."""
        check_parameter("first of discard", self.first, 0, 1)
        check_parameter("count of discard", self.count, 1, MAX_DISCARDS)
        for name in ("forced", "shown", "redraw", "to_board"):
            check_flag(f"{name} of discard", getattr(self, name))


@dataclass(frozen=True)
class Auction:
    """Each player bids chips once; the higher bidder pays into the pot and gets the prize.

    The price is its own bid or the `second` one. Equal bids: both pay theirs, both get the prize.
    The prize is an additional `card`, or a `look` at a card of the opponent's. A `sealed` bid stays
    hidden until the other player has bid; then both are shown.
    """

    first: int = 1  # seat that bids first
    price: Literal["first", "second"] = "second"
    sealed: bool = True
    prize: Literal["card", "look"] = "card"

    @property
    def unequal(self) -> bool:
        """Whether the seats may have different numbers of hole cards afterwards."""
        return self.prize == "card"

    def check(self) -> None:
        """Raise `GameError` for what makes no sense."""
        check_parameter("first of auction", self.first, 0, 1)
        check_flag("sealed of auction", self.sealed)
        for name, known in (("price", KINDS_OF_PRICE), ("prize", PRIZES)):
            if (value := getattr(self, name)) not in known:
                raise GameError(f"{name} of auction must be {' or '.join(known)}, not {value!r}")


Step = Swap | Deal | Discard | Auction
Choice = Discard | Auction


def count_rounds(step: Step) -> int:
    """How many bits of a seat tell what it chose; see `betting_kernels.DREW`."""
    if isinstance(step, Discard):
        return step.count
    return int(isinstance(step, Auction))


STEPS: dict[str, type[Step]] = {
    "swap": Swap,
    "deal": Deal,
    "discard": Discard,
    "auction": Auction,
}


@dataclass(frozen=True)
class Street:
    """What happens on a street: cards to the board, the steps in their order, then betting."""

    cards: int = 0  # dealt to the board
    first: int = 1  # seat that bets first
    bet: int = 0  # chips of a bet with fixed limit
    max_bets: int = 0  # bets and raises, a big blind included; 0 for any number
    steps: tuple[Step, ...] = ()
    betting: bool = True

    def __post_init__(self) -> None:
        if isinstance(self.steps, list):
            object.__setattr__(self, "steps", tuple(self.steps))

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The steps at which players choose."""
        return tuple(step for step in self.steps if isinstance(step, Discard | Auction))

    @property
    def draw(self) -> Discard | None:
        """The first step at which players discard, if there is one."""
        return next((step for step in self.steps if isinstance(step, Discard)), None)

    @property
    def laid(self) -> int:
        """The most cards that come to the board by steps."""
        by_players = sum(
            2 * step.count for step in self.steps if isinstance(step, Discard) and step.to_board
        )
        return by_players + sum(step.board for step in self.steps if isinstance(step, Deal))

    @property
    def changes_hands(self) -> bool:
        """Whether hole cards may be discarded, swapped or dealt."""
        deals = any(isinstance(step, Deal) and any(step.holes) for step in self.steps)
        return deals or self.draw is not None or self.swap > 0

    @property
    def n_swaps(self) -> int:
        """How many times hole cards are swapped."""
        return sum(isinstance(step, Swap) for step in self.steps)

    @property
    def swap(self) -> float:
        """The probability with which each hole card is replaced by chance."""
        return next((step.probability for step in self.steps if isinstance(step, Swap)), 0.0)


def check_flag(name: str, value: object) -> None:
    """Raise `GameError` unless `value` is true or false."""
    if not isinstance(value, bool):
        raise GameError(f"{name} must be true or false, not {value!r}")
