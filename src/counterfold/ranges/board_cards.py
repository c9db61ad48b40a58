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
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import ranking_kernels
from counterfold.cards.pairs import N_PAIRS, PAIR_CARDS
from counterfold.cards.ranking import MIN_CARDS, showdown_strength
from counterfold.cards.suits import find_like_suits, list_renamings, rename_cards, rename_pairs
from counterfold.cards.text import N_CARDS, N_SUITS, format_cards
from counterfold.errors import CardError, IllegalActionError, UnsupportedGameError
from counterfold.games.holdem import Variant
from counterfold.ranges import board_cards_kernels

NONE = -1

# Rows of the sums over hands with a card: those of cards, then three more.
ALL_HANDS = N_CARDS  # the sum over all hands
NO_CARD = N_CARDS + 1  # always zero: the second card of a hand that has one
NOT_READ = N_CARDS + 2  # where a hand with one card adds its second
N_SUMS = N_CARDS + 3

Renaming = tuple[int, ...]  # the new name of each suit


class FoundBoard(NamedTuple):
    """A board as it is solved, and the renaming of suits that makes it the one asked for."""

    number: int
    renaming: Renaming


class BoardArrays(NamedTuple):
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


class TreeBoard(NamedTuple):
    """A board: its parent, all of its cards, its copies, and suits still alike."""

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
    only: tuple[tuple[int, ...], ...] = ()  # all that is dealt on the first streets after the root

    def __post_init__(self) -> None:
        if not self.variant.has_small_hands or self.variant.max_runs:
            raise UnsupportedGameError(
                f"{self.variant.name} has draws, swaps, auctions, runs or more than two hole "
                "cards; hands as vectors need two hole cards that never change"
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
                "give ranges with hands that can be held at the same time"
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
    def boards(self) -> BoardArrays:
        """All boards, as kernels read them."""
        return _BoardBuilder(self).build()

    @cached_property
    def board_texts(self) -> list[str]:
        """Cards of every board, the root's first."""
        return [format_cards(below.board) for below in self.listed]

    def walk(self) -> Iterator[TreeBoard]:
        """The boards in their order."""
        identity = tuple(range(N_SUITS))
        renamings = self.renamings if self.n_streets > 1 else ()  # nothing is dealt
        pending = [TreeBoard(0, NONE, self.board, (identity,), renamings)]
        number = 0
        while pending:
            below = pending.pop()
            yield below
            if below.street < self.n_streets - 1:
                pending.extend(reversed(list(self._deal(below, number))))
            number += 1

    @cached_property
    def listed(self) -> list[TreeBoard]:
        """The boards in their order, once."""
        return list(self.walk())

    def find_board(self, dealt: Sequence[Sequence[int]]) -> FoundBoard:
        """The board that is solved for the cards `dealt` after the root, street by street.

        Raises `IllegalActionError` if they cannot be dealt.
        """
        number, renaming = 0, tuple(range(N_SUITS))
        for cards in dealt:
            back = tuple(renaming.index(suit) for suit in range(N_SUITS))
            found = self._find_below(number, _rename(cards, back))
            if found is None:
                raise IllegalActionError(f"{format_cards(cards)} cannot be dealt here")
            number = found.number
            renaming = tuple(renaming[found.renaming[suit]] for suit in range(N_SUITS))
        return FoundBoard(number, renaming)

    def _find_below(self, number: int, wanted: tuple[int, ...]) -> FoundBoard | None:
        """The board below another that has a copy with these cards."""
        n_above = len(self.listed[number].board)
        for b, below in enumerate(self.listed):
            if below.parent == number:
                for copy in below.copies:
                    if _rename(below.board[n_above:], copy) == wanted:
                        return FoundBoard(b, copy)
        return None

    def list_next(self) -> list[TreeBoard]:
        """The boards next to the root."""
        root = next(self.walk())
        return list(self._deal(root, 0))

    def _deal(self, above: TreeBoard, number: int) -> Iterator[TreeBoard]:
        """The boards of the next street, each with its copies."""
        n = self.variant.streets[self.first_street + above.street + 1].cards
        left = [card for card in self.variant.deck.cards.tolist() if card not in above.board]
        chosen = self.only[above.street : above.street + 1]
        for cards in chosen or combinations(left, n):
            images = _images(cards, above.renamings)
            if min(images) != cards and not chosen:
                continue
            fixed = tuple(r for r in above.renamings if _rename(cards, r) == cards)
            board = above.board + cards
            yield TreeBoard(above.street + 1, number, board, tuple(images.values()), fixed)

    def chance(self) -> NDArray[np.float64]:
        """[K] probability of a deal of each street, once both hands are known."""
        chance = np.ones(self.n_streets)
        known = len(self.board) + 2 * self.variant.hole_cards
        for k in range(1, self.n_streets):
            n = self.variant.streets[self.first_street + k].cards
            chance[k] = 1 / comb(self.variant.deck.n_cards - known, n)
            known += n
        return chance


def rank_hands(variant: Variant, rows: NDArray[np.uint8]) -> NDArray[np.int16]:
    """The strengths of hands with their boards, all cards of a row."""
    if rows.shape[1] < MIN_CARDS:
        found = [showdown_strength(row) for row in rows.tolist()]
        _, levels = np.unique(found, return_inverse=True)
        return levels.astype(np.int16)
    ranks = np.empty(len(rows), np.int16)
    tables = ranking_kernels.rank_tables(variant.ranking)
    ranking_kernels.rank_hands(rows, variant.first_flush_suit_only, tables, ranks)
    return ranks


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
    """Lists the boards, then lets kernels fill arrays of known size."""

    def __init__(self, cards: BoardCards) -> None:
        self.source = cards
        self.below = cards.listed
        most = max(len(below.board) for below in self.below)
        self.dealt = np.full((len(self.below), most), NONE, np.int64)
        for row, below in zip(self.dealt, self.below, strict=True):
            row[: len(below.board)] = below.board

    def build(self) -> BoardArrays:
        below, source = self.below, self.source
        n_hands, starts = self._count()
        hand = np.empty(int(n_hands.sum()), np.int32)
        for p, hands in enumerate(source.hands):
            board_cards_kernels.leave_hands(
                self.dealt, hands, source.holes, np.ascontiguousarray(starts[:, p]), hand
            )
        groups, ends = self._order(n_hands, starts, hand)
        n_copies = np.array([len(each.copies) for each in below])
        ups = _offsets(np.repeat(n_hands, n_copies, axis=0))
        boards = BoardArrays(
            np.array([each.street for each in below], np.int32),
            np.array([each.parent for each in below], np.int32),
            np.concatenate(([0], np.cumsum(n_copies))).astype(np.int32),
            n_hands,
            starts,
            hand,
            np.empty((hand.size, 3), np.int32),
            np.empty(hand.size, np.int32),
            ups,
            np.empty(int((n_hands * n_copies[:, None]).sum()), np.int32),
            groups,
            ends,
            np.full(len(below), NONE, np.int64),
            np.zeros(1, np.float32),
            source.chance(),
        )
        self._link(boards)
        return self._with_matrices(boards)

    def _count(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """[B, 2] hands that boards leave, and where they begin."""
        n_hands = np.empty((2, len(self.below)), np.int32)
        for counts, hands in zip(n_hands, self.source.hands, strict=True):
            board_cards_kernels.count_hands(self.dealt, hands, self.source.holes, counts)
        by_board = np.ascontiguousarray(n_hands.T)
        return by_board, _offsets(by_board)

    def _order(
        self, n_hands: NDArray[np.int32], starts: NDArray[np.int64], hand: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Put hands of the last street in order; returns the groups of equal hands."""
        source = self.source
        final = np.array([each.street == source.n_streets - 1 for each in self.below])
        ranked = n_hands * final[:, None]
        ats = _offsets(ranked)
        width = source.variant.hole_cards + self.dealt.shape[1]
        rows = np.empty((int(ranked.sum()), width), np.uint8)
        for p, hands in enumerate(source.hands):
            board_cards_kernels.write_hands(
                final, self.dealt, p, hands, source.holes, starts, n_hands, hand, ats, rows
            )
        ranks, ends = rank_hands(source.variant, rows), np.empty((len(rows), 2), np.int32)
        groups = np.empty(final.size + 1, np.int32)
        board_cards_kernels.order_hands(final, starts, n_hands, ats, ranks, hand, groups, ends)
        return groups, ends[: groups[-1]].copy()

    def _link(self, boards: BoardArrays) -> None:
        """Where hands stand on the board above, and among those of the other seat."""
        single = self.source.variant.hole_cards == 1
        rename = rename_cards if single else rename_pairs
        copies = [renaming for each in self.below for renaming in each.copies]
        numbers = {renaming: k for k, renaming in enumerate(dict.fromkeys(copies))}
        renamed = np.stack([rename(renaming) for renaming in numbers])
        place = np.empty(renamed.shape[1], np.int32)
        for p in (0, 1):
            hands, others = self.source.hands[p], self.source.hands[1 - p]
            board_cards_kernels.link_hands(
                boards, p, hands, others, self.source.holes, (NO_CARD, NOT_READ),
                np.array([numbers[r] for r in copies]), renamed, place,
            )  # fmt: skip

    def _with_matrices(self, boards: BoardArrays) -> BoardArrays:
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


def _offsets(sizes: NDArray[np.integer]) -> NDArray[np.int64]:
    """[., 2] where things of these sizes begin, row by row."""
    ends = np.cumsum(sizes.ravel(), dtype=np.int64)
    return (ends - sizes.ravel()).reshape(-1, 2)
