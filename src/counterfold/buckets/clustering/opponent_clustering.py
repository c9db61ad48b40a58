"""Opponent clusters by k-means: preflop classes with similar distributions of final strength."""

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.clustering.kmeans import cluster, histogram_means
from counterfold.cards.clusters import OpponentClusters
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.pairs import N_HAND_CLASSES, PAIR_CARDS
from counterfold.errors import CardError

_RESTARTS, _ITERATIONS = 10, 100  # cheap, since there are few points


def cluster_by_histogram(
    histograms: NDArray[np.floating], n_clusters: int, seed: int = 0
) -> OpponentClusters:
    """Cluster the 169 classes by their histograms of final strength, ``[169, bins]``.

    They come in the order of the preflop table, ``Isomorphism((2,))``, and each is weighted by its
    number of hands. Fewer different histograms than clusters make fewer clusters.
    """
    if not 1 <= n_clusters <= N_HAND_CLASSES:
        raise CardError(f"169 classes cannot make {n_clusters} clusters; ask for 1 to 169")
    if histograms.ndim != 2 or len(histograms) != N_HAND_CLASSES:
        raise CardError(f"the 169 histograms must have shape (169, bins), not {histograms.shape}")
    of_pair = Isomorphism((2,)).index_many(PAIR_CARDS)
    weights = np.bincount(of_pair)
    found = cluster(
        histograms,
        n_clusters,
        weights=weights,
        seed=seed,
        restarts=_RESTARTS,
        iterations=_ITERATIONS,
    ).renumbered(histogram_means(histograms), weights)
    cluster_of = found.labels[of_pair].astype(np.uint8)
    return OpponentClusters(f"histogram-{int(cluster_of.max()) + 1}-seed-{seed}", cluster_of)
