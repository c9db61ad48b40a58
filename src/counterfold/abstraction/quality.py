"""How good a bucketing is: sizes of its buckets, and what they hide.

Everything is weighted by the number of deals that a class stands for. Spread is the standard
deviation of E[HS] within buckets; the share of variance explained compares it with the spread over
all; the EMD is the mean earth mover's distance from a class's histogram of final strength to the
mean histogram of its bucket, in units of strength.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.abstraction.history import FittedHistory
from counterfold.abstraction.source import Source
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


def measure_street(labels: NDArray[np.integer], source: Source, street: str) -> StreetQuality:
    """The figures of the buckets `labels` of one street."""
    weights = source.weights(street).astype(np.float64)
    strength = source.mean(street)
    total = weights.sum()
    n_buckets = int(labels.max()) + 1
    sizes = np.bincount(labels, weights=weights, minlength=n_buckets)
    sums = np.bincount(labels, weights=weights * strength, minlength=n_buckets)
    means = sums / np.maximum(sizes, 1e-300)
    mean = sums.sum() / total
    variance = float(weights @ (strength - mean) ** 2 / total)
    between = float(sizes @ (means - mean) ** 2 / total)
    shares = sizes / total
    used = shares[shares > 0]
    return StreetQuality(
        street,
        labels.size,
        n_buckets,
        shares,
        means,
        float((used * np.log2(1.0 / used)).sum()),
        max(variance - between, 0.0) ** 0.5,
        min(between / variance, 1.0) if variance > 0 else 1.0,
        _mean_emd(labels, weights, source, street, n_buckets),
        _examples(labels, source, street, n_buckets),
    )


def measure_history(fitted: FittedHistory) -> list[StreetQuality]:
    """The figures of the sequences before and on the flop, where a class fixes the sequence."""
    source = fitted.source
    flop = source.strength.isomorphism("flop")
    hole = source.strength.isomorphism("preflop")
    deals = flop.unindex_many(np.arange(flop.size))
    before = fitted.arrays["preflop"][hole.index_many(deals[:, :2])]
    sequence = before.astype(np.int64) * fitted.history.n_buckets + fitted.arrays["flop"]
    return [
        measure_street(fitted.arrays["preflop"], source, "preflop"),
        measure_street(sequence, source, "flop"),
    ]


def _mean_emd(
    labels: NDArray[np.integer],
    weights: NDArray[np.float64],
    source: Source,
    street: str,
    n_buckets: int,
) -> float | None:
    histograms = source.histograms(street)
    if histograms is None:
        return None
    n_bins = histograms.shape[1]
    n_run_outs = source.strength.n_run_outs(street)
    centres = np.zeros((n_buckets, n_bins))
    for start in range(0, labels.size, _CHUNK):
        part = slice(start, start + _CHUNK)
        rows = histograms[part].astype(np.float64) * weights[part, None]
        np.add.at(centres, labels[part], rows)
    sizes = np.bincount(labels, weights=weights, minlength=n_buckets)
    centres = np.cumsum(centres / np.maximum(sizes, 1e-300)[:, None] / n_run_outs, axis=1)
    distance = 0.0
    for start in range(0, labels.size, _CHUNK):
        part = slice(start, start + _CHUNK)
        rows = np.cumsum(histograms[part], axis=1, dtype=np.float64) / n_run_outs
        gaps = np.abs(rows - centres[labels[part]]).sum(axis=1)
        distance += float(gaps @ weights[part])
    return float(distance / n_bins / weights.sum())


def _examples(
    labels: NDArray[np.integer], source: Source, street: str, n_buckets: int
) -> tuple[str, ...]:
    isomorphism = source.strength.isomorphism(street)
    shown = np.unique(np.linspace(0, n_buckets - 1, min(n_buckets, 10)).astype(int))
    rng = np.random.default_rng(0)
    texts = []
    for bucket in shown:
        classes = np.flatnonzero(labels == bucket)
        if classes.size == 0:
            continue
        deal = isomorphism.unindex(int(classes[rng.integers(classes.size)]))
        text = f"{format_cards(deal[:2])} {format_cards(deal[2:])}".strip()
        texts.append(f"{bucket}: {text}")
    return tuple(texts)
