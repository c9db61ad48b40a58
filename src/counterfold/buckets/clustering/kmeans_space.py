"""The space in which k-means compares hands: histograms by cumulative counts, or real vectors.

Counts with equal sums up to 65535 are kept as they are. Other histograms are rounded to cumulative
shares in 16383rds, by which a distance can be off by 1/16383. Bytes of vectors stay bytes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counterfold.buckets.clustering import kmeans_kernels
from counterfold.errors import AbstractionError, UnknownNameError
from counterfold.threads import ThreadPool, stretches

BLOCK = 2**14  # points that a thread takes at once
_DISTANCES = ("emd", "euclidean")
_MOST_WEIGHT = 2**62  # of all points
_MOST_COUNTS = 2**16 - 1  # of a histogram that is kept as it is
_SHARES = 2**14 - 1  # steps to which a histogram of shares is rounded

_T = TypeVar("_T")


@dataclass(frozen=True)
class Space:
    """Points as the kernels compare them."""

    points: NDArray[Any]  # [n, columns - 1] cumulative counts, or [n, columns] vectors
    n_columns: int
    top: int  # what the counts of a histogram add up to; 0 for vectors

    @property
    def unit(self) -> float:
        """Cost of a step of one in one column."""
        return 1.0 / (self.top * self.n_columns) if self.top else 1.0

    def lift(self, centers: NDArray[np.float64]) -> NDArray[Any]:
        """Centers in the form of the points; `lower` is the inverse."""
        if not self.top:
            return np.array(centers, np.float64, order="C")
        counts = np.rint(np.cumsum(centers, axis=1)[:, :-1] * self.top)
        return np.clip(counts, 0, self.top).astype(self.points.dtype)

    def lower(self, centers: NDArray[Any]) -> NDArray[np.float64]:
        """Centers as histograms that sum to 1, or as vectors."""
        if not self.top:
            return centers.astype(np.float64)
        shares: NDArray[np.float64] = centers / self.top
        return np.diff(shares, axis=1, prepend=0.0, append=1.0)


def embed(pool: ThreadPool, points: NDArray[Any], distance: str) -> Space:
    """Check the points and bring them into the form that the kernels compare."""
    if distance not in _DISTANCES:
        raise UnknownNameError("distance", distance, _DISTANCES)
    fewest = 2 if distance == "emd" else 1
    if points.ndim != 2 or len(points) == 0 or points.shape[1] < fewest:
        raise AbstractionError(
            f"points must have shape (n, d) with n at least 1 and d at least {fewest}, not "
            f"{points.shape}"
        )
    n, n_columns = points.shape
    if distance == "euclidean":
        # Bytes stay as they are: OCHS vectors on the river take a quarter of the memory.
        dtype = np.uint8 if points.dtype == np.uint8 else np.float32
        vectors = np.require(
            points, dtype, ["C", "W"]
        )  # for read-only ones the kernels would be compiled again
        if not np.isfinite(vectors).all():
            raise AbstractionError("vectors must have finite numbers")
        return Space(vectors, n_columns, 0)
    top = int(points[0].sum(dtype=np.int64)) if np.issubdtype(points.dtype, np.integer) else 0
    exact = 0 < top <= _MOST_COUNTS
    cumulative = np.empty((n, n_columns - 1), np.uint8 if exact and top < 2**8 else np.uint16)

    def count(first: int, last: int) -> None:
        row = kmeans_kernels.cumulate(points, first, last, top, cumulative)
        if row != kmeans_kernels.NO_FAULT:
            raise AbstractionError(
                f"histogram {row} does not have {top} counts, as the first does: {points[row]!r}"
            )

    def share(first: int, last: int) -> None:
        sums = np.cumsum(points[first:last], axis=1, dtype=np.float64)
        wrong = ~(np.isfinite(sums[:, -1]) & (sums[:, -1] > 0))
        wrong |= (points[first:last] < 0).any(axis=1)
        if wrong.any():
            row = first + int(wrong.argmax())
            raise AbstractionError(f"histogram {row} has no positive sum: {points[row]!r}")
        cumulative[first:last] = np.rint(sums[:, :-1] * (_SHARES / sums[:, -1:]))

    each(pool, count if exact else share, n, BLOCK)
    return Space(cumulative, n_columns, top if exact else _SHARES)


def check_weights(weights: ArrayLike | None, n: int) -> NDArray[np.integer]:
    """Weights of `n` points in one of two types, 1 for each if none are given."""
    if weights is None:
        return np.ones(n, np.uint16)
    given = np.asarray(weights)
    if given.shape != (n,) or not np.issubdtype(given.dtype, np.integer):
        raise AbstractionError(f"{n} points need as many whole weights, not {given!r}")
    if given.min(initial=0) < 0 or not given.any() or given.sum(dtype=np.float64) > _MOST_WEIGHT:
        raise AbstractionError(
            f"weights must not be negative and must add up to 1 to {_MOST_WEIGHT}, not {given!r}"
        )
    return given.astype(np.uint16 if given.max() < 2**16 else np.int64)


def each(pool: ThreadPool, work: Callable[[int, int], _T], n: int, size: int) -> list[_T]:
    """Do ``work(first, last)`` for parts of fixed size; the results in order."""
    return pool.share_out(lambda first, last, _: work(first, last), stretches(0, n, size))
