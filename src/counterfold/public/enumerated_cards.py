"""Lossy buckets on listed deals: for any deck, what card tables do for full decks.

Card tables are for two hole cards and boards of three to five. A small deck with other boards has
all its deals listed instead, and its hands are cut by their expected result over that list.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.bucketing import check_count
from counterfold.buckets.card_abstraction import RECALLS, Sight
from counterfold.buckets.label_numbers import dense, number_rows, percentiles
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.call_text import make, read_call
from counterfold.cards.table_files import Progress
from counterfold.errors import AbstractionError, UnknownNameError
from counterfold.public import deals_kernels
from counterfold.public.card_maps import (
    Buckets,
    CardMap,
    Cards,
    ExactCards,
    LookCards,
    NoCards,
    with_secrets,
)
from counterfold.public.card_spec import CardSources, CardSpec
from counterfold.public.deals import Dealer, Deals, stage_hand_cells

_WORD = "listed-percentile"
_TIES = 9  # decimals to which equal results agree


@dataclass(frozen=True)
class EnumeratedPercentile(CardSpec):
    """`n` buckets at every stage, of nearly equal probability, by the expected result.

    The result is that of a showdown, a tie counting half, if nobody discards again. With recall
    `sequence` a player knows its earlier buckets and discards too.
    """

    n: int
    recall: str = "current"
    lists_deals: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_count(_WORD, self.n)
        if self.recall not in RECALLS:
            raise UnknownNameError("recall", self.recall, RECALLS)

    @property
    def name(self) -> str:
        """Text that `parse_enumerated` reads back."""
        recall = "" if self.recall == "current" else f", recall={self.recall}"
        return f"{_WORD}({self.n}{recall})"

    @property
    def recalls(self) -> bool:
        """Whether earlier buckets are kept."""
        return self.recall == "sequence"

    def card_map(self, sources: CardSources, progress: Progress | None = None) -> CardMap:
        """Buckets for the listed deals."""
        deals, exact = sources.exact
        if isinstance(exact, LookCards):
            exact = exact.cards
        if not isinstance(exact, ExactCards):
            raise AbstractionError(f"{self.name} does not handle bounties; use exact cards")
        return with_secrets(PercentileCards(self, exact, deals))

    def empty_map(self, dealer: Dealer, lookup: StrengthLookup) -> CardMap:
        """All in one bucket: there are no tables to look up."""
        return NoCards(dealer)


def parse_enumerated(text: str) -> EnumeratedPercentile | None:
    """Read ``listed-percentile(4)`` or ``listed-percentile(4, recall=sequence)``; else None."""
    if not text.strip().startswith(_WORD):
        return None
    call = read_call(text, AbstractionError, "cards", f"{_WORD}(4)")
    if call.word != _WORD:
        raise UnknownNameError("cards", call.word, [_WORD])
    return make(EnumeratedPercentile, call, AbstractionError, kinds={})


class PercentileCards(CardMap):
    """The buckets of `EnumeratedPercentile`; they are for the deals of `exact`."""

    chained = True  # what is exactly known is
    sees_shown = True

    def __init__(self, spec: EnumeratedPercentile, exact: ExactCards, deals: Deals) -> None:
        self.spec, self.exact, self.dealer = spec, exact, exact.dealer
        self._deals = deals
        known = exact.label(deals)
        self._labels = self._cut(known, deals)
        if spec.recall == "sequence":
            self._labels, self.n_buckets = remember(exact.dealer, deals, self._labels)
        else:
            layout = exact.dealer.layout
            self.n_buckets = tuple(
                int(self._labels[:, :, stage_hand_cells(stage)].max()) + 1
                for stage in layout.stages
            )
        self.tables = self._tabulate(known)  # by stage and exact bucket

    @property
    def name(self) -> str:
        """As in the recipe."""
        return self.spec.name

    def label(self, deals: Deals) -> Buckets:
        """The buckets of any deals of the variant, found from what is exactly known."""
        if deals is self._deals:
            return self._labels
        labels = self.exact.label(deals)
        for table, stage in zip(self.tables, self.dealer.layout.stages, strict=True):
            hand_cells = stage_hand_cells(stage)
            labels[:, :, hand_cells] = table[labels[:, :, hand_cells]]
        return labels

    def label_hands(
        self, holes: Cards, boards: Cards, lengths: NDArray[np.uint8] | None = None
    ) -> Buckets:
        """The buckets of hands on boards, found from what is exactly known."""
        labels = self.exact.label_hands(holes, boards, lengths)
        for at in range(labels.shape[1]):
            labels[:, at] = self.tables[at][labels[:, at]]
        return labels

    def label_stage(self, at: int, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        """The bucket of what is exactly known, if `before` is what was exactly known."""
        return self.tables[at][self.exact.label_stage(at, holes, boards, before)]

    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of one player, found from what it exactly knows."""
        return int(self.tables[len(path) - 1][self.exact.bucket(path)])

    def _tabulate(self, exact: Buckets) -> list[NDArray[np.int32]]:
        """By stage, the bucket of everything that can be known exactly."""
        tables = []
        for n, stage in zip(self.exact.n_buckets, self.dealer.layout.stages, strict=True):
            hand_cells = stage_hand_cells(stage)
            dealt = self._deals.lengths >= stage[deals_kernels.STAGE_STREET]
            table = np.zeros(n, np.int32)
            table[exact[dealt, :, hand_cells].ravel()] = self._labels[dealt, :, hand_cells].ravel()
            tables.append(table)
        return tables

    def _cut(self, exact: Buckets, deals: Deals) -> Buckets:
        labels = np.zeros_like(exact)
        n_last = deals.strengths.shape[2]
        for stage in self.dealer.layout.stages:
            hand_cells = stage_hand_cells(stage)
            dealt = deals.lengths >= stage[deals_kernels.STAGE_STREET]
            # A player who keeps its cards from now on has the first of the hand paths that
            # follow.
            own = deals.strengths[dealt, :, :: n_last // int(stage[deals_kernels.STAGE_PATHS])]
            other = deals.strengths[dealt, ::-1, :1]
            scores = (1.0 + np.sign(own - other)) / 2.0
            known = exact[dealt, :, hand_cells]
            weights = np.broadcast_to(deals.weights[dealt, None, None], known.shape)
            totals = np.bincount(known.ravel(), weights.ravel())
            sums = np.bincount(known.ravel(), (weights * scores).ravel())
            results = np.divide(sums, totals, out=np.zeros_like(sums), where=totals > 0)
            values, places = np.unique(results.round(_TIES), return_inverse=True)
            cut = dense(percentiles(values, np.bincount(places, totals), self.spec.n))
            labels[dealt, :, hand_cells] = cut[places][known]
        return labels


def remember(dealer: Dealer, deals: Deals, labels: Buckets) -> tuple[Buckets, tuple[int, ...]]:
    """Buckets that include the earlier ones and one's own discards, and how many there are."""
    layout = dealer.layout
    found = np.zeros_like(labels)
    counts: list[int] = []
    for at, stage in enumerate(layout.stages):
        hand_cells = stage_hand_cells(stage)
        hand_paths = np.arange(int(stage[deals_kernels.STAGE_PATHS]))
        dealt = deals.lengths >= stage[deals_kernels.STAGE_STREET]
        columns = [labels[dealt, :, hand_cells]]
        if at > 0:
            before = layout.stages[at - 1]
            ratio = hand_paths.size // int(before[deals_kernels.STAGE_PATHS])
            columns.append(
                found[dealt][:, :, int(before[deals_kernels.STAGE_CELL]) + hand_paths // ratio]
            )
            columns.append(np.broadcast_to((hand_paths % ratio).astype(np.int32), columns[0].shape))
        numbers = number_rows([column.ravel() for column in columns])
        found[dealt, :, hand_cells] = numbers.reshape(columns[0].shape)
        counts.append(int(numbers.max(initial=0)) + 1)
    return found, tuple(counts)
