"""All boards below a root board, and what the hands of two ranges are on each.

Hands are numbered by seat: first those of the ranges at the root, then on every board those that it
leaves, on boards of the last street from the weakest to the strongest. Boards that differ only in
the names of suits, which neither the root nor the ranges tell apart, are solved once: a board has
*copies*, and what its hands are worth counts for every copy under the new names.

Boards are in the order of a walk that finishes one before it begins the next.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import ranking_kernels
from counterfold.cards.pairs import N_PAIRS, PAIR_CARDS
from counterfold.cards.ranking import MIN_CARDS, showdown_strength
from counterfold.cards.suits import find_like_suits, list_renamings, rename_cards, rename_pairs
from counterfold.cards.text import N_CARDS, N_SUITS, format_cards
from counterfold.errors import CardError, UnsupportedGameError
from counterfold.games.holdem import Variant
from counterfold.ranges import board_cards_kernels

NONE = -1

# Rows of the sums over hands with a card: those of cards, then three more.
ALL_HANDS = N_CARDS  # the sum over all hands
NO_CARD = N_CARDS + 1  # always zero: the second card of a hand that has one
NOT_READ = N_CARDS + 2  # where a hand with one card adds its second
N_SUMS = N_CARDS + 3

Renaming = tuple[int, ...]  # the new name of each suit


class Boards(NamedTuple):
    """Boards as kernels read them. ``B`` boards, ``C`` copies, ``G`` groups of equal hands."""

    street: NDArray[np.int32]  # [B] 0 for the root
    parent: NDArray[np.int32]  # [B]
    copies: NDArray[np.int32]  # [B + 1] first copy of each board, which is the board itself
    n_hands: NDArray[np.int32]  # [B, 2]
    hands: NDArray[np.int64]  # [B, 2] where the hands of a board begin in the next three
    hand: NDArray[np.int32]  # number at the root
    cards: NDArray[np.int32]  # [., 3] rows of sums: two to read, and the second to add to
    same: NDArray[np.int32]  # place of the same cards among the other's hands of the board, or NONE
    ups: NDArray[np.int64]  # [C, 2] where the hands of a copy begin in the next
    up: NDArray[np.int32]  # place among the hands of the parent
    groups: NDArray[np.int32]  # [B + 1] first group of a board of the last street
    ends: NDArray[np.int32]  # [G, 2] place after the last hand of the group, by seat
    matrices: NDArray[np.int64]  # [B] where the board's matrix begins in the next, or NONE
    matrix: NDArray[np.floating]  # [first seat's hands, second's] mean result of the first, all-in
    chance: NDArray[np.float64]  # [K] probability of each deal of a street, given both hands


class _Below(NamedTuple):
    """A board to be: its parent, all of its cards, its copies, and suits still alike."""

    street: int
    parent: int
    board: tuple[int, ...]
    copies: tuple[Renaming, ...]
    renamings: tuple[Renaming, ...]


@dataclass(frozen=True, eq=False)
class BoardCards:
    """The hands of two ranges on the boards below a root.

    `weights` has one number for each hand of the deck's 52 cards: 1,326 pairs, or 52 single cards.
    """

    variant: Variant
    board: tuple[int, ...]
    weights: tuple[NDArray[np.float64], NDArray[np.float64]]
    all_in: tuple[bool, ...] = ()  # streets, from the root on, where all-ins end hands
    merge_suits: bool = True
    only: tuple[int, ...] | None = None  # cards of the one board next to the root that is dealt

    def __post_init__(self) -> None:
        if self.variant.hands_change or self.variant.max_runs:
            raise UnsupportedGameError(
                f"{self.variant.name} has draws, swaps or runs; hands as vectors are for variants "
                "whose hole cards stay the same"
            )

    @cached_property
    def first_street(self) -> int:
        """The street of the variant on which the root board lies."""
        counts = [self.variant.board_cards(k) for k in range(len(self.variant.streets))]
        return counts.index(len(self.board))

    @property
    def n_streets(self) -> int:
        """How many streets there are from the root on."""
        return len(self.variant.streets) - self.first_street

    @cached_property
    def holes(self) -> NDArray[np.int32]:
        """[hands of the deck, hole cards]."""
        if self.variant.hole_cards == 1:
            return np.arange(N_CARDS, dtype=np.int32)[:, None]
        return PAIR_CARDS.astype(np.int32)

    @cached_property
    def hands(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Numbers, among all hands of the deck, of those that each seat has at the root."""
        off = np.ones(N_CARDS, bool)
        off[self.variant.deck.cards] = False
        off[list(self.board)] = True
        free = ~off[self.holes].any(axis=1)
        first, second = (np.flatnonzero(free & (w > 0)) for w in self.weights)
        return first, second

    @cached_property
    def root_weights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Weights of `hands`."""
        first, second = (w[h] for w, h in zip(self.weights, self.hands, strict=True))
        return first, second

    @cached_property
    def renamings(self) -> tuple[Renaming, ...]:
        """Renamings of suits that change neither the root board nor the ranges."""
        identity = tuple(range(N_SUITS))
        if not self.merge_suits:
            return (identity,)
        marks = np.zeros(N_CARDS, np.int64)
        marks[self.variant.deck.cards] = 1
        marks[list(self.board)] = 2
        by_pair = [w if w.size == N_PAIRS else _as_pairs(w) for w in self.weights]
        return list_renamings(tuple(find_like_suits(marks, *by_pair).tolist()))

    def replaced(
        self, board: tuple[int, ...], weights: tuple[NDArray[np.float64], NDArray[np.float64]]
    ) -> Self:
        """The same with another root board, of as many cards, and other ranges."""
        if len(board) != len(self.board):
            raise CardError(
                f"the board must have {len(self.board)} cards as before, not {len(board)}: "
                f"{format_cards(board)!r}"
            )
        cards = replace(self, board=board, weights=weights)
        cards.check_hands()
        return cards

    def check_hands(self, names: Sequence[str] = ("the first seat", "the second seat")) -> None:
        """Raise `CardError` unless both seats have hands, and some two can be held at once."""
        for hands, name in zip(self.hands, names, strict=True):
            if not hands.size:
                where = f" beside the board {format_cards(self.board)}" * bool(self.board)
                raise CardError(
                    f"the range of {name} has no hand{where}; write hands, such as TT+,AKs"
                )
        if not self._find_met().any():
            raise CardError(
                "every hand of one range shares a card with every hand of the other; "
                "give ranges of which two hands can be held at once"
            )

    def _find_met(self) -> NDArray[np.intp]:
        """How many hands of the second seat each hand of the first can meet."""
        first, second = self.hands
        by_card = np.bincount(self.holes[second].ravel(), minlength=N_CARDS)
        met: NDArray[np.intp] = second.size - by_card[self.holes[first]].sum(axis=1)
        if self.variant.hole_cards == 2:
            met += np.isin(first, second)  # one with both of its cards was taken off twice
        return met

    @cached_property
    def boards(self) -> Boards:
        """All boards, as kernels read them."""
        return _BoardBuilder(self).build()

    @cached_property
    def board_texts(self) -> list[str]:
        """Cards of every board, the root's first."""
        return [format_cards(below.board) for below in self.walk()]

    def walk(self) -> Iterator[_Below]:
        """The boards in their order."""
        identity = tuple(range(N_SUITS))
        renamings = self.renamings if self.n_streets > 1 else ()  # nothing is dealt
        pending = [_Below(0, NONE, self.board, (identity,), renamings)]
        number = 0
        while pending:
            below = pending.pop()
            yield below
            if below.street < self.n_streets - 1:
                pending.extend(reversed(list(self._deal(below, number))))
            number += 1

    def list_next(self) -> list[_Below]:
        """The boards next to the root."""
        root = next(self.walk())
        return list(self._deal(root, 0))

    def _deal(self, above: _Below, number: int) -> Iterator[_Below]:
        """The boards of the next street, each with its copies."""
        n = self.variant.streets[self.first_street + above.street + 1].cards
        left = [card for card in self.variant.deck.cards.tolist() if card not in above.board]
        dealt = [self.only] if self.only and above.street == 0 else combinations(left, n)
        for cards in dealt:
            images = _images(cards, above.renamings)
            if min(images) != cards and cards != self.only:
                continue
            fixed = tuple(r for r in above.renamings if _rename(cards, r) == cards)
            board = above.board + cards
            yield _Below(above.street + 1, number, board, tuple(images.values()), fixed)

    def chance(self) -> NDArray[np.float64]:
        """[K] probability of a deal of each street, once both hands are known."""
        chance = np.ones(self.n_streets)
        known = len(self.board) + 2 * self.variant.hole_cards
        for k in range(1, self.n_streets):
            n = self.variant.streets[self.first_street + k].cards
            chance[k] = 1 / comb(self.variant.deck.n_cards - known, n)
            known += n
        return chance


