"""Buckets of more than two hole cards in plain NumPy: what kernels find in
`buckets.long_hand_buckets`.
"""

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from counterfold.cards.ranking_kernels import PAIR, STRAIGHT, TRIPS, TWO_PAIR
from counterfold.contest.exported.exported_strength import BITS, HandStrength, Ranks, list_pairs

PAIR_CARDS = 2
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
