"""Means, intervals and rates."""

import numpy as np
import pytest

from counterfold.matches.statistics import HandRates, mean_and_interval


def test_an_interval_is_1_96_standard_errors():
    mean, interval = mean_and_interval(np.array([1.0, 2.0, 3.0, 6.0]))
    assert mean == 3.0
    assert interval == pytest.approx(1.96 * np.sqrt(14 / 3 / 4))
    assert mean_and_interval(np.array([0.0, 2.0])) == (1.0, pytest.approx(1.96))
    assert mean_and_interval(np.array([4.0])) == (4.0, float("inf"))


def test_rates_are_thousandths_of_a_big_blind():
    rates = HandRates(100, 0.5, 0.25, 0.4, 1.0, adjusted=7, big_blind=2)
    assert (rates.mb, rates.mb_interval) == (250.0, 125.0)
    assert (rates.rate(), rates.rate(-1)) == ("+250.0 ± 125.0", "-250.0 ± 125.0")
    assert rates.plain_rate == "+200.0 ± 500.0"


def test_nothing_won_has_no_sign_of_a_loss():
    assert HandRates(100, 0.0, 0.25, 0.0, 1.0, 0, big_blind=2).rate(-1) == "+0.0 ± 125.0"
