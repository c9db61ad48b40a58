"""Boards of a variant in batches, each with all hands that it leaves possible, for vector walks."""

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.ranking_kernels import rank_tables
from counterfold.errors import UnsupportedGameError
from counterfold.public import boards_kernels
from counterfold.public.boards_kernels import Boards
from counterfold.public.card_maps import Buckets, CardLabels
from counterfold.public.deals import Dealer, Deals, draw_rows


def check_hands_stay(dealer: Dealer) -> None:
    """Raise `UnsupportedGameError` for a variant in which hole cards change, or are many."""
    variant = dealer.variant
    if not variant.has_small_hands:
        raise UnsupportedGameError(
            "public chance sampling needs one or two hole cards that never change, unlike those of "
            f"{variant.name}; use external sampling"
        )


def most_hands(dealer: Dealer) -> int:
    """Hands that the shortest board leaves possible."""
    return comb(dealer.layout.deck.size - dealer.layout.board_cards, dealer.layout.hole_cards)


@dataclass(frozen=True, eq=False)
class SampledBoards:
    """Boards drawn at random, their hands labeled by a card map.

    With `by_hand` every hand is a type of its own, though its buckets be those of others.
    """

    dealer: Dealer
    cards: CardLabels
    by_hand: bool = False

    def __post_init__(self) -> None:
        check_hands_stay(self.dealer)

    def batch(self, seed: int, first: int, n: int) -> Boards:
        """The boards of deals `first` to `first + n - 1` of a seed."""
        deals = self.dealer.sample(seed, first, n)
        boards = deals.cards[:, 2 * self.dealer.layout.hole_cards :]
        listed = _ListedHands(self.dealer, boards, deals.lengths)
        labels = self.cards.label_hands(listed.holes, boards, deals.lengths)
        return listed.boards(labels, self.n_marks, self.by_hand)

    @cached_property
    def n_marks(self) -> int:
        """Buckets of the stage that has the most."""
        return max(self.cards.n_buckets)


class EnumeratedBoards:
    """All boards of a list of all deals, drawn with their probabilities.

    With `by_hand` every hand is a type of its own, though its buckets be those of others.
    """

    def __init__(
        self, dealer: Dealer, deals: Deals, buckets: Buckets, *, by_hand: bool = False
    ) -> None:
        check_hands_stay(dealer)
        h = dealer.layout.hole_cards
        rows, inverse = np.unique(
            np.column_stack([deals.lengths, deals.cards[:, 2 * h :]]), axis=0, return_inverse=True
        )
        lengths, boards = rows[:, 0].copy(), np.ascontiguousarray(rows[:, 1:])
        self.weights = np.zeros(len(rows))
        np.add.at(self.weights, inverse.ravel(), deals.weights)
        self._limits = np.cumsum(self.weights)
        listed = _ListedHands(dealer, boards, lengths)
        labels = _labels_by_hand(listed, inverse.ravel(), deals, buckets)
        self.boards = listed.boards(labels, int(buckets.max()) + 1, by_hand)

    def __len__(self) -> int:
        return self.weights.size

    def batch(self, seed: int, first: int, n: int) -> Boards:
        """Boards `first` to `first + n - 1` of a seed."""
        return self.take(draw_rows(self._limits, seed, first, n))

    def take(self, rows: NDArray[np.integer]) -> Boards:
        """The boards of these rows."""
        return Boards(*(np.ascontiguousarray(array[rows]) for array in self.boards))


class _ListedHands:
    """The hands that each board leaves possible, in lexicographic order."""

    def __init__(
        self, dealer: Dealer, boards: NDArray[np.uint8], lengths: NDArray[np.uint8]
    ) -> None:
        self.dealer = dealer
        self.cards, self.lengths = np.ascontiguousarray(boards), lengths
        layout = dealer.layout
        n, h = len(boards), layout.hole_cards
        n_hands = most_hands(dealer)
        self.n_hands = np.zeros(n, np.int32)
        self.holes = np.zeros((n, n_hands, h), np.uint8)
        self.places = np.zeros((n, n_hands, 2), np.uint8)
        boards_kernels.list_hands(
            layout, self.cards, lengths, self.n_hands, self.holes, self.places
        )

    def boards(self, labels: Buckets, n_marks: int, by_hand: bool) -> Boards:
        """The batch; `labels` [n, stages, H] are below `n_marks`."""
        layout = self.dealer.layout
        n, n_stages, n_hands = labels.shape
        out = Boards(
            lengths=self.lengths,
            n_hands=self.n_hands,
            n_groups=np.zeros(n, np.int32),
            n_types=np.zeros(n, np.int32),
            firsts=np.zeros((n, n_hands), np.uint8),
            seconds=np.zeros((n, n_hands), np.uint8),
            ends=np.zeros((n, n_hands), np.int32),
            types=np.zeros((n, n_hands), np.int32),
            sizes=np.zeros((n, n_hands), np.float32),
            rows=np.zeros((n, n_stages, n_hands), np.int32),
            n_rows=np.zeros((n, n_stages), np.int32),
            buckets=np.zeros((n, n_stages, n_hands), np.int32),
            aligned=np.zeros((n, n_stages), np.bool_),
        )
        orders = np.zeros((n, n_hands), np.int32)
        strengths = np.zeros(n_hands, np.int64)
        first_flush_suit_only = self.dealer.variant.first_flush_suit_only
        by_mask = rank_tables(self.dealer.variant.ranking).by_mask
        boards_kernels.order_hands(
            layout,
            self.cards,
            first_flush_suit_only,
            by_mask,
            self.holes,
            self.places,
            orders,
            strengths,
            out,
        )
        marks = np.full(n_marks, boards_kernels.NO_TYPE, np.int32)
        pairs = np.full(n_hands * min(n_hands, n_marks), boards_kernels.NO_TYPE, np.int32)
        found = np.zeros(n_hands, np.int32)
        boards_kernels.find_types(layout, labels, orders, by_hand, marks, pairs, found, out)
        return out


def _labels_by_hand(
    listed: _ListedHands, board_of: NDArray[np.integer], deals: Deals, buckets: Buckets
) -> Buckets:
    """[boards, stages, H] the buckets of listed deals, by board and hand of the first seat."""
    n, n_hands, h = listed.holes.shape
    powers = 64 ** np.arange(h)[::-1]
    keys = listed.holes.astype(np.int64) @ powers + 64**h * np.arange(n)[:, None]
    first_seat = np.sort(deals.holes[:, 0, 0], axis=1).astype(np.int64)
    wanted, rows = np.unique(first_seat @ powers + 64**h * board_of, return_index=True)
    places = np.minimum(np.searchsorted(wanted, keys), wanted.size - 1)
    labels = buckets[rows[places], 0]  # [boards, H, stages]
    assert (wanted[places] == keys).all()
    return np.ascontiguousarray(labels.swapaxes(1, 2)).reshape(n, -1, n_hands)
