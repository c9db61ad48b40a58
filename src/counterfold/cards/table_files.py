"""Large tables on disk: built board by board, resumable, never seen half-written.

A table is a folder of arrays over the classes of one street. It is built in a folder of another
name, with the list of finished parts beside the arrays, and renamed in one step when complete: a
folder with the final name is always complete. The name ends with the fingerprint of everything that
the numbers depend on, so tables for other rules cannot be mistaken for these.
"""

import json
import math
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import platformdirs
from numpy.typing import NDArray

from counterfold.artifacts import in_turn, sync_folder, write_json
from counterfold.checksums import hash_file, hash_parts, known_hash
from counterfold.cluster.row_pieces import RowJob
from counterfold.cluster.workers import Workers
from counterfold.errors import ArtifactError
from counterfold.threads import Stretch, ThreadPool, thread_count

FORMAT = 1
_MANIFEST = "manifest.json"
_PROGRESS = "progress.json"
_SAVE_SECONDS = 10.0
_SAMPLE_SECONDS = 0.05  # of work, to extrapolate from
_N_PARTS = 256  # between saves; a killed build loses at most the parts since the last one


@dataclass(frozen=True)
class Column:
    """One array of a table."""

    dtype: str
    shape: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        """Bytes on disk."""
        return int(np.prod(self.shape, dtype=np.int64)) * np.dtype(self.dtype).itemsize


@dataclass(frozen=True)
class TableSpec:
    """What a table is called, what its numbers depend on, and its arrays."""

    name: str
    depends_on: Mapping[str, Any]  # JSON values
    columns: Mapping[str, Column]

    @property
    def fingerprint(self) -> str:
        """Hash of name, dependencies and arrays."""
        content = {
            "format": FORMAT,
            "name": self.name,
            "depends_on": dict(self.depends_on),
            "columns": {name: [c.dtype, list(c.shape)] for name, c in self.columns.items()},
        }
        return hash_parts(json.dumps(content, sort_keys=True))

    @property
    def folder_name(self) -> str:
        """The name of the table's folder in the cache."""
        return f"{self.name}-{self.fingerprint}"

    @property
    def nbytes(self) -> int:
        """Bytes on disk."""
        return sum(column.nbytes for column in self.columns.values())


Arrays = dict[str, NDArray[Any]]
Work = Callable[[int, int, Arrays], None]  # fills the arrays for the units first:last
Progress = Callable[[str, int, int], None]  # name, units done, units in total
# Fills the arrays for stretches of units; yields the number of each as soon as it is done.
Do = Callable[[Sequence[Stretch], Arrays], Iterator[int]]


def cache_folder() -> Path:
    """Where tables are kept: ``$COUNTERFOLD_HOME`` or the user's cache folder."""
    home = os.environ.get("COUNTERFOLD_HOME")
    if home:
        return Path(home)
    return platformdirs.user_cache_path("counterfold", appauthor=False, opinion=False)


def find_table(spec: TableSpec, folder: Path) -> Arrays | None:
    """The finished table, memory-mapped, or None if it has not been built.

    Raises `ArtifactError` if a byte of it has changed; see `checksums` for what that costs.
    """
    path = folder / spec.folder_name
    if not path.is_dir():
        return None
    try:
        manifest = json.loads((path / _MANIFEST).read_text(encoding="utf-8"))
        arrays = _open_arrays(spec, path, "r")
        hashes = {name: known_hash(path / f"{name}.npy") for name in spec.columns}
    except (OSError, ValueError) as error:
        raise _damaged(path, str(error)) from error
    if not isinstance(manifest, dict) or manifest.get("fingerprint") != spec.fingerprint:
        raise _damaged(path, "its manifest is for another table")
    _compare(path, manifest, hashes)
    return arrays


def _compare(path: Path, manifest: Mapping[str, Any], hashes: Mapping[str, str]) -> None:
    recorded = manifest.get("sha256")
    for name, digest in hashes.items():
        if not isinstance(recorded, dict) or recorded.get(name) != digest:
            raise _damaged(path, f"{name}.npy has changed since it was written")


def table_digest(spec: TableSpec, folder: Path) -> str:
    """Hash of the content of a finished table, for what is built on it to record."""
    hashes = [known_hash(folder / spec.folder_name / f"{name}.npy") for name in spec.columns]
    return hash_parts(" ".join(hashes))


