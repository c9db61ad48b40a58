"""Runs are found by name, kept open, and read again once they have changed."""

import shutil

import pytest

from counterfold.errors import UnknownNameError
from counterfold.games import parse_game
from counterfold.runs import run_listing
from counterfold.tree.compiled_game import compile_game
from counterfold.tree.solve_run import solve
from counterfold.web.opened_runs import OpenedRuns

KUHN = compile_game(parse_game("kuhn"))


@pytest.fixture
def root(tmp_path):
    for name in ("a", "b"):
        solve(KUHN, "cfr", 5, folder=tmp_path / "runs" / name)
    return tmp_path / "runs"


def test_a_run_is_kept_open_until_it_changes(root):
    runs = OpenedRuns([root])
    first = runs.open("runs/a")
    assert runs.open("runs/a") is first
    solve(KUHN, "cfr", 9, folder=root / "a", resume=True)
    again = runs.open("runs/a")
    assert again.content.progress.iterations == 9


def test_one_run_is_found_without_looking_at_all_others(root, monkeypatch):
    runs = OpenedRuns([root])
    runs.list()
    read = []
    known = run_listing.read_run
    monkeypatch.setattr(
        "counterfold.web.opened_runs.read_run", lambda *where: read.append(where) or known(*where)
    )
    monkeypatch.setattr("counterfold.web.opened_runs.find_runs", lambda _: pytest.fail("searched"))
    assert runs.find("runs/a").name == "runs/a"
    assert len(read) == 1


def test_new_runs_are_found_and_deleted_ones_are_not(root):
    runs = OpenedRuns([root])
    runs.open("runs/a")
    with pytest.raises(UnknownNameError, match="unknown run 'runs/c'"):
        runs.open("runs/c")
    solve(KUHN, "cfr", 5, folder=root / "c")
    assert runs.open("runs/c").found.name == "runs/c"
    shutil.rmtree(root / "a")
    with pytest.raises(UnknownNameError):
        runs.open("runs/a")


def test_a_run_that_became_a_link_is_not_followed(root, tmp_path):
    runs = OpenedRuns([root])
    runs.open("runs/a")
    (root / "a").rename(tmp_path / "outside")
    (root / "a").symlink_to(tmp_path / "outside")
    with pytest.raises(UnknownNameError):
        runs.open("runs/a")
