"""Clusters of hands on boards of River of Blood that another card will follow.

From the fifth card on, hands are clustered by k-means of their histograms of strength at the end of
the run, under the earth mover's distance, for each number of cards up to nine; longer boards use
the clusters of nine cards. Centers are fitted to a sample of boards with a fixed seed and kept in
the cache folder. The cluster of a hand is computed when it is needed, as its histogram is.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.clustering.clustered import Histogram
from counterfold.buckets.clustering.kmeans import cluster, histogram_means
from counterfold.buckets.run_histograms import run_clusters_kernels
from counterfold.buckets.run_histograms.run_strength import (
    SHARES,
    VERSION,
    cumulative_run_strengths,
)
from counterfold.buckets.run_histograms.run_strength_kernels import make_run_scratch
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.deck import FULL
from counterfold.cards.long_boards import is_red
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.table_files import Arrays, Column, TableSpec, build_table
from counterfold.errors import AbstractionError

SIZES = (5, 6, 7, 8, 9)  # cards of boards with clusters of their own
_BOARDS, _HANDS = 25_000, 4  # fitted to, for each number of cards
_SECONDS, _BYTES_PER_HAND = 30.0, 1000  # of one core, to fit all sizes; of one of them


@dataclass(frozen=True, eq=False)
class RunClusters:
    """The centers of a clustering, for each number of cards."""

    bucketing: Histogram
    centers: NDArray[np.uint16]  # [sizes, n, bins - 1] cumulative shares, weakest first

    @property
    def n_buckets(self) -> int:
        """Clusters of each number of cards."""
        return int(self.centers.shape[1])

    def of_size(self, n_board: int) -> NDArray[np.uint16]:
        """The centers for boards of that many cards."""
        centers: NDArray[np.uint16] = self.centers[min(n_board, SIZES[-1]) - SIZES[0]]
        return centers

    def label(
        self, holes: NDArray[np.uint8], boards: NDArray[np.uint8], first_flush_suit_only: bool
    ) -> NDArray[np.int32]:
        """The clusters of `holes` [boards, hands, 2] on boards that all have a card to follow."""
        centers = self.of_size(boards.shape[1])
        n_bins = centers.shape[1] + 1
        labels = np.empty(holes.shape[:2], np.int32)
        # For read-only arrays and views the kernel would be compiled again.
        on_boards, held, deck = (
            np.require(cards, np.uint8, ["C", "W"]) for cards in (boards, holes, FULL.cards)
        )
        run_clusters_kernels.label_runs(
            on_boards,
            held,
            deck,
            np.require(centers, np.uint16, ["C", "W"]),
            first_flush_suit_only,
            rank_tables(),
            make_run_scratch(n_bins),
            np.empty(n_bins, np.uint16),
            labels,
        )
        return labels


def goes_on(boards: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which boards of five cards and more, all of one size, another card follows."""
    return is_red(boards[:, -1])


def check_run(bucketing: Any) -> None:
    """Raise `AbstractionError` unless runs can be bucketed so."""
    if not isinstance(bucketing, Histogram) or bucketing.metric != "ehs":
        raise AbstractionError(
            f"runs are bucketed by histogram(n), not by {getattr(bucketing, 'name', bucketing)!r}"
        )


def run_spec(bucketing: Histogram, source: StrengthLookup) -> TableSpec:
    """Name, dependencies and array of the centers on disk."""
    n_bins = source.strength.bins
    if source.strength.deck != FULL or not n_bins:
        raise AbstractionError(
            "clusters of runs need the full deck and histograms, not the deck "
            f"{source.strength.deck.name} with {n_bins} bins"
        )
    depends = {
        "bucketing": bucketing.name,
        "bins": n_bins,
        "boards": [_BOARDS, _HANDS],
        "versions": {"run": VERSION, **bucketing.versions},
    }
    shape = (len(SIZES), bucketing.n, n_bins - 1)
    return TableSpec("buckets-run", depends, {"centers": Column("<u2", shape)})


def estimate_run(bucketing: Histogram) -> tuple[float, int]:
    """Seconds and bytes of memory that fitting takes."""
    return _SECONDS * max(1.0, bucketing.n / 200), _BOARDS * _HANDS * _BYTES_PER_HAND


def empty_run(bucketing: Histogram, source: StrengthLookup) -> RunClusters:
    """Clusters that are all alike, to time look-ups before they are fitted."""
    column = run_spec(bucketing, source).columns["centers"]
    return RunClusters(bucketing, np.zeros(column.shape, np.uint16))


def build_run(bucketing: Histogram, source: StrengthLookup) -> RunClusters:
    """The clusters, from the cache or fitted now."""
    spec = run_spec(bucketing, source)

    def work(first: int, last: int, arrays: Arrays) -> None:
        for at in range(first, last):
            arrays["centers"][at] = _fit(bucketing, SIZES[at], source.strength.bins)

    arrays = build_table(
        spec, source.strength.folder, len(SIZES), work, threads=1, progress=source.progress
    )
    return RunClusters(bucketing, arrays["centers"])


def _fit(bucketing: Histogram, n_board: int, n_bins: int) -> NDArray[np.uint16]:
    holes, boards = sample_runs(n_board, _BOARDS, _HANDS, bucketing.seed)
    cumulative = cumulative_run_strengths(holes, boards, n_bins).reshape(-1, n_bins)
    histograms = np.diff(cumulative.astype(np.int32), axis=1, prepend=0)
    found = cluster(
        histograms,
        bucketing.n,
        seed=bucketing.seed,
        restarts=bucketing.restarts,
        iterations=bucketing.iterations,
        threads=1,
    ).renumbered(histogram_means(histograms))
    return np.rint(np.cumsum(found.centers, axis=1)[:, :-1] * SHARES).astype(np.uint16)


def sample_runs(
    n_board: int, n: int, n_hands: int, seed: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Hands [n, n_hands, 2] on boards [n, n_board] of which all cards from the fifth on are red.

    As the game deals them: any four cards, and any red ones of the others.
    """
    rng = np.random.default_rng([seed, n_board])
    n_any = SIZES[0] - 1
    red = np.flatnonzero(is_red(FULL.cards))
    run = rng.permuted(np.tile(red, (n, 1)), axis=1)[:, : n_board - n_any]
    order = rng.random((n, FULL.n_cards))
    np.put_along_axis(order, run, 2.0, axis=1)  # behind all others
    others = np.argsort(order, axis=1)
    board = np.concatenate([others[:, :n_any], run], axis=1)
    holes = others[:, n_any : n_any + 2 * n_hands].reshape(n, n_hands, 2)
    return holes.astype(np.uint8), board.astype(np.uint8)