def _open_arrays(spec: TableSpec, path: Path, mode: Literal["r", "r+"]) -> Arrays:
    """The arrays in a folder, memory-mapped; raises `OSError` or `ValueError`."""
    arrays: Arrays = {}
    for name, column in spec.columns.items():
        try:
            array = np.lib.format.open_memmap(path / f"{name}.npy", mode=mode)
        except ValueError as error:
            raise ValueError(f"{name}.npy: {error}") from error
        if array.shape != column.shape or array.dtype != np.dtype(column.dtype):
            raise ValueError(f"{name}.npy has another shape or type")
        arrays[name] = array
    return arrays


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view that cannot be written to, of one type for tables and samples alike: kernels are
    compiled once.
    """
    view = np.asarray(array)[...]
    view.flags.writeable = False
    return view


def build_table(
    spec: TableSpec,
    folder: Path,
    n_units: int,
    work: Work,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    workers: Workers | None = None,
    job: RowJob | None = None,
) -> Arrays:
    """The finished table, built if it is missing, or completed if it was begun.

    `work` fills the arrays for a range of units; its results must not depend on how the units are
    split, and ranges may be worked on at the same time. With `workers`, they do the same as `job`.
    An interruption keeps what is done.
    """
    arrays = find_table(spec, folder)
    if arrays is not None:
        return arrays
    try:
        folder.mkdir(parents=True, exist_ok=True)
        what = f"building table {spec.name} in {str(folder)!r}"
        with in_turn(folder / f"{spec.folder_name}.lock", what):
            if find_table(spec, folder) is None:  # not built by another process while we waited
                _check_space(spec, folder)
                do = partial(_do_here, work, threads)
                if workers is not None and job is not None:
                    do = partial(_do_elsewhere, workers, job)
                _build(spec, folder, n_units, do, threads, progress)
    except OSError as error:
        raise ArtifactError(
            f"cannot write tables to {str(folder)!r}: {error.strerror or error}; "
            "free space there or set COUNTERFOLD_HOME to another folder"
        ) from error
    arrays = find_table(spec, folder)
    assert arrays is not None
    return arrays


def _build(
    spec: TableSpec,
    folder: Path,
    n_units: int,
    do: Do,
    threads: int | None,
    progress: Progress | None,
) -> None:
    unfinished = folder / f"{spec.folder_name}.partial"
    _fill(spec, unfinished, n_units, do, progress)
    # Remembered beside the files, which stay the same under the name that the folder gets.
    with ThreadPool(min(thread_count(threads), len(spec.columns))) as pool:
        hashes = list(pool.map(known_hash, [unfinished / f"{name}.npy" for name in spec.columns]))
    manifest = {
        "format": FORMAT,
        "kind": "table",
        "name": spec.name,
        "fingerprint": spec.fingerprint,
        "depends_on": dict(spec.depends_on),
        "sha256": dict(zip(spec.columns, hashes, strict=True)),
    }
    write_json(unfinished / _MANIFEST, manifest)
    os.replace(unfinished, folder / spec.folder_name)
    sync_folder(folder)
    (folder / spec.folder_name / _PROGRESS).unlink()  # last, so a kill before it loses nothing


def _fill(
    spec: TableSpec,
    unfinished: Path,
    n_units: int,
    do: Do,
    progress: Progress | None,
) -> None:
    """Do all work that `partial` is missing; the arrays are closed on return."""
    bounds = np.linspace(0, n_units, min(_N_PARTS, n_units) + 1).astype(int)
    done = _begin(spec, unfinished, len(bounds) - 1)
    arrays = _open_arrays(spec, unfinished, "r+")
    todo = [part for part in range(len(bounds) - 1) if part not in done]
    stretches = [(int(bounds[part]), int(bounds[part + 1])) for part in todo]
    saved = time.monotonic()
    if progress is not None:
        progress(spec.name, _n_done(done, bounds), n_units)
    try:
        for at in do(stretches, arrays):
            done.add(todo[at])
            if progress is not None:
                progress(spec.name, _n_done(done, bounds), n_units)
            if time.monotonic() - saved > _SAVE_SECONDS:
                _save_progress(unfinished, arrays, done)
                saved = time.monotonic()
    finally:  # after Ctrl-C, too: no thread is working anymore, and finished parts are kept
        _save_progress(unfinished, arrays, done)


def _do_here(
    work: Work, threads: int | None, stretches: Sequence[Stretch], arrays: Arrays
) -> Iterator[int]:
    def work_on(at: int) -> int:
        work(*stretches[at], arrays)
        return at

    with ThreadPool(threads) as pool:
        yield from pool.map(work_on, range(len(stretches)))


def _do_elsewhere(
    workers: Workers, job: RowJob, stretches: Sequence[Stretch], arrays: Arrays
) -> Iterator[int]:
    for number, filled, error in workers.begin(job).finish(stretches):
        if error is not None:
            raise error
        for name, array in arrays.items():
            array[filled.rows] = filled.values[name]
        yield number


def estimate_seconds(
    spec: TableSpec, n_units: int, work: Work, threads: int | None = None
) -> float:
    """How long `build_table` would take, extrapolated from a moment of work."""
    arrays = {name: np.zeros(c.shape, np.dtype(c.dtype)) for name, c in spec.columns.items()}
    first, size = n_units // 2, 1
    while True:
        last = min(first + size, n_units)
        work(first, last, arrays)  # compiles, and touches the pages that the next line writes to
        started = time.perf_counter()
        work(first, last, arrays)
        seconds = time.perf_counter() - started
        if seconds > _SAMPLE_SECONDS or last == n_units:
            return seconds / (last - first) * n_units / thread_count(threads)
        # What should do, with some room; a clock may not have moved at all.
        size = max(2 * size, math.ceil(1.2 * size * _SAMPLE_SECONDS / max(seconds, 1e-6)))


def list_tables(folder: Path) -> list[Path]:
    """The folders of all finished tables in a cache, whatever they hold."""
    return sorted(
        path.parent for path in folder.glob(f"*/{_MANIFEST}") if ".partial" not in path.parent.name
    )


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest of the table in the folder `path`."""
    try:
        manifest = json.loads((path / _MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _damaged(path, str(error)) from error
    if not isinstance(manifest, dict) or not isinstance(manifest.get("sha256"), dict):
        raise _damaged(path, "its manifest lists no arrays")
    return manifest


def verify_table(path: Path) -> None:
    """Raise `ArtifactError` if any byte of the table in `path` has changed; reads all of it."""
    manifest = read_manifest(path)
    try:
        hashes = {name: hash_file(path / f"{name}.npy") for name in manifest["sha256"]}
    except OSError as error:
        raise _damaged(path, str(error)) from error
    _compare(path, manifest, hashes)


def _begin(spec: TableSpec, unfinished: Path, n_parts: int) -> set[int]:
    """Parts that an earlier attempt finished; empty arrays if none fits."""
    try:
        state = json.loads((unfinished / _PROGRESS).read_text(encoding="utf-8"))
        if state["fingerprint"] == spec.fingerprint and state["parts"] == n_parts:
            _open_arrays(spec, unfinished, "r")
            return set(range(n_parts)).intersection(state["done"])
    except (OSError, ValueError, KeyError, TypeError):
        pass  # nothing usable
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    try:
        for name, column in spec.columns.items():
            _create_array(unfinished / f"{name}.npy", column)
    except OSError:
        shutil.rmtree(unfinished, ignore_errors=True)  # it may be what fills the disk
        raise
    write_json(
        unfinished / _PROGRESS, {"fingerprint": spec.fingerprint, "parts": n_parts, "done": []}
    )
    return set()


def _create_array(path: Path, column: Column) -> None:
    """Zeros that have their space on disk: a full disk under a mapped hole kills the process."""
    dtype = np.dtype(column.dtype)
    np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=column.shape).flush()
    with open(path, "r+b") as file:
        size = file.seek(0, os.SEEK_END)
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)


