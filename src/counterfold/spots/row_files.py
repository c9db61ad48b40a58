"""Rows of results in files: CSV and Parquet, complete or not at all."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from counterfold.artifacts import replacing
from counterfold.errors import ArtifactError, MissingLibraryError

_LIBRARIES = ("pyarrow", "polars")

Rows = Sequence[Mapping[str, Any]]
Column = Sequence[str] | NDArray[np.float64]
Columns = Mapping[str, Column]  # of equal length


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
    names = list(dict.fromkeys(name for row in rows for name in row))
    with _replacing(path) as file, _as_text(file) as text:
        writer = csv.DictWriter(text, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_csv_parts(path: Path, parts: Iterable[Columns]) -> None:
    """Write tables with the same columns, one or more, one after another; nan is left empty."""
    with _replacing(path) as file, _as_text(file) as text:
        writer = csv.writer(text, lineterminator="\n")
        for k, part in enumerate(parts):
            if k == 0:
                writer.writerow(part)
            writer.writerows(zip(*map(_without_nan, part.values()), strict=True))


def write_parquet(path: Path, rows: Rows) -> None:
    """Write `rows` in the format of Apache Parquet; needs pyarrow or polars."""
    library = _find_library()
    with _replacing(path) as file:
        if library.__name__ == "pyarrow":
            table = library.Table.from_pylist([dict(row) for row in rows])
            import_module("pyarrow.parquet").write_table(table, file)
        else:
            library.DataFrame([dict(row) for row in rows]).write_parquet(file)


def write_parquet_parts(path: Path, parts: Iterable[Columns]) -> None:
    """The same in the format of Apache Parquet; needs pyarrow or polars."""
    library = _find_library()
    with _replacing(path) as file:
        if library.__name__ != "pyarrow":
            frames = [library.DataFrame(dict(part)) for part in parts]
            library.concat(frames).fill_nan(None).write_parquet(file)
            return
        tables = (_as_arrow(library, part) for part in parts)
        first = next(tables)
        with import_module("pyarrow.parquet").ParquetWriter(file, first.schema) as writer:
            for table in chain([first], tables):
                writer.write_table(table)


def _as_arrow(library: Any, part: Columns) -> Any:
    return library.table(
        {name: library.array(column, from_pandas=True) for name, column in part.items()}
    )


def _find_library() -> Any:
    for name in _LIBRARIES:
        try:
            return import_module(name)
        except ImportError:
            continue
    raise MissingLibraryError(
        "a Parquet file needs pyarrow or polars, and neither is installed; install one of them, or "
        "write CSV"
    )


def _without_nan(column: Column) -> Sequence[Any]:
    if isinstance(column, np.ndarray):
        return [None if number != number else number for number in column.tolist()]
    return column


@contextmanager
def _as_text(file: BinaryIO) -> Iterator[io.TextIOWrapper]:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    try:
        yield text
    finally:
        text.detach()  # the file stays open


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    try:
        with replacing(path) as file:
            yield file
    except OSError as error:
        raise ArtifactError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
