import subprocess
import sys
import threading

import pytest

from counterfold.errors import ArtifactError
from counterfold.runs.locks import locked
from counterfold.training.train_run import train
from counterfold.tree import solve
from helpers.compiled_games import compiled
from helpers.small_recipes import plan

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no such locks")


def test_one_at_a_time(tmp_path):
    folder = tmp_path / "a" / "run"
    with locked(folder):
        assert folder.is_dir()
        with pytest.raises(ArtifactError, match="in use by another process"), locked(folder):
            pass
        with locked(tmp_path / "other"):
            pass
    with locked(folder):
        pass


def leave_something(folder):
    (folder / "something").touch()
    raise ZeroDivisionError


def test_a_folder_made_for_nothing_goes_again(tmp_path):
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "run"):
        raise ZeroDivisionError
    assert not (tmp_path / "run").exists()
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "run"):
        leave_something(tmp_path / "run")
    assert (tmp_path / "run" / "something").exists()
    with pytest.raises(ZeroDivisionError), locked(tmp_path):
        raise ZeroDivisionError
    assert tmp_path.exists()


def test_folders_that_cannot_be_made_are_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ArtifactError, match="is a file, not a folder"), locked(tmp_path / "file"):
        pass
    with (
        pytest.raises(ArtifactError, match=r"cannot write to .*choose another folder"),
        locked(tmp_path / "file" / "run"),
    ):
        pass


def test_a_process_that_dies_unlocks(tmp_path):
    code = f"""
from pathlib import Path
from counterfold.runs.locks import locked
import os, signal
with locked(Path({str(tmp_path)!r})):
    print("locked", flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"locked\n"
        with pytest.raises(ArtifactError, match="in use by another process"), locked(tmp_path):
            pass
        process.kill()
    with locked(tmp_path):
        pass


RUNS = {
    "solve": lambda folder, observe: solve(
        compiled("kuhn"), "cfr", 10, folder=folder, resume=True, observe=lambda *_: observe()
    ),
    "train": lambda folder, observe: train(
        plan(), folder, iterations=100, resume=True, observe=lambda _: observe()
    ),
}


@pytest.mark.parametrize("kind", RUNS)
def test_two_runs_in_one_folder_are_refused(tmp_path, kind):
    refused = []

    def intrude():
        def attempt():
            with pytest.raises(ArtifactError, match="in use by another process"):
                RUNS[kind](tmp_path, lambda: None)
            refused.append(True)

        if not refused:
            thread = threading.Thread(target=attempt)
            thread.start()
            thread.join()

    RUNS[kind](tmp_path, intrude)
    assert refused
    RUNS[kind](tmp_path, lambda: None)
