"""Buckets of three hole cards, which are too many to tabulate, by those of two.

A hand of three cards is in the bucket of its best pair of them. Where all three make more than any
two do, a flush or two pairs, it is in the bucket of the pair on the same board that is as strong.
Of the variance of the chance to win against two cards this leaves 5 % on the flop, 3 % on the turn
and 0.1 % on the river, beyond what the buckets themselves leave.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets import trio_buckets_kernels
from counterfold.buckets.card_abstraction import CardBuckets
from counterfold.cards.pairs import N_PAIRS
from counterfold.cards.ranking_kernels import RankTables, rank_tables
from counterfold.cards.text import N_CARDS

TRIO = 3


@dataclass(frozen=True, eq=False)
class TrioBuckets:
    """Labels of three hole cards on boards of three cards and more; they are those of `buckets`."""

    buckets: CardBuckets

    def label(self, hands: NDArray[np.uint8]) -> NDArray[np.integer]:
        """The buckets of hands ``[n, 3 + board]``, hole cards first."""
        pairs = np.concatenate([np.delete(hands, place, axis=1) for place in range(TRIO)])
        by_pair = self.buckets.label(pairs).reshape(TRIO, len(hands))
        labels: NDArray[np.integer] = by_pair.max(axis=0)
        ranks = np.empty(len(hands), np.int64)
        trio_buckets_kernels.find_trios(hands, self._tables.by_mask, ranks)
        more = np.flatnonzero(ranks)
        if not more.size:
            return labels
        alike, counts = self._match(hands[more, TRIO:], ranks[more])
        found = self.buckets.label(alike)
        starts = np.cumsum(counts) - counts
        labels[more] = np.maximum(labels[more], np.maximum.reduceat(found, starts))
        return labels

    @property
    def _tables(self) -> RankTables:
        return rank_tables(self.buckets.source.strength.ranking)

    def _match(
        self, boards: NDArray[np.uint8], ranks: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """The hands of two that are as strong as these ranks, board by board, and how many.

        There may be several, alike but for their draws and suits: the best bucket of them counts,
        so that the names of suits do not matter.
        """
        left, scratch = np.empty(N_CARDS, np.uint8), np.empty(N_PAIRS, np.int16)
        alike = np.empty((len(boards) * N_PAIRS, 2 + boards.shape[1]), np.uint8)
        counts = np.empty(len(boards), np.int64)
        deck = self.buckets.deck.cards
        n = trio_buckets_kernels.match_trios(
            boards, ranks, deck, self._tables, left, scratch, alike, counts
        )
        return alike[:n], counts
