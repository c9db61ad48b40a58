"""Rows of results in files: CSV and Parquet, complete or not at all."""

import csv
import io
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from counterfold.artifacts import replacing
from counterfold.errors import ArtifactError, MissingLibraryError

_LIBRARIES = ("pyarrow", "polars")

Rows = Sequence[Mapping[str, Any]]


def check_file(path: Path) -> None:
    """Raise `ArtifactError` now if a file could not be written to `path` later."""
    if path.is_dir():
        raise ArtifactError(f"{str(path)!r} is a folder; name a file")
    if not path.parent.is_dir():
        raise ArtifactError(
            f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}; create it first"
        )


def write_csv(path: Path, rows: Rows) -> None:
    """Write `rows` with a line of names first; what is None is left empty."""
    text = io.StringIO(newline="")
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    _write(path, text.getvalue().encode())


def write_parquet(path: Path, rows: Rows) -> None:
    """Write `rows` in the format of Apache Parquet; needs pyarrow or polars."""
    for name in _LIBRARIES:
        try:
            library = import_module(name)
        except ImportError:
            continue
        content = io.BytesIO()
        if name == "pyarrow":
            table = library.Table.from_pylist([dict(row) for row in rows])
            import_module("pyarrow.parquet").write_table(table, content)
        else:
            library.DataFrame([dict(row) for row in rows]).write_parquet(content)
        _write(path, content.getvalue())
        return
    raise MissingLibraryError(
        "a Parquet file needs pyarrow or polars, and neither is installed; install one of them, or "
        "write CSV"
    )


def _write(path: Path, content: bytes) -> None:
    try:
        with replacing(path) as file:
            file.write(content)
    except OSError as error:
        raise ArtifactError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
