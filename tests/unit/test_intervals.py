"""Means and intervals."""

import numpy as np
import pytest

from counterfold.intervals import mean_and_interval


def test_an_interval_is_1_96_standard_errors():
    mean, interval = mean_and_interval(np.array([1.0, 2.0, 3.0, 6.0]))
    assert mean == 3.0
    assert interval == pytest.approx(1.96 * np.sqrt(14 / 3 / 4))
    assert mean_and_interval(np.array([0.0, 2.0])) == (1.0, pytest.approx(1.96))
    assert mean_and_interval(np.array([4.0])) == (4.0, float("inf"))
