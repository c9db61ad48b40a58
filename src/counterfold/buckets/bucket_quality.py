"""How good a bucketing is: sizes of its buckets, and what they hide.

Everything is weighted by the number of deals that a class stands for. Spread is the standard
deviation of E[HS] within buckets; the share of variance explained compares it with the spread over
all; the EMD is the mean earth mover's distance from a class's histogram of final strength to the
mean histogram of its bucket, in units of strength.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.text import format_cards

_CHUNK = 1 << 18  # classes whose histograms are held at once


@dataclass(frozen=True)
class StreetQuality:
    """Figures of one street."""

    street: str
    n_classes: int
    n_buckets: int
    shares: NDArray[np.float64]  # of all deals, by bucket
    means: NDArray[np.float64]  # E[HS], by bucket
    entropy_bits: float
    spread: float  # of E[HS] within buckets
    explained: float  # share of the variance of E[HS]
    emd: float | None  # None on the river, where the histogram is a point
    examples: tuple[str, ...]  # one hand per bucket, at most ten buckets
    n_samples: int | None = None  # deals that the figures were estimated from; None: all of them


def measure_street(
    labels: NDArray[np.integer], source: StrengthLookup, street: str
) -> StreetQuality:
    """The figures of the buckets `labels` of one street."""
    weights = source.weights(street).astype(np.float64)
    strength = source.mean(street)
    n_buckets = int(labels.max()) + 1
    return make_quality(
        street,
        labels.size,
        np.bincount(labels, weights=weights, minlength=n_buckets),
        np.bincount(labels, weights=weights * strength, minlength=n_buckets),
        float(weights @ (strength - weights @ strength / weights.sum()) ** 2),
        emd=mean_emd(labels, weights, source, street),
        examples=_examples(labels, source.strength.isomorphism(street)),
    )


def make_quality(
    street: str,
    n_classes: int,
    sizes: NDArray[Any],
    sums: NDArray[Any],
    squares: float,
    *,
    emd: float | None,
    examples: tuple[str, ...],
    n_samples: int | None = None,
) -> StreetQuality:
    """Figures from the deals of each bucket, their summed E[HS], and its squares about the mean."""
    total = float(sizes.sum())
    means = sums / np.maximum(sizes, 1e-300)
    between = float(sizes @ (means - sums.sum() / total) ** 2)
    within = max(squares - between, 0.0)
    if n_samples is not None:  # a mean is biased toward the few deals it was taken from
        n_used = int((sizes > 0).sum())
        within = min(within * n_samples / max(n_samples - n_used, 1), squares)
    shares = sizes / total
    used = shares[shares > 0]
    return StreetQuality(
        street,
        n_classes,
        sizes.size,
        shares,
        means,
        float((used * np.log2(1.0 / used)).sum()),
        (within / total) ** 0.5,
        1.0 - within / squares if squares > 0 else 1.0,
        emd,
        examples,
        n_samples,
    )


def emd_memory_bytes(n_buckets: int, n_classes: int, n_bins: int) -> int:
    """What `mean_emd` holds at once: a histogram for each bucket, and some of the classes."""
    if n_buckets == n_classes:
        return 0
    return 8 * n_bins * (n_buckets + 3 * min(n_classes, _CHUNK))


def mean_emd(
    labels: NDArray[np.integer],
    weights: NDArray[np.float64],
    source: StrengthLookup,
    street: str,
    classes: NDArray[np.integer] | None = None,
) -> float | None:
    """The mean distance of the histograms of `classes`, or of all, to those of their buckets."""
    histograms = source.histograms(street)
    if histograms is None:
        return None
    n_buckets = int(labels.max()) + 1
    if classes is None and n_buckets == labels.size:
        return 0.0  # every class by itself
    n_bins = histograms.shape[1]
    n_run_outs = source.strength.n_run_outs(street)
    centers = np.zeros((n_buckets, n_bins))
    parts = [slice(start, start + _CHUNK) for start in range(0, labels.size, _CHUNK)]
    for part in parts:
        rows = histograms[part if classes is None else classes[part]].astype(np.float64)
        np.add.at(centers, labels[part], rows * weights[part, None])
    sizes = np.bincount(labels, weights=weights, minlength=n_buckets)
    centers /= np.maximum(sizes, 1e-300)[:, None] * n_run_outs
    np.cumsum(centers, axis=1, out=centers)
    distance = 0.0
    for part in parts:
        counts = histograms[part if classes is None else classes[part]]
        gaps = np.cumsum(counts, axis=1, dtype=np.float64) / n_run_outs
        gaps -= centers[labels[part]]
        distance += float(np.abs(gaps, out=gaps).sum(axis=1) @ weights[part])
    return float(distance / n_bins / weights.sum())


def _examples(labels: NDArray[np.integer], isomorphism: Isomorphism) -> tuple[str, ...]:
    rng = np.random.default_rng(0)
    texts = []
    for bucket in choose_buckets(int(labels.max()) + 1):
        classes = np.flatnonzero(labels == bucket)
        if classes.size > 0:
            deal = isomorphism.unindex(int(classes[rng.integers(classes.size)]))
            texts.append(format_example(bucket, deal))
    return tuple(texts)


def choose_buckets(n_buckets: int) -> list[int]:
    """The buckets that are shown by example."""
    shown = np.unique(np.linspace(0, n_buckets - 1, min(n_buckets, 10)).astype(int))
    return [int(bucket) for bucket in shown]


def format_example(bucket: int, deal: NDArray[np.integer]) -> str:
    """A bucket and a hand in it."""
    return f"{bucket}: {format_cards(deal[:2])} {format_cards(deal[2:])}".strip()
