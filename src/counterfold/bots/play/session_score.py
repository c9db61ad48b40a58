"""What a person has won so far, with its interval."""

import math
from collections.abc import Sequence

import numpy as np

from counterfold.intervals import Estimate, mean_and_interval

BB100 = 0.1  # bb/100 in one mb/hand


def rate_of(chips: Sequence[float], big_blind: int) -> Estimate | None:
    """Thousandths of a big blind won per hand, with the interval; None before the first hand."""
    if not chips:
        return None
    mean, interval = mean_and_interval(np.array(chips, np.float64))
    return Estimate(mean, interval).times(1000.0 / big_blind)


def write_score(chips: Sequence[int], big_blind: int) -> str:
    """Chips so far, thousandths of a big blind per hand, and big blinds per hundred hands."""
    rate = rate_of(chips, big_blind)
    if rate is None:
        return "no hand played"
    hands = "1 hand" if len(chips) == 1 else f"{len(chips):,} hands"
    return f"{sum(chips):+,} chips in {hands}, {write_rate(rate)}"


def write_rate(rate: Estimate) -> str:
    """A rate in both units; the interval only where there is more than one hand."""
    parts = []
    for factor, unit in ((1.0, "mb/hand"), (BB100, "bb/100")):
        each = rate.times(factor)
        within = f" ± {each.interval:,.0f}" if math.isfinite(each.interval) else ""
        parts.append(f"{each.mean:+,.0f}{within} {unit}")
    return ", ".join(parts)
