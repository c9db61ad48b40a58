"""Results print in one line and turn into JSON."""

import json
from dataclasses import replace

import pytest

from counterfold.matches import EntrantResult, MatchResult
from counterfold.matches.match_result import AivatRates


def make_result(**changes):
    sides = EntrantResult("one", 30, 1, 2, 3), EntrantResult("two", 20, None, None, None)
    fields = {
        "variant": "nolimit",
        "seed": 4,
        "hands": 2000,
        "duplicate": True,
        "chips": 0.5,
        "chips_interval": 0.25,
        "plain_chips": 0.4,
        "plain_interval": 1.0,
        "adjusted": 7,
        "big_blind": 2,
        "sides": sides,
        "decision_seconds": 0.001,
        "seconds": 4.0,
    }
    return MatchResult(**{**fields, **changes})


def test_times_are_per_decision_and_per_second():
    result = make_result()
    assert result.decision_microseconds == pytest.approx(20.0, rel=1e-9)
    assert result.hands_per_second == 500.0
    lone = EntrantResult("one", 1, 0, 0, 0), EntrantResult("two", 0, 0, 0, 0)
    assert make_result(sides=lone).decision_microseconds == pytest.approx(1000.0, rel=1e-9)
    assert make_result(seconds=0.0).hands_per_second > 1e9  # too fast to be measured


def test_a_result_is_one_readable_line():
    assert str(make_result()) == (
        "one against two: +250.0 ± 125.0 mb/hand (95% interval), "
        "2,000 duplicate hands of nolimit, seed 4"
    )
    assert "2,000 hands of nolimit" in str(make_result(duplicate=False))


def test_a_result_is_all_figures_by_name():
    found = json.loads(json.dumps(make_result().to_dict()))
    assert found["mb_per_hand"] == 250.0
    assert found["sides"][0] == {
        "name": "one",
        "decisions": 30,
        "untrained": 1,
        "off_tree": 2,
        "forced": 3,
        "mean_seconds": None,
        "slowest_seconds": None,
        "faults": 0,
        "forfeits": [],
        "searched": None,
        "unsearched": None,
    }
    assert {"variant", "seed", "hands", "seconds", "hands_per_second"} <= found.keys()


def test_variances_are_those_of_aivat_times_a_ratio():
    aivat = AivatRates(0.5, 0.125, ("one",), 5, "fingerprint", 100, 2)
    result = make_result(aivat=aivat)
    assert result.variance_ratios == (64.0, 4.0)
    found = result.to_dict()["aivat"]
    assert (found["plain_variance_ratio"], found["variance_ratio"]) == (64.0, 4.0)
    assert make_result().to_dict()["aivat"] is None
    exact = make_result(aivat=replace(aivat, chips_interval=0.0))
    assert exact.variance_ratios is None
    assert exact.to_dict()["aivat"]["variance_ratio"] is None


def test_times_do_not_tell_results_apart():
    assert make_result() == make_result(seconds=9.0, decision_seconds=9.0)
    assert make_result() != make_result(seed=5)
