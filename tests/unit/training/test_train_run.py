import errno
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from importlib import import_module

import numpy as np
import pytest
import tomli_w

from counterfold import artifacts
from counterfold.errors import ArtifactError, BudgetError, StrategyError, UnknownNameError
from counterfold.runs import Budget
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.training import metered_loop
from counterfold.training.train_folder import METRICS, is_trained, load_trained
from counterfold.training.train_run import find_budget, train
from helpers.parameters import crossed
from helpers.small_recipes import DISCARD, RIVER_OF_BLOOD, content, plan, recipe

training = import_module("counterfold.training.train_run")

DEALS = 3000


def run(folder, deals=DEALS, keys=None, **options):
    return train(plan(**(keys or {})), folder, iterations=deals, **options)


def tables_in(folder):
    return artifacts.load(folder / CHECKPOINT)[1]


def strategy_in(folder):
    return artifacts.load(folder)[1]["strategy"]


def assert_same(first, second):
    ours, theirs = tables_in(first), tables_in(second)
    assert ours.keys() == theirs.keys()
    for name, table in ours.items():
        np.testing.assert_array_equal(table, theirs[name])
    np.testing.assert_array_equal(strategy_in(first), strategy_in(second))


def metrics_in(folder):
    return [json.loads(line) for line in (folder / METRICS).read_text().splitlines()]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that nothing happened to."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    run(folder)
    return folder


def interrupt_at(deals):
    """An observer that sends the signal of Ctrl-C once so many deals are done."""

    def observe(metrics):
        if metrics.iterations >= deals and not observe.sent:
            observe.sent = True
            os.kill(os.getpid(), signal.SIGINT)

    observe.sent = False
    return observe


def test_a_run_leaves_a_strategy_a_checkpoint_and_metrics(whole):
    assert is_trained(whole)
    read = load_trained(whole)
    assert read.name == "test"
    assert read.plan.recipe == recipe()
    manifest = artifacts.load_manifest(whole)
    assert manifest["kind"] == "train"
    details = manifest["details"]
    assert details["bits"] == 8
    assert details["infosets"] == read.blueprint.game.n_infosets == 936
    assert details["trained"] == read.blueprint.n_trained
    assert details["metrics"] == metrics_in(whole)[-1] == asdict(read.metrics)
    assert read.metrics.iterations == DEALS
    assert set(tables_in(whole)) == {"regrets", "averages"}


@pytest.mark.parametrize(
    ("algorithm", "variant"),
    crossed(["external", "chance", "outcome", "average-strategy"], [DISCARD, RIVER_OF_BLOOD]),
)
def test_an_interrupted_run_that_is_resumed_ends_like_one_that_was_not(
    tmp_path, monkeypatch, algorithm, variant
):
    monkeypatch.setattr(metered_loop, "_CHUNK_SECONDS", 0.01)
    keys = {"variant": variant, "algorithm": algorithm}
    run(tmp_path / "whole", 1200, keys)
    for stop in (200, 700):
        result = run(tmp_path / "parts", 1200, keys, resume=True, observe=interrupt_at(stop))
        if result.interrupted:
            assert stop <= result.metrics.iterations < 1200
    run(tmp_path / "parts", 1200, keys, resume=True)
    assert_same(tmp_path / "parts", tmp_path / "whole")


def test_a_finished_run_can_be_made_longer(tmp_path, whole):
    for deals in (1, 700, DEALS):
        run(tmp_path, deals, resume=True)
    assert_same(tmp_path, whole)
    assert [line["iterations"] for line in metrics_in(tmp_path)] == [1, 700, DEALS]


def test_saving_often_changes_nothing(tmp_path, whole, monkeypatch):
    monkeypatch.setattr(metered_loop, "_CHUNK_SECONDS", 1e-3)
    run(tmp_path / "often", checkpoint_seconds=0.0)
    assert_same(tmp_path / "often", whole)
    done = [line["iterations"] for line in metrics_in(tmp_path / "often")]
    assert len(done) > 3
    assert done == sorted(done)


