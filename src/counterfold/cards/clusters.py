"""Opponent clusters: a partition of the 1326 hands, for strength against each part apart (OCHS).

`EIGHT_RANGES` follows the winner of MIT Pokerbots 2017: eight ranges of given shares and character.
The literature (Johanson et al. 2013) clusters the 169 classes by their histograms of final hand
strength instead: `cluster_by_histogram`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.pairs import (
    N_HAND_CLASSES,
    N_PAIRS,
    PAIR_CARDS,
    PAIR_HAND_CLASSES,
    format_hand_class,
)
from counterfold.cards.ranges import parse_range
from counterfold.errors import CardError


@dataclass(frozen=True, eq=False)
class OpponentClusters:
    """Which cluster each hand belongs to; clusters are numbered from 0, weakest first."""

    name: str
    cluster_of: NDArray[np.uint8]  # [1326] by number of the pair

    def __post_init__(self) -> None:
        if self.cluster_of.shape != (N_PAIRS,) or self.cluster_of.dtype != np.uint8:
            raise CardError(f"clusters are {N_PAIRS} bytes, not {self.cluster_of.shape}")
        if not np.array_equal(np.unique(self.cluster_of), np.arange(self.n_clusters)):
            raise CardError(f"clusters {self.name!r} are not numbered from 0 without gaps")
        firsts = np.unique(PAIR_HAND_CLASSES, return_index=True)[1]
        torn = np.flatnonzero(self.cluster_of != self.cluster_of[firsts][PAIR_HAND_CLASSES])
        if torn.size:  # a table by class of suit isomorphism could not hold equity against them
            hands = format_hand_class(int(PAIR_HAND_CLASSES[torn[0]]))
            raise CardError(f"clusters {self.name!r} tell suits apart: {hands} is in two of them")

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return int(self.cluster_of.max()) + 1

    @property
    def shares(self) -> NDArray[np.float64]:
        """Share of the 1326 hands in each cluster."""
        return np.bincount(self.cluster_of) / N_PAIRS


def clusters_from_ranges(name: str, ranges: Sequence[str]) -> OpponentClusters:
    """Clusters written as ranges, which must cover every hand exactly once."""
    cluster_of = np.full(N_PAIRS, 255, np.uint8)
    for k, text in enumerate(ranges):
        held = parse_range(text).weights > 0
        if (cluster_of[held] != 255).any():
            raise CardError(f"range {text!r} repeats a hand of an earlier range of {name!r}")
        cluster_of[held] = k
    if (cluster_of == 255).any():
        raise CardError(f"the ranges of {name!r} leave {int((cluster_of == 255).sum())} hands out")
    return OpponentClusters(name, cluster_of)


# Shares of 1326 in the original: 0.169, 0.142, 0.124, 0.152, 0.106, 0.155, 0.121, 0.032.
EIGHT_RANGES = clusters_from_ranges(
    "eight-ranges",
    (
        "T2,T3s,92-94,82-83,72-73,62-63,52,42,43o,32",  # low unconnected
        "J2-J3,T3o,T4-T7,95-96,84-85,74",  # low to middle unconnected
        "97-98,86-87,75-76,64-65,53-54,43s",  # small and middle connectors
        "22,K2o-K4o,Q2-Q7,J4-J7",  # twos; jack, queen or king with a low card
        "QJo,Q8-QT,J8-JT,T8-T9",  # connected ten to queen
        "33-55,K2s-K4s,K5-K9,A2-A7",  # threes to fives, king with a middle card, weak aces
        "66-77,QJs,KT-KQ,A8-AK",  # sixes, sevens, broadway, strong aces
        "88+",
    ),
)


def cluster_by_histogram(
    histograms: NDArray[np.floating], n_clusters: int, seed: int = 0
) -> OpponentClusters:
    """Cluster the 169 classes by their histograms of final strength, ``[169, bins]``.

    They come in the order of the preflop table, ``Isomorphism((2,))``. K-means on cumulative
    histograms, whose L1 distance is the earth mover's; seeded like k-means++, each class weighed by
    its number of hands. Few points, so ten restarts cost nothing.
    """
    if not 1 <= n_clusters <= N_HAND_CLASSES:
        raise CardError(f"169 classes cannot make {n_clusters} clusters")
    if histograms.ndim != 2 or len(histograms) != N_HAND_CLASSES:
        raise CardError(f"169 histograms have shape (169, bins), not {histograms.shape}")
    of_pair = Isomorphism((2,)).index_many(PAIR_CARDS)
    points = np.cumsum(histograms / histograms.sum(axis=1, keepdims=True), axis=1)
    weights = np.bincount(of_pair).astype(float)
    rng = np.random.default_rng(seed)
    runs = [_k_means(points, weights, n_clusters, rng) for _ in range(10)]
    labels = min(runs, key=lambda run: run[1])[0]
    strength = -points.sum(axis=1)  # mean strength grows as the cumulative histogram falls
    means = [
        np.average(strength[labels == k], weights=weights[labels == k]) for k in np.unique(labels)
    ]
    ranked = np.empty(len(means), np.uint8)
    ranked[np.argsort(means)] = np.arange(len(means))
    of_class = ranked[np.unique(labels, return_inverse=True)[1]]
    return OpponentClusters(
        f"histogram-{len(means)}-seed-{seed}", of_class[of_pair].astype(np.uint8)
    )


def _k_means(
    points: NDArray[np.floating],
    weights: NDArray[np.floating],
    n_clusters: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.intp], float]:
    """Labels and the weighted sum of distances; L1 distance, weighted medians as centres."""
    chosen = [int(rng.choice(len(points), p=weights / weights.sum()))]
    while len(chosen) < n_clusters:
        nearest = _distances(points, points[chosen]).min(axis=1) ** 2 * weights
        if nearest.sum() == 0:
            break  # fewer different points than clusters
        chosen.append(int(rng.choice(len(points), p=nearest / nearest.sum())))
    centres = points[chosen]
    labels = _distances(points, centres).argmin(axis=1)
    for _ in range(100):
        for k in np.unique(labels):  # a cluster that lost all its points keeps its centre
            centres[k] = _median(points[labels == k], weights[labels == k])
        previous, labels = labels, _distances(points, centres).argmin(axis=1)
        if np.array_equal(previous, labels):
            break
    cost = float(_distances(points, centres).min(axis=1) @ weights)
    return labels, cost


def _distances(points: NDArray[np.floating], centres: NDArray[np.floating]) -> NDArray[np.floating]:
    return np.asarray(np.abs(points[:, None, :] - centres[None, :, :]).sum(axis=2))


def _median(points: NDArray[np.floating], weights: NDArray[np.floating]) -> NDArray[np.floating]:
    """Weighted median of each coordinate: the centre that minimises the sum of L1 distances."""
    order = np.argsort(points, axis=0)
    reached = np.cumsum(weights[order], axis=0) >= weights.sum() / 2
    ordered = np.take_along_axis(points, order, axis=0)
    return np.asarray(ordered[reached.argmax(axis=0), np.arange(points.shape[1])])
