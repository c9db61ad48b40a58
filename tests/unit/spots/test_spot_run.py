"""Runs of spots: budgets, resumption, interrupts, figures."""

import os
import signal
import threading

import numpy as np
import pytest

from counterfold import artifacts
from counterfold.errors import ArtifactError, BudgetError, IllegalActionError
from counterfold.ranges.locks import parse_lock
from counterfold.runs import Budget
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.spots import spot_run
from counterfold.spots.spot_folder import load_spot
from counterfold.spots.spot_run import make_budget, next_evaluation, solve_spot
from helpers.toy_games import river, turn


def tables_in(folder):
    return artifacts.load(folder / CHECKPOINT)[1]


def assert_same_tables(first, second):
    ours, theirs = tables_in(first), tables_in(second)
    assert ours.keys() == theirs.keys()
    for name, table in ours.items():
        np.testing.assert_array_equal(table, theirs[name])


def interrupt_at(iterations):
    """An observer that sends the signal of Ctrl-C once `iterations` are done."""

    def observe(progress):
        if progress.iterations >= iterations and not observe.sent:
            observe.sent = True
            os.kill(os.getpid(), signal.SIGINT)

    observe.sent = False
    return observe


def test_a_run_ends_below_its_target():
    spot = river()
    result = solve_spot(spot, make_budget(spot, 0.001))
    assert result.evaluation.exploitability_percent <= 0.1
    before = result.progress.points[-2]
    assert before.exploitability > 0.001 * spot.pot
    assert result.progress.iterations == result.progress.points[-1].iterations
    assert not result.interrupted


def test_evs_of_both_positions_share_the_pot_and_equities_too():
    result = solve_spot(turn(), Budget(iterations=200))
    found = result.to_dict()
    assert sum(found["ev"].values()) == pytest.approx(20, abs=1e-4)
    assert sum(found["equity"].values()) == pytest.approx(1)
    assert sum(found["strategy"].values()) == pytest.approx(1)
    assert found["ev"] == pytest.approx(result.at().totals()["ev"], abs=1e-3)
    assert found["exploitability_mb"] == pytest.approx(500 * found["exploitability"])
    assert "EV oop" in str(result)


def test_an_interrupted_run_that_is_resumed_ends_like_one_that_was_not(tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    budget = Budget(iterations=150)
    solve_spot(turn(), budget, folder=whole)
    for stop in (20, 60):
        result = solve_spot(turn(), budget, folder=parts, resume=True, observe=interrupt_at(stop))
        assert result.interrupted
        assert stop <= result.progress.iterations < 150
        assert load_spot(parts).progress == result.progress
    assert not solve_spot(turn(), budget, folder=parts, resume=True).interrupted
    assert_same_tables(parts, whole)
    ours, theirs = (load_spot(folder).progress.points for folder in (parts, whole))
    assert [(p.iterations, p.exploitability) for p in ours] == [
        (p.iterations, p.exploitability) for p in theirs
    ]


class Killed(BaseException):
    """Stands for the death of the process."""


def test_a_run_that_died_while_saving_can_be_resumed(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    budget = Budget(iterations=60)
    solve_spot(river(), budget, folder=tmp_path / "whole")
    solve_spot(river(), Budget(iterations=20), folder=folder)

    def die(*arguments):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(spot_run.save_spot.__globals__["run_folder"], "save_strategy", die)
        with pytest.raises(Killed):
            solve_spot(river(), Budget(iterations=40), folder=folder, resume=True)
    assert load_spot(folder).progress.iterations == 20
    solve_spot(river(), budget, folder=folder, resume=True)
    assert_same_tables(folder, tmp_path / "whole")


def test_saving_often_changes_nothing(tmp_path, monkeypatch):
    solve_spot(turn(), Budget(iterations=40), folder=tmp_path / "seldom")
    monkeypatch.setattr(spot_run, "_CHECKPOINT_SECONDS", 0.0)
    solve_spot(turn(), Budget(iterations=40), folder=tmp_path / "often")
    assert_same_tables(tmp_path / "often", tmp_path / "seldom")


def test_a_run_below_its_target_does_not_iterate_when_resumed(tmp_path):
    spot = river()
    first = solve_spot(spot, make_budget(spot, 0.01), folder=tmp_path / "run")
    again = solve_spot(spot, make_budget(spot, 0.01), folder=tmp_path / "run", resume=True)
    assert again.progress == first.progress


def test_another_spot_is_not_resumed(tmp_path):
    solve_spot(river(), Budget(iterations=10), folder=tmp_path / "run")
    with pytest.raises(ArtifactError, match="holds a run with pot 100, not 90"):
        solve_spot(river(pot=90), Budget(iterations=20), folder=tmp_path / "run", resume=True)
    with pytest.raises(ArtifactError, match="already holds a run; pass --resume"):
        solve_spot(river(), Budget(iterations=20), folder=tmp_path / "run")


@pytest.mark.parametrize(
    "change", [{"removed": ("b30%",)}, {"locks": (parse_lock("k b33 : c=1"),)}], ids=str
)
def test_nothing_is_written_for_a_spot_that_cannot_be(tmp_path, change):
    with pytest.raises(IllegalActionError):
        solve_spot(river(**change), folder=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_packed_tables_are_kept_when_a_run_is_resumed(tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    solve_spot(turn(), Budget(iterations=40), folder=whole, packed=True)
    solve_spot(turn(), Budget(iterations=15), folder=parts, packed=True)
    found = solve_spot(turn(), Budget(iterations=40), folder=parts, resume=True)
    assert found.progress.packed
    assert_same_tables(parts, whole)
    read = load_spot(parts)
    assert read.evaluation == found.evaluation
    assert read.evaluation.exploitability < 0.05 * 20


@pytest.mark.parametrize("target", [0.0, 1.0, -0.1, float("nan")])
def test_a_target_is_a_share_of_the_pot(target):
    with pytest.raises(BudgetError, match="share of the pot"):
        make_budget(river(), target)


def test_limits_that_are_not_given_have_defaults():
    assert make_budget(river()) == Budget(10_000, 0.3)
    assert make_budget(river(), seconds=5.0) == Budget(seconds=5.0)
    assert make_budget(river(), 0.01, seconds=5.0) == Budget(None, 1.0, 5.0)


def test_evaluations_grow_apart_and_do_not_depend_on_interruptions():
    points = [0]
    while points[-1] < 5000:
        points.append(next_evaluation(points[-1]))
    assert points[1:21] == list(range(10, 201, 10))
    gaps = np.diff(points)
    assert gaps.min() >= 10
    assert (gaps[20:] <= 0.05 * np.array(points[20:-1])).all()
    for done in range(5000):
        assert next_evaluation(done) == next(point for point in points if point > done)


def test_a_run_can_be_stopped_from_another_thread(tmp_path):
    stop = threading.Event()
    stop.set()
    solved = solve_spot(river(), Budget(iterations=1000), folder=tmp_path / "run", stop=stop)
    assert solved.interrupted
    assert solved.progress.iterations < 1000
    assert load_spot(tmp_path / "run").progress.iterations == solved.progress.iterations
