"""Card abstractions by street: one bucketing per street, and what players remember.

Built, it is an array over isomorphism classes for every street, so a bucket is one index and one
read. The arrays of each street are in the cache folder, under the name of their bucketing and the
tables it was fitted to: two abstractions that share a street share its array.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counterfold.buckets.bucket_quality import StreetQuality, measure_street
from counterfold.buckets.bucketing import ORDER_VERSION, Bucketing
from counterfold.buckets.card_abstraction import (
    RECALLS,
    BuiltFactors,
    CardAbstraction,
    CardBuckets,
    Factors,
    JointKey,
    Sight,
)
from counterfold.buckets.clustering.clustered import Histogram
from counterfold.buckets.perfect_recall import ClassBuckets, PerfectRecall
from counterfold.buckets.run_histograms.run_clusters import (
    RunClusters,
    build_run,
    check_run,
    run_spec,
)
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.streets import BOARD_SIZES, STREETS
from counterfold.cards.table_files import Arrays, Column, TableSpec, build_table, find_table
from counterfold.errors import AbstractionError, CardError, UnknownNameError

RUN = "run"  # in place of a street: boards that another card follows
_MEASURE_SECONDS, _COUNT_SECONDS = 1e-6, 8e-8  # of a class with its histogram, of one without


@dataclass(frozen=True)
class StreetAbstraction(CardAbstraction):
    """Bucketings of preflop, flop, turn and river, and of boards whose run goes on.

    With recall `current` a player knows only the bucket of this street, with `sequence` also those
    of the earlier streets. Without `run` a variant with runs has its own rule for long boards.
    """

    streets: tuple[Bucketing, Bucketing, Bucketing, Bucketing]
    recall: str = "current"
    run: Histogram | None = None

    def __post_init__(self) -> None:
        if self.recall not in RECALLS:
            raise UnknownNameError("recall", self.recall, RECALLS)
        if self.run is not None:
            check_run(self.run)

    def __mul__(self, other: Any) -> "StreetAbstraction":
        """What either distinguishes, street by street; both must have the same recall."""
        if not isinstance(other, StreetAbstraction):
            return NotImplemented
        if self.recall != other.recall:
            raise AbstractionError(
                f"factors of a product must have the same recall, not {self.recall!r} and "
                f"{other.recall!r}"
            )
        if self.run is not None or other.run is not None:
            raise AbstractionError(f"a product cannot have buckets of runs: {self.name!r}")
        a, b, c, d = (x * y for x, y in zip(self.streets, other.streets, strict=True))
        return StreetAbstraction((a, b, c, d), self.recall)

    @property
    def name(self) -> str:
        """Text that `parse_street_abstraction` reads back."""
        parts = [f"{s}: {b.name}" for s, b in zip(STREETS, self.streets, strict=True)]
        if self.run is not None:
            parts.append(f"{RUN}: {self.run.name}")
        if self.recall != "current":
            parts.append(f"recall: {self.recall}")
        return "; ".join(parts)

    @property
    def factors(self) -> Factors:
        """Itself."""
        return Factors((), self)

    def most_buckets(self, source: StrengthLookup, streets: Sequence[str]) -> tuple[int, ...]:
        """Upper bounds on the buckets at stages of play on these streets."""
        counts: list[int] = []
        for street in streets:
            n = self.streets[STREETS.index(street)].most_buckets(source.n_classes(street))
            if self.run is not None and street == STREETS[-1]:
                n = max(n, self.run.n)
            counts.append(n * (counts[-1] if counts and self.recalls else 1))
        return tuple(counts)

    def tables(self) -> set[str]:
        """Names of the strength tables that the labels depend on."""
        pairs = zip(STREETS, self.streets, strict=True)
        return set().union(*(bucketing.tables(street) for street, bucketing in pairs))

    def label_specs(self, source: StrengthLookup) -> list[TableSpec]:
        """How the buckets of each street, and the clusters of runs, are stored on disk."""
        pairs = zip(STREETS, self.streets, strict=True)
        specs = [label_spec(bucketing, source, street) for street, bucketing in pairs]
        return specs if self.run is None else [*specs, run_spec(self.run, source)]

    def check(self, source: StrengthLookup) -> None:
        """Raise `AbstractionError` now for anything that would fail on a later street."""
        for street, bucketing in zip(STREETS, self.streets, strict=True):
            bucketing.check(source, street)
        if self.run is not None:
            run_spec(self.run, source)

    def build(self, source: StrengthLookup) -> "StreetBuckets":
        """Fit what is not in the cache yet; takes long for clusterings of a full deck."""
        self.check(source)
        streets = dict(zip(STREETS, self.streets, strict=True))
        labels = {s: build_labels(bucketing, source, s) for s, bucketing in streets.items()}
        run = None if self.run is None else build_run(self.run, source)
        return StreetBuckets(self, source, labels, run)

    def measure_seconds(self, source: StrengthLookup) -> float:
        """Of all classes; those of the river have no histograms."""
        n_early = sum(source.n_classes(street) for street in STREETS[:-1])
        return n_early * _MEASURE_SECONDS + source.n_classes("river") * _COUNT_SECONDS

    def joint_key(self, source: StrengthLookup) -> JointKey:
        """Buckets that are built are counted: there may be fewer than requested."""
        self.check_perfect_recall()
        folder = source.strength.folder
        if any(find_table(spec, folder) is None for spec in self.label_specs(source)):
            pairs = zip(STREETS, self.streets, strict=True)
            return JointKey(None, tuple(b.most_buckets(source.n_classes(s)) for s, b in pairs))
        built = self.build(source).with_perfect_recall()
        return JointKey(built.fingerprint, tuple(street.n_buckets for street in built.streets))

    def check_perfect_recall(self) -> None:
        """Raise `AbstractionError` if players forget the buckets of earlier streets."""
        if not self.recalls:
            raise AbstractionError(
                f"joint tables need bucket sequences, which players forget in {self.name!r}; add "
                "'recall: sequence'"
            )


def label_spec(bucketing: Bucketing, source: StrengthLookup, street: str) -> TableSpec:
    """Name, dependencies and array of a street's buckets on disk."""
    n_classes = source.n_classes(street)
    most = bucketing.most_buckets(n_classes)
    dtype = "u1" if most <= 1 << 8 else "<u2" if most <= 1 << 16 else "<u4"
    depends = {
        "bucketing": bucketing.name,
        **source.strength.rules,
        "street": street,
        "uses": bucketing.uses(source, street),
        "versions": {"order": ORDER_VERSION, **bucketing.versions},
    }
    return TableSpec(f"buckets-{street}", depends, {"labels": Column(dtype, (n_classes,))})


