"""Opponent clusters: the preset's shares and characters, and what is refused."""

import numpy as np
import pytest

from counterfold.cards import parse_cards, parse_range
from counterfold.cards.clusters import (
    EIGHT_RANGES,
    OpponentClusters,
    clusters_from_ranges,
)
from counterfold.cards.pairs import index_pair
from counterfold.errors import CardError

# The winner of MIT Pokerbots 2017; printed with three digits, and the ranges are ours.
SHARES = [0.169, 0.142, 0.124, 0.152, 0.106, 0.155, 0.121, 0.032]
HALF_A_HAND_CLASS = 0.0011


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
    with pytest.raises(CardError, match="the ranges of 'x' leave out 1320 hands"):
        clusters_from_ranges("x", ["AA"])


def test_clusters_that_make_no_sense_are_refused():
    with pytest.raises(CardError, match=r"clusters must be 1326 bytes, not \(169,\)"):
        OpponentClusters("x", np.zeros(169, np.uint8))
    with pytest.raises(CardError, match="1326 bytes"):
        OpponentClusters("x", np.zeros(1326, np.int64))
    with pytest.raises(CardError, match="'x' are not numbered from 0 without gaps"):
        OpponentClusters("x", np.full(1326, 1, np.uint8))
    torn = np.zeros(1326, np.uint8)
    torn[index_pair(*parse_cards("AhKh"))] = 1
    with pytest.raises(CardError, match="'x' distinguish suits: AKs is in two of them"):
        OpponentClusters("x", torn)
