"""A spot: a board, two ranges, a pot, stacks and bet sizes, as a person describes it.

Seats are named by position: the one out of position, `oop`, acts first after the flop. Chips are
whole.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from math import inf, isfinite
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.cards.ranges import parse_range, parse_weight
from counterfold.cards.text import (
    N_CARDS,
    N_SUITS,
    find_rank,
    parse_card,
    parse_cards,
)
from counterfold.errors import CardError, GameError, SpotError
from counterfold.games.files import parse_variant
from counterfold.games.holdem import Variant
from counterfold.games.names import parse_game
from counterfold.ranges.betting_tree import BettingTree, build_betting_tree, spot_root
from counterfold.ranges.board_cards import BoardCards
from counterfold.ranges.device.spot_pass import SpotPass
from counterfold.ranges.line_tree import LineTree, Rake, find_lines
from counterfold.ranges.locks import Lock, LockedDecision, find_locked, mark_locked
from counterfold.ranges.range_pass import RangePass
from counterfold.ranges.range_solver import RangeSolver

POSITIONS = ("oop", "ip")


@dataclass(frozen=True)
class Spot:
    """What is to be solved, as text and numbers; all else follows from it."""

    board: str
    oop: str  # range of the seat that acts first
    ip: str
    pot: int  # chips in the middle
    stack: int  # chips behind, of each seat
    bets: str = "50%, 100%, allin"  # see `bets.spot_menu_text`
    game: str = "nolimit"
    rake: float = 0.0  # share of every pot
    rake_cap: float = 0.0  # chips; 0 for no cap
    removed: tuple[str, ...] = ()  # lines whose last action is taken out
    locks: tuple[Lock, ...] = ()
    merge_suits: bool = True
    rules: str = ""  # of a variant that its name, `game`, does not determine, as TOML

    def __post_init__(self) -> None:
        if not (isfinite(self.rake) and 0 <= self.rake < 1):
            raise SpotError(f"rake must be a share of the pot from 0 to below 1, not {self.rake!r}")
        if not (isfinite(self.rake_cap) and self.rake_cap >= 0):
            raise SpotError(f"rake_cap must be 0 chips or more, not {self.rake_cap!r}")
        self._check_hands()

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """The spot that `to_dict` or a TOML file describes."""
        known = [field.name for field in fields(cls)]
        for key in content:
            if key not in known:
                raise SpotError(f"unknown key {key!r} of a spot; keys are {', '.join(known)}")
        values = dict(content)
        values["removed"] = tuple(values.get("removed", ()))
        values["locks"] = tuple(Lock.from_dict(lock) for lock in values.get("locks", ()))
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """All that describes it, as data."""
        return asdict(self)

    @cached_property
    def cards_on_board(self) -> tuple[int, ...]:
        """The cards of the root board."""
        return tuple(int(card) for card in parse_cards(self.board))

    @cached_property
    def _root(self) -> tuple[Variant, Any, int]:
        game = parse_variant(self.rules, self.game) if self.rules else parse_game(self.game)
        if not isinstance(game, Variant):
            raise GameError(f"{self.game} is not a variant of hold'em; spots need one")
        return spot_root(game, len(self.cards_on_board), self.pot, self.stack)

    @property
    def variant(self) -> Variant:
        """The rules, with all chips of a seat over the hand as its stack."""
        return self._root[0]

    @property
    def positions(self) -> tuple[int, int]:
        """The seat out of position, and the one in position."""
        first = self.variant.streets[-1].first
        return first, 1 - first

    @cached_property
    def weights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Weights of all hands of 52 cards, by seat."""
        oop, ip = (
            parse_hands(text, self.variant.hole_cards, name)
            for text, name in zip((self.oop, self.ip), POSITIONS, strict=True)
        )
        return (oop, ip) if self.positions[0] == 0 else (ip, oop)

    @cached_property
    def tree(self) -> BettingTree:
        """All betting lines."""
        variant, root, dead = self._root
        menu = None if variant.betting == "limit" else parse_spot_menu(self.bets)
        return build_betting_tree(variant, root, menu, dead=dead, removed=self.removed)

    @cached_property
    def lines(self) -> LineTree:
        """The lines of both seats."""
        return mark_locked(self._free_lines, self.locked)

    @cached_property
    def _free_lines(self) -> LineTree:
        rake = Rake(self.rake, self.rake_cap or inf)
        return find_lines(self.tree, dead=self.tree.dead, rake=rake)

    @cached_property
    def locked(self) -> tuple[LockedDecision, ...]:
        """The decisions that `locks` name."""
        n = self.variant.hole_cards
        return tuple(
            find_locked(self.tree, self._free_lines, lock, parse_hands(lock.hands, n, "a lock"))
            for lock in self.locks
        )

    def solver(
        self,
        *,
        threads: int | None = None,
        dtype: DTypeLike = np.float32,
        packed: bool = False,
        xp: Any = None,
    ) -> RangeSolver:
        """A solver that has not begun; with `packed`, its tables are of 16-bit integers.

        Where `xp` is `cupy`, or `numpy` in its place, passes are those for a GPU.
        """
        passes = (
            RangePass(self.lines, self.cards, dtype, threads, packed=packed)
            if xp is None
            else SpotPass(self.lines, self.cards, xp, dtype, threads)
        )
        return RangeSolver(passes, self.pot, locked=self.locked)

    @cached_property
    def cards(self) -> BoardCards:
        """Hands and boards; locks may tell suits apart, so boards are not merged."""
        return BoardCards(
            self.variant,
            self.cards_on_board,
            self.weights,
            tuple(self.lines.shows.tolist()),
            self.merge_suits and not self.locks,
        )

    def _check_hands(self) -> None:
        self.variant.deck.check(list(self.cards_on_board))
        names = POSITIONS if self.positions[0] == 0 else POSITIONS[::-1]
        BoardCards(self.variant, self.cards_on_board, self.weights).check_hands(names)


def parse_hands(text: str, hole_cards: int, name: str) -> NDArray[np.float64]:
    """Weights of the hands that `text` writes: a range, or cards and ranks with one hole card."""
    try:
        weights = parse_range(text).weights if hole_cards == 2 else _parse_single(text)
    except CardError as error:
        raise CardError(f"the range of {name}: {error}") from error
    return weights


def _parse_single(text: str) -> NDArray[np.float64]:
    """Weights of 52 cards: `K`, `Qd`, `J:0.5`, or `random`."""
    weights = np.zeros(N_CARDS)
    for item in text.split(","):
        word, colon, weight = item.strip().partition(":")
        if word == "random":
            cards = list(range(N_CARDS))
        elif len(word) == 1:
            cards = [N_SUITS * find_rank(word, 0) + suit for suit in range(N_SUITS)]
        else:
            cards = [parse_card(word)]
        weights[cards] = parse_weight(weight) if colon else 1.0
    return weights
