"""Opponent clusters: a partition of the 1326 hands, for strength against each part (OCHS).

`EIGHT_RANGES` follows the winner of MIT Pokerbots 2017: eight ranges of given shares and character.
The literature (Johanson et al. 2013) clusters the 169 classes by their histograms of final hand
strength instead: `buckets.clustering.opponent_clustering`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.pairs import (
    N_PAIRS,
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
            raise CardError(f"clusters must be {N_PAIRS} bytes, not {self.cluster_of.shape}")
        if not np.array_equal(np.unique(self.cluster_of), np.arange(self.n_clusters)):
            raise CardError(f"clusters {self.name!r} are not numbered from 0 without gaps")
        firsts = np.unique(PAIR_HAND_CLASSES, return_index=True)[1]
        torn = np.flatnonzero(self.cluster_of != self.cluster_of[firsts][PAIR_HAND_CLASSES])
        if torn.size:  # a table by class of suit isomorphism could not hold equity against them
            hands = format_hand_class(int(PAIR_HAND_CLASSES[torn[0]]))
            raise CardError(f"clusters {self.name!r} distinguish suits: {hands} is in two of them")

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
        raise CardError(f"the ranges of {name!r} leave out {int((cluster_of == 255).sum())} hands")
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
