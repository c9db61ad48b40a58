import numpy as np
import pytest

from counterfold import artifacts
from counterfold.errors import ArtifactError, CounterfoldError
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.tree import Identity, Point, Progress, load_solved, normalized, solve
from counterfold.tree.solve_folder import SolveFolder, identify, load_progress
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
def strategy(tables):
    return normalized(compiled("kuhn"), tables["averages"])


@pytest.fixture
def folder(tmp_path, identity, tables, strategy):
    SolveFolder(tmp_path / "run", identity).save(PROGRESS, tables, strategy)
    return tmp_path / "run"


def edit(folder, part, **changes):
    """Change keys of a part of the manifests, or of themselves."""
    for path in (folder, folder / CHECKPOINT):
        manifest = artifacts.load_manifest(path)
        content = manifest[part] if part else manifest
        content |= changes
        for key in [key for key, value in content.items() if value == "gone"]:
            del content[key]
        artifacts.write_manifest(path, manifest)


def test_an_identity_says_what_was_solved(identity):
    assert identity == Identity("kuhn", "everything", "cfr", 5)


def test_progress_and_tables_are_read_back(folder, tables):
    assert load_progress(folder) == PROGRESS
    found = artifacts.load(folder / CHECKPOINT)[1]
    assert found.keys() == tables.keys()
    for name, table in tables.items():
        np.testing.assert_array_equal(found[name], table)


def test_a_run_is_read_back_with_its_game(folder, identity, strategy):
    run = load_solved(str(folder))
    assert run.identity == identity
    assert run.progress == PROGRESS
    np.testing.assert_array_equal(run.strategy.probabilities, strategy.probabilities)


def test_a_run_without_tables_has_no_checkpoint(tmp_path, identity, strategy):
    SolveFolder(tmp_path / "run", identity).save(PROGRESS, {}, strategy)
    assert not (tmp_path / "run" / CHECKPOINT).exists()
    assert load_solved(tmp_path / "run").progress == PROGRESS


def test_a_run_under_an_abstraction_is_read_back(tmp_path):
    result = solve(compiled("leduc", LOSSLESS), "cfr", 3, folder=tmp_path / "run")
    run = load_solved(tmp_path / "run")
    assert run.strategy.game.fingerprint == result.game.fingerprint
    np.testing.assert_array_equal(run.strategy.probabilities, result.strategy.probabilities)


def test_a_game_of_others_is_read_back_with_their_rules(tmp_path):
    game = Toy(Paying())
    solve(game, "cfr", 3, folder=tmp_path / "run")
    run = load_solved(tmp_path / "run", game)
    assert run.strategy.at(0) == {"left": 0.5, "right": 0.5}  # both pay the same
    with pytest.raises(ArtifactError, match="the rules of Paying have changed since"):
        load_solved(tmp_path / "run", Toy(Paying((2.0, -2.0))))


def test_changed_rules_are_noticed(folder):
    edit(folder, "", fingerprint="0123456789abcdef-0123456789abcdef")
    with pytest.raises(ArtifactError, match="the rules of kuhn have changed since"):
        load_solved(folder)
    with pytest.raises(ArtifactError, match="has changed since it was saved"):
        solve("kuhn", "cfr", 5, seed=5, folder=folder, resume=True)


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("", {"kind": "gone"}),
        ("", {"kind": "portrait"}),
        ("", {"fingerprint": "gone"}),
        *(("identity", {name: "gone"}) for name in ("game", "abstraction", "algorithm", "seed")),
        *(("progress", {key: "gone"}) for key in ("iterations", "seconds", "horizon", "points")),
        ("identity", {"game": 5}),
        ("identity", {"game": "not a game"}),
        ("identity", {"abstraction": None}),
        ("identity", {"abstraction": "colour"}),
        ("identity", {"seed": "three"}),
        ("progress", {"horizon": 0}),
        ("progress", {"horizon": "far"}),
        ("progress", {"points": 5}),
        ("progress", {"points": [5]}),
        ("progress", {"points": [{"iterations": 1}]}),
        ("progress", {"points": [{"iterations": 1, "seconds": 1, "nash_conv": 1, "more": 1}]}),
        ("progress", {"points": [{"iterations": "one", "seconds": 1.0, "nash_conv": 1.0}]}),
    ],
    ids=str,
)
def test_a_manifest_that_makes_no_sense_is_refused(folder, part, change):
    edit(folder, part, **change)
    with pytest.raises(CounterfoldError):
        load_solved(folder)
    with pytest.raises(ArtifactError):
        solve("kuhn", "cfr", 5, seed=5, folder=folder, resume=True)


@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_a_strategy_that_does_not_fit_is_refused(folder, dtype):
    manifest = artifacts.load_manifest(folder)
    for wrong in (np.ones(24, dtype), np.ones(23), np.ones((12, 2))):
        artifacts.save(folder, manifest, {"strategy": wrong})
        with pytest.raises(ArtifactError, match="is damaged: its strategy does not fit the game"):
            load_solved(folder)
