"""The card tables of a trained run: damaged ones, and others than those it was trained with."""

import json
import os
import shutil

import numpy as np
import pytest

from counterfold import artifacts
from counterfold.checksums import hash_file
from counterfold.errors import ArtifactError
from counterfold.training.train_folder import load_trained
from counterfold.training.train_run import train
from helpers.trained_runs import train_small


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    train_small("discard-tabled", folder / "run", iterations=20)
    return folder


@pytest.fixture
def here(made, tmp_path, monkeypatch):
    """A copy of a run and of its tables."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path / "tables"))
    return tmp_path


def reverse_labels(here):
    """What made a bot lose: the strongest hands in the bucket of the weakest."""
    (table,) = (here / "tables").glob("buckets-flop-*[0-9a-f]")
    file = table / "labels.npy"
    labels, written = np.load(file), file.stat().st_mtime_ns
    np.save(file, labels.max() - labels)
    os.utime(file, ns=(written, written + 1))
    return table


def test_a_run_records_the_tables_that_it_was_built_on(here):
    built_on = artifacts.load_manifest(here / "run")["built_on"]
    assert len(built_on) == 4  # one for each street
    assert all((here / "tables" / name).is_dir() for name in built_on)
    assert artifacts.load_manifest(here / "run" / "checkpoint")["built_on"] == built_on


def test_damaged_buckets_are_refused(here):
    load_trained(here / "run")
    reverse_labels(here)
    with pytest.raises(ArtifactError, match=r"is damaged: labels\.npy has changed since"):
        load_trained(here / "run")


def test_buckets_of_another_fit_are_refused(here):
    """Sound tables that give hands other buckets than those the strategy was trained with."""
    table = reverse_labels(here)
    manifest = json.loads((table / "manifest.json").read_text())
    manifest["sha256"]["labels"] = hash_file(table / "labels.npy")
    (table / "manifest.json").write_text(json.dumps(manifest))
    sentence = rf"the card tables {table.name} are not those that .*run' was trained with; copy "
    with pytest.raises(ArtifactError, match=sentence):
        load_trained(here / "run")
    plan = train_small("discard-tabled", here / "other", iterations=20).plan
    with pytest.raises(ArtifactError, match=sentence):
        train(plan, here / "run", iterations=40, resume=True)
