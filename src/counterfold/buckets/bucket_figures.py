"""Figures of a card abstraction: sizes of buckets, the preflop grid, what each metric sees."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from counterfold.artifacts import save_figure
from counterfold.buckets.bucket_quality import StreetQuality
from counterfold.buckets.bucketing import Percentile
from counterfold.buckets.label_numbers import percentiles
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.pairs import N_HAND_CLASSES, PAIR_HAND_CLASSES, format_hand_class

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_POINTS = 20_000  # drawn in a scatter plot


def plot_sizes(qualities: Sequence[StreetQuality], path: Path) -> None:
    """Bars: the share of deals in each bucket, street by street."""
    figure = _figure(10, 2.2 * len(qualities))
    for axes, quality in zip(
        np.atleast_1d(figure.subplots(len(qualities), 1)), qualities, strict=True
    ):
        axes.bar(np.arange(quality.n_buckets), 100 * quality.shares, width=0.9)
        axes.set_ylabel(f"{quality.street}\ndeals [%]")
    axes.set_xlabel("bucket, weakest first")
    save_figure(figure, path, dpi=120)


def plot_preflop_grid(buckets: NDArray[np.integer], path: Path) -> None:
    """The 13 × 13 grid of hole cards, colored by the bucket of each of the 1326 pairs."""
    grid = np.zeros(N_HAND_CLASSES)
    grid[PAIR_HAND_CLASSES] = buckets
    figure = _figure(7, 6.5)
    axes = figure.subplots()
    image = axes.imshow(grid.reshape(13, 13), cmap="viridis")
    for k in range(N_HAND_CLASSES):
        row, column = divmod(k, 13)
        color = "black" if grid[k] > 0.6 * grid.max() else "white"
        text = format_hand_class(k)
        axes.text(column, row, text, ha="center", va="center", fontsize=7, color=color)
    axes.set_xticks([])
    axes.set_yticks([])
    figure.colorbar(image, label="preflop bucket, weakest first", shrink=0.8)
    save_figure(figure, path, dpi=120)


def plot_metrics(source: StrengthLookup, path: Path, n: int = 5, preflop_bucket: int = 1) -> None:
    """Flop hands of one preflop bucket by (E[HS], E[HS²]), colored by flop bucket.

    Left by E[HS], right by E[HS²]: the colors on the left form vertical bands, while those on the
    right lean toward hands with potential. As in the thesis, bucket 2 of 5 is plotted.
    """
    figure = _figure(11, 5)
    isomorphism = source.strength.isomorphism("flop")
    deals = isomorphism.unindex_many(np.arange(isomorphism.size))
    hole = source.strength.isomorphism("preflop").index_many(deals[:, :2])
    weights = source.weights("flop")
    rng = np.random.default_rng(0)
    for axes, metric in zip(figure.subplots(1, 2, sharey=True), ("ehs", "ehs2"), strict=True):
        preflop = Percentile(n, metric).label(source, "preflop")
        held = np.flatnonzero(preflop[hole] == preflop_bucket)
        bucket = percentiles(source.order(metric, "flop")[held], weights[held], n)
        drawn = rng.permutation(held.size)[:_MOST_POINTS]
        points = axes.scatter(
            source.value("ehs", "flop")[held[drawn]],
            source.value("ehs2", "flop")[held[drawn]],
            c=bucket[drawn],
            cmap="viridis",
            s=2,
            linewidths=0,
        )
        axes.set_xlabel("E[HS]")
        axes.set_title({"ehs": "buckets by E[HS]", "ehs2": "buckets by E[HS²]"}[metric])
    figure.axes[0].set_ylabel("E[HS²]")
    figure.colorbar(points, label="flop bucket, weakest first", ticks=range(n))
    figure.suptitle(f"flop hands from preflop bucket {preflop_bucket + 1} of {n}")
    save_figure(figure, path, dpi=120)


def _figure(width: float, height: float) -> "Figure":
    from matplotlib.figure import Figure  # slow to import, and few commands plot

    options: dict[str, Any] = {"figsize": (width, height), "layout": "constrained"}
    return Figure(**options)
