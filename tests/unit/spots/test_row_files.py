"""Rows in files, read back."""

import csv
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from counterfold.errors import ArtifactError, MissingLibraryError
from counterfold.spots.row_files import (
    check_file,
    write_csv,
    write_csv_parts,
    write_parquet,
    write_parquet_parts,
)

ROWS = [{"hand": "AsAh", "ev": 1.5, "check": 0.25}, {"hand": "KsKh", "ev": None, "bet, 5": 1.0}]


def test_csv_is_read_back(tmp_path):
    write_csv(tmp_path / "a.csv", ROWS)
    with open(tmp_path / "a.csv", newline="") as file:
        found = list(csv.DictReader(file))
    assert found[0] == {"hand": "AsAh", "ev": "1.5", "check": "0.25", "bet, 5": ""}
    assert found[1]["ev"] == ""
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_parquet_is_read_back(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{**row, "check": 0.5} for row in ROWS]
    write_parquet(tmp_path / "a.parquet", rows)
    found = parquet.read_table(tmp_path / "a.parquet").to_pylist()
    assert found[0]["hand"] == "AsAh"
    assert found[1]["ev"] is None


PARTS = [
    {"hand": ["AsAh", "KsKh"], "ev": np.array([np.nan, np.nan])},
    {"hand": ["QsQh"], "ev": np.array([0.5])},
]


def test_parts_are_written_one_after_another(tmp_path):
    write_csv_parts(tmp_path / "a.csv", iter(PARTS))
    assert (tmp_path / "a.csv").read_text() == "hand,ev\nAsAh,\nKsKh,\nQsQh,0.5\n"
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet_parts(tmp_path / "a.parquet", iter(PARTS))
    found = parquet.read_table(tmp_path / "a.parquet").to_pylist()
    assert [row["ev"] for row in found] == [None, None, 0.5]


@pytest.mark.parametrize("write", [write_csv_parts, write_parquet_parts])
def test_parts_that_break_off_leave_no_file(tmp_path, write):
    if write is write_parquet_parts:
        pytest.importorskip("pyarrow")

    def parts():
        yield PARTS[0]
        raise ArtifactError("no more")

    with pytest.raises(ArtifactError, match="no more"):
        write(tmp_path / "a", parts())
    assert not list(tmp_path.iterdir())


def test_parquet_may_be_written_by_polars(tmp_path, monkeypatch):
    class Frame(list):
        def write_parquet(self, file):
            file.write(b"PAR1")

    monkeypatch.setitem(sys.modules, "pyarrow", None)  # an import of it fails
    monkeypatch.setitem(sys.modules, "polars", SimpleNamespace(DataFrame=Frame, __name__="polars"))
    write_parquet(tmp_path / "a.parquet", ROWS)
    assert (tmp_path / "a.parquet").read_bytes() == b"PAR1"
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingLibraryError, match="needs pyarrow or polars"):
        write_parquet(tmp_path / "b.parquet", ROWS)
    assert not (tmp_path / "b.parquet").exists()


def test_files_that_cannot_be_written_are_found_out_before(tmp_path):
    with pytest.raises(ArtifactError, match="there is no folder"):
        check_file(tmp_path / "no" / "a.csv")
    with pytest.raises(ArtifactError, match="is a folder; name a file"):
        check_file(tmp_path)
    with pytest.raises(ArtifactError, match="cannot write"):
        write_csv(tmp_path / "no" / "a.csv", ROWS)
