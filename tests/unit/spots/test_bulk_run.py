"""Many spots: the same rows whoever solves them, and none lost that was solved."""

import csv
import os
import random
import signal

import numpy as np
import pytest

from counterfold import artifacts
from counterfold.cluster.process_workers import ProcessWorkers
from counterfold.cluster.workers import LocalWorkers
from counterfold.errors import ArtifactError
from counterfold.spots.bulk_run import STRATEGIES, TABLE, solve_spots
from counterfold.spots.spot_folder import load_spot
from counterfold.spots.spot_list import list_spots
from helpers.processes.cluster_jobs import DeadlyWorkers

BOARDS = ("2c2d7h8s3d", "2c2d7h8s4d", "AcKd7h8s4d", "2c2d7h8sJd", "9c9d9h8s4d")
ASKED = {"ranges": ["AA,QQ", "KK,JJ:0.5"], "pot": 100, "stack": 100, "bets": "50%, allin"}


def spots(tmp_path, boards=BOARDS, **changes):
    path = tmp_path / "boards.txt"
    path.write_text("\n".join(boards))
    return list_spots(None, path, ASKED | {"iterations": 30} | changes)


def figures(result):
    """Rows without what a clock says."""
    return [{k: v for k, v in row.items() if k != "seconds"} for row in result.rows]


def strategies(folder):
    return {path.name: artifacts.load(path)[1] for path in (folder / STRATEGIES).iterdir()}


def test_rows_are_the_same_whoever_solves_and_whoever_dies(tmp_path):
    asked = spots(tmp_path)
    here = solve_spots(asked, folder=tmp_path / "here", strategies=True)
    deadly = (random.Random(1).choice(BOARDS),)
    with ProcessWorkers(2) as workers:
        there = solve_spots(
            asked,
            folder=tmp_path / "there",
            strategies=True,
            workers=DeadlyWorkers(workers, tmp_path, deadly),
        )
        assert workers.n_replaced == 1
    assert [row["name"] for row in here.rows] == list(BOARDS)
    assert figures(here) == figures(there)
    ours, theirs = strategies(tmp_path / "here"), strategies(tmp_path / "there")
    assert ours.keys() == theirs.keys() == {*BOARDS}
    for name, arrays in ours.items():
        for key, array in arrays.items():
            np.testing.assert_array_equal(array, theirs[name][key])


def test_a_kept_strategy_can_be_looked_at(tmp_path):
    result = solve_spots(spots(tmp_path), folder=tmp_path / "run", strategies=True)
    solved = load_spot(tmp_path / "run" / STRATEGIES / BOARDS[0])
    assert solved.progress.iterations == 30
    assert solved.evs["oop"] == result.rows[0]["ev_oop"]


def test_a_spot_that_fails_is_named_and_the_others_are_solved(tmp_path):
    asked = spots(tmp_path, [*BOARDS[:2], "2c2d7h8s2c", "AcKd"])
    result = solve_spots(asked, folder=tmp_path / "run")
    assert [row["name"] for row in result.rows] == list(BOARDS[:2])
    assert sorted(result.failures) == ["2c2d7h8s2c", "AcKd"]
    assert all("\n" not in why for why in result.failures.values())


def test_what_is_wrong_with_the_betting_is_found_by_the_worker(tmp_path):
    result = solve_spots(spots(tmp_path, remove=["b33%"]))
    assert not result.rows
    assert len(result.failures) == len(BOARDS)
    assert "b33%" in result.failures[BOARDS[0]]


def test_an_interrupted_call_keeps_what_is_solved_and_another_solves_the_rest(tmp_path):
    asked, folder = spots(tmp_path), tmp_path / "run"

    def interrupt(progress):
        if progress.done == 2:
            os.kill(os.getpid(), signal.SIGINT)

    first = solve_spots(asked, folder=folder, observe=interrupt)
    assert first.interrupted
    assert [row["name"] for row in first.rows] == list(BOARDS[:2])
    with open(folder / TABLE) as file:
        assert [row["name"] for row in csv.DictReader(file)] == list(BOARDS[:2])
    told = []
    second = solve_spots(asked, folder=folder, resume=True, observe=told.append)
    assert not second.interrupted
    assert [progress.name for progress in told] == list(BOARDS[2:])
    assert [(progress.done, progress.done_now) for progress in told] == [(3, 1), (4, 2), (5, 3)]
    assert told[-1].seconds_left == 0
    assert second.rows[:2] == first.rows
    assert figures(second) == figures(solve_spots(asked))


def test_strategies_that_are_asked_for_later_are_made(tmp_path):
    asked, folder = spots(tmp_path, BOARDS[:1]), tmp_path / "run"
    first = solve_spots(asked, folder=folder)
    second = solve_spots(asked, folder=folder, resume=True, strategies=True)
    assert figures(first) == figures(second)
    assert [*strategies(folder)] == [BOARDS[0]]


def test_rows_of_other_spots_are_not_taken_for_these(tmp_path):
    folder = tmp_path / "run"
    solve_spots(spots(tmp_path, BOARDS[:1]), folder=folder)
    with pytest.raises(ArtifactError, match="already holds a run"):
        solve_spots(spots(tmp_path), folder=folder)
    with pytest.raises(ArtifactError, match=r"2c2d7h8s3d\.json' is of another spot"):
        solve_spots(spots(tmp_path, pot=90), folder=folder, resume=True)
    added = solve_spots(spots(tmp_path), folder=folder, resume=True)
    assert len(added.rows) == len(BOARDS)


def test_a_damaged_row_is_named(tmp_path):
    asked, folder = spots(tmp_path, BOARDS[:1]), tmp_path / "run"
    solve_spots(asked, folder=folder)
    (folder / "rows" / f"{BOARDS[0]}.json").write_text("{")
    with pytest.raises(ArtifactError, match="is damaged"):
        solve_spots(asked, folder=folder, resume=True)


@pytest.mark.parametrize("n", [1, 3])
def test_spots_are_solved_without_a_folder_too(tmp_path, n):
    found = solve_spots(spots(tmp_path, BOARDS[:3]), strategies=True, workers=LocalWorkers(n))
    assert found.to_dict()["spots"] == found.rows
    assert len(found.rows) == 3
