"""Bucketings found by k-means: by the distribution of final strength, OCHS, or the next street."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.bucketing import Bucketing, FittingSpace, check_count
from counterfold.buckets.clustering.kmeans import cluster
from counterfold.buckets.label_numbers import Labels
from counterfold.buckets.strength_lookup import (
    RUN,
    StrengthLookup,
    check_histogram,
    histogram_tables,
)
from counterfold.errors import AbstractionError
from counterfold.threads import thread_count

_MOST_TRAINED = 2_000_000  # points; more are clustered on a sample and then assigned exactly
_POSITIONS = 128  # of the next street's buckets on the line of strength
# Measured on one core for 200 clusters of 50 bins; the number of distances that pruning leaves
# grows about with the square root of the number of clusters.
_SECONDS_PER_POINT = 2e-7
_SECONDS_PER_SEED = 2e-3
_SECONDS_PER_NEXT = 5e-8 * 46  # of counting the next street's labels, by class of it
_BYTES_PER_LATER = 24  # of a class of the next street, while it is labeled
_NEXT = {"flop": "turn", "turn": "river"}


@dataclass(frozen=True)
class _Clustered(Bucketing):
    """What the k-means bucketings share: the number of buckets, and how hard to try."""

    n: int
    seed: int = 0
    restarts: int = 1
    iterations: int = 30

    def __post_init__(self) -> None:
        check_count(self.word, self.n)
        _check_seed(self.word, self.seed)

    def most_buckets(self, n_classes: int) -> int:
        """The requested number."""
        return self.n

    @abstractmethod
    def bytes_per_point(self, source: StrengthLookup, street: str) -> int:
        """Memory of a point in the form of the kernels; 0 where there are few."""

    def estimate_seconds(self, source: StrengthLookup, street: str) -> float:
        """The time of k-means: pruned passes over the points, and the choice of seeds."""
        if not self.bytes_per_point(source, street):
            return 0.0
        n_classes = source.n_classes(street)
        passes = self.restarts * self.iterations * min(n_classes, _MOST_TRAINED)
        if n_classes > _MOST_TRAINED:
            passes += 3 * n_classes  # assigned without a good first guess
        seconds = passes * _SECONDS_PER_POINT * (self.n / 200) ** 0.5 + self.n * _SECONDS_PER_SEED
        return float(seconds / thread_count(source.threads))

    def estimate_space(self, source: StrengthLookup, street: str) -> FittingSpace:
        """The points, and the sample of them by which centers are found."""
        return FittingSpace(source.n_classes(street) * self.bytes_per_point(source, street), 0)

    def _cluster(
        self, points: NDArray[Any], source: StrengthLookup, street: str, distance: str
    ) -> Labels:
        weights = source.weights(street)
        sample = _MOST_TRAINED if len(points) > _MOST_TRAINED else None
        return cluster(
            points,
            self.n,
            distance=distance,
            weights=weights,
            seed=self.seed,
            restarts=self.restarts,
            iterations=self.iterations,
            sample=sample,
            threads=source.threads,
            progress=source.progress,
        ).labels


@dataclass(frozen=True)
class Histogram(_Clustered):
    """K-means of the histograms of final HS under the earth mover's distance.

    On the river final strength is one number and the distance its difference. With the metric
    ``draw`` the hand may exchange cards before; with ``run`` it is strength at the end of a run.
    """

    word = "histogram"
    metric: str = "ehs"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_histogram(self.metric)

    def bytes_per_point(self, source: StrengthLookup, street: str) -> int:
        """Cumulative counts; the river has a few thousand different strengths."""
        if street == "river":
            return 0
        small = source.strength.n_run_outs(street) < 256 and self.metric == "ehs"
        small |= street == "turn" and self.metric == RUN
        return (1 if small else 2) * source.strength.bins

    def tables(self, street: str) -> set[str]:
        """Those with the histograms."""
        return histogram_tables(self.metric, street)

    def split(self, source: StrengthLookup, street: str) -> Labels:
        """The nearest center."""
        histograms = source.histograms(street, self.metric)
        if histograms is not None:
            return self._cluster(histograms, source, street, "emd")
        if street != "river":
            raise AbstractionError(f"the {street} table has no histograms; set bins above 0")
        scores = source.order("ehs", street)
        sizes = np.bincount(scores, weights=source.weights(street))
        used = np.flatnonzero(sizes)
        if self.n > used.size:
            raise AbstractionError(f"the {street} has {used.size} strengths, not {self.n}")
        label_of = np.zeros(sizes.size, np.int64)
        label_of[used] = cluster(
            (used / sizes.size).astype(np.float32)[:, np.newaxis],
            self.n,
            distance="euclidean",
            weights=sizes[used].astype(np.int64),
            seed=self.seed,
            restarts=self.restarts,
            iterations=self.iterations,
        ).labels
        return np.asarray(label_of[scores])


@dataclass(frozen=True)
class Ochs(_Clustered):
    """K-means of the equities against opponent clusters, Euclidean distance."""

    word = "ochs"

    def bytes_per_point(self, source: StrengthLookup, street: str) -> int:
        """Reals, first in double precision and then in single."""
        clusters = source.strength.clusters
        return 12 * (1 if clusters is None else clusters.n_clusters)

    def tables(self, street: str) -> set[str]:
        """The river's vectors are a table of their own."""
        return {street, "river-ochs"} if street == "river" else {street}

    def split(self, source: StrengthLookup, street: str) -> Labels:
        """The nearest center."""
        return self._cluster(source.ochs(street), source, street, "euclidean")


