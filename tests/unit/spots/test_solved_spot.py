"""Figures of solved spots."""

import sys
from types import SimpleNamespace

import pytest

from counterfold.ranges.spot import Spot
from counterfold.runs import Budget
from counterfold.spots.spot_run import solve_spot
from helpers.toy_games import river


def test_evs_are_by_position_whichever_seat_acts_first():
    found = solve_spot(river(oop="AA", ip="KK"), Budget(iterations=50))
    assert found.evs["oop"] == pytest.approx(100, abs=0.1)  # aces win all of the pot
    assert found.evs["ip"] == pytest.approx(0, abs=0.1)
    assert found.spot.positions[0] == 1


def test_a_big_blind_is_the_unit_of_mb():
    small, large = (
        solve_spot(river(game=f"nolimit(blinds={blinds})"), Budget(iterations=5))
        for blinds in ("(1, 2)", "(5, 10)")
    )
    assert small.exploitability_mb == pytest.approx(5 * large.exploitability_mb)


def test_rake_leaves_less_than_the_pot():
    found = solve_spot(river(rake=0.05), Budget(iterations=50))
    assert 100 * 0.9 < sum(found.evs.values()) <= 95.001


def test_a_frame_has_a_row_for_each_evaluation(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=list))
    rows = solve_spot(river(), Budget(iterations=25)).to_frame()
    assert [row["iterations"] for row in rows] == [10, 20, 25]


def test_a_spot_before_the_flop_says_so():
    spot = Spot("", "Q,K", "Q,K", 2, 4, "allin", game="leduc-variant")
    assert str(solve_spot(spot, Budget(iterations=5))).startswith("preflop, pot 2: EV oop")
