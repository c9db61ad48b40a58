"""Buckets of more than two hole cards, which are too many to tabulate, by those of two.

A hand of three cards or more is in the bucket of its best pair of them. Where all its cards make
more than any two do, a flush or two pairs, it is in the bucket of the pair on the same board that
is as strong. For three cards, of the variance of the chance to win against two this leaves 5% on
the flop, 3% on the turn and 0.1% on the river, beyond what the buckets themselves leave.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets import long_hand_buckets_kernels
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.deck import Deck
from counterfold.cards.pairs import N_PAIRS
from counterfold.cards.ranking_kernels import RankTables, rank_tables
from counterfold.cards.text import N_CARDS

PAIR_CARDS = 2


class PairBuckets(Protocol):
    """The buckets of two hole cards."""

    source: StrengthLookup

    @property
    def deck(self) -> Deck:
        """The deck that they are for."""

    def label(
        self, hands: NDArray[np.uint8], before: NDArray[np.integer] | None = None
    ) -> NDArray[np.integer]:
        """The buckets of hands ``[n, 2 + board]``."""


@dataclass(frozen=True, eq=False)
class LongHandBuckets:
    """Labels of `held` hole cards on boards of three cards and more, as in `buckets`."""

    buckets: PairBuckets
    held: int

    def label(self, hands: NDArray[np.uint8]) -> NDArray[np.integer]:
        """The buckets of hands ``[n, held + board]``, hole cards first."""
        board = range(self.held, hands.shape[1])
        places = [*combinations(range(self.held), PAIR_CARDS)]
        pairs = np.concatenate([hands[:, [*pair, *board]] for pair in places])
        by_pair = self.buckets.label(pairs).reshape(len(places), len(hands))
        labels: NDArray[np.integer] = by_pair.max(axis=0)
        ranks = np.empty(len(hands), np.int64)
        by_mask = self._tables.by_mask
        long_hand_buckets_kernels.find_long_hands(hands, self.held, by_mask, ranks)
        more = np.flatnonzero(ranks)
        if not more.size:
            return labels
        alike, counts = self._match(hands[more, self.held :], ranks[more])
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
        n = long_hand_buckets_kernels.match_pairs(
            boards, ranks, deck, self._tables, left, scratch, alike, counts
        )
        return alike[:n], counts
