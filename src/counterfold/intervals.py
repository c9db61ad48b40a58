"""Means with intervals over independent units."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

STANDARD_ERRORS = 1.96  # of a 95 % interval


def mean_and_interval(units: NDArray[np.float64]) -> tuple[float, float]:
    """The mean and half of its 95 % interval; infinite for a single unit."""
    error = float(units.std(ddof=1)) / sqrt(units.size) if units.size > 1 else float("inf")
    return float(units.mean()), STANDARD_ERRORS * error
