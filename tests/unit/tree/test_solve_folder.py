import json

import numpy as np
import pytest

from counterfold import artifacts
from counterfold.errors import ArtifactError, CounterfoldError
from counterfold.games import Kuhn
from counterfold.tree import Identity, Point, Progress, compile_game, load_run, solve
from counterfold.tree.solve_folder import check_unused, identify, load_tables, save_run
from helpers.compiled_games import LOSSLESS, compiled
from helpers.toy_games import Paying, Toy

POINTS = (Point(1, 0.25, 0.5), Point(3, 0.5, 0.125))
PROGRESS = Progress(3, 0.5, 1000, POINTS)


@pytest.fixture
def identity():
    return identify(compiled("kuhn"), "cfr", 5)


@pytest.fixture
def tables(rng):
    return {"regrets": rng.normal(size=24), "averages": rng.exponential(size=24)}


@pytest.fixture
def folder(tmp_path, identity, tables):
    folder = tmp_path / "run"
    save_run(folder, identity, PROGRESS, tables)
    return folder


def expected():
    return {"regrets": np.empty(24), "averages": np.empty(24)}


def edit(folder, **changes):
    path = folder / artifacts.MANIFEST
    manifest = json.loads(path.read_text()) | changes
    path.write_text(
        json.dumps({name: value for name, value in manifest.items() if value != "gone"})
    )


def snapshot(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_an_identity_says_what_was_solved(identity):
    assert identity == Identity("kuhn", "everything", compiled("kuhn").fingerprint, "cfr", 5)


def test_progress_and_tables_are_read_back(folder, identity, tables):
    progress, found = load_tables(folder, identity, expected())
    assert progress == PROGRESS
    assert found.keys() == tables.keys()
    for name, table in tables.items():
        np.testing.assert_array_equal(found[name], table)


def test_a_run_is_read_back_with_its_game(folder, identity, tables):
    run = load_run(folder)
    assert run.identity == identity
    assert run.progress == PROGRESS
    averages = tables["averages"].reshape(12, 2)
    probabilities = averages / averages.sum(axis=1, keepdims=True)
    assert run.strategy.probabilities == pytest.approx(probabilities.ravel())


def test_a_run_under_an_abstraction_is_read_back(tmp_path):
    result = solve(compiled("leduc", LOSSLESS), "cfr", 3, folder=tmp_path / "run")
    run = load_run(tmp_path / "run")
    assert run.strategy.game.fingerprint == result.game.fingerprint
    np.testing.assert_array_equal(run.strategy.probabilities, result.strategy.probabilities)


def test_a_game_of_others_is_read_back_with_their_rules(tmp_path):
    game = Toy(Paying())
    solve(game, "cfr", 3, folder=tmp_path / "run")
    run = load_run(tmp_path / "run", game)
    assert run.strategy.at(0) == {"left": 0.5, "right": 0.5}  # both pay the same
    with pytest.raises(ArtifactError, match="the rules of Paying have changed since"):
        load_run(tmp_path / "run", Toy(Paying((2.0, -2.0))))


@pytest.mark.parametrize(
    "other",
    [
        identify(compiled("leduc"), "cfr", 5),
        identify(compiled("kuhn", "card"), "cfr", 5),
        identify(compile_game(Kuhn(4)), "cfr", 5),
        identify(compiled("kuhn"), "cfr+", 5),
        identify(compiled("kuhn"), "cfr", 6),
    ],
    ids=["game", "abstraction", "parameters", "algorithm", "seed"],
)
def test_another_run_is_refused_and_left_untouched(folder, other):
    before = snapshot(folder)
    with pytest.raises(ArtifactError, match=r"holds a run with .* choose another folder"):
        load_tables(folder, other, expected())
    assert snapshot(folder) == before


def test_changed_rules_are_noticed(folder, identity):
    edit(folder, fingerprint="0123456789abcdef-0123456789abcdef")
    with pytest.raises(ArtifactError, match="holds a run with fingerprint '0123456789abcdef"):
        load_tables(folder, identity, expected())
    with pytest.raises(ArtifactError, match="the rules of kuhn have changed since"):
        load_run(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "gone"},
        {"kind": "portrait"},
        *({name: "gone"} for name in ("game", "abstraction", "fingerprint", "algorithm", "seed")),
        *({name: "gone"} for name in ("iterations", "seconds", "horizon", "points")),
        {"game": 5},
        {"game": "not a game"},
        {"abstraction": None},
        {"abstraction": "colour"},
        {"iterations": "many"},
        {"iterations": None},
        {"iterations": -1},
        {"iterations": float("inf")},
        {"seconds": "long"},
        {"seconds": None},
        {"horizon": 0},
        {"points": 5},
        {"points": [5]},
        {"points": [{"iterations": 1}]},
        {"points": [{"iterations": 1, "seconds": 1.0, "nash_conv": 1.0, "more": 1}]},
        {"points": [{"iterations": "one", "seconds": 1.0, "nash_conv": 1.0}]},
    ],
    ids=str,
)
def test_a_manifest_that_makes_no_sense_is_refused(folder, identity, change):
    edit(folder, **change)
    with pytest.raises(CounterfoldError):
        load_run(folder)
    with pytest.raises(ArtifactError):
        load_tables(folder, identity, expected())


@pytest.mark.parametrize(
    "wrong",
    [
        {"regrets": np.zeros(24)},
        {"regrets": np.zeros(24), "averages": np.zeros(23)},
        {"regrets": np.zeros(24), "averages": np.zeros((12, 2))},
        {"regrets": np.zeros(24), "averages": np.zeros(24, np.int64)},
        {"regrets": np.zeros(24), "averages": np.full(24, "many")},
    ],
    ids=["missing", "short", "square", "integers", "text"],
)
def test_tables_that_do_not_fit_are_refused(folder, identity, wrong):
    save_run(folder, identity, PROGRESS, wrong)
    with pytest.raises(ArtifactError, match="is damaged: its table 'averages' does not fit"):
        load_tables(folder, identity, expected())
    with pytest.raises(ArtifactError, match="is damaged: its table 'averages' does not fit"):
        load_run(folder)


def test_a_new_run_overwrites_nothing(folder, tmp_path):
    with pytest.raises(ArtifactError, match="already holds a run; pass --resume"):
        check_unused(folder)
    (tmp_path / "other").mkdir()
    check_unused(tmp_path / "other")
    (tmp_path / "other" / "notes.txt").write_text("mine")
    with pytest.raises(ArtifactError, match="is not empty; choose another folder"):
        check_unused(tmp_path / "other")
    with pytest.raises(ArtifactError, match="is a file, not a folder"):
        check_unused(tmp_path / "other" / "notes.txt")
    check_unused(tmp_path / "none")
