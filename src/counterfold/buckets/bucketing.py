"""Buckets of one street: which classes of hand and board a player does not distinguish.

A bucketing is a small frozen object with parameters, and its name reads back as text, so
recipes can name it. Fitted to the strength tables of a street it gives a label for every class, and
labels are numbered so that a higher one means stronger hands on average. ``A * B`` distinguishes
two classes whenever A or B does.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.label_numbers import Labels, dense, order_by_strength, percentiles
from counterfold.buckets.strength_lookup import (
    SQUARE,
    StrengthLookup,
    check_mean,
    check_metric,
    metric_tables,
)
from counterfold.cards.draws_kernels import KEEP_BOTH
from counterfold.errors import AbstractionError

Values = NDArray[np.float64]

ORDER_VERSION = 1  # of what all labels share: their order by strength


class FittingSpace(NamedTuple):
    """What fitting costs, beyond the labels of a street and the tables."""

    memory_bytes: int
    disk_bytes: int


@dataclass(frozen=True)
class Bucketing(ABC):
    """How the classes of one street are put into buckets."""

    word: ClassVar[str]
    version: ClassVar[int] = 1  # incremented whenever the same words give other labels

    def __mul__(self, other: "Bucketing") -> "Bucketing":
        if not isinstance(other, Bucketing):  # a history, which knows how
            return NotImplemented
        return Product(self, other)

    @property
    def name(self) -> str:
        """Text that `parse_bucketing` reads back."""
        shown = []
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            text = value.name if isinstance(value, Bucketing) else str(value)
            if parameter.default is MISSING:
                shown.append(text)
            elif value != parameter.default:
                shown.append(f"{parameter.name}={text}")
        return f"{self.word}({', '.join(shown)})" if shown else self.word

    @property
    def by_metric(self) -> "MetricBucketing | None":
        """Itself if it cuts one number into ranges, so that any hand with that number has one."""
        return None

    @abstractmethod
    def most_buckets(self, n_classes: int) -> int:
        """An upper bound on the number of buckets."""

    @abstractmethod
    def split(self, source: StrengthLookup, street: str) -> Labels:
        """A label for every class, in any order of labels."""

    def tables(self, street: str) -> set[str]:
        """Names of the tables that the labels depend on, as in `counterfold tables`."""
        return {street}

    def uses(self, source: StrengthLookup, street: str) -> list[str]:
        """Fingerprints of those tables."""
        return sorted(source.spec(name).fingerprint for name in self.tables(street))

    @property
    def versions(self) -> dict[str, int]:
        """The version of every bucketing in it, by word."""
        found = {self.word: self.version}
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            if isinstance(value, Bucketing):
                found |= value.versions
        return found

    def estimate_seconds(self, source: StrengthLookup, street: str) -> float:
        """Time of fitting beyond a sort of the classes; the tables are not counted."""
        return 0.0

    def estimate_space(self, source: StrengthLookup, street: str) -> FittingSpace:
        """Memory and disk beyond a few numbers for each class; the tables are not counted."""
        return FittingSpace(0, 0)

    def check(self, source: StrengthLookup, street: str) -> None:
        """Raise `AbstractionError` if there are fewer classes than buckets."""
        n_classes = source.n_classes(street)
        if self.most_buckets(n_classes) > n_classes:
            raise AbstractionError(
                f"{self.name} makes {self.most_buckets(n_classes):,} buckets from the "
                f"{n_classes:,} classes of the {street}; ask for fewer"
            )

    def label(self, source: StrengthLookup, street: str) -> Labels:
        """A bucket for every class, weakest first, without gaps."""
        self.check(source, street)
        labels = self.split(source, street)
        return order_by_strength(labels, source.mean(street), source.weights(street))


@dataclass(frozen=True)
class Lossless(Bucketing):
    """Every class by itself: nothing is lost except the names of suits."""

    word = "lossless"

    def most_buckets(self, n_classes: int) -> int:
        """All classes."""
        return n_classes

    def split(self, source: StrengthLookup, street: str) -> Labels:
        """The number of the class."""
        return np.arange(source.n_classes(street), dtype=np.int32)


@dataclass(frozen=True)
class Discards(Bucketing):
    """Whether the best play is to keep both cards or to exchange one; nothing without a draw."""

    word = "discards"

    def most_buckets(self, n_classes: int) -> int:
        """Two."""
        return 2

    def tables(self, street: str) -> set[str]:
        """The draw tables of the street, if it has one."""
        return {street, f"draws-{street}"} if street in ("flop", "turn") else {street}

    def split(self, source: StrengthLookup, street: str) -> Labels:
        """Zero to keep, one to discard."""
        if street not in ("flop", "turn"):
            return np.zeros(source.n_classes(street), np.uint8)
        table = source.draws.street(street, threads=source.threads, progress=source.progress)
        return np.not_equal(table.choice, KEEP_BOTH).astype(np.uint8)


@dataclass(frozen=True)
class MetricBucketing(Bucketing):
    """Ranges of one number, from the lowest up."""

    n: int
    metric: str = "ehs"

    def __post_init__(self) -> None:
        check_count(self.word, self.n)
        check_metric(self.metric)

    def tables(self, street: str) -> set[str]:
        """Those of the metric."""
        return metric_tables(self.metric, street)

    def most_buckets(self, n_classes: int) -> int:
        """The requested number; empty ones are dropped."""
        return self.n

    @property
    def by_metric(self) -> "MetricBucketing":
        """Itself."""
        return self

    @abstractmethod
    def cut(self, sample: Callable[[], Values]) -> Values:
        """The numbers from which the next range begins; `sample` gives random ones, rising."""


@dataclass(frozen=True)
class Uniform(MetricBucketing):
    """Equal widths of E[HS], or of another metric, from 0 to 1."""

    word = "uniform"

    def split(self, source: StrengthLookup, street: str) -> Labels:
        """The width that the value falls into."""
        value = source.value(self.metric, street)
        return np.minimum((value * self.n).astype(np.int32), self.n - 1)

    def cut(self, sample: Callable[[], Values]) -> Values:
        """The same, whatever the numbers are."""
        return np.arange(1, self.n) / self.n


@dataclass(frozen=True)
class Percentile(MetricBucketing):
    """Equal numbers of deals, by rising E[HS], E[HS²], or the same with discards."""

    word = "percentile"

    def split(self, source: StrengthLookup, street: str) -> Labels:
        """The share of weaker deals, in n steps."""
        weights = source.weights(street)
        return percentiles(source.order(self.metric, street), weights, self.n)

    def cut(self, sample: Callable[[], Values]) -> Values:
        """Those of the sample that as many lie between."""
        values = sample()
        return values[np.arange(1, self.n) * values.size // self.n]


@dataclass(frozen=True)
class Nested(Bucketing):
    """First `n` sets by E[HS²], then each into `m` by E[HS]; both with equal numbers of deals.

    With the metric ``draw`` both are those of a hand that may exchange cards.
    """

    word = "nested"
    n: int
    m: int
    metric: str = "ehs"

    def __post_init__(self) -> None:
        check_count("nested", self.n)
        check_count("nested", self.m)
        check_mean(self.metric)

    def tables(self, street: str) -> set[str]:
        """Those of both metrics."""
        return metric_tables(self.metric, street) | metric_tables(SQUARE[self.metric], street)

    def most_buckets(self, n_classes: int) -> int:
        """All pairs."""
        return self.n * self.m

    def split(self, source: StrengthLookup, street: str) -> Labels:
        """The pair of both steps."""
        weights = source.weights(street)
        outer = percentiles(source.order(SQUARE[self.metric], street), weights, self.n)
        inner_value = source.order(self.metric, street)
        labels = np.empty(outer.size, np.int32)
        for k in range(self.n):
            held = np.flatnonzero(outer == k)
            labels[held] = k * self.m + percentiles(inner_value[held], weights[held], self.m)
        return labels


@dataclass(frozen=True)
class PsOpti(Bucketing):
    """One bucket for weak hands with potential, the others by E[HS], narrower at the top.

    A hand has potential if its E[HS] is below `weak` and it ends above `strong` with probability
    `chance` at least. The other buckets end at ``1 - (1 - k / (n - 1)) ** taper``: the widths fall
    toward the top. With the metric ``draw`` the hand may exchange cards on the way.
    """

    word = "psopti"
    n: int
    weak: float = 0.5
    strong: float = 0.8
    chance: float = 0.2
    taper: float = 1.5
    metric: str = "ehs"

    def __post_init__(self) -> None:
        check_count("psopti", self.n)
        check_mean(self.metric)
        if not 0.0 < self.weak < self.strong < 1.0:
            raise AbstractionError(
                f"psopti needs 0 < weak < strong < 1, not weak {self.weak} and strong {self.strong}"
            )
        if not 0.0 < self.chance < 1.0:
            raise AbstractionError(f"psopti needs 0 < chance < 1, not {self.chance}")
        if self.n < 2:
            raise AbstractionError("psopti needs at least two buckets, one for potential")
        if not self.taper > 0.0:
            raise AbstractionError(f"psopti needs a taper above 0, not {self.taper}")

    def most_buckets(self, n_classes: int) -> int:
        """The requested number; on the river nothing has potential."""
        return self.n

    def tables(self, street: str) -> set[str]:
        """Those of the metric and of final strength, whose histograms come with its squares."""
        return metric_tables(self.metric, street) | metric_tables(SQUARE[self.metric], street)

    def split(self, source: StrengthLookup, street: str) -> Labels:
        """The potential bucket is the last label, before ordering by strength."""
        value = source.value(self.metric, street)
        steps = np.arange(1, self.n - 1) / (self.n - 1)
        ends = 1.0 - (1.0 - steps) ** self.taper
        labels = np.searchsorted(ends, value, side="right").astype(np.int32)
        if street != "river":
            rises = source.chance_above(self.strong, street, self.metric)
            labels[(value < self.weak) & (rises >= self.chance)] = self.n - 1
        return labels


@dataclass(frozen=True)
class Product(Bucketing):
    """What either of two bucketings distinguishes."""

    word = "product"
    first: Bucketing
    second: Bucketing

    @property
    def name(self) -> str:
        """Both names, joined by a star."""
        return f"{self.first.name} * {self.second.name}"

    def most_buckets(self, n_classes: int) -> int:
        """All pairs, or one per class."""
        pairs = self.first.most_buckets(n_classes) * self.second.most_buckets(n_classes)
        return min(pairs, n_classes)

    def tables(self, street: str) -> set[str]:
        """Those of both."""
        return self.first.tables(street) | self.second.tables(street)

    def estimate_seconds(self, source: StrengthLookup, street: str) -> float:
        """The time of both."""
        parts = (self.first, self.second)
        return sum(part.estimate_seconds(source, street) for part in parts)

    def estimate_space(self, source: StrengthLookup, street: str) -> FittingSpace:
        """The memory of one after the other and of all pairs, and the disk of both."""
        a, b = (part.estimate_space(source, street) for part in (self.first, self.second))
        pairs = 16 * source.n_classes(street)
        return FittingSpace(
            pairs + max(a.memory_bytes, b.memory_bytes), a.disk_bytes + b.disk_bytes
        )

    def split(self, source: StrengthLookup, street: str) -> Labels:
        """The pair of labels, numbered without gaps."""
        second = self.second.split(source, street).astype(np.int64)
        pairs = self.first.split(source, street).astype(np.int64) * (second.max() + 1) + second
        return dense(pairs)


@dataclass(frozen=True)
class Coarsen(Bucketing):
    """At most `n` buckets: neighbors of another bucketing merged, with even numbers of deals."""

    word = "coarsen"
    fine: Bucketing
    n: int

    def __post_init__(self) -> None:
        check_count("coarsen", self.n)

    def most_buckets(self, n_classes: int) -> int:
        """The requested number."""
        return min(self.n, self.fine.most_buckets(n_classes))

    def tables(self, street: str) -> set[str]:
        """Those of the finer one."""
        return self.fine.tables(street)

    def estimate_seconds(self, source: StrengthLookup, street: str) -> float:
        """The time of the finer one."""
        return self.fine.estimate_seconds(source, street)

    def estimate_space(self, source: StrengthLookup, street: str) -> FittingSpace:
        """That of the finer one."""
        return self.fine.estimate_space(source, street)

    def split(self, source: StrengthLookup, street: str) -> Labels:
        """The share of deals in weaker buckets, in n steps."""
        fine = self.fine.label(source, street)
        sizes = np.bincount(fine, weights=source.weights(street))
        return percentiles(np.arange(sizes.size), sizes, self.n)[fine]


def check_count(word: str, n: Any) -> None:
    """Raise `AbstractionError` unless `n` is a number of buckets."""
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        raise AbstractionError(f"{word} needs a whole number of buckets of at least 1, not {n!r}")
