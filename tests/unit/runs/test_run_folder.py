import json
from dataclasses import replace

import numpy as np
import pytest

from counterfold import artifacts
from counterfold.errors import ArtifactError
from counterfold.runs.run_folder import (
    CHECKPOINT,
    RunRecord,
    check_claim,
    claim_folder,
    load_checkpoint_record,
    load_strategy,
    load_tables,
    run_kind,
    save_checkpoint,
    save_strategy,
)
from counterfold.training.train_folder import load_trained
from counterfold.tree import load_solved

IDENTITY = {"game": "kuhn", "solver": {"algorithm": "cfr", "epoch": 5}, "seed": 3}
PROGRESS = {"iterations": 7, "seconds": 0.5, "horizon": 100}
RECORD = RunRecord("solve", IDENTITY, "0f0f", PROGRESS)
TABLES = {"regrets": np.arange(4.0), "averages": np.ones(4)}


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "run"
    save_checkpoint(folder, RECORD, TABLES)
    save_strategy(folder, RECORD, {"strategy": np.full(4, 0.5)}, {"note": "mine"})
    return folder


def edit(folder, **changes):
    artifacts.write_manifest(folder, artifacts.load_manifest(folder) | changes)


def snapshot(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_run_is_read_back(folder):
    stored = load_strategy(folder, "solve")
    assert stored.record == RECORD
    assert stored.details == {"note": "mine"}
    np.testing.assert_array_equal(stored.arrays["strategy"], np.full(4, 0.5))
    assert load_checkpoint_record(folder).progress == PROGRESS
    tables = {name: np.zeros(4) for name in TABLES}
    load_tables(folder, "0f0f", tables)
    for name, table in TABLES.items():
        np.testing.assert_array_equal(tables[name], table)


def test_the_same_run_is_resumed_if_one_asks(folder):
    assert claim_folder(folder, "solve", IDENTITY, resume=True)
    with pytest.raises(ArtifactError, match="already holds a run; pass --resume"):
        claim_folder(folder, RECORD.kind, RECORD.identity, resume=False)
    (folder / CHECKPOINT / artifacts.MANIFEST).unlink()
    with pytest.raises(ArtifactError, match="already holds a run; it has no checkpoint to"):
        claim_folder(folder, "solve", IDENTITY, resume=False)


def test_a_run_without_a_strategy_yet_is_resumed(folder):
    (folder / artifacts.MANIFEST).unlink()
    assert claim_folder(folder, "solve", IDENTITY, resume=True)
    with pytest.raises(ArtifactError, match="has no strategy yet; continue the run with --resume"):
        run_kind(folder)


def test_a_run_that_has_just_begun_has_no_strategy_yet(tmp_path):
    with (
        artifacts.locked(tmp_path / "run"),
        pytest.raises(ArtifactError, match="has no strategy yet"),
    ):
        run_kind(tmp_path / "run")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "leduc"}, "a run with game 'kuhn', not 'leduc'; choose another folder"),
        ({"solver": {"algorithm": "cfr+", "epoch": 5}}, r"with solver\.algorithm 'cfr', not 'cfr"),
        ({"seed": 4}, "with seed 3, not 4"),
        ({"more": 1}, "with more None, not 1"),
    ],
)
def test_another_run_is_refused_and_left_as_it_is(folder, change, message):
    before = snapshot(folder)
    with pytest.raises(ArtifactError, match=message):
        claim_folder(folder, "solve", IDENTITY | change, resume=True)
    assert snapshot(folder) == before


def test_a_run_of_another_command_is_refused(folder):
    with pytest.raises(ArtifactError, match="holds a run of counterfold solve, not train; choose"):
        claim_folder(folder, "train", IDENTITY, resume=True)
    with pytest.raises(ArtifactError, match="it is one of counterfold solve, not train, so choose"):
        claim_folder(folder, "train", IDENTITY, resume=False)
    with pytest.raises(ArtifactError, match="holds a run of counterfold solve, not train"):
        load_strategy(folder, "train")


@pytest.mark.parametrize("resume", [False, True])
def test_a_new_run_overwrites_nothing(tmp_path, resume):
    assert not claim_folder(tmp_path / "none", "solve", IDENTITY, resume=resume)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ArtifactError, match="is not empty; choose another folder"):
        claim_folder(tmp_path, "solve", IDENTITY, resume=resume)
    with pytest.raises(ArtifactError, match="is a file, not a folder"):
        claim_folder(tmp_path / "notes.txt", "solve", IDENTITY, resume=resume)


def test_a_claim_is_checked_without_making_the_folder(tmp_path):
    check_claim(tmp_path / "none", "solve", IDENTITY, resume=False)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ArtifactError, match="cannot write to"):
        check_claim(tmp_path / "notes.txt" / "run", "solve", IDENTITY, resume=False)
    with pytest.raises(ArtifactError, match="is not empty"):
        check_claim(tmp_path, "solve", IDENTITY, resume=False)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_claim_without_a_checkpoint_to_resume_from_is_refused_at_once(folder):
    check_claim(folder, "solve", IDENTITY, resume=True)
    (folder / CHECKPOINT / artifacts.MANIFEST).unlink()
    with pytest.raises(ArtifactError, match="no checkpoint to resume from"):
        check_claim(folder, "solve", IDENTITY, resume=True)


def test_what_a_first_save_that_died_left_is_no_run(tmp_path):
    (tmp_path / CHECKPOINT).mkdir()
    (tmp_path / CHECKPOINT / "regrets.npy.new").touch()
    assert not claim_folder(tmp_path, "solve", IDENTITY, resume=True)
    (tmp_path / CHECKPOINT / "notes.txt").touch()
    with pytest.raises(ArtifactError, match="is not empty"):
        claim_folder(tmp_path, "solve", IDENTITY, resume=True)


