"""Opponent clusters: the preset's shares and characters, clustering, and what is refused."""

import numpy as np
import pytest

from counterfold.cards import Isomorphism, parse_cards, parse_range
from counterfold.cards.clusters import (
    EIGHT_RANGES,
    OpponentClusters,
    cluster_by_histogram,
    clusters_from_ranges,
)
from counterfold.cards.pairs import PAIR_CARDS, index_pair
from counterfold.errors import CardError

# The winner of MIT Pokerbots 2017; printed with three digits, and the ranges are ours.
SHARES = [0.169, 0.142, 0.124, 0.152, 0.106, 0.155, 0.121, 0.032]
HALF_A_HAND_CLASS = 0.0011
PREFLOP = Isomorphism((2,))
BINS = 50


def test_the_eight_ranges_have_the_shares_of_the_original():
    assert EIGHT_RANGES.n_clusters == 8
    assert EIGHT_RANGES.shares == pytest.approx(SHARES, abs=HALF_A_HAND_CLASS)
    assert EIGHT_RANGES.shares.sum() == pytest.approx(1.0)
    assert np.bincount(EIGHT_RANGES.cluster_of).sum() == 1326


@pytest.mark.parametrize(
    ("cluster", "hands"),
    [
        (0, "72,83,92,T2,62,32"),  # low unconnected cards
        (1, "J2,T5,96,85"),  # low to middle unconnected
        (2, "65,76,87,98,54"),  # small and middle connectors
        (3, "22,Q4,J5,K2o,K4o"),  # twos, and jack, queen or king with a low card
        (4, "JT,QT,T9,QJo"),  # connected ten to queen
        (5, "33,44,55,K7,A2,A5"),  # threes to fives, king with a middle card, weak aces
        (6, "66,77,KQ,KJ,AK,AT"),  # sixes, sevens, broadway, strong aces
        (7, "88,99,TT,JJ,QQ,KK,AA"),  # eights and better pairs
    ],
)
def test_the_eight_ranges_have_the_characters_of_the_original(cluster, hands):
    assert (EIGHT_RANGES.cluster_of[parse_range(hands).pairs] == cluster).all()


def test_ranges_must_be_a_partition():
    halves = clusters_from_ranges(
        "halves", ["22+", "A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32"]
    )
    assert halves.shares == pytest.approx([78 / 1326, 1248 / 1326])
    with pytest.raises(CardError, match=r"range 'AA' repeats a hand of an earlier range of 'x'"):
        clusters_from_ranges("x", ["random", "AA"])
    with pytest.raises(CardError, match="the ranges of 'x' leave 1320 hands out"):
        clusters_from_ranges("x", ["AA"])


def test_clusters_that_make_no_sense_are_refused():
    with pytest.raises(CardError, match=r"clusters are 1326 bytes, not \(169,\)"):
        OpponentClusters("x", np.zeros(169, np.uint8))
    with pytest.raises(CardError, match="1326 bytes"):
        OpponentClusters("x", np.zeros(1326, np.int64))
    with pytest.raises(CardError, match="'x' are not numbered from 0 without gaps"):
        OpponentClusters("x", np.full(1326, 1, np.uint8))
    torn = np.zeros(1326, np.uint8)
    torn[index_pair(*parse_cards("AhKh"))] = 1
    with pytest.raises(CardError, match="'x' tell suits apart: AKs is in two of them"):
        OpponentClusters("x", torn)


def make_histograms(n_groups, noise=0.0, seed=0):
    """Histograms around `n_groups` strengths; the group of each preflop class, in random order."""
    rng = np.random.default_rng(seed)
    groups = rng.permutation(np.arange(169) % n_groups)
    centres = (groups + 0.5) / n_groups + noise * rng.uniform(-1, 1, 169)
    middles = (np.arange(BINS) + 0.5) / BINS
    return np.exp(-(((middles - centres[:, None]) / 0.15) ** 2)), groups


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
    assert clusters.n_clusters > 150  # centres of the same class can fall together
    assert len(clusters.shares) == clusters.n_clusters


def test_histograms_that_make_no_sense_are_refused():
    histograms, _ = make_histograms(3)
    for n_clusters in (0, 170):
        with pytest.raises(CardError, match=f"169 classes cannot make {n_clusters} clusters"):
            cluster_by_histogram(histograms, n_clusters)
    for wrong in (histograms[:168], histograms[0]):
        with pytest.raises(CardError, match=r"169 histograms have shape \(169, bins\), not"):
            cluster_by_histogram(wrong, 3)
