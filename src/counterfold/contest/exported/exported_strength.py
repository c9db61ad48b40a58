"""Strength of one hand in plain NumPy, for machines without Numba.

The same numbers as `cards.ranking_kernels.rank_masks`, for many hands at once.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import ranking_kernels
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.cards.text import N_CARDS
from counterfold.search.river_cards import Removal, order_hands

Ranks = NDArray[np.int64]

_ALL_RANKS = (1 << 13) - 1
_FLUSH = 4  # row of the table by mask
# By card, as `cards.ranking_kernels.card_bit` has them.
BITS = np.array([1 << (16 * (card & 3) + (card >> 2)) for card in range(52)], np.int64)


class HandStrength:
    """Ranks and scores of hands from `deck`, the numbers of its cards."""

    def __init__(self, deck: Sequence[int], ranking: str = ranking_kernels.STANDARD) -> None:
        self.deck = np.array(deck, np.int64)
        self._by_mask = ranking_kernels.mask_table(ranking).astype(np.int64)

    def score(
        self, hole: Sequence[int], board: Sequence[int], first_flush_suit_only: bool = False
    ) -> tuple[int, int]:
        """Twice the wins plus the ties over all hands of an opponent, and how many there are."""
        left = self.deck[~np.isin(self.deck, [*hole, *board])]
        first, second = list_pairs(left.size)
        bits = BITS[left]
        masks = np.empty(first.size + 1, np.int64)
        masks[0] = BITS[[*hole]].sum()
        np.bitwise_or(bits[first], bits[second], out=masks[1:])
        masks |= BITS[[*board]].sum()
        ranks = self.rank(masks, first_flush_suit_only)
        own, others = ranks[0], ranks[1:]
        score = 2 * int((others < own).sum()) + int((others == own).sum())
        return score, others.size

    def scores(self, holes: Ranks, board: Sequence[int]) -> Ranks:
        """What `score` finds for many hands [n, 2] on one board."""
        in_deck = np.zeros(N_CARDS, bool)
        in_deck[self.deck] = True
        every = np.asarray(in_deck[PAIR_CARDS].all(axis=1), np.float64)
        ordered = order_hands(tuple(board), self.rank_pairs(board), every)
        removal, ones = Removal(ordered, ordered), np.ones((1, len(ordered.numbers)))
        scores = np.zeros(len(PAIR_CARDS), np.int64)
        found = removal.meet(ones)[0] + removal.win(ones)[0]
        scores[ordered.numbers] = np.rint(found).astype(np.int64)
        low, high = np.sort(holes, axis=1).T
        return np.asarray(scores[high * (high - 1) // 2 + low])

    def rank_pairs(self, board: Sequence[int], first_flush_suit_only: bool = False) -> Ranks:
        """[1326] the ranks of all pairs of cards on a board of three or more."""
        masks = BITS[PAIR_CARDS[:, 0]] | BITS[PAIR_CARDS[:, 1]] | int(BITS[[*board]].sum())
        return self.rank(masks, first_flush_suit_only)

    def rank(self, masks: NDArray[np.int64], first_flush_suit_only: bool = False) -> Ranks:
        """The rank of each hand of five cards and more; see `cards.ranking_kernels.rank_masks`."""
        suits = [(masks >> (16 * suit)) & _ALL_RANKS for suit in range(4)]
        flushes = [self._by_mask[_FLUSH][suit] for suit in suits]
        if first_flush_suit_only:
            c, d, h, s = flushes
            suited = np.where(s > 0, s, np.where(c > 0, c, np.where(d > 0, d, h)))
        else:
            suited = np.max(flushes, axis=0)
        ranks: Ranks = np.maximum(suited, self._rank_unsuited(*suits))
        return ranks

    def _rank_unsuited(self, c: Ranks, d: Ranks, h: Ranks, s: Ranks) -> Ranks:
        top, two, three, five, _, full_house = self._by_mask
        minor, major, minors, majors = c | d, h | s, c & d, h & s
        once = minor | major
        twice = minors | majors | (minor & major)
        thrice = (minors & major) | (minor & majors)
        fourfold = minors & majors
        ranks: Ranks = five[once]
        straight = ranks >= ranking_kernels.STRAIGHT
        some = np.flatnonzero((twice != 0) & ~straight)
        if some.size:
            o, t = once[some], twice[some]
            r = top[t]
            pairs = t ^ (1 << r)
            kickers = _without(_without(o, r), top[pairs])
            two_pair = ranking_kernels.TWO_PAIR + 11 * two[t] + top[kickers]
            pair = ranking_kernels.PAIR + 220 * r + three[_without(o, r)]
            ranks[some] = np.where(pairs != 0, two_pair, pair)
        some = np.flatnonzero(thrice)
        if some.size:
            o, r = once[some], top[thrice[some]]
            pairs = _without(twice[some], r)
            full = full_house[thrice[some]] + top[pairs]
            trips = ranking_kernels.TRIPS + 66 * r + two[_without(o, r)]
            less = np.where(straight[some], ranks[some], trips)
            ranks[some] = np.where(pairs != 0, full, less)
        some = np.flatnonzero(fourfold)
        if some.size:
            r = top[fourfold[some]]
            ranks[some] = ranking_kernels.QUADS + 12 * r + top[_without(once[some], r)]
        return ranks


def _without(masks: Ranks, ranks: Ranks) -> Ranks:
    """`masks` over the other twelve ranks: those above move down."""
    below = (1 << ranks) - 1
    return (masks & below) | ((masks >> 1) & ~below)


@lru_cache(maxsize=64)
def list_pairs(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The places of both cards of all pairs of `n`, in lexicographic order."""
    first, second = np.triu_indices(n, 1)
    return first, second
