"""Buckets of more than two hole cards in plain NumPy: what kernels find in
`buckets.long_hand_buckets` and `buckets.long_hand_strength`.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.long_hand_strength_kernels import list_left
from counterfold.cards.ranking_kernels import PAIR, STRAIGHT, TRIPS, TWO_PAIR
from counterfold.cards.text import N_CARDS
from counterfold.contest.exported.exported_classes import Arrays, index_deals, read_tables
from counterfold.contest.exported.exported_strength import BITS, HandStrength, Ranks, list_pairs

PAIR_CARDS = 2
STRENGTH = "strength"  # name of the arrays of a strength
BucketOf = Callable[[Sequence[int], Sequence[int]], int]  # of two hole cards and a board


def bucket_long_hand(
    hole: Sequence[int], board: Sequence[int], bucket: BucketOf, hands: HandStrength
) -> int:
    """The bucket of the best pair, or of a pair that is as strong as all cards together."""
    pairs = [*combinations(hole, PAIR_CARDS)]
    on_board = BITS[[*board]].sum()
    own = [sum(BITS[card] for card in cards) for cards in (hole, *pairs)]
    ranks = hands.rank(np.array(own, np.int64) | on_board)
    best = max(bucket(pair, board) for pair in pairs)
    categories = _category(ranks)
    if categories[0] <= categories[1:].max():
        return best
    left = hands.deck[~np.isin(hands.deck, [*board])]
    first, second = list_pairs(left.size)
    others = hands.rank(BITS[left[first]] | BITS[left[second]] | on_board)
    alike = np.flatnonzero(others == others[others <= ranks[0]].max())
    found = ((int(left[first[at]]), int(left[second[at]])) for at in alike)
    return max(best, *(bucket(pair, board) for pair in found))


def _category(ranks: Ranks) -> Ranks:
    """See `buckets.long_hand_buckets_kernels`."""
    below = sum((ranks >= lowest).astype(np.int64) for lowest in (PAIR, TWO_PAIR, TRIPS))
    found: Ranks = np.where(ranks >= STRAIGHT, ranks, below)
    return found


class PackedLongHands:
    """Buckets by the strength of `held` cards; see `buckets.long_hand_strength`."""

    def __init__(
        self, held: int, squared: Mapping[str, bool], arrays: Arrays, hands: HandStrength
    ) -> None:
        self._hands, self._name, self._arrays = hands, f"{STRENGTH}.{held}", arrays
        self._squared = {int(n_board): each for n_board, each in squared.items()}
        self._ends = read_tables(arrays, f"{self._name}.boards")

    def knows(self, board: Sequence[int]) -> bool:
        """Whether hands have buckets of their own on boards of that size."""
        return len(board) in self._squared

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The bucket of a hand."""
        strength = self._measure(hole, board)
        return int(np.searchsorted(self._array(board, "cuts"), strength, side="right"))

    def _measure(self, hole: Sequence[int], board: Sequence[int]) -> float:
        """See `buckets.long_hand_strength_kernels.measure_hands`."""
        own, on_board = (int(BITS[[*cards]].sum()) for cards in (hole, board))
        left = np.empty(N_CARDS, np.int64)
        list_left(own, on_board, int(BITS[self._hands.deck].sum()), left)
        run_outs = left[self._array(board, "places")]
        run_outs = run_outs[~np.isin(run_outs, [*hole]).any(axis=1)]
        shown = np.tile(np.array(board, np.int64), (len(run_outs), 1))
        ends = index_deals(np.concatenate((shown, run_outs), axis=1), self._ends)
        ranks = self._hands.rank(own | on_board | BITS[run_outs].sum(axis=1))[:, None]
        met = self._arrays[f"{self._name}.ranks"][ends][:, self._array(board, "columns")]
        twice = (met < ranks).sum(axis=1) + (met <= ranks).sum(axis=1)
        most = 2 * met.shape[1]
        if self._squared[len(board)]:
            return float((twice * twice).sum() / (len(twice) * most * most))
        return float(twice.sum() / (len(twice) * most))

    def _array(self, board: Sequence[int], name: str) -> NDArray[Any]:
        return self._arrays[f"{self._name}.{len(board)}.{name}"]
