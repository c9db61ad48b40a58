"""What a person has won, in words and with its interval."""

import pytest

from counterfold.bots.play.session_score import rate_of, write_score


def test_rates_have_intervals():
    assert rate_of([], 2) is None
    assert rate_of([1, 1, 1, 1], 2).to_dict() == {"mean": 500.0, "interval": 0.0}
    estimate = rate_of([2, -2] * 50, 2)
    assert estimate.mean == 0.0
    assert estimate.interval == pytest.approx(1000 * 1.96 * (100 / 99) ** 0.5 / 10, rel=1e-6)


def test_scores_in_words():
    assert write_score([], 2) == "no hand played"
    assert write_score([-3], 2) == "-3 chips in 1 hand, -1,500 mb/hand, -150 bb/100"
    assert write_score([2, 1], 2) == "+3 chips in 2 hands, +750 ± 490 mb/hand, +75 ± 49 bb/100"
