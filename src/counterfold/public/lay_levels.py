"""Hands of three cards by what is left of them once a card is laid: their order and their buckets.

What is left is a class of two hole cards on a board, and its *level*: E[HS] in `N_LEVELS` steps.
"""

import numpy as np
from numpy.typing import NDArray

TRIO = 3
N_LEVELS = 255  # so that a level is a byte
COSTS = (4, 13)  # levels between what the best and the next best card leave: 1.5% and 5%
N_COSTS = len(COSTS) + 1

Numbers = NDArray[np.int64]


def sort_levels(levels: Numbers, classes: Numbers) -> NDArray[np.intp]:
    """[n, k] the places of `levels` from the highest down; of equal ones the lower class first."""
    return np.argsort((N_LEVELS - levels) << 32 | classes, axis=1, kind="stable")


def join_costs(labels: Numbers, levels: Numbers, order: NDArray[np.intp]) -> Numbers:
    """[n] the bucket that the best card leaves, `labels`, joined with what the next best costs."""
    best, next_best = np.take_along_axis(levels, order[:, :2], axis=1).T
    found: Numbers = labels * N_COSTS + np.searchsorted(COSTS, best - next_best, side="right")
    return found
