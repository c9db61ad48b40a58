"""Rates."""

from counterfold.matches.statistics import HandRates


def test_rates_are_thousandths_of_a_big_blind():
    rates = HandRates(100, 0.5, 0.25, 0.4, 1.0, adjusted=7, big_blind=2)
    assert (rates.mb, rates.mb_interval) == (250.0, 125.0)
    assert (rates.rate(), rates.rate(-1)) == ("+250.0 ± 125.0", "-250.0 ± 125.0")
    assert rates.plain_rate == "+200.0 ± 500.0"


def test_nothing_won_has_no_sign_of_a_loss():
    assert HandRates(100, 0.0, 0.25, 0.0, 1.0, 0, big_blind=2).rate(-1) == "+0.0 ± 125.0"
