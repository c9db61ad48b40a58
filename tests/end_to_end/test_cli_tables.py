"""`counterfold tables` on a cache with tables of buckets."""

import json
import os
from contextlib import nullcontext

import pytest

from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import DrawTables, StrengthTables
from counterfold.cards.table_files import Column, TableSpec, build_table
from helpers.processes.cluster_jobs import Traveling

SPEC = TableSpec(
    "buckets-flop",
    {"bucketing": "percentile(6)", "deck": "full", "street": "flop"},
    {"labels": Column("u1", (100,))},
)


@pytest.fixture
def labels(tmp_path, monkeypatch):
    """The file of a bucket table in the cache."""
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    build_table(SPEC, tmp_path, 1, lambda first, last, arrays: None)
    return tmp_path / SPEC.folder_name / "labels.npy"


def test_tables_of_buckets_are_listed(command, labels):
    code, out, _ = command("tables", "--json")
    assert code == 0
    (row,) = (row for row in json.loads(out)["tables"] if row["table"] == "buckets-flop")
    assert (row["holds"], row["state"]) == ("percentile(6), full", "built")
    assert row["bytes"] >= 100
    code, out, _ = command("tables")
    assert code == 0
    assert "percentile(6), full" in out


def test_tables_of_buckets_are_verified(command, labels):
    code, _, errors = command("tables", "--verify")
    assert code == 0
    assert "1 table verified, no damage found" in errors
    written = labels.stat().st_mtime_ns
    labels.write_bytes(labels.read_bytes()[:-1] + b"x")
    os.utime(labels, ns=(written, written + 1))
    code, _, errors = command("tables", "--verify")
    assert code == 2
    assert "labels.npy has changed since it was written; delete it and build it again" in errors


def test_a_table_that_is_missing_cannot_be_verified(command, labels):
    code, out, errors = command("tables", "flop", "--verify")
    assert (code, out) == (2, "")
    assert "there is no table flop" in errors


def test_an_estimate_includes_the_tables_that_a_table_is_made_of(command, labels):
    code, _, alone = command("tables", "flop", "--estimate")
    assert code == 0
    code, _, errors = command("tables", "preflop", "--estimate")
    assert code == 0
    assert "180 MB on disk" in errors  # nearly all of it is the table of the flop
    assert "180 MB on disk" in alone


def test_a_cluster_is_for_building(command, labels):
    code, out, errors = command("tables", "flop", "--cluster", "auto")
    assert (code, out) == (2, "")
    assert "--cluster builds tables; add --build" in errors


def test_workers_build_what_is_missing(command, tmp_path, monkeypatch):
    """What they build is tested with the tables; here, that the command hands them over."""
    workers, asked = Traveling(2), []
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    monkeypatch.setattr(
        "counterfold.cli.tables.open_workers", lambda *options: nullcontext(workers)
    )

    def build(self, street, **options):
        asked.append((street, options["workers"]))

    monkeypatch.setattr(StrengthTables, "street", build)
    monkeypatch.setattr(DrawTables, "street", build)
    monkeypatch.setattr(StrengthLookup, "estimate_seconds", lambda *options: 1.0)
    chosen = ("flop", "river", "draws-turn")
    assert command("tables", *chosen, "--build", "--cluster", "auto")[0] == 0
    assert asked == [("flop", workers), ("river", workers), ("turn", workers)]