def test_a_strategy_whose_checkpoint_was_deleted_is_not_resumed(folder):
    for path in (folder / CHECKPOINT).iterdir():
        path.unlink()
    assert claim_folder(folder, "solve", IDENTITY, resume=True)
    with pytest.raises(ArtifactError, match="has a strategy but no checkpoint to resume from"):
        load_checkpoint_record(folder)


def test_changed_games_and_tables_that_do_not_fit_are_refused_before_anything_is_read(folder):
    tables = {name: np.zeros(4) for name in TABLES}
    with pytest.raises(ArtifactError, match="has changed since it was saved; begin a new run in"):
        load_tables(folder, "f0f0", tables)
    for wrong in (np.zeros(5), np.zeros((2, 2))):
        with pytest.raises(ArtifactError, match="its table 'averages' does not fit"):
            load_tables(folder, "0f0f", tables | {"averages": wrong})
    with pytest.raises(ArtifactError, match="averages in float64, but this version needs float32"):
        load_tables(folder, "0f0f", tables | {"averages": np.zeros(4, np.float32)})
    with pytest.raises(ArtifactError, match="its table 'more' does not fit"):
        load_tables(folder, "0f0f", tables | {"more": np.zeros(4)})
    assert not tables["regrets"].any()


def test_a_table_may_have_another_type_where_its_reader_says_so(folder):
    tables = {name: np.zeros(4) for name in TABLES}
    tables["averages"] = np.zeros(4, np.float32)
    load_tables(folder, "0f0f", tables, converted=["averages"])
    assert tables["averages"].tolist() == TABLES["averages"].astype(np.float32).tolist()
    tables["regrets"] = np.zeros(4, np.float32)
    with pytest.raises(ArtifactError, match="regrets in float64, but this version needs float32"):
        load_tables(folder, "0f0f", tables, converted=["averages"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        *(({key: None}, f"manifest lacks '{key}'") for key in vars(RECORD) if key != "built_on"),
        ({"built_on": 5}, "manifest lists no tables"),
        ({"progress": {"iterations": -1, "seconds": 0.5}}, "its progress has iterations -1"),
        ({"progress": {"iterations": 5, "seconds": "long"}}, "its progress has seconds 'long'"),
        ({"progress": {"iterations": 5}}, "its progress has seconds None"),
        ({"progress": {"iterations": float("inf"), "seconds": 1}}, "has iterations inf"),
    ],
    ids=str,
)
def test_manifests_that_make_no_sense_are_refused(folder, changes, message):
    for part in (folder, folder / CHECKPOINT):
        edit(part, **changes)
    with pytest.raises(ArtifactError, match=f"is damaged: its .*{message}|is damaged: {message}"):
        load_strategy(folder, "solve")
    with pytest.raises(ArtifactError, match="is damaged"):
        claim_folder(folder, "solve", IDENTITY, resume=True)


def test_a_strategy_that_is_not_listed_is_missed(folder):
    edit(folder, arrays={})
    with pytest.raises(ArtifactError, match="is damaged: its manifest lists no strategy"):
        load_strategy(folder, "solve")


# Manifests as counterfold 0.1.0 wrote them before strategies and checkpoints were kept alike.
SOLVED_BEFORE = {
    "format": 1,
    "kind": "solve",
    "counterfold": "0.1.0",
    "game": "kuhn",
    "abstraction": "everything",
    "fingerprint": "57278be261d67ed9-a4886fc88eadb553",
    "algorithm": "cfr",
    "seed": 0,
    "rules": "",
    "iterations": 10,
    "seconds": 0.1,
    "horizon": 10,
    "points": [],
    "arrays": {},
}
TRAINED_BEFORE = {
    "format": 1,
    "kind": "blueprint",
    "counterfold": "0.1.0",
    "name": "small",
    "recipe": {"variant": "leduc-variant", "cards": "exact", "bets": "min"},
    "fingerprint": "57278be261d67ed9",
    "infosets": 936,
    "trained": 936,
    "bits": 8,
    "loss": {"largest": 0.001, "mean": 0.0001},
    "metrics": {},
    "arrays": {},
}


@pytest.mark.parametrize(
    ("manifest", "load", "kind"),
    [(SOLVED_BEFORE, load_solved, "solve"), (TRAINED_BEFORE, load_trained, "train")],
    ids=["solved", "trained"],
)
def test_runs_of_the_format_before_are_refused_with_the_next_step(tmp_path, manifest, load, kind):
    (tmp_path / artifacts.MANIFEST).write_text(json.dumps(manifest))
    sentence = "has format 1, but this version reads 2; make it again in another folder, or use"
    with pytest.raises(ArtifactError, match=sentence):
        load(tmp_path)
    with pytest.raises(ArtifactError, match=sentence):
        claim_folder(tmp_path, kind, {}, resume=True)
    with pytest.raises(ArtifactError, match="already holds a run"):
        claim_folder(tmp_path, kind, {}, resume=False)


def test_a_save_replaces_the_one_before(folder):
    later = replace(RECORD, progress=PROGRESS | {"iterations": 9})
    save_checkpoint(folder, later, {name: 2 * table for name, table in TABLES.items()})
    save_strategy(folder, later, {"strategy": np.full(4, 0.25)}, {})
    assert load_checkpoint_record(folder).progress["iterations"] == 9
    stored = load_strategy(folder, "solve")
    np.testing.assert_array_equal(stored.arrays["strategy"], np.full(4, 0.25))
    assert len(list(folder.glob("*.npy"))) == 1
    assert len(list((folder / CHECKPOINT).glob("*.npy"))) == 2
