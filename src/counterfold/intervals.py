"""Means with intervals over independent units."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

STANDARD_ERRORS = 1.96  # of a 95% interval


@dataclass(frozen=True)
class Estimate:
    """A figure with half of its 95% interval, which is 0 if the figure is exact."""

    mean: float
    interval: float = 0.0

    def times(self, factor: float) -> "Estimate":
        """The same in another unit."""
        return Estimate(self.mean * factor, self.interval * factor)

    def to_dict(self) -> dict[str, float]:
        """Both numbers by name."""
        return {"mean": self.mean, "interval": self.interval}

    def __str__(self) -> str:
        return f"{self.mean:,.1f}" + (f" ± {self.interval:,.1f}" if self.interval else "")


def mean_and_interval(units: NDArray[np.float64]) -> tuple[float, float]:
    """The mean and half of its 95% interval; infinite for a single unit."""
    error = float(units.std(ddof=1)) / sqrt(units.size) if units.size > 1 else float("inf")
    return float(units.mean()), STANDARD_ERRORS * error