def test_time_budgets_count_training_alone(tmp_path, monkeypatch):
    """Nothing takes time but iterations, a thousandth of a second each."""
    now = [0.0]
    build = training.build_solver

    def build_timed(*arguments, **options):
        solver = build(*arguments, **options)
        run = solver.run

        def run_timed(n):
            run(n)
            now[0] += 0.001 * n

        solver.run = run_timed
        now[0] += 1000.0  # to build it is no training
        return solver

    monkeypatch.setattr(training, "build_solver", build_timed)
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    result = train(plan(), tmp_path / "run", seconds=0.2)
    assert result.metrics.seconds == pytest.approx(0.2, abs=0.001)
    assert result.metrics.iterations == pytest.approx(200, abs=2)  # one warms up
    again = train(plan(), tmp_path / "run", seconds=0.1, resume=True)
    assert again.metrics.seconds == pytest.approx(0.3, abs=0.002)
    assert again.metrics.iterations == pytest.approx(300, abs=4)


def test_a_recipe_is_given_by_name_as_a_file_or_itself(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(tomli_w.dumps(content()))
    by_path = train(path, tmp_path / "a", iterations=10)
    by_text = train(str(path), str(tmp_path / "b"), iterations=10, overrides=["seed=9"], threads=1)
    itself = train(recipe(), tmp_path / "c", iterations=10)
    assert (by_path.name, by_text.name, itself.name) == ("mine", "mine", "c")
    assert (by_text.recipe.seed, by_text.recipe.solver.threads) == (9, 1)
    assert by_text.folder == tmp_path / "b"
    assert load_trained(str(tmp_path / "b")).plan.recipe == by_text.recipe
    with pytest.raises(UnknownNameError, match="unknown recipe 'discrad-quick'; did you mean dis"):
        train("discrad-quick", tmp_path / "d")
    assert not (tmp_path / "d").exists()


def test_budgets_come_from_the_call_or_from_the_recipe():
    limited = plan().recipe.model_copy(
        update={"budget": recipe().budget.model_copy(update={"time": "3s"})}
    )
    assert find_budget(limited, None, None) == Budget(seconds=3.0)
    assert find_budget(limited, None, 50) == Budget(iterations=50)
    assert find_budget(limited, 2.0, 50) == Budget(iterations=50, seconds=2.0)
    with pytest.raises(BudgetError, match="no limit on time or iterations"):
        find_budget(recipe(), None, None)


OTHERS = {
    "variant": {"variant": DISCARD},
    "cards": {"cards": "listed-percentile(2)"},
    "features": {"features": "street * raises * cards"},
    "solver.algorithm": {"algorithm": "chance"},
    "solver.discounting": {"discounting": "dcfr"},
    "solver.epoch": {"epoch": 400},
}


@pytest.mark.parametrize("key", OTHERS)
def test_the_folder_of_another_recipe_is_refused_and_left_as_it_is(whole, key):
    before = {path: path.read_bytes() for path in whole.rglob("*") if path.is_file()}
    with pytest.raises(ArtifactError, match=f"holds a run with {key} .*; choose another folder"):
        run(whole, 2 * DEALS, OTHERS[key], resume=True)
    assert before == {path: path.read_bytes() for path in whole.rglob("*") if path.is_file()}


def test_threads_and_play_may_change_when_a_run_goes_on(tmp_path):
    run(tmp_path, 500)
    assert run(tmp_path, 1000, {"threads": 2}, resume=True).metrics.iterations == 1000


def test_a_folder_with_something_in_it_is_refused(tmp_path, whole):
    with pytest.raises(ArtifactError, match="already holds a run; pass --resume"):
        run(whole)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ArtifactError, match="is not empty; choose another folder"):
        run(tmp_path)
    with pytest.raises(ArtifactError, match="is a file, not a folder"):
        run(tmp_path / "notes.txt")
    assert os.listdir(tmp_path) == ["notes.txt"]


@pytest.mark.parametrize("bits", [0, 7, 32])
def test_bits_are_checked_before_any_work(tmp_path, bits):
    with pytest.raises(StrategyError, match=f"in 8 or 16 bits, not {bits}"):
        run(tmp_path / "run", bits=bits)
    assert not (tmp_path / "run").exists()