def _save_progress(unfinished: Path, arrays: Arrays, done: set[int]) -> None:
    for array in arrays.values():
        array.flush()  # type: ignore[attr-defined]
    state = json.loads((unfinished / _PROGRESS).read_text(encoding="utf-8"))
    write_json(unfinished / _PROGRESS, {**state, "done": sorted(done)})


def _n_done(done: set[int], bounds: NDArray[np.int64]) -> int:
    return int(sum(bounds[part + 1] - bounds[part] for part in done))


def _check_space(spec: TableSpec, folder: Path) -> None:
    """Refuse up front what the disk cannot hold; sparse files would fail much later."""
    unfinished = folder / f"{spec.folder_name}.partial"
    free = shutil.disk_usage(folder).free
    for file in unfinished.glob("*.npy"):  # already written, not counting holes in sparse files
        blocks = getattr(file.stat(), "st_blocks", None)
        free += file.stat().st_size if blocks is None else 512 * blocks
    if spec.nbytes > free:
        raise ArtifactError(
            f"table {spec.name} needs {_megabytes(spec.nbytes)}, "
            f"{_megabytes(spec.nbytes - free)} more than {str(folder)!r} has free; "
            "free space there or set COUNTERFOLD_HOME"
        )


def _megabytes(n_bytes: int) -> str:
    """Rounded up, so that a little that is missing is not called zero."""
    return f"{math.ceil(n_bytes / 1e5) / 10:,.1f} MB"


def _damaged(path: Path, what: str) -> ArtifactError:
    return ArtifactError(f"table {str(path)!r} is damaged: {what}; delete it and build it again")
