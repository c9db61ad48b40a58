"""Which runs a folder holds, and what is not found although a link or a name leads to it."""

import pytest

from counterfold.games import parse_game
from counterfold.runs.run_listing import find_runs
from counterfold.tree.compiled_game import compile_game
from counterfold.tree.solve_run import solve


@pytest.fixture
def outside(tmp_path):
    folder = tmp_path / "outside" / "secret"
    solve(compile_game(parse_game("kuhn")), "cfr", 5, folder=folder)
    return folder


@pytest.fixture
def root(tmp_path, outside):
    root = tmp_path / "runs"
    for name in ("b", "a/deep", ".hidden", "1/2/3/4/5"):
        solve(compile_game(parse_game("kuhn")), "cfr", 5, folder=root / name)
    (root / "link").symlink_to(outside)
    (root / "empty").mkdir()
    (root / "damaged").mkdir()
    (root / "damaged" / "manifest.json").write_text("{}")
    (root / "borrowed").mkdir()
    (root / "borrowed" / "manifest.json").symlink_to(outside / "manifest.json")
    return root


def test_runs_are_found_by_their_manifests(root):
    found = list(find_runs(root))
    assert [run.name for run in found] == ["runs/a/deep", "runs/b"]
    assert {(run.kind, run.identity["game"], run.progress["iterations"]) for run in found} == {
        ("solve", "kuhn", 5)
    }
    assert [run.path for run in found] == [(root / "a" / "deep").resolve(), (root / "b").resolve()]


def test_a_run_itself_may_be_the_folder(outside):
    assert [run.name for run in find_runs(outside)] == ["secret"]


def test_a_missing_folder_has_no_runs(tmp_path):
    assert list(find_runs(tmp_path / "nowhere")) == []
