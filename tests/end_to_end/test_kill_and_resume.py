"""Real processes that are killed or interrupted while they solve, and go on afterwards."""

import random
import signal
import time

import numpy as np
import pytest

from counterfold import artifacts
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.tree import load_solved, solve
from helpers.compiled_games import compiled
from helpers.processes.forked_commands import PATIENCE_SECONDS, ForkedCommand

# Saved after every step of a fiftieth of a second, so that a process spends much of its time in the
# middle of a save.
PATCHES = {
    "counterfold.tree.solve_run:_CHECKPOINT_SECONDS": 0.0,
    "counterfold.tree.solve_run:_CHUNK_SECONDS": 0.02,
}

# Iterations that take about half a second of solving, with a sampled and a full-width method.
RUNS = {"external": 200_000, "pcfr+": 6_000}
KILLS = 3


def start(algorithm, folder):
    options = ("--iterations", RUNS[algorithm], "--seed", 3, "--out", folder, "--resume")
    return ForkedCommand(("solve", "leduc", "-a", algorithm, *options), folder, PATCHES)


def finish(algorithm, folder):
    code, errors = start(algorithm, folder).wait()
    assert code == 0, errors


def iterations_in(folder):
    """How far the state on disk is; None before the first save."""
    if not (folder / CHECKPOINT / artifacts.MANIFEST).exists():
        return None
    return artifacts.load_manifest(folder / CHECKPOINT)["progress"]["iterations"]


def wait_for_progress(process, folder, since):
    """Until a state beyond `since` is on disk, or the process has ended."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and (iterations_in(folder) or 0) <= since:
        assert time.monotonic() < deadline, "no progress was saved"
        time.sleep(0.002)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """Folders of runs that nothing happened to, made in this process."""
    made = {}
    for algorithm, iterations in RUNS.items():
        made[algorithm] = tmp_path_factory.mktemp("whole") / "run"
        solve(compiled("leduc"), algorithm, iterations, seed=3, folder=made[algorithm])
    return made


def assert_same_result(folder, whole):
    """The same tables, bit for bit, and the same evaluations on the way."""
    for part in ("", CHECKPOINT):
        (_, ours), (_, theirs) = artifacts.load(folder / part), artifacts.load(whole / part)
        assert ours.keys() == theirs.keys()
        for name, table in theirs.items():
            np.testing.assert_array_equal(ours[name], table)
    points = [
        [(point.iterations, point.nash_conv) for point in load_solved(path).progress.points]
        for path in (folder, whole)
    ]
    assert points[0] == points[1]


@pytest.mark.parametrize("algorithm", ["external", pytest.param("pcfr+", marks=pytest.mark.slow)])
def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path, algorithm, uninterrupted):
    """Whatever the moment of death, so the moments may be random."""
    folder = tmp_path / "run"
    moments = random.Random(algorithm)
    alive = reached = 0
    for _ in range(KILLS):
        process = start(algorithm, folder)
        wait_for_progress(process, folder, reached)
        time.sleep(moments.uniform(0.0, 0.15))
        alive += process.poll() is None
        process.kill()
        assert iterations_in(folder) >= reached  # nothing that was saved is lost
        reached = iterations_in(folder)
        artifacts.load(folder / CHECKPOINT)  # whole at all times
    assert alive >= 3  # else the run is too short for this machine, and the test shows nothing
    assert reached > 0
    finish(algorithm, folder)
    assert_same_result(folder, uninterrupted[algorithm])


@pytest.mark.parametrize(
    ("algorithm", "number"),
    [
        ("pcfr+", signal.SIGTERM),
        pytest.param("external", signal.SIGINT, marks=pytest.mark.slow),
        pytest.param("external", signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param("pcfr+", signal.SIGINT, marks=pytest.mark.slow),
    ],
)
def test_an_interrupted_run_saves_its_state_and_says_so(tmp_path, algorithm, number, uninterrupted):
    folder = tmp_path / "run"
    process = start(algorithm, folder)
    wait_for_progress(process, folder, 0)
    process.send_signal(number)
    code, errors = process.wait()
    assert code == 130, errors
    done = load_solved(folder).progress.iterations
    assert 0 < done < RUNS[algorithm]
    assert f"interrupted after iteration {done:,}; continue with --resume" in errors
    assert "Traceback" not in errors
    finish(algorithm, folder)
    assert_same_result(folder, uninterrupted[algorithm])
