import hashlib
import importlib
import os
import signal
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from counterfold import artifacts
from counterfold.errors import ArtifactError, UnknownNameError, UnsupportedGameError
from counterfold.games import Kuhn
from counterfold.runs import Budget
from counterfold.runs.budget import evaluation_points
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.tree import (
    ALGORITHMS,
    DEFAULT_ALGORITHM,
    load_solved,
    make_solver,
    nash_conv,
    solve,
)
from helpers.compiled_games import LOSSLESS, compiled
from helpers.parameters import crossed

solving = importlib.import_module(
    "counterfold.tree.solve_run"
)  # the package has a function so named

ITERATIVE = [name for name, algorithm in ALGORITHMS.items() if algorithm.method is not None]
SCHEDULED = [name for name in ITERATIVE if name.startswith("hs-")]
GAMES = ("kuhn", "leduc")


def digest(folder):
    """Every file and its content."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def tables_in(folder):
    return artifacts.load(folder / CHECKPOINT)[1]


def assert_same_tables(first, second):
    ours, theirs = tables_in(first), tables_in(second)
    assert ours.keys() == theirs.keys()
    for name, table in ours.items():
        np.testing.assert_array_equal(table, theirs[name])


def evaluated(folder):
    """Iterations and NashConv of the points; seconds differ between runs."""
    points = load_solved(folder).progress.points
    return [(point.iterations, point.nash_conv) for point in points]


def interrupt_at(iterations):
    """An observer that sends the signal of Ctrl-C once so many iterations are done."""

    def observe(done, seconds, nash_conv):
        if done >= iterations and not observe.sent:
            observe.sent = True
            os.kill(os.getpid(), signal.SIGINT)

    observe.sent = False
    return observe


@pytest.mark.parametrize(("game", "algorithm"), crossed(GAMES, ITERATIVE))
def test_an_interrupted_run_that_is_resumed_ends_like_one_that_was_not(tmp_path, algorithm, game):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    solve(compiled(game), algorithm, 120, seed=9, folder=whole)
    # Evaluation points end the steps, so both interruptions come in the middle: at 20 and at 62.
    for stop in (20, 60):
        result = solve(
            compiled(game),
            algorithm,
            120,
            seed=9,
            folder=parts,
            resume=True,
            observe=interrupt_at(stop),
        )
        assert result.interrupted
        assert stop <= result.iterations < 120
    result = solve(compiled(game), algorithm, 120, seed=9, folder=parts, resume=True)
    assert not result.interrupted
    assert_same_tables(parts, whole)
    assert evaluated(parts) == evaluated(whole)


@pytest.mark.parametrize("algorithm", [name for name in ITERATIVE if name not in SCHEDULED])
def test_a_finished_run_can_be_made_longer(tmp_path, algorithm):
    solve(compiled("kuhn"), algorithm, 100, folder=tmp_path / "whole")
    for iterations in (1, 37, 100):
        solve(compiled("kuhn"), algorithm, iterations, folder=tmp_path / "parts", resume=True)
    assert_same_tables(tmp_path / "parts", tmp_path / "whole")


@pytest.mark.parametrize("algorithm", SCHEDULED)
def test_a_schedule_made_longer_keeps_its_horizon(tmp_path, algorithm):
    solve(compiled("kuhn"), algorithm, 40, folder=tmp_path, resume=True)
    result = solve(compiled("kuhn"), algorithm, 80, folder=tmp_path, resume=True)
    assert result.iterations == 80
    assert load_solved(tmp_path).progress.horizon == 40
    expected = make_solver(compiled("kuhn"), ALGORITHMS[algorithm].method, horizon=40)
    expected.run(80)
    for name, table in tables_in(tmp_path).items():
        np.testing.assert_array_equal(table, expected.tables[name])


def test_saving_often_changes_nothing(tmp_path, monkeypatch):
    solve(compiled("kuhn"), "pcfr+", 60, folder=tmp_path / "seldom")
    monkeypatch.setattr(solving, "_CHECKPOINT_SECONDS", 0.0)
    solve(compiled("kuhn"), "pcfr+", 60, folder=tmp_path / "often")
    assert_same_tables(tmp_path / "often", tmp_path / "seldom")


def test_checkpoints_are_complete_runs(tmp_path, monkeypatch):
    """What is on disk while a run goes on equals a run of that length."""
    monkeypatch.setattr(solving, "_CHECKPOINT_SECONDS", 0.0)
    seen = []

    def observe(done, seconds, nash_conv):
        seen.append(load_solved(tmp_path / "run").progress.iterations)
        if len(seen) == 12:
            expected = solve(compiled("kuhn"), "external", seen[-1])
            found = load_solved(tmp_path / "run")
            np.testing.assert_array_equal(
                found.strategy.probabilities, expected.strategy.probabilities
            )

    solve(compiled("kuhn"), "external", 40, folder=tmp_path / "run", observe=observe)
    assert seen == sorted(seen)
    assert seen[0] == 0  # saved before the first iteration
    assert seen[11] == 11  # one iteration a step up to 15, saved after each


class Killed(BaseException):
    """Stands for the death of the process."""


@pytest.mark.parametrize("nth", range(1, 9))
def test_a_run_that_died_in_its_first_save_can_be_resumed(tmp_path, monkeypatch, nth):
    folder = tmp_path / "run"
    calls = 0
    original = os.replace

    def replace(*args):
        nonlocal calls
        calls += 1
        if calls == nth:
            raise Killed
        return original(*args)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", replace)
        with pytest.raises(Killed):
            solve(compiled("kuhn"), "cfr", 10, folder=folder, resume=True)
    solve(compiled("kuhn"), "cfr", 10, folder=folder, resume=True)
    solve(compiled("kuhn"), "cfr", 10, folder=tmp_path / "whole")
    assert_same_tables(folder, tmp_path / "whole")


OTHERS = {
    "game": ("leduc", "everything", "cfr", 0),
    "abstraction": ("kuhn", "card", "cfr", 0),
    "algorithm": ("kuhn", "everything", "dcfr", 0),
    "linear program": ("kuhn", "everything", "lp", 0),
    "seed": ("kuhn", "everything", "cfr", 1),
}


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("other", OTHERS)
def test_the_folder_of_another_run_is_refused_and_left_untouched(tmp_path, other, resume):
    solve(compiled("kuhn"), "cfr", 10, folder=tmp_path)
    before = digest(tmp_path)
    game, abstraction, algorithm, seed = OTHERS[other]
    with pytest.raises(ArtifactError, match="another folder"):
        solve(compiled(game, abstraction), algorithm, 20, seed=seed, folder=tmp_path, resume=resume)
    assert digest(tmp_path) == before


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("algorithm", ["cfr", "lp"])
def test_a_folder_that_is_not_ours_is_refused_and_left_untouched(tmp_path, algorithm, resume):
    np.save(tmp_path / "measurements.npy", np.arange(3))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "manifest.json").write_text("{}")
    before = digest(tmp_path)
    with pytest.raises(ArtifactError):
        solve(compiled("kuhn"), algorithm, 10, folder=tmp_path, resume=resume)
    assert digest(tmp_path) == before


@pytest.mark.parametrize("algorithm", ["cfr", "lp"])
def test_a_finished_run_is_not_overwritten_without_asking(tmp_path, algorithm):
    solve(compiled("kuhn"), algorithm, 10, folder=tmp_path)
    before = digest(tmp_path)
    with pytest.raises(
        ArtifactError, match=r"already holds a run; (pass --resume|it has no checkpoint)"
    ):
        solve(compiled("kuhn"), algorithm, 10, folder=tmp_path)
    assert digest(tmp_path) == before
    solve(compiled("kuhn"), algorithm, 10, folder=tmp_path, resume=True)


@pytest.mark.parametrize("algorithm", ITERATIVE)
def test_evaluation_points_are_deterministic(algorithm):
    first, second = (solve(compiled("kuhn"), algorithm, 150, seed=4) for _ in range(2))
    expected, done = [], 0
    while done < 150:
        done = min(evaluation_points(done), 150)
        expected.append(done)
    assert [point.iterations for point in first.points] == expected
    figures = [[point.nash_conv for point in result.points] for result in (first, second)]
    assert figures[0] == figures[1]
    assert figures[0][-1] == first.evaluation.nash_conv == nash_conv(first.strategy)


def test_a_run_ends_at_its_iterations():
    assert solve(compiled("kuhn"), "cfr", Budget(iterations=77)).iterations == 77


def test_a_run_ends_at_the_first_evaluation_below_its_goal():
    result = solve(compiled("kuhn"), "cfr+", Budget(until=0.01))
    assert result.points[-1].nash_conv / 2 <= 0.01
    assert all(point.nash_conv / 2 > 0.01 for point in result.points[:-1])
    assert result.iterations == result.points[-1].iterations


def test_a_run_ends_after_its_time_and_not_before():
    result = solve(compiled("kuhn"), "cfr", Budget(seconds=0.05))
    assert result.seconds >= 0.05
    assert result.iterations > 0


def test_the_first_limit_ends_a_run():
    assert solve(compiled("kuhn"), "cfr", Budget(iterations=5, seconds=3600.0)).iterations == 5
    result = solve(compiled("kuhn"), "cfr", Budget(iterations=10**9, until=0.5))
    assert result.iterations < 100


def test_a_run_without_a_budget_ends():
    # 1000 iterations of a full-width method, as the documentation of the command line says.
    assert solve(compiled("kuhn"), "cfr").iterations == solving._DEFAULT_FULL


def test_seconds_go_on_where_a_resumed_run_stopped(tmp_path):
    first = solve(compiled("kuhn"), "cfr", 50, folder=tmp_path)
    second = solve(compiled("kuhn"), "cfr", 60, folder=tmp_path, resume=True)
    assert second.seconds > first.seconds
    seconds = [point.seconds for point in second.points]
    assert seconds == sorted(seconds)


def test_a_run_that_has_nothing_left_to_do_says_what_it_found(tmp_path):
    first = solve(compiled("kuhn"), "cfr", 50, folder=tmp_path)
    again = solve(compiled("kuhn"), "cfr", 30, folder=tmp_path, resume=True)
    assert again.iterations == 50
    assert again.evaluation == first.evaluation


def test_games_are_given_compiled_as_rules_or_by_name():
    results = [solve(game, "cfr", 20) for game in (compiled("kuhn"), Kuhn(), "kuhn")]
    assert len({result.evaluation for result in results}) == 1


def test_the_default_algorithm_has_a_name():
    assert solve("kuhn", budget=3).algorithm == DEFAULT_ALGORITHM


def test_names_are_checked_before_any_work():
    with pytest.raises(UnknownNameError, match="unknown algorithm 'cfrr'"):
        solve("kuhn", "cfrr")
    with pytest.raises(UnknownNameError, match="unknown game 'kunh'; did you mean kuhn"):
        solve("kunh")


def test_the_linear_program_is_saved_like_a_run(tmp_path):
    result = solve(compiled("leduc", LOSSLESS), "lp", folder=tmp_path)
    saved = load_solved(tmp_path).strategy
    np.testing.assert_array_equal(saved.probabilities, result.strategy.probabilities)
    assert result.evaluation.nash_conv == pytest.approx(0.0, abs=1e-8)
    assert len(result.points) == 1


def test_the_time_of_the_linear_program_is_without_imports(monkeypatch):
    imported = []

    def clock():
        imported.append("scipy.optimize" in sys.modules)
        return float(len(imported))

    monkeypatch.delitem(sys.modules, "scipy.optimize", raising=False)
    monkeypatch.setattr(solving, "time", SimpleNamespace(perf_counter=clock))
    assert solve(compiled("kuhn"), "lp").seconds == 1.0
    assert imported == [True, True]


def test_the_linear_program_refuses_what_it_cannot_solve_and_makes_no_folder(tmp_path):
    with pytest.raises(UnsupportedGameError):
        solve(compiled("nash-bargaining(3)"), "lp", folder=tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_handlers_of_signals_are_put_back(number):
    def mine(number, frame):
        raise AssertionError

    before = signal.signal(number, mine)
    try:
        solve(compiled("kuhn"), "cfr", 3)
        assert signal.getsignal(number) is mine
    finally:
        signal.signal(number, before)


def test_a_second_interrupt_ends_a_run_at_once(tmp_path):
    def observe(done, seconds, nash_conv):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        solve(compiled("kuhn"), "cfr", 1000, folder=tmp_path, observe=observe)
    load_solved(tmp_path)  # what was saved is whole


def test_runs_in_other_threads_do_not_touch_signals():
    results = []
    thread = threading.Thread(target=lambda: results.append(solve(compiled("kuhn"), "cfr", 10)))
    thread.start()
    thread.join()
    assert results[0].iterations == 10


def test_observers_hear_of_progress():
    heard = []
    solve(compiled("kuhn"), "cfr", 40, observe=lambda *figures: heard.append(figures))
    assert [done for done, _, _ in heard] == sorted({done for done, _, _ in heard})
    assert heard[-1][0] == 40
    assert all(nash_conv > 0 for _, _, nash_conv in heard)
