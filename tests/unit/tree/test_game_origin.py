"""Games of one's own that were solved are found again, and no file is run that should not be."""

import hashlib
import json
import shutil

import pytest

from counterfold import artifacts
from counterfold.errors import ArtifactError, GameError
from counterfold.games import find_game
from counterfold.training.any_run import load_any_run
from counterfold.tree import load_solved, solve

PEEK = """
from dataclasses import dataclass
from pathlib import Path
from counterfold.games import Kuhn

Path("ran").write_text("yes")


@dataclass(frozen=True)
class Peek(Kuhn):
    word = "peek"


game = Peek()
"""
SMALL = """
stack = 4
deck = "QKA/cd"
hole_cards = 1

[[streets]]
first = 0
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "peek.py").write_text(PEEK)
    (tmp_path / "small.toml").write_text(SMALL)
    return tmp_path


@pytest.fixture
def run(here):
    """A solved game of a Python file, which has not been run since."""
    solve("peek.py", "cfr", 5, folder="run")
    (here / "ran").unlink()
    return here / "run"


def test_the_python_file_of_a_game_is_named_but_not_run(here, run):
    sentence = (
        r"the game of '.*run' is made by a program, '.*peek.py', which was not run; .* --game "
    )
    with pytest.raises(ArtifactError, match=sentence):
        load_solved(run)
    assert not (here / "ran").exists()


def test_the_python_file_of_a_game_is_run_if_the_user_passes_it(here, run):
    assert load_any_run(run, "peek.py").strategy.game.game.name == "peek"
    assert (here / "ran").exists()


def test_a_forged_manifest_runs_nothing(here, run):
    """Whatever a folder says about a file of its own, even as earlier versions wrote it."""
    shutil.copy(here / "peek.py", run / "notes.py")
    path, content = (run / "notes.py").resolve(), (run / "notes.py").read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    old = {"path": str(path), "from_run": "notes.py", "sha256": digest}
    for file in (str(path), "run/notes.py", old):
        _set_file(run, file)
        with pytest.raises(ArtifactError, match=r"was not run|does not say which file"):
            load_any_run(run)
        assert not (here / "ran").exists()


def test_the_game_of_a_declaration_needs_its_file_no_more(here):
    solve("small.toml", "cfr", 5, folder="run")
    (here / "small.toml").unlink()
    assert load_solved("run").strategy.game.game.name == "small"


def test_a_python_file_that_makes_a_game_of_ours_is_not_needed(here):
    (here / "ours.py").write_text("from counterfold.games import Leduc\ngame = Leduc(ranks=2)\n")
    solve("ours.py", "cfr", 5, folder="run")
    (here / "ours.py").unlink()
    assert load_solved("run").strategy.game.game.name == "leduc(ranks=2)"
    details = json.loads((here / "run" / artifacts.MANIFEST).read_text())["details"]
    assert details == {"game_file": None}


def test_a_name_in_a_manifest_is_never_run_as_a_file(here):
    solve("kuhn", "cfr", 5, folder="run")
    manifest = artifacts.load_manifest(here / "run")
    manifest["identity"]["game"] = "peek.py"
    artifacts.write_manifest(here / "run", manifest)
    with pytest.raises((ArtifactError, GameError)):
        load_solved("run")
    assert not (here / "ran").exists()


@pytest.mark.parametrize("content", [5, {}, {"path": "peek.py"}, ["peek.py"]])
def test_manifests_that_do_not_say_which_file_are_refused(here, run, content):
    _set_file(run, content)
    with pytest.raises(ArtifactError, match="is damaged: its manifest does not say which file"):
        load_solved(run)
    assert not (here / "ran").exists()


def _set_file(run, content):
    manifest = artifacts.load_manifest(run)
    manifest["details"]["game_file"] = content
    artifacts.write_manifest(run, manifest)


def test_games_that_were_given_as_objects_are_asked_for(here):
    (here / "run").mkdir()
    game = find_game("peek.py")
    solve(game, "cfr", 5, folder="run")
    with pytest.raises(ArtifactError, match="the game 'peek' of 'run' is not built in; pass the"):
        load_solved("run")
    assert load_solved("run", game).progress.iterations == 5
