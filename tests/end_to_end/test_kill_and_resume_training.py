"""Real processes that are killed or interrupted while they train, and go on afterwards."""

import json
import random
import signal
import time

import numpy as np
import pytest
import tomli_w

from counterfold import artifacts
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.training.train_folder import METRICS, load_trained
from counterfold.training.train_run import train
from helpers.processes.forked_commands import PATIENCE_SECONDS, ForkedCommand
from helpers.small_recipes import DISCARD, content

# Steps of a fiftieth of a second, each saved, so that a process spends much of its time in the
# middle of a save.
PATCHES = {
    "counterfold.training.metered_loop:_CHUNK_SECONDS": 0.02,
    "counterfold.training.rates:_TIMED_SECONDS": 0.01,
}
KILLS = 20
DEALS = 400_000  # some seconds of training with saves


@pytest.fixture(scope="module")
def recipe(tmp_path_factory):
    path = tmp_path_factory.mktemp("recipe") / "small.toml"
    path.write_text(tomli_w.dumps(content(variant=DISCARD, cards="listed-percentile(3)")))
    return path


def start(recipe, folder, deals=DEALS, errors=None):
    options = ("--iterations", deals, "--checkpoint", "0s", "--out", folder, "--resume")
    return ForkedCommand(("train", recipe, *options), errors or folder, PATCHES)


def deals_in(folder):
    """How far the checkpoint on disk is; 0 before the first."""
    if not (folder / CHECKPOINT / artifacts.MANIFEST).exists():
        return 0
    return artifacts.load_manifest(folder / CHECKPOINT)["progress"]["iterations"]


def wait_for_progress(process, folder, since):
    """Until a checkpoint beyond `since` is on disk, or the process has ended."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and deals_in(folder) <= since:
        assert time.monotonic() < deadline, "no progress was saved"
        time.sleep(0.002)


def finish(recipe, folder, deals=DEALS):
    code, errors = start(recipe, folder, deals).wait()
    assert code == 0, errors


def assert_same_as_uninterrupted(recipe, folder, whole):
    """Tables and strategy bit for bit those of a run of as many deals in this process."""
    train(recipe, whole, iterations=deals_in(folder))
    for part in ("", CHECKPOINT):
        ours, theirs = artifacts.load(folder / part)[1], artifacts.load(whole / part)[1]
        assert ours.keys() == theirs.keys()
        for name, table in theirs.items():
            np.testing.assert_array_equal(ours[name], table)


def kill_and_resume(recipe, folder, kills):
    moments = random.Random(kills)
    alive = reached = 0
    for _ in range(kills):
        process = start(recipe, folder)
        wait_for_progress(process, folder, reached)
        time.sleep(moments.uniform(0.0, 0.1))
        alive += process.poll() is None
        process.kill()
        assert deals_in(folder) >= reached  # nothing that was saved is lost
        reached = deals_in(folder)
        artifacts.load(folder / CHECKPOINT)  # whole at all times
        if (folder / artifacts.MANIFEST).exists():
            load_trained(folder)
    assert alive >= kills // 2  # else the run is too short for this machine
    finish(recipe, folder, reached + 1000)
    lines = (folder / METRICS).read_text().splitlines()
    done = [json.loads(line)["iterations"] for line in lines]
    assert done == sorted(done)
    assert done[-1] == deals_in(folder) == reached + 1000


def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path, recipe):
    """Whatever the moment of death, so the moments may be random."""
    kill_and_resume(recipe, tmp_path / "run", 2)
    assert_same_as_uninterrupted(recipe, tmp_path / "run", tmp_path / "whole")


@pytest.mark.slow
def test_a_run_that_is_killed_twenty_times_loses_nothing(tmp_path, recipe):
    kill_and_resume(recipe, tmp_path / "run", KILLS)
    assert_same_as_uninterrupted(recipe, tmp_path / "run", tmp_path / "whole")


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_an_interrupted_run_saves_its_state_and_says_so(tmp_path, number, recipe):
    folder = tmp_path / "run"
    process = start(recipe, folder)
    wait_for_progress(process, folder, 0)
    process.send_signal(number)
    code, errors = process.wait()
    assert code == 130, errors
    done = deals_in(folder)
    assert 0 < done < DEALS
    assert f"interrupted after {done:,} deals; continue with --resume" in errors
    assert "Traceback" not in errors
    assert load_trained(folder).metrics.iterations == done
    assert_same_as_uninterrupted(recipe, folder, tmp_path / "whole")


def test_a_second_process_in_the_folder_is_refused(tmp_path, recipe):
    folder = tmp_path / "run"
    first = start(recipe, folder, 10**9)
    wait_for_progress(first, folder, 0)
    code, errors = start(recipe, folder, 10**9, tmp_path / "second").wait()
    first.send_signal(signal.SIGTERM)
    assert first.wait()[0] == 130
    assert code == 2
    assert errors.splitlines()[-1].endswith(
        "is in use by another process; wait for it or choose another folder"
    )