@dataclass(frozen=True)
class Potential(Bucketing):
    """K-means of the distribution over the next street's buckets, earth mover's distance.

    The ground distance of two of those buckets is the difference of their mean strengths, to 1/128.
    On the river, and before the flop, where no single card follows, it equals `histogram`.
    """

    word = "potential"
    n: int
    later: Bucketing
    seed: int = 0
    restarts: int = 1
    iterations: int = 30

    def __post_init__(self) -> None:
        check_count("potential", self.n)
        _check_seed("potential", self.seed)

    def most_buckets(self, n_classes: int) -> int:
        """The requested number."""
        return self.n

    def tables(self, street: str) -> set[str]:
        """Those of this street and of the next."""
        later = self.later.tables(_NEXT[street]) if street in _NEXT else set()
        return {street} | later

    def estimate_seconds(self, source: StrengthLookup, street: str) -> float:
        """The time of k-means, and of the next street's buckets."""
        same = Histogram(self.n, self.seed, self.restarts, self.iterations)
        seconds = same.estimate_seconds(source, street)
        if street in _NEXT:
            later = source.n_classes(_NEXT[street])
            seconds += self.later.estimate_seconds(source, _NEXT[street])
            seconds += later * _SECONDS_PER_NEXT / thread_count(source.threads)
        return seconds

    def estimate_space(self, source: StrengthLookup, street: str) -> FittingSpace:
        """The counts of the next street's positions: a table, a padded copy, and cumulated."""
        if street not in _NEXT:
            return FittingSpace(0, 0)
        counts = source.n_classes(street) * _POSITIONS
        later = self.later.estimate_space(source, _NEXT[street])
        labels = source.n_classes(_NEXT[street]) * _BYTES_PER_LATER
        memory = max(later.memory_bytes + labels, labels // 6 + 2 * counts)
        return FittingSpace(memory, counts + later.disk_bytes)

    def split(self, source: StrengthLookup, street: str) -> Labels:
        """The nearest center."""
        same = Histogram(self.n, self.seed, self.restarts, self.iterations)
        if street not in _NEXT:
            return same.split(source, street)
        later = _NEXT[street]
        labels = self.later.label(source, later)
        weights = source.weights(later).astype(np.float64)
        sizes = np.bincount(labels, weights=weights)
        means = np.bincount(labels, weights=weights * source.mean(later)) / sizes
        position = np.minimum((means * _POSITIONS).astype(np.uint16), _POSITIONS - 1)
        counts = source.strength.next_street(
            street, position[labels], threads=source.threads, progress=source.progress
        )
        return same._cluster(_padded(counts), source, street, "emd")


def _check_seed(word: str, seed: int) -> None:
    if seed < 0:
        raise AbstractionError(f"seed of {word} must be 0 or more, not {seed}")


def _padded(counts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Positions above the strongest bucket are empty, but the line extends to 1."""
    if counts.shape[1] == _POSITIONS:
        return counts
    full = np.zeros((len(counts), _POSITIONS), counts.dtype)
    full[:, : counts.shape[1]] = counts
    return full
