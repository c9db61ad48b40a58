"""Games of one's own that were solved are found again, and no file is run that should not be."""

import json
import shutil

import pytest

from counterfold import artifacts
from counterfold.errors import ArtifactError, GameError
from counterfold.games import find_game
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


def test_the_game_of_a_python_file_is_found_again(here, run):
    assert load_solved("run").strategy.game.game.name == "peek"
    assert (here / "ran").exists()
    assert load_solved(run).progress.iterations == 5


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


def test_a_file_that_has_changed_is_not_run(here, run):
    (here / "peek.py").write_text(PEEK + "# changed\n")
    with pytest.raises(ArtifactError, match=r"peek\.py' has changed since .*pass it with --game"):
        load_solved(run)
    assert not (here / "ran").exists()


def test_a_file_that_is_gone_is_asked_for(here, run):
    (here / "peek.py").rename(here / "other.py")
    with pytest.raises(ArtifactError, match=r"is gone; pass the file with --game"):
        load_solved(run)
    assert load_solved(run, find_game("other.py")).strategy.game.game.name == "peek"


def test_a_folder_that_came_from_elsewhere_runs_nothing(here, run):
    """Even if it brings its file along, unchanged."""
    bag = here / "bag"
    bag.mkdir()
    shutil.copytree(run, bag / "run")
    shutil.copy(here / "peek.py", bag / "peek.py")
    for place in ("bag/run", "./bag/../bag/run"):
        with pytest.raises(ArtifactError, match=r"has moved since .* if you trust it, pass it wit"):
            load_solved(place)
    assert not (here / "ran").exists()


def test_a_name_in_a_manifest_is_never_run_as_a_file(here):
    solve("kuhn", "cfr", 5, folder="run")
    path = here / "run" / artifacts.MANIFEST
    manifest = json.loads(path.read_text())
    manifest["identity"]["game"] = "peek.py"
    path.write_text(json.dumps(manifest))
    with pytest.raises((ArtifactError, GameError)):
        load_solved("run")
    assert not (here / "ran").exists()


@pytest.mark.parametrize("content", [5, {}, {"path": "peek.py"}, {"path": 1, "more": 2}])
def test_manifests_that_do_not_say_which_file_are_refused(here, run, content):
    path = run / artifacts.MANIFEST
    manifest = json.loads(path.read_text())
    manifest["details"]["game_file"] = content
    path.write_text(json.dumps(manifest))
    with pytest.raises(ArtifactError, match="is damaged: its manifest does not say which file"):
        load_solved(run)
    assert not (here / "ran").exists()


def test_games_that_were_given_as_objects_are_asked_for(here):
    (here / "run").mkdir()
    game = find_game("peek.py")
    solve(game, "cfr", 5, folder="run")
    with pytest.raises(ArtifactError, match="the game 'peek' of 'run' is not built in; pass the"):
        load_solved("run")
    assert load_solved("run", game).progress.iterations == 5


def test_a_resumed_run_keeps_the_file_as_it_is_now(here, run):
    (here / "peek.py").write_text(PEEK + "# the same game\n")
    solve("peek.py", "cfr", 9, folder="run", resume=True)
    assert load_solved("run").progress.iterations == 9
