"""Buckets of more than two hole cards before there is a board: by sampled showdowns of each class.

There are 1,755 classes of three cards, 16,432 of four, 134,459 of five and 962,988 of six. Each
meets random hands of as many cards on random boards, all of which are ranked with all their cards.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets import long_hand_buckets_kernels
from counterfold.buckets.bucketing import Lossless, Percentile
from counterfold.buckets.card_abstraction import CardAbstraction
from counterfold.buckets.label_numbers import percentiles
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.table_files import Arrays, Column, TableSpec, build_table, find_table
from counterfold.cards.text import N_CARDS
from counterfold.errors import AbstractionError

VERSION = 1  # incremented whenever the same spec would give other strengths
_SHOWDOWNS = 30_000_000  # of all classes together, for seconds
_LEAST, _MOST = 60, 2_000  # of a class


@dataclass(frozen=True)
class LongHandDeals:
    """Labels of hands of `held` cards; `n` of them of nearly equal probability, or one each."""

    held: int
    n_board: int  # cards on the board at showdown
    n: int | None
    source: StrengthLookup

    @property
    def classes(self) -> Isomorphism:
        """The classes of hands."""
        return Isomorphism((self.held,), self.source.strength.deck)

    @property
    def n_buckets(self) -> int:
        """At most; a class may be more likely than a bucket should be."""
        return self.n or self.classes.size

    @property
    def spec(self) -> TableSpec:
        """The table of strengths on disk."""
        strength = self.source.strength
        depends = {
            "deck": strength.deck.name,
            "ranking": strength.ranking,
            "held": self.held,
            "board": self.n_board,
            "showdowns": self._n_showdowns,
            "version": VERSION,
        }
        column = Column("<f4", (self.classes.size,))
        return TableSpec(f"dealt-{self.held}", depends, {"wins": column})

    @cached_property
    def labels(self) -> NDArray[np.int32]:
        """The bucket of each class, the weakest first."""
        wins = self.strengths()
        if self.n is not None:
            return percentiles(wins, self.classes.weights(), self.n)
        labels = np.empty(wins.size, np.int32)
        labels[np.argsort(wins, kind="stable")] = np.arange(wins.size)
        return labels

    def label(self, hands: NDArray[np.uint8]) -> NDArray[np.int32]:
        """The buckets of hands ``[n, held]``."""
        found: NDArray[np.int32] = self.labels[self.classes.index_many(hands)]
        return found

    def strengths(self) -> NDArray[np.float32]:
        """[classes] how often each wins, a tie counting half; built now if not in the cache."""
        source, folder = self.source, self.source.strength.folder
        arrays = find_table(self.spec, folder)
        if arrays is None:
            arrays = build_table(
                self.spec,
                folder,
                self.classes.size,
                self._play_out,
                threads=source.threads,
                progress=source.progress,
            )
        return np.asarray(arrays["wins"])

    @property
    def _n_showdowns(self) -> int:
        """Of each class."""
        return int(np.clip(_SHOWDOWNS // self.classes.size, _LEAST, _MOST))

    def _play_out(self, first: int, last: int, arrays: Arrays) -> None:
        strength = self.source.strength
        hands = self.classes.unindex_many(np.arange(first, last))
        left, wins = np.empty(N_CARDS, np.uint8), np.empty(last - first)
        by_mask = rank_tables(strength.ranking).by_mask
        deck, n_showdowns = strength.deck.cards, self._n_showdowns
        long_hand_buckets_kernels.play_out(
            hands, self.held, first, self.n_board, n_showdowns, deck, by_mask, left, wins
        )
        arrays["wins"][first:last] = wins


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
