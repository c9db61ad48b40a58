"""History bucketing: percentile buckets whose cuts depend on the buckets so far (CPRG).

One set of cuts per preceding sequence, each with equal numbers of deals, and perfect recall: what a
player knows of the cards is its whole bucket sequence. Before the flop and on the flop a class of
the suit isomorphism fixes the sequence, so buckets are arrays over classes. On the turn and the
river a class forgets which card came when; there the cuts lie on a *level* of the class: its
percentile by the metric in 65,536 steps on the turn, its integer score on the river, where E[HS]
and E[HS²] order hands alike.

The cuts are exact: the fit walks over all deals. A cut goes where the number of weaker deals is
nearest to its share; equal levels stay together, so shares are equal up to ties.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counterfold.buckets.bucket_quality import StreetQuality
from counterfold.buckets.card_abstraction import (
    BuiltFactors,
    CardAbstraction,
    CardBuckets,
    Factors,
    JointKey,
)
from counterfold.buckets.histories import history_kernels
from counterfold.buckets.histories.history_fit import fit
from counterfold.buckets.histories.history_kernels import StreetTables
from counterfold.buckets.histories.history_streets import N_LEVELS, street_tables
from counterfold.buckets.perfect_recall import PerfectRecall
from counterfold.buckets.sequence_quality import history_measure_seconds, measure_history
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.deck import Deck
from counterfold.cards.isomorphism_kernels import NO_FAULT, find_fault
from counterfold.cards.streets import BOARD_SIZES, N_FINAL, STREETS, street_classes
from counterfold.cards.table_files import (
    Arrays,
    Column,
    TableSpec,
    build_table,
    find_table,
    read_only,
)
from counterfold.cards.text import N_CARDS
from counterfold.errors import AbstractionError, CardError, UnknownNameError
from counterfold.memory import check_memory
from counterfold.threads import thread_count

if TYPE_CHECKING:
    from counterfold.buckets.card_product import CardProduct

METRICS = ("ehs", "ehs2")
VERSION = 1  # incremented whenever the same words would give other buckets


@dataclass(frozen=True)
class History(CardAbstraction):
    """`n` sets by `metric`, each into `m` buckets by E[HS], on every street and in every sequence.

    With `m` above 1 the sets are by E[HS²]: nested bucketing.
    """

    n: int
    metric: str = "ehs2"
    m: int = 1

    def __post_init__(self) -> None:
        for count in (self.n, self.m):
            if not isinstance(count, int) or isinstance(count, bool) or count < 1:
                raise AbstractionError(
                    f"history needs whole numbers of buckets of at least 1, not {count!r}"
                )
        if self.metric not in METRICS:
            raise AbstractionError(str(UnknownNameError("metric", str(self.metric), METRICS)))
        if self.m > 1 and self.metric != "ehs2":
            raise AbstractionError(
                f"nested history makes its sets by ehs2 and cuts them by ehs, not by {self.metric}"
            )

    def __mul__(self, other: Any) -> "CardProduct":
        from counterfold.buckets.card_product import multiply  # which imports this module

        return multiply(self, other)

    __rmul__ = __mul__

    @property
    def name(self) -> str:
        """Text like a call, such as ``history(5, metric=ehs2)`` or ``history(5, m=2)``."""
        last = f"m={self.m}" if self.m > 1 else f"metric={self.metric}"
        return f"history({self.n}, {last})"

    @property
    def factors(self) -> Factors:
        """Itself."""
        return Factors((self,), None)

    @property
    def n_buckets(self) -> int:
        """Buckets of every street."""
        return self.n * self.m

    def n_sequences(self, street: str) -> int:
        """Bucket sequences from the first street to this one."""
        return int(self.n_buckets ** (STREETS.index(street) + 1))

    def spec(self, deck: Deck) -> TableSpec:
        """Name, dependencies and arrays of the fit on disk."""
        columns = {
            street: Column("<u2", (street_classes(street, deck).size,))
            for street in ("preflop", "flop")
        }
        for street, before in (("turn", "flop"), ("river", "turn")):
            n_rows = self.n_sequences(before)
            columns[f"{street}_cuts"] = Column("<i4", (n_rows, self.n - 1))
            columns[f"{street}_within_cuts"] = Column("<i4", (n_rows * self.n, self.m - 1))
        columns = {name: column for name, column in columns.items() if column.nbytes}
        n_scores = 2 * comb(deck.n_cards - N_FINAL - 2, 2) + 1
        columns["river_counts"] = Column("<i8", (self.n_sequences("turn"), n_scores))
        depends = {"deck": deck.name, "history": self.name, "version": VERSION}
        return TableSpec("history", depends, columns)

    def check(self, source: StrengthLookup) -> None:
        """Raise `AbstractionError` if there are fewer classes than buckets, or another ranking."""
        source.check_usual(self.name)
        n_classes = source.n_classes("preflop")
        if self.n_buckets > n_classes:
            raise AbstractionError(
                f"{self.name} makes {self.n_buckets} buckets from the {n_classes} classes before "
                f"the flop of the deck {source.strength.deck.name}; ask for fewer"
            )

    def build(self, source: StrengthLookup) -> "FittedHistory":
        """The buckets, from the cache or fitted now: half a minute for a full deck."""
        self.check(source)
        deck, folder = source.strength.deck, source.strength.folder
        spec = self.spec(deck)
        found = find_table(spec, folder)
        if found is not None:
            return FittedHistory(self, source, found)
        turn = self.n_sequences("flop") * (1 if self.m == 1 else self.n) * N_LEVELS * 4
        river = self.n_sequences("turn") * (2 * source.strength.n_opponents + 1) * 8
        threads = thread_count(source.threads)
        check_memory(f"counts for {self.name} on {threads} threads", threads * max(turn, river))

        def work(first: int, last: int, arrays: Arrays) -> None:
            for name, fitted in fit(self, source).items():
                if name in arrays:  # empty ones are not stored
                    arrays[name][...] = fitted

        return FittedHistory(self, source, build_table(spec, folder, 1, work, threads=1))

    def measure_seconds(self, source: StrengthLookup) -> float:
        """Of the classes up to the flop, and of a walk over all deals up to the turn."""
        return history_measure_seconds(source)

    def joint_key(self, source: StrengthLookup) -> JointKey:
        """Known without a fit."""
        fingerprint = self.spec(source.strength.deck).fingerprint
        return JointKey(fingerprint, (self.n_buckets,) * len(STREETS))


HISTORY_PRESETS = {
    "cprg-5": History(5),
    "cprg-6": History(6),
    "cprg-8": History(8),
    "cprg-10": History(10),
    "cprg-10-nested": History(5, m=2),
    "cprg-12-nested": History(6, m=2),
}


@dataclass(frozen=True, eq=False)
class FittedHistory(CardBuckets):
    """A history bucketing with its buckets and cuts."""

    hands_may_change: ClassVar[bool] = False

    history: History
    source: StrengthLookup
    arrays: Arrays  # as in `History.spec`

    @property
    def description(self) -> History:
        """The history bucketing that was fitted."""
        return self.history

    @property
    def factors(self) -> BuiltFactors:
        """Itself."""
        return BuiltFactors((self,), None)

    @property
    def preflop(self) -> NDArray[np.integer]:
        """The bucket of each class before the flop."""
        return self.arrays["preflop"]

    @property
    def fingerprint(self) -> str:
        """Hash of everything that the buckets depend on."""
        return self.history.spec(self.deck).fingerprint

    @cached_property
    def streets(self) -> tuple[StreetTables, ...]:
        """For kernels, street by street. On the river the levels are scores, of no class."""
        return tuple(street_tables(self.history, self.source, self.arrays, s) for s in STREETS)

    @cached_property
    def streets_by_class(self) -> tuple[StreetTables, ...]:
        """The same with the scores of all classes of the river, whose table may be built now."""
        source = self.source
        table = source.strength.street("river", threads=source.threads, progress=source.progress)
        return (*self.streets[:3], self.streets[3]._replace(levels=read_only(table.sums)))

    def sequence(
        self,
        hole: Sequence[int],
        flop: Sequence[int] = (),
        turn: int | None = None,
        river: int | None = None,
    ) -> tuple[int, ...]:
        """The bucket of each street so far."""
        return tuple(self.sequences([join_deal(hole, flop, turn, river)])[0].tolist())

    def sequences(self, cards: ArrayLike) -> NDArray[np.int64]:
        """The bucket on each street of deals ``[n, 2, 5, 6 or 7]``: hole cards, flop, turn, river.

        A deal that ends before the river has fewer buckets.
        """
        return self._look_up(cards)[0].T

    def sequence_numbers(self, cards: ArrayLike) -> NDArray[np.int32]:
        """The sequence of each deal as one number, the bucket of the first street counting most."""
        return self._look_up(cards)[1]

    def _look_up(self, cards: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Buckets by street and deal, and the numbers of the sequences."""
        deals = np.asarray(cards)
        sizes = [2 + size for size in BOARD_SIZES.values()]
        if deals.ndim != 2 or deals.shape[1] not in sizes or deals.dtype.kind not in "iu":
            raise AbstractionError(
                "deals must be integers of shape (n, 2), (n, 5), (n, 6) or (n, 7), not "
                f"{deals.dtype} of shape {deals.shape}"
            )
        wrong = ((deals < 0) | (deals >= N_CARDS)).any(axis=1)
        if wrong.any():
            self._refuse(deals, int(wrong.argmax()))
        deals = np.require(deals, np.uint8, ["C", "W"])
        fault = find_fault(deals, self.streets[0].classes)
        if fault != NO_FAULT:
            self._refuse(deals, fault)
        n_streets = sizes.index(deals.shape[1]) + 1
        streets = self.streets_by_class if n_streets == len(STREETS) else self.streets
        numbers = np.zeros(len(deals), np.int32)
        buckets = np.empty((n_streets, len(deals)), np.int64)
        for street, out in zip(streets, buckets, strict=False):
            history_kernels.bucket_deals(deals, street, numbers, out)
        return buckets, numbers

    def count(self, street: str, n_before: int = 1) -> int:
        """Bucket sequences up to the street."""
        return self.history.n_sequences(street)

    def label(
        self, hands: NDArray[np.uint8], before: NDArray[np.integer] | None = None
    ) -> NDArray[np.integer]:
        """The sequence of each hand as one number."""
        return self.sequence_numbers(hands)

    def measure(self) -> list[StreetQuality]:
        """How good the sequences up to each street are."""
        return measure_history(self)

    def with_perfect_recall(self) -> PerfectRecall:
        """Itself."""
        return self

    def river_buckets(self, sequence: int) -> NDArray[np.int64]:
        """The bucket on the river of each score, after a sequence up to the turn."""
        n, m = self.history.n, self.history.m
        scores = np.arange(2 * self.source.strength.n_opponents + 1)
        river = self.streets[3]
        sets = np.searchsorted(river.cuts[sequence], scores, side="right")
        rows = river.within_cuts[sequence * n : (sequence + 1) * n]
        within = [np.searchsorted(row, scores, side="right") for row in rows]
        return sets * m + np.stack(within)[sets, scores]

    def _refuse(self, deals: NDArray[np.integer], row: int) -> None:
        try:
            self.deck.check(deals[row])
        except CardError as error:
            raise AbstractionError(
                f"deal {row} does not fit {self.history.name}: {error}"
            ) from error


def join_deal(
    hole: Sequence[int], flop: Sequence[int], turn: int | None, river: int | None
) -> list[int]:
    """The cards of a deal in order; raises `AbstractionError` if a street is left out."""
    cards = [*hole, *flop]
    for name, card, n_before in (("turn", turn, 5), ("river", river, 6)):
        if card is not None:
            if len(cards) != n_before:
                raise AbstractionError(
                    f"a {name} comes after {n_before} cards of hand and board, not after "
                    f"{len(cards)}"
                )
            cards.append(card)
    return cards