def build_labels(bucketing: Bucketing, source: StrengthLookup, street: str) -> NDArray[np.integer]:
    """The bucket of every class of `street`, from the cache or fitted now."""
    spec = label_spec(bucketing, source, street)

    def work(first: int, last: int, arrays: Arrays) -> None:
        arrays["labels"][...] = bucketing.label(source, street)

    return build_table(spec, source.strength.folder, 1, work, threads=1)["labels"]


@dataclass(frozen=True, eq=False)
class StreetBuckets(CardBuckets):
    """A card abstraction by street with its arrays."""

    hands_may_change: ClassVar[bool] = True

    abstraction: StreetAbstraction
    source: StrengthLookup
    labels: Mapping[str, NDArray[np.integer]]  # by street, over its classes
    run: RunClusters | None = None

    def __post_init__(self) -> None:
        for street, labels in self.labels.items():
            if labels.shape != (self.source.n_classes(street),):
                raise AbstractionError(f"the buckets of the {street} do not fit its classes")

    @property
    def description(self) -> StreetAbstraction:
        """The abstraction that was built."""
        return self.abstraction

    @property
    def factors(self) -> BuiltFactors:
        """Themselves."""
        return BuiltFactors((), self)

    @property
    def fingerprint(self) -> str:
        """Hash of everything that the buckets depend on; see `with_perfect_recall`."""
        return self._by_class.fingerprint

    @cached_property
    def _by_class(self) -> ClassBuckets:
        specs = self.abstraction.label_specs(self.source)
        return ClassBuckets(self.deck, self.labels, " ".join(spec.fingerprint for spec in specs))

    @property
    def preflop(self) -> NDArray[np.integer]:
        """The bucket of each class before the flop."""
        return self.labels["preflop"]

    def isomorphism(self, street: str) -> Isomorphism:
        """The classes of a street."""
        return self.source.strength.isomorphism(street)

    def n_buckets(self, street: str) -> int:
        """Number of buckets of a street; found by reading all its labels, so only once."""
        if street not in self._n_buckets:
            self._n_buckets[street] = int(self.labels[street].max()) + 1
        return self._n_buckets[street]

    @cached_property
    def _n_buckets(self) -> dict[str, int]:
        return {}

    def count(self, street: str, n_before: int = 1) -> int:
        """Those of the street, in each of the sequences so far if these are remembered."""
        return self.n_buckets(street) * (n_before if self.recalls else 1)

    def label(
        self, hands: NDArray[np.uint8], before: NDArray[np.integer] | None = None
    ) -> NDArray[np.integer]:
        """The bucket of the street, or the sequence that it makes with those `before`."""
        found = self.buckets(hands)
        if before is None or not self.recalls:
            return found
        return before * self.n_buckets(_street_of(hands.shape[1] - 2)) + found

    def bucket_path(self, path: Sequence[Sight]) -> int:
        """The bucket of the last stage, or the sequence of all of them."""
        number = 0
        for hole, board in path if self.recalls else path[-1:]:
            number = number * self.n_buckets(_street_of(len(board))) + self.bucket(hole, board)
        return number

    def bucket(self, hole: Sequence[int], board: Sequence[int] = ()) -> int:
        """The bucket of one hand on one board."""
        street = _street_of(len(board))
        return int(self.labels[street][self.isomorphism(street).index([*hole, *board])])

    def buckets(self, deals: ArrayLike) -> NDArray[np.integer]:
        """The buckets of deals ``[n, 2 + board]``, hole cards first."""
        cards = np.asarray(deals)
        if cards.ndim != 2:
            raise CardError(
                f"deals must have shape (n, cards), not {cards.shape}; use bucket() for one"
            )
        street = _street_of(cards.shape[1] - 2)
        return self.labels[street][self.isomorphism(street).index_many(cards)]

    def measure(self) -> list[StreetQuality]:
        """How good the buckets of each street are."""
        return [measure_street(self.labels[street], self.source, street) for street in STREETS]

    def with_perfect_recall(self) -> PerfectRecall:
        """The buckets by class; raises `AbstractionError` if players forget them."""
        self.abstraction.check_perfect_recall()
        return self._by_class

    def sequence(self, hole: Sequence[int], board: Sequence[int] = ()) -> tuple[int, ...]:
        """The buckets of all streets so far, which is what recall `sequence` remembers."""
        last = STREETS.index(_street_of(len(board)))
        return tuple(self.bucket(hole, board[: BOARD_SIZES[s]]) for s in STREETS[: last + 1])


def _street_of(n_board: int) -> str:
    for street, size in BOARD_SIZES.items():
        if size == n_board:
            return street
    raise CardError(f"a board of {n_board} cards does not belong to a street with tables")