def test_more_bits_lose_less(tmp_path):
    coarse, fine = (run(tmp_path / str(bits), bits=bits) for bits in (8, 16))
    assert 0 < fine.loss.largest <= 1 / 65_535 < coarse.loss.largest <= 1 / 255
    assert strategy_in(tmp_path / "16").dtype == np.uint16


class DiskFull:
    """Refuses to write beyond so many arrays."""

    def __init__(self, monkeypatch, after):
        self.left, self.original = after, np.save
        monkeypatch.setattr(np, "save", self)

    def __call__(self, file, array, **options):
        self.left -= 1
        if self.left < 0:
            file.write(b"some of it")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.original(file, array, **options)


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_full_disk_leaves_the_checkpoint_before_complete(tmp_path, monkeypatch, whole, after):
    """Of the second save the first or second table fails, or the strategy."""
    folder = tmp_path / "run"
    run(folder, 1000)
    before = tables_in(folder)
    with monkeypatch.context() as patch:
        DiskFull(patch, after)
        with pytest.raises(ArtifactError) as caught:
            run(folder, resume=True)
    text = str(caught.value)
    assert "No space left on device; what was saved there before is still complete" in text
    assert "\n" not in text
    if after < 2:
        for name, table in tables_in(folder).items():
            np.testing.assert_array_equal(table, before[name])
        listed = artifacts.load_manifest(folder / CHECKPOINT)["arrays"]
        kept = {artifacts.MANIFEST, *(entry["file"] for entry in listed.values())}
        assert set(os.listdir(folder / CHECKPOINT)) == kept  # nothing that fills the disk further
    load_trained(folder)
    run(folder, resume=True)
    assert_same(folder, whole)


def test_a_full_disk_in_the_first_save_can_be_mended(tmp_path, monkeypatch, whole):
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        DiskFull(patch, 1)
        with pytest.raises(ArtifactError, match="No space left"):
            run(folder)
    run(folder)
    assert_same(folder, whole)


LIMITED = """
import resource, sys
from pathlib import Path
from counterfold.errors import ArtifactError
from counterfold.training.train_run import train
from helpers.small_recipes import DISCARD, plan
folder = Path(sys.argv[1])
train(plan(variant=DISCARD), folder, iterations=100)
resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, resource.RLIM_INFINITY))
try:
    train(plan(variant=DISCARD), folder, iterations=200, resume=True)
except ArtifactError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no limits on the size of files")
def test_a_write_that_the_system_cuts_short_leaves_the_state_before(tmp_path):
    """The tables of Discard have 1.2 MB each; files may have 0.5 MB."""
    found = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path / "run")],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=600,
    )
    assert "File too large; what was saved there before is still complete" in found.stdout
    assert artifacts.load_manifest(tmp_path / "run" / CHECKPOINT)["progress"]["iterations"] == 100
    tables_in(tmp_path / "run")


class Killed(BaseException):
    """Stands for the death of the process."""


@pytest.mark.parametrize("nth", range(1, 7))
def test_a_run_that_died_in_its_first_save_can_be_resumed(tmp_path, monkeypatch, whole, nth):
    """A save renames two tables and a manifest, then the strategy and its manifest."""
    folder = tmp_path / "run"
    original, calls = os.replace, 0

    def replace(*args):
        nonlocal calls
        calls += 1
        if calls == nth:
            raise Killed
        return original(*args)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", replace)
        if nth < 6:
            with pytest.raises(Killed):
                run(folder, 1000)
            if nth < 3:  # nothing to resume: it begins anew
                run(folder, 1, resume=False)
    run(folder, resume=True)
    assert_same(folder, whole)


@pytest.mark.parametrize(
    ("algorithm", "threads", "least"),
    [("public-chance", 1, 1), ("public-chance", 4, 16), ("cfr-br", 4, 16), ("external", 4, 1)],
)
def test_chunks_have_boards_for_all_threads(algorithm, threads, least):
    made = plan(algorithm=algorithm, threads=threads)
    assert metered_loop._least_chunk(made) == least
