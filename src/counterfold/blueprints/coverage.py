"""How much of a game a trained strategy knows, and how often it meets situations it does not."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from counterfold.blueprints import blueprint_kernels
from counterfold.blueprints.blueprint import Blueprint
from counterfold.intervals import STANDARD_ERRORS
from counterfold.public.walk_kernels import WalkGraph
from counterfold.public.walk_order import DealSource

_BATCH = 4096


@dataclass(frozen=True)
class Coverage:
    """Shares, each between 0 and 1, and what seat 0 wins in self-play."""

    trained: float  # of the information sets
    untrained_decisions: float  # of those met in self-play
    decisions: int
    hands: int
    value: float  # chips per hand to seat 0
    value_interval: float  # half of the 95% interval


def measure_coverage(
    blueprint: Blueprint,
    graph: WalkGraph,
    source: DealSource,
    *,
    hands: int = 200_000,
    seed: int = 1,
) -> Coverage:
    """Play `hands` hands of the abstract game, the strategy against itself."""
    counts = np.zeros(2, np.int64)
    total = squares = 0.0
    for first in range(0, hands, _BATCH):
        n = min(_BATCH, hands - first)
        winnings = np.empty(n)
        deals = source.batch(seed, first, n)
        blueprint_kernels.play_deals(
            graph, deals, blueprint.quantized, seed + 1, first, counts, winnings
        )
        total += float(winnings.sum())
        squares += float((winnings**2).sum())
    mean = total / hands
    variance = max(squares / hands - mean**2, 0.0)
    return Coverage(
        blueprint.coverage,
        float(counts[blueprint_kernels.UNTRAINED] / max(1, counts[blueprint_kernels.DECISIONS])),
        int(counts[blueprint_kernels.DECISIONS]),
        hands,
        mean,
        STANDARD_ERRORS * sqrt(variance / hands),
    )
