"""A bet menu: which bets, raises and bids the abstract game offers, by street and by raise.

Sizes are per mille of the pot after the call; checks, calls, folds, discards and bids of nothing
are always offered, so a menu leaves an action in every situation. What an offered bet is
called, `50%` or `allin`, is the same in all situations although the chips differ: strategies are
stored under these labels.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.bets import menu_kernels
from counterfold.bets.menu_grammar import BIDS_WORD, MAX_COUNT, NO_CAP, NONE, format_rows, trim_rows
from counterfold.bets.menu_kernels import ALL_IN, MINIMUM, NO_SIZE
from counterfold.errors import AbstractionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BID, CALL, CHECK, FOLD, RAISE, WORDS
from counterfold.games.holdem.situation import Situation
from counterfold.games.holdem.state import HoldemState
from counterfold.games.holdem.street import Auction
from counterfold.games.holdem.variant import Variant

# Streets that a menu distinguishes; `run` is all that follow the last one.
STREETS = ("preflop", "flop", "turn", "river", "run")
_RUN = STREETS.index("run")

MAX_SIZE = 100_000  # per mille

SIZE_WORDS = {"min": MINIMUM, "allin": ALL_IN}
CAPS = ("cap", "rounds", "actions")  # in the order of the columns of `menu_kernels.Menu.limits`


class Place(Protocol):
    """A public situation of a variant; every state is one."""

    @property
    def variant(self) -> Variant:
        """The rules."""

    @property
    def situation(self) -> Situation:
        """See `games.holdem.betting_kernels`."""


class PublicPlace(NamedTuple):
    """A place without cards, such as a node of the public graph."""

    variant: Variant
    situation: Situation


@dataclass(frozen=True)
class StreetBets:
    """What is offered on one street; sizes are put in order, `min` first and `allin` last."""

    # by bets already made, the big blind as one of them; rows beyond the last repeat it
    sizes: tuple[tuple[int, ...], ...] = ((),)
    cap: int = NO_CAP  # bets and raises, counting a big blind as the first
    rounds: int = NO_CAP  # bets and raises of each player
    actions: int = NO_CAP  # checks, calls, bets and raises of each player
    bids: tuple[int, ...] = ()  # at auctions, beside nothing; of the pot as it is

    def __post_init__(self) -> None:
        if MINIMUM in self.bids:
            raise AbstractionError("a bid of nothing is always offered; write other bids than min")
        for size in (size for row in (*self.sizes, self.bids) for size in row):
            if size not in (MINIMUM, ALL_IN) and not 1 <= size <= MAX_SIZE:
                raise AbstractionError(f"a size must be 1 to {MAX_SIZE} per mille, not {size!r}")
        for cap in CAPS:
            if not 0 <= getattr(self, cap) <= MAX_COUNT:
                raise AbstractionError(
                    f"{cap} must be 1 to {MAX_COUNT}, not {getattr(self, cap)!r}"
                )
        rows = [tuple(sorted(set(row), key=_size_order)) for row in self.sizes]
        object.__setattr__(self, "sizes", trim_rows(rows))
        object.__setattr__(self, "bids", tuple(sorted(set(self.bids), key=_size_order)))

    def row(self, n_bets: int) -> tuple[int, ...]:
        """The sizes after `n_bets` bets."""
        return self.sizes[min(n_bets, len(self.sizes) - 1)]


@dataclass(frozen=True)
class BetMenu:
    """Bets of every street; equal menus offer the same, however they were written."""

    streets: tuple[StreetBets, StreetBets, StreetBets, StreetBets, StreetBets]
    all_in_from: int = 1000  # a total of at least this per mille of the stack becomes all-in
    merge: int = 0  # raises, counted beyond the call, less than this per mille apart are one

    def __post_init__(self) -> None:
        if len(self.streets) != len(STREETS):
            raise AbstractionError(f"a menu must have bets for {', '.join(STREETS)}")
        if not (1 <= self.all_in_from <= 1000 and 0 <= self.merge <= 1000):
            raise AbstractionError(
                "all_in_from must be 1 to 1000 per mille and merge 0 to 1000, "
                f"not {self.all_in_from!r} and {self.merge!r}"
            )

    @property
    def name(self) -> str:
        """Text that `parse_menu` reads back."""
        before = StreetBets()
        same = all(street == self.streets[0] for street in self.streets)
        parts = []
        for word, street in zip(STREETS, self.streets, strict=True):
            first = word == STREETS[0]
            told = _format_street(street, None if first else before)
            if told:
                parts.append(told if same else f"{word}: {told}")
            before = street
        if self.all_in_from != 1000:
            parts.append(f"allin from {format_size(self.all_in_from)}")
        if self.merge:
            parts.append(f"merge {format_size(self.merge)}")
        return "; ".join(parts)

    @property
    def nearness(self) -> NDArray[np.int64]:
        """See `menu_kernels.Menu`."""
        return np.array([self.all_in_from, self.merge], np.int64)

    def compile(self, variant: Variant) -> menu_kernels.Menu:
        """The menu as arrays; raises `AbstractionError` if it does not fit the variant."""
        return _compile(self, variant)

    def bets(self, place: Place) -> tuple[tuple[str, int], ...]:
        """Labels of the bets and raises offered where a player bets, with totals over the hand."""
        menu = self.compile(place.variant)
        totals, labels = np.empty((2, menu.sizes.shape[2]), np.int64)
        rules: Any = place.variant.rules
        n = menu_kernels.offered_totals(rules, menu, place.situation, totals, labels)
        return tuple(
            (format_size(label), total)
            for label, total in zip(labels[:n].tolist(), totals[:n].tolist(), strict=True)
        )

    def bids(self, place: Place) -> tuple[tuple[str, int], ...]:
        """Labels of the bids offered at an auction, with their chips."""
        menu = self.compile(place.variant)
        bids, labels = np.empty((2, menu.bids.shape[1] + 1), np.int64)
        rules: Any = place.variant.rules
        n = menu_kernels.offered_bids(rules, menu, place.situation, bids, labels)
        return tuple(
            (format_size(label), bid)
            for label, bid in zip(labels[:n].tolist(), bids[:n].tolist(), strict=True)
        )

    def labels(self, place: Place) -> tuple[str, ...]:
        """What is offered where a player bets or bids, in words that mean the same everywhere."""
        if place.situation[betting.PHASE] == betting.AUCTION:
            return tuple(label for label, _ in self.bids(place))
        passive = (PASSIVE_LABELS[action] for action in passive_actions(place))
        return (*passive, *(label for label, _ in self.bets(place)))

    def offered(self, state: HoldemState) -> tuple[str, ...]:
        """The legal actions that the menu leaves, in the order of `labels`; all of a draw."""
        phase = state.situation[betting.PHASE]
        if phase > betting.BET or state.chance is not None:
            return ()
        if phase == betting.DRAW:
            return state.actions()
        if phase == betting.AUCTION:
            return tuple(f"{BID}{bid}" for _, bid in self.bids(state))
        base = state.situation[betting.BASE]
        raises = (f"{RAISE}{total - base}" for _, total in self.bets(state))
        return (*passive_actions(state), *raises)


PASSIVE_LABELS = {letter: WORDS[letter] for letter in (FOLD, CHECK, CALL)}


def passive_actions(place: Place) -> tuple[str, ...]:
    """Fold, if legal, and check or call, where a player bets."""
    situation = place.situation
    if situation[betting.SPENT_0] != situation[betting.SPENT_1]:
        return FOLD, CALL
    return (FOLD, CHECK) if place.variant.fold_when_free else (CHECK,)


def format_size(size: int) -> str:
    """The text of a size, which is also the label of a bet: ``33%``, ``66.7%``, ``min``."""
    for word, known in SIZE_WORDS.items():
        if size == known:
            return word
    return f"{size // 10}.{size % 10}%" if size % 10 else f"{size // 10}%"


def _size_order(size: int) -> int:
    return {MINIMUM: 0, ALL_IN: MAX_SIZE + 1}.get(size, size)


def _format_street(street: StreetBets, before: StreetBets | None) -> str:
    """How the street differs from the one `before` it; all of it if there is none."""
    parts: list[str] = []
    if before is None or street.sizes != before.sizes:
        parts += format_rows(street.sizes, format_size)
    for cap in CAPS:
        number = getattr(street, cap)
        if number != (getattr(before, cap) if before else NO_CAP):
            parts.append(f"{cap} {number or 'none'}")
    if street.bids != (before.bids if before else ()):
        parts.append(f"{BIDS_WORD}: {', '.join(map(format_size, street.bids)) or NONE}")
    return "; ".join(parts)


@lru_cache(maxsize=64)
def _compile(menu: BetMenu, variant: Variant) -> menu_kernels.Menu:
    _check_fit(menu, variant)
    rows = [menu.streets[min(at, _RUN - 1)] for at in range(len(variant.streets))]
    if variant.max_runs:
        rows.append(menu.streets[_RUN])
    depth = max(len(row.sizes) for row in rows)
    width = max(1, *(len(sizes) for row in rows for sizes in row.sizes))
    arrays = np.full((len(rows), depth, width), NO_SIZE, np.int32)
    limits = np.zeros((len(rows), menu_kernels.N_LIMITS), np.int32)
    for at, row in enumerate(rows):
        for level in range(depth):
            sizes = row.row(level)
            arrays[at, level, : len(sizes)] = sizes
        limits[at] = [getattr(row, cap) for cap in CAPS]
    bids = np.full((len(rows), max(1, *(len(row.bids) for row in rows))), NO_SIZE, np.int32)
    for at, row in enumerate(rows):
        bids[at, : len(row.bids)] = row.bids
    return menu_kernels.Menu(arrays, limits, menu.nearness, bids)


def _check_fit(menu: BetMenu, variant: Variant) -> None:
    """Check that the variant has the streets, bet sizes and auctions that the menu names."""
    _check_bids(menu, variant)
    n_streets = len(variant.streets)
    for at in range(1, len(STREETS)):
        named = menu.streets[at] != menu.streets[at - 1]
        if named and (variant.max_runs == 0 if at == _RUN else at >= n_streets):
            known = [*STREETS[:n_streets][:_RUN], *STREETS[_RUN:] * (variant.max_runs > 0)]
            raise AbstractionError(
                f"the menu {menu.name!r} names the {STREETS[at]}, but {variant.name} has only "
                f"{', '.join(known)}"
            )
    if variant.betting != "limit":
        return
    sizes = {size for street in menu.streets for row in street.sizes for size in row} - {MINIMUM}
    if sizes:
        size = format_size(min(sizes, key=_size_order))
        raise AbstractionError(
            f"the menu {menu.name!r} offers {size}, but bets of {variant.name} are fixed; "
            f"write min for the only legal one"
        )


def _check_bids(menu: BetMenu, variant: Variant) -> None:
    """Check that there are bids for every auction, and none without auctions."""
    if not variant.has_auctions:
        if any(street.bids for street in menu.streets):
            raise AbstractionError(
                f"the menu {menu.name!r} has bids, but {variant.name} has no auctions; "
                f"leave out '{BIDS_WORD}:'"
            )
        return
    for at, street in enumerate(variant.streets):
        if not menu.streets[min(at, _RUN - 1)].bids and any(
            isinstance(choice, Auction) for choice in street.choices
        ):
            raise AbstractionError(
                f"the menu {menu.name!r} has no bids for the auction on the "
                f"{STREETS[min(at, _RUN - 1)]} of {variant.name}; add some, such as "
                f"{BIDS_WORD}: 50%, 200%, allin"
            )
