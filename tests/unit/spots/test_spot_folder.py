"""Folders of spots: read back as they were, refused where they are not what they seem."""

import numpy as np
import pytest

from counterfold import artifacts
from counterfold.errors import ArtifactError
from counterfold.ranges.locks import parse_lock
from counterfold.runs import Budget
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.spots.spot_folder import fingerprint, identify, is_spot, load_spot
from counterfold.spots.spot_run import solve_spot
from counterfold.tree import load_solved
from helpers.toy_games import river, turn


def test_a_folder_is_read_back_as_it_was(tmp_path):
    result = solve_spot(turn(), Budget(iterations=30), folder=tmp_path / "run")
    found = load_spot(tmp_path / "run")
    assert is_spot(tmp_path / "run")
    assert found.spot == result.spot
    assert found.progress == result.progress
    assert found.evaluation == result.evaluation
    line = "k k | 4c"
    np.testing.assert_array_equal(found.view.at(line).strategy, result.at(line).strategy)


def test_all_that_describes_a_spot_is_kept(tmp_path):
    spot = river(
        rake=0.05,
        rake_cap=3.0,
        removed=("b50%",),
        locks=(parse_lock("k : KK : k=1"),),
        game="nolimit(blinds=(5, 10))",
    )
    solve_spot(spot, Budget(iterations=2), folder=tmp_path / "run")
    assert load_spot(tmp_path / "run").spot == spot


@pytest.mark.parametrize(
    "change",
    [
        {"oop": "AA,QQ:0.5"},
        {"ip": "KK"},
        {"board": "2c2d7h8s4d"},
        {"bets": "40%, allin"},
        {"stack": 110},
        {"removed": ("k b50%",)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_gives_slots_their_meaning_changes_the_fingerprint(change):
    assert fingerprint(river(**change).solver()) != fingerprint(river().solver())


def test_the_identity_is_what_json_reads_back():
    spot = river(removed=("b50%",), locks=(parse_lock("k : k=1"),))
    assert identify(spot)["removed"] == ["b50%"]
    assert identify(spot)["locks"][0]["line"] == "k"


def _edit(folder, **changes):
    artifacts.write_manifest(folder, artifacts.load_manifest(folder) | changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"identity": {"board": "2c"}}, "is damaged"),
        ({"identity": {"boards": "2c"}}, "unknown key 'boards'"),
        ({"fingerprint": "0f"}, "solve the spot again"),
        ({"progress": {"iterations": 3, "seconds": 0.0, "points": [{}]}}, "is damaged"),
        ({"arrays": {}}, "its strategy does not fit the spot"),
    ],
    ids=["identity", "key", "fingerprint", "points", "arrays"],
)
def test_a_folder_that_does_not_fit_is_refused(tmp_path, changes, message):
    solve_spot(river(), Budget(iterations=3), folder=tmp_path / "run")
    _edit(tmp_path / "run", **changes)
    with pytest.raises(ArtifactError, match=message):
        load_spot(tmp_path / "run")


def test_folders_of_other_commands_are_told_apart(tmp_path):
    solve_spot(river(), Budget(iterations=3), folder=tmp_path / "run")
    with pytest.raises(ArtifactError, match="holds a run of counterfold spot, not solve"):
        load_solved(tmp_path / "run")


def test_a_changed_file_is_found_out(tmp_path):
    solve_spot(river(), Budget(iterations=3), folder=tmp_path / "run")
    array = next((tmp_path / "run").glob("strategy_0-*.npy"))
    content = bytearray(array.read_bytes())
    content[-1] ^= 1
    array.write_bytes(content)
    with pytest.raises(ArtifactError, match="has changed since it was written"):
        load_spot(tmp_path / "run")
    assert artifacts.load(tmp_path / "run" / CHECKPOINT)
