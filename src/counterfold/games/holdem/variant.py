"""A hold'em-like game for two as data: deck, hole cards, forced bets, stack, betting and streets.

Seat 0 is the dealer. It posts the first blind and bets first before the flop; each street says who
bets first on it. Both seats begin every hand with the same stack, so that no side pots exist.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from counterfold.cards import FULL, Deck
from counterfold.cards.ranking import MAX_CARDS
from counterfold.cards.text import N_CARDS, SUITS
from counterfold.errors import CounterfoldError, GameError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import Rules
from counterfold.games.holdem.state import HoldemState
from counterfold.games.protocol import Feature, Game, check_parameter

MAX_STACK = 1_000_000  # chips; a stack that fixed limits never exhaust
MAX_BETS = 1000  # of a street

Betting = Literal["limit", "no-limit", "pot-limit"]
_BETTING = {
    "limit": betting.FIXED_LIMIT,
    "no-limit": betting.NO_LIMIT,
    "pot-limit": betting.POT_LIMIT,
}


@dataclass(frozen=True)
class Draw:
    """A chance for each player to discard one hole card for a new one, before the betting.

    The opponent sees that a card was discarded, and the card itself if it is `shown`. A discarded
    card is dead.
    """

    first: int = 1  # seat that decides first
    shown: bool = False


@dataclass(frozen=True)
class Street:
    """What happens on a street: cards to the board, swaps, a draw, then betting."""

    cards: int = 0  # dealt to the board
    first: int = 1  # seat that bets first
    bet: int = 0  # chips of a bet with fixed limit
    max_bets: int = 0  # bets and raises, a big blind included; 0 for any number
    draw: Draw | None = None
    swap: float = 0.0  # probability with which each hole card is replaced, unseen by the opponent


@dataclass(frozen=True)
class Variant(Game):
    """The rules of a game. `title` is what it is called, and is what `name` returns.

    With `run_suits` the last street is repeated while the last card of the board is of one of
    them.
    """

    title: str
    streets: tuple[Street, ...]
    betting: Betting = "no-limit"
    stack: int = MAX_STACK  # chips at the start of every hand
    blinds: tuple[int, int] = (1, 2)  # chips by seat
    ante: int = 0  # chips of each player
    min_bet: int = 0  # chips; 0 for the larger blind, or 1 where there is none
    deck: Deck = FULL
    hole_cards: int = 2
    run_suits: str = ""  # such as dh
    fold_when_free: bool = False  # may a player fold with nothing to call?
    first_flush_suit_only: bool = False  # rank as eval7 does; see `rank_hands`
    unit = "chips"
    word = "variant"
    features: ClassVar[Mapping[str, Feature]] = {
        "ranks": lambda infoset: str(infoset["cards"])[::2],
        "board_ranks": lambda infoset: _ranks_of_board(str(infoset["board"])),
        "street": lambda infoset: str(infoset["board"]).count("/") + (infoset["board"] != ""),
    }

    def __post_init__(self) -> None:
        with in_place(self.title):
            for name in ("streets", "blinds"):
                if isinstance(value := getattr(self, name), list):
                    object.__setattr__(self, name, tuple(value))
            self._check()

    def root(self) -> HoldemState:
        """The state before the cards are dealt."""
        return HoldemState(self, (), betting.first_situation(self.rules))

    @property
    def name(self) -> str:
        """The text that names the variant."""
        return self.title

    @cached_property
    def rules(self) -> Rules:
        """The betting rules as arrays."""
        streets = np.zeros((len(self.streets), betting.N_STREET_COLUMNS), np.int64)
        rounds = 0
        for row, street in zip(streets, self.streets, strict=True):
            row[betting.FIRST] = street.first
            row[betting.SIZE] = street.bet
            row[betting.MAX_BETS] = street.max_bets
            row[betting.DRAWER] = betting.NO_DRAW if street.draw is None else street.draw.first
            row[betting.DRAW_ROUND] = rounds
            rounds += street.draw is not None
        table = np.zeros(betting.N_TABLE, np.int64)
        table[betting.BETTING] = _BETTING[self.betting]
        table[betting.STACK] = self.stack
        table[betting.MIN_BET] = self.min_bet or max(*self.blinds, 1)
        table[betting.FOLD_FREE] = self.fold_when_free
        table[betting.RUNS] = self.max_runs
        table[betting.ANTE] = self.ante
        table[betting.BLIND_0], table[betting.BLIND_1] = self.blinds
        table[betting.KEEP_DRAWS] = 1
        return Rules(streets, table)

    @property
    def big_blind(self) -> int:
        """The chips that rates are reported in thousandths of: the larger blind, else the ante."""
        return max(self.blinds) or self.ante

    @cached_property
    def n_draws(self) -> int:
        """How many drawing rounds there are."""
        return sum(street.draw is not None for street in self.streets)

    @cached_property
    def has_swaps(self) -> bool:
        """Whether hole cards may be replaced by chance on some street."""
        return any(street.swap > 0 for street in self.streets)

    @property
    def hands_change(self) -> bool:
        """Whether hole cards may change after the deal, by a draw or a swap."""
        return self.n_draws > 0 or self.has_swaps

    @cached_property
    def max_runs(self) -> int:
        """How many streets may follow the last one."""
        suits = [SUITS.index(suit) for suit in self.run_suits]
        running = len(self.deck.ranks) * sum(suit < self.deck.suits for suit in suits)
        left = self.deck.n_cards - self._cards_needed()
        return max(0, min(running, left, MAX_CARDS - self.hole_cards - self.board_cards()))

    def board_cards(self, street: int | None = None) -> int:
        """How many cards are on the board on `street`, or on the last one before any runs."""
        if street is None:
            street = len(self.streets) - 1
        known = sum(each.cards for each in self.streets[: street + 1])
        return known + max(0, street + 1 - len(self.streets)) * self.streets[-1].cards

    def _cards_needed(self) -> int:
        """The most cards of a hand without a run."""
        swaps = sum(street.swap > 0 for street in self.streets) * self.hole_cards
        return 2 * (self.hole_cards + self.n_draws + swaps) + self.board_cards()

    def _check(self) -> None:
        if not isinstance(self.betting, str) or self.betting not in _BETTING:
            raise GameError(f"betting must be one of {', '.join(_BETTING)}, not {self.betting!r}")
        self._check_chips()
        if not isinstance(self.deck, Deck):
            raise GameError(f"deck must be a Deck, not {self.deck!r}")
        check_parameter("hole_cards", self.hole_cards, 1, 2)
        for name in ("fold_when_free", "first_flush_suit_only"):
            check_flag(name, getattr(self, name))
        if not isinstance(self.streets, tuple) or not self.streets:
            raise GameError(f"streets must be one or more of Street, not {self.streets!r}")
        for at, street in enumerate(self.streets):
            with in_place(f"street {at}"):
                self._check_street(at, street)
        self._check_runs()
        most = self.hole_cards + self.board_cards()
        if most > MAX_CARDS:
            raise GameError(f"a hand of {most} cards cannot be ranked, only up to {MAX_CARDS}")
        needed = self._cards_needed()
        if needed > self.deck.n_cards:
            raise GameError(
                f"a hand may need {needed} cards, more than the {self.deck.n_cards} "
                f"of the deck {self.deck.name}"
            )

    def _check_chips(self) -> None:
        check_parameter("stack", self.stack, 1, MAX_STACK)
        if self.betting != "limit" and self.stack == MAX_STACK:
            raise GameError(f"stack must be given if betting is {self.betting}")
        check_parameter("ante", self.ante, 0, MAX_STACK)
        check_parameter("min_bet", self.min_bet, 0, MAX_STACK)
        if self.betting == "limit" and self.min_bet:
            raise GameError(f"min_bet {self.min_bet} has no meaning if betting is limit")
        if not isinstance(self.blinds, tuple) or len(self.blinds) != 2:
            raise GameError(f"blinds must be two numbers of chips, by seat, not {self.blinds!r}")
        for blind in self.blinds:
            check_parameter("each of blinds", blind, 0, MAX_STACK)
        forced = self.ante + max(self.blinds)
        if forced == 0:
            raise GameError("blinds and ante are 0: there is nothing to play for")
        if self.stack < forced:
            raise GameError(f"stack {self.stack} is below the {forced} chips of blind and ante")

    def _check_street(self, at: int, street: Street) -> None:
        if not isinstance(street, Street):
            raise GameError(f"a street must be a Street, not {street!r}")
        check_parameter("cards", street.cards, 0, N_CARDS)
        check_parameter("first", street.first, 0, 1)
        check_parameter("bet", street.bet, 0, MAX_STACK)
        check_parameter("max_bets", street.max_bets, 0, MAX_BETS)
        if street.draw is not None:
            if not isinstance(street.draw, Draw):
                raise GameError(f"draw must be a Draw or None, not {street.draw!r}")
            check_parameter("first of draw", street.draw.first, 0, 1)
            check_flag("shown of draw", street.draw.shown)
        if not isinstance(street.swap, int | float) or not 0 <= street.swap < 1:
            raise GameError(f"swap must be a probability below 1, not {street.swap!r}")
        if self.betting == "limit" and (street.bet == 0 or street.max_bets == 0):
            raise GameError("bet and max_bets must be given if betting is limit")
        if self.betting != "limit" and street.bet:
            raise GameError(f"bet {street.bet} has no meaning if betting is {self.betting}")
        if at > 0:
            if street.cards == 0:
                raise GameError("cards must be 1 or more on every street except the first")
            return
        if street.cards or street.swap:
            raise GameError(
                "the first street deals only hole cards: it has no board cards and no swap"
            )
        if self.blinds[street.first] > self.blinds[1 - street.first]:
            raise GameError(
                f"first must be {1 - street.first}, the seat with the smaller blind "
                f"of {self.blinds}"
            )

    def _check_runs(self) -> None:
        if not isinstance(self.run_suits, str) or not set(self.run_suits) <= set(SUITS):
            raise GameError(f"run_suits must be letters of {SUITS}, not {self.run_suits!r}")
        last = self.streets[-1]
        if self.run_suits and (last.cards != 1 or last.draw or last.swap):
            raise GameError(
                "the last street, which run_suits repeat, must deal one card, without draw or swap"
            )


def _ranks_of_board(board: str) -> str:
    return "/".join(cards[::2] for cards in board.split("/"))


def check_flag(name: str, value: object) -> None:
    """Raise `GameError` unless `value` is true or false."""
    if not isinstance(value, bool):
        raise GameError(f"{name} must be true or false, not {value!r}")


@contextmanager
def in_place(place: str) -> Iterator[None]:
    """Prefix errors with `place`, if there is one."""
    try:
        yield
    except CounterfoldError as error:
        raise GameError(f"{place}: {error}" if place else str(error)) from error
