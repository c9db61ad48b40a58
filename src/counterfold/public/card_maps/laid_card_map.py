"""Buckets of hands of three cards, one of which is laid onto the board, and of the two that stay.

Before a card is laid, a hand is in the bucket of the two cards that stay if it lays the one that
leaves the strongest hand, joined with how much the next best card would cost. Afterwards it has the
buckets of any two hole cards on a board of that size. Before the flop there are 1,755 classes of
three cards; their strength is that of the hand that stays, over sampled flops.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.card_abstraction import CardAbstraction, CardBuckets, Sight
from counterfold.buckets.label_numbers import percentiles
from counterfold.buckets.long_hand_deals import LongHandDeals, count_dealt
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.streets import BOARD_SIZES, STREET_OF_BOARD, STREETS
from counterfold.games.holdem import Variant
from counterfold.public import deals_kernels
from counterfold.public.card_maps import Buckets, Cards, TabledCards, check_deck
from counterfold.public.deals import Dealer
from counterfold.public.lay_levels import N_COSTS, TRIO, join_costs, sort_levels
from counterfold.public.lay_orders import ByStrengthLeft

_FLOPS, _SEED = 300, 1  # sampled for each class before the flop


class LaidCards(TabledCards):
    """The buckets of a card abstraction by street, for hands that lay one of three cards."""

    def __init__(
        self, dealer: Dealer, buckets: CardBuckets, order: ByStrengthLeft | None = None
    ) -> None:
        self.lays = order or ByStrengthLeft(buckets.source.strength)
        super().__init__(dealer, buckets)

    @property
    def all_dealt(self) -> list[LongHandDeals]:
        """None: the classes of three cards are ranked by what they leave."""
        return []

    def label_stage(self, at: int, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        """Looked up, or computed for boards without tables."""
        n, n_hands, held = holes.shape
        if held < TRIO:
            return self._label_board(holes, boards, None)
        if boards.shape[1] == 0:
            found = self.preflop[self.trios.index_many(holes.reshape(-1, held))].astype(np.int64)
        else:
            on_boards = np.broadcast_to(boards[:, None], (n, n_hands, boards.shape[1]))
            hands = np.concatenate([holes, on_boards], axis=2)
            found = self._label_before(hands.reshape(n * n_hands, -1))
        return found.reshape(n, n_hands).astype(np.int32)

    def _label_before(self, hands: Cards) -> NDArray[np.int64]:
        """[n] the buckets of hands ``[n, 3 + board]`` that will lay a card."""
        levels, classes = self.lays.after_each(hands, TRIO)
        order = sort_levels(levels, classes)
        by_street = self.buckets.factors.by_street
        assert by_street is not None
        labels = by_street.labels[STREET_OF_BOARD[hands.shape[1] - TRIO + 1]]
        left = labels[np.take_along_axis(classes, order[:, :1], axis=1)[:, 0]]
        return join_costs(left.astype(np.int64), levels, order)

    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of one player; the last stage says it all."""
        hole, board = path[-1]
        holes, boards = np.array([[hole]], np.uint8), np.array([board], np.uint8)
        return int(self.label_stage(len(path) - 1, holes, boards, None).item())

    @property
    def trios(self) -> Isomorphism:
        """The classes of three cards."""
        return Isomorphism((TRIO,), self.buckets.deck)

    @cached_property
    def preflop(self) -> NDArray[np.int32]:
        """The bucket of each class of three cards, the weakest first."""
        n, strengths = count_dealt(self.buckets.description), self._trio_strengths()
        if n is not None:
            return percentiles(strengths, self.trios.weights(), n)
        ranks = np.empty(strengths.size, np.int32)
        ranks[np.argsort(strengths, kind="stable")] = np.arange(strengths.size)
        return ranks

    def _trio_strengths(self) -> NDArray[np.float64]:
        """The mean level of what the best card leaves, for each class."""
        deck = self.buckets.deck.cards
        trios = self.trios.unindex_many(np.arange(self.trios.size))
        left = np.array([np.setdiff1d(deck, trio) for trio in trios])
        rng = np.random.default_rng(_SEED)
        shape, n_left = (len(trios), _FLOPS), left.shape[1]
        first, second = rng.integers(n_left, size=shape), rng.integers(n_left - 1, size=shape)
        second += second >= first
        flops = [np.take_along_axis(left, places, axis=1) for places in (first, second)]
        hands = np.concatenate([np.repeat(trios[:, None], _FLOPS, axis=1), np.stack(flops, 2)], 2)
        levels, _ = self.lays.after_each(hands.reshape(-1, TRIO + 2), TRIO)
        means: NDArray[np.float64] = levels.max(axis=1).reshape(shape).mean(axis=1)
        return means

    def _count(self) -> tuple[int, ...]:
        counts = [self.buckets.count(street) for street in STREETS]
        return laid_counts(self.dealer, int(self.preflop.max()) + 1, counts)

    def _check(self, variant: Variant) -> None:
        check_laid(self.dealer, self.buckets)


def most_laid(
    dealer: Dealer, abstraction: CardAbstraction, by_street: Sequence[int]
) -> tuple[int, ...]:
    """Upper bounds on the buckets of every stage, if hands of two cards have `by_street`."""
    n_first = count_dealt(abstraction) or Isomorphism((TRIO,), dealer.variant.deck).size
    return laid_counts(dealer, n_first, by_street)


def laid_counts(dealer: Dealer, n_first: int, by_street: Sequence[int]) -> tuple[int, ...]:
    """Buckets of every stage: `n_first` before the flop, then those of the board that a hand has
    once it has laid its card.
    """
    by_board = dict(zip(BOARD_SIZES.values(), by_street, strict=True))
    counts = []
    for stage, row in zip(dealer.stages, dealer.layout.stages, strict=True):
        board = int(row[deals_kernels.STAGE_BOARD])
        if board == 0:
            counts.append(n_first)
        elif stage.gives:
            counts.append(N_COSTS * by_board[board + 1])
        else:
            counts.append(by_board[min(board, BOARD_SIZES[STREETS[-1]])])
    return tuple(counts)


def check_laid(dealer: Dealer, buckets: CardBuckets) -> None:
    """Raise `AbstractionError` unless `buckets` suit a variant in which cards are laid."""
    check_deck(buckets, dealer.variant)
    count_dealt(buckets.description)
