"""Opponent clusters by k-means: groups that are found, their order, and what is refused."""

import numpy as np
import pytest

from counterfold.buckets.clustering.opponent_clustering import cluster_by_histogram
from counterfold.cards import Isomorphism, parse_cards, parse_range
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.errors import CardError

PREFLOP = Isomorphism((2,))
BINS = 50


def make_histograms(n_groups, noise=0.0, seed=0):
    """Histograms around `n_groups` strengths; the group of each preflop class, in random order."""
    rng = np.random.default_rng(seed)
    groups = rng.permutation(np.arange(169) % n_groups)
    centers = (groups + 0.5) / n_groups + noise * rng.uniform(-1, 1, 169)
    middles = (np.arange(BINS) + 0.5) / BINS
    return np.exp(-(((middles - centers[:, None]) / 0.15) ** 2)), groups


@pytest.mark.parametrize("n_clusters", [1, 3, 8])
def test_groups_that_are_far_apart_are_found_and_numbered_by_strength(n_clusters):
    histograms, groups = make_histograms(n_clusters, noise=0.1 / n_clusters)
    clusters = cluster_by_histogram(histograms, n_clusters)
    assert clusters.cluster_of.tolist() == groups[PREFLOP.index_many(PAIR_CARDS)].tolist()
    assert clusters.name == f"histogram-{n_clusters}-seed-0"


def test_rows_are_those_of_the_preflop_table():
    histograms = np.zeros((169, BINS))
    histograms[:, 10] = 1
    histograms[PREFLOP.index(parse_cards("AcAd"))] = np.eye(BINS)[40]
    clusters = cluster_by_histogram(histograms, 2)
    assert np.flatnonzero(clusters.cluster_of).tolist() == parse_range("AA").pairs.tolist()


def test_the_seed_decides_alone():
    histograms, _ = make_histograms(169)
    first, again = (cluster_by_histogram(histograms, 5, seed=3) for _ in range(2))
    assert first.cluster_of.tobytes() == again.cluster_of.tobytes()
    assert first.name == "histogram-5-seed-3"
    scaled = cluster_by_histogram(1081 * histograms, 5, seed=3)  # counts instead of shares
    assert scaled.cluster_of.tobytes() == first.cluster_of.tobytes()


def test_fewer_different_histograms_than_clusters_make_fewer_clusters():
    histograms, groups = make_histograms(3)
    clusters = cluster_by_histogram(histograms, 5)
    assert clusters.n_clusters == 3
    assert clusters.name == "histogram-3-seed-0"
    assert clusters.cluster_of.tolist() == groups[PREFLOP.index_many(PAIR_CARDS)].tolist()


def test_as_many_clusters_as_classes():
    histograms, _ = make_histograms(169)
    clusters = cluster_by_histogram(histograms[:, 2::5], 169)  # ten bins: quicker
    assert clusters.n_clusters > 150  # centers of the same class can fall together
    assert len(clusters.shares) == clusters.n_clusters


def test_histograms_that_make_no_sense_are_refused():
    histograms, _ = make_histograms(3)
    for n_clusters in (0, 170):
        with pytest.raises(CardError, match=f"169 classes cannot make {n_clusters} clusters"):
            cluster_by_histogram(histograms, n_clusters)
    for wrong in (histograms[:168], histograms[0]):
        with pytest.raises(CardError, match=r"169 histograms must have shape \(169, bins\), not"):
            cluster_by_histogram(wrong, 3)