def _as_pairs(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Something by pair that changes under the same renamings as weights by card."""
    return np.asarray(weights[PAIR_CARDS].sum(axis=1))


def _rename(cards: Sequence[int], renaming: Renaming) -> tuple[int, ...]:
    return tuple(sorted(rename_cards(renaming)[list(cards)].tolist()))


def _images(
    cards: tuple[int, ...], renamings: tuple[Renaming, ...]
) -> dict[tuple[int, ...], Renaming]:
    """What `cards` become, with one renaming that makes them so; they themselves first."""
    identity = tuple(range(N_SUITS))
    images = {cards: identity}
    for renaming in renamings:
        images.setdefault(_rename(cards, renaming), renaming)
    return images


class _BoardBuilder:
    """Lists that grow board by board."""

    def __init__(self, cards: BoardCards) -> None:
        self.source = cards
        self.rows: list[tuple[int, int]] = []  # street, parent
        self.copies, self.groups = [0], [0]
        self.hands: list[tuple[NDArray[np.intp], NDArray[np.intp]]] = []  # at the root, by board
        self.cards: list[NDArray[np.int32]] = []
        self.same: list[NDArray[np.int32]] = []
        self.up: list[NDArray[np.int32]] = []
        self.ends: list[NDArray[np.int32]] = []
        n = cards.holes.shape[0]
        self.root = [np.full(n, NONE, np.int32) for _ in (0, 1)]
        for places, hands in zip(self.root, cards.hands, strict=True):
            places[hands] = np.arange(hands.size)

    def build(self) -> Boards:
        for below in self.source.walk():
            self._add(below)
        n_hands = np.array([[h.size for h in pair] for pair in self.hands], np.int32)
        sizes = np.concatenate(([0], np.cumsum(n_hands.ravel(), dtype=np.int64)))
        copied = np.repeat(n_hands, np.diff(self.copies), axis=0)
        up_sizes = np.concatenate(([0], np.cumsum(copied.ravel(), dtype=np.int64)))
        rows = np.array(self.rows, np.int32)
        boards = Boards(
            np.ascontiguousarray(rows[:, 0]),
            np.ascontiguousarray(rows[:, 1]),
            np.array(self.copies, np.int32),
            n_hands,
            sizes[:-1].reshape(-1, 2),
            np.concatenate([h for pair in self.hands for h in pair]).astype(np.int32),
            np.ascontiguousarray(np.concatenate(self.cards)),
            np.concatenate(self.same),
            up_sizes[:-1].reshape(-1, 2),
            np.concatenate(self.up),
            np.array(self.groups, np.int32),
            np.concatenate(self.ends) if self.ends else np.zeros((0, 2), np.int32),
            np.full(len(self.rows), NONE, np.int64),
            np.zeros(1, np.float32),
            self.source.chance(),
        )
        return self._with_matrices(boards)

    def _add(self, below: _Below) -> None:
        """Add a board: which hands it leaves, in which order, and where they come from."""
        above = self.source.hands if below.parent == NONE else self._above(below.parent)
        final = below.street == self.source.n_streets - 1
        ranks: list[NDArray[Any]] = []
        kept: list[NDArray[np.intp]] = []
        off = np.zeros(N_CARDS, bool)
        off[list(below.board)] = True
        for hands in above:
            dead = off[self.source.holes[hands]].any(axis=1)
            left = hands[~dead]
            if final:
                ranks.append(self._rank(left, below.board))
                order = np.argsort(ranks[-1], kind="stable")
                left, ranks[-1] = left[order], ranks[-1][order]
            kept.append(left)
        self.rows.append((below.street, below.parent))
        self.copies.append(self.copies[-1] + len(below.copies))
        for renaming in below.copies:
            self._climb(kept, above, renaming)
        self._describe(kept)
        if final:
            levels = np.unique(np.concatenate(ranks))
            ends = [np.searchsorted(rank, levels, side="right") for rank in ranks]
            self.ends.append(np.stack(ends, axis=1).astype(np.int32))
            self.groups.append(self.groups[-1] + levels.size)
        else:
            self.groups.append(self.groups[-1])
        root = (self.root[0][kept[0]], self.root[1][kept[1]])
        self.hands.append((root[0].astype(np.intp), root[1].astype(np.intp)))

    def _above(self, parent: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        first, second = (
            all_hands[places]
            for all_hands, places in zip(self.source.hands, self.hands[parent], strict=True)
        )
        return first, second

    def _climb(
        self,
        kept: Sequence[NDArray[np.intp]],
        above: Sequence[NDArray[np.intp]],
        renaming: Renaming,
    ) -> None:
        """Where the hands of a copy stand among those of the parent."""
        single = self.source.variant.hole_cards == 1
        renamed = rename_cards(renaming) if single else rename_pairs(renaming)
        for left, hands in zip(kept, above, strict=True):
            place = np.full(renamed.size, NONE, np.int32)
            place[hands] = np.arange(hands.size)
            self.up.append(place[renamed[left]])

    def _describe(self, kept: Sequence[NDArray[np.intp]]) -> None:
        """The cards of hands, and which hands both seats may have."""
        for left, others in zip(kept, reversed(kept), strict=True):
            holes = self.source.holes[left]
            same = np.full(left.size, NONE, np.int32)
            if holes.shape[1] == 1:
                cards = np.column_stack(
                    (holes[:, 0], np.full(left.size, NO_CARD), np.full(left.size, NOT_READ))
                )
            else:
                cards = holes[:, [0, 1, 1]]
                place = np.full(N_PAIRS, NONE, np.int32)
                place[others] = np.arange(others.size)
                same = place[left]
            self.cards.append(cards.astype(np.int32))
            self.same.append(same)

    def _rank(self, hands: NDArray[np.intp], board: tuple[int, ...]) -> NDArray[Any]:
        n = self.source.variant.hole_cards
        cards = np.empty((hands.size, n + len(board)), np.uint8)
        cards[:, :n], cards[:, n:] = self.source.holes[hands], board
        quirk = self.source.variant.first_flush_suit_only
        if cards.shape[1] < MIN_CARDS:
            return np.array([showdown_strength(row) for row in cards.tolist()], np.int64)
        ranks = np.empty(hands.size, np.int16)
        ranking_kernels.rank_hands(cards, quirk, ranking_kernels.rank_tables(), ranks)
        return ranks

    def _with_matrices(self, boards: Boards) -> Boards:
        """Fill in the matrices of boards on which an all-in may end the betting."""
        all_in = self.source.all_in[: self.source.n_streets - 1]
        if not any(all_in):
            return boards
        highest = list(all_in).index(True)
        wanted = (boards.street >= highest) & (boards.street < self.source.n_streets - 1)
        sizes = np.where(wanted, boards.n_hands.astype(np.int64).prod(axis=1), 0)
        starts = np.concatenate(([0], np.cumsum(sizes)))
        boards = boards._replace(
            matrices=np.where(wanted, starts[:-1], NONE),
            matrix=np.zeros(int(starts[-1]), np.float32),
        )
        board_cards_kernels.fill_matrices(boards)
        return boards
