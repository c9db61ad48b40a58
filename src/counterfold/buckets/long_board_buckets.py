"""Buckets on boards of six cards and more, which are too many to tabulate.

River of Blood deals another card while the last one is red. There a hand's bucket is computed when
it is needed, from its exact strength on the current board: equal widths of HS, which is the
share of opponent hands that it beats, so the buckets of one board hold about equally many hands.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.bucketing import check_count
from counterfold.cards.deck import FULL, Deck
from counterfold.cards.long_boards import NO_SCORE, hand_score, hand_scores
from counterfold.cards.ranking_kernels import STANDARD

BLOCKED = -1  # in place of a bucket, for hands that share a card with the board


@dataclass(frozen=True)
class LongBoardBuckets:
    """`n` buckets of equal width of HS, weakest first.

    `first_flush_suit_only` ranks hands as the contest's evaluator does.
    """

    n: int
    first_flush_suit_only: bool = False
    deck: Deck = FULL
    ranking: str = STANDARD

    def __post_init__(self) -> None:
        check_count("a bucketing of long boards", self.n)

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The bucket of one hand."""
        quirk = self.first_flush_suit_only
        score, most = hand_score(hole, board, quirk, self.deck, self.ranking)
        return min(score * self.n // most, self.n - 1)

    def buckets(self, board: Sequence[int]) -> NDArray[np.int64]:
        """The buckets of all 1326 pairs on one board, `BLOCKED` where a card is on it or not in the
        deck.
        """
        scores, most = hand_scores(board, self.first_flush_suit_only, self.deck, self.ranking)
        buckets = np.minimum(scores * self.n // most, self.n - 1)
        return np.where(scores == NO_SCORE, BLOCKED, buckets)
