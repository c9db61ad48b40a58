"""Buckets of more than two hole cards before there is a board: by sampled showdowns of each class.

There are 1,755 classes of three cards, 16,432 of four, 134,459 of five and 962,988 of six. Each
meets random hands of as many cards on random boards, all of which are ranked with all their cards.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets import long_hand_buckets_kernels
from counterfold.buckets.bucketing import Lossless, Percentile
from counterfold.buckets.card_abstraction import CardAbstraction
from counterfold.buckets.label_numbers import percentiles
from counterfold.cards.deck import Deck
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.text import N_CARDS
from counterfold.errors import AbstractionError

_SHOWDOWNS = 30_000_000  # of all classes together, for seconds
_LEAST, _MOST = 60, 2_000  # of a class


@dataclass(frozen=True)
class LongHandDeals:
    """Labels of hands of `held` cards; `n` of them of nearly equal probability, or one each."""

    held: int
    n_board: int  # cards on the board at showdown
    n: int | None
    deck: Deck
    ranking: str

    @property
    def classes(self) -> Isomorphism:
        """The classes of hands."""
        return Isomorphism((self.held,), self.deck)

    @property
    def n_buckets(self) -> int:
        """At most; a class may be more likely than a bucket should be."""
        return self.n or self.classes.size

    @cached_property
    def labels(self) -> NDArray[np.int32]:
        """The bucket of each class, the weakest first."""
        return _label(self)

    def label(self, hands: NDArray[np.uint8]) -> NDArray[np.int32]:
        """The buckets of hands ``[n, held]``."""
        found: NDArray[np.int32] = self.labels[self.classes.index_many(hands)]
        return found

    def strengths(self) -> NDArray[np.float64]:
        """[classes] how often each wins, a tie counting half."""
        hands = self.classes.unindex_many(np.arange(self.classes.size))
        n_samples = int(np.clip(_SHOWDOWNS // len(hands), _LEAST, _MOST))
        left, wins = np.empty(N_CARDS, np.uint8), np.empty(len(hands))
        by_mask = rank_tables(self.ranking).by_mask
        long_hand_buckets_kernels.play_out(
            hands, self.n_board, n_samples, self.deck.cards, by_mask, left, wins
        )
        return wins


@lru_cache(maxsize=4)
def _label(deals: LongHandDeals) -> NDArray[np.int32]:
    strengths = deals.strengths()
    if deals.n is not None:
        return percentiles(strengths, deals.classes.weights(), deals.n)
    labels = np.empty(strengths.size, np.int32)
    labels[np.argsort(strengths, kind="stable")] = np.arange(strengths.size)
    return labels


def count_dealt(abstraction: CardAbstraction) -> int | None:
    """How many buckets more than two cards have before the flop; None for all classes."""
    histories, by_street = abstraction.factors
    if histories or by_street is None or abstraction.recalls:
        raise AbstractionError(
            f"{abstraction.name} remembers earlier buckets, which hands of more than two cards do "
            "not have; use buckets by street and recall: current"
        )
    bucketing = by_street.streets[0]
    if isinstance(bucketing, Lossless):
        return None
    if isinstance(bucketing, Percentile):
        return bucketing.n
    raise AbstractionError(
        "more than two cards before the flop can be lossless or percentile(n), not "
        f"{bucketing.name}"
    )
