"""Folders on disk: a manifest in JSON and arrays in NumPy's format, never a pickle.

Arrays are written first, under names that carry their hash; then the manifest that lists them
replaces the old one in one step. So a folder always holds one complete state, whenever a write is
interrupted: the old one until that step, the new one after it. Arrays and manifest are under
checksums.

What everything that writes files uses is here as well: files and folders that appear complete or
not at all, and locks between processes. The system releases a lock when its
process dies; the empty file that carries it stays, since a deleted one could be locked twice.
"""

import contextlib
import errno
import hashlib
import json
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from counterfold.checksums import hash_file
from counterfold.errors import ArtifactError

FORMAT = 2
MANIFEST = "manifest.json"
LOCK = ".lock"  # in a folder that one process at a time may change
_LONGEST_LINE = 100_000  # bytes that `append_line` may find unfinished
_CHECKSUM = "checksum"  # of everything else in a manifest
_MOST_NAMED = 4  # folders that an error lists

_log = logging.getLogger(__name__)

# Arrays that a manifest may list, and what a process that died while saving leaves behind.
_OURS = re.compile(r"\w+-[0-9a-f]{12}\.npy|\w+\.npy\.new|\.(\w+\.npy\.new|manifest\.json)\.\d+")


def save(folder: Path, manifest: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write `arrays` and `manifest` into `folder` as its new state."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        entries = {name: _save_array(folder, name, array) for name, array in arrays.items()}
        sync_folder(folder)
        write_manifest(folder, {"format": FORMAT, **manifest, "arrays": entries})
    except OSError as error:
        first = not os.path.exists(folder / MANIFEST)
        with contextlib.suppress(OSError, ArtifactError):  # what was written may fill the disk
            _sweep(folder, {} if first else load_manifest(folder)["arrays"])
        kept = (
            "nothing was saved, free space there or choose another folder"
            if first
            else "what was saved there before is still complete"
        )
        raise ArtifactError(
            f"cannot write to {str(folder)!r}: {error.strerror or error}; {kept}"
        ) from error
    _sweep(folder, entries)


def _sweep(folder: Path, entries: Mapping[str, Any]) -> None:
    """Delete arrays that a manifest with `entries` does not list."""
    current = {_array_file(folder, entry) for entry in entries.values()}
    for path in folder.iterdir():
        if _OURS.fullmatch(path.name) and path.name not in current:
            path.unlink(missing_ok=True)


def is_vacant(folder: Path, *, besides: str = "") -> bool:
    """Whether `folder` is missing, empty, or holds only what a first `save` that died left.

    A file or folder called `besides` is ignored.
    """
    if not folder.is_dir():
        return not folder.exists()
    names = {path.name for path in folder.iterdir()} - {besides, LOCK}
    return all(_OURS.fullmatch(name) for name in names)


def load(folder: Path, *, mapped: bool = False) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The manifest and the arrays of `folder`; raises `ArtifactError` if anything is wrong.

    Arrays that are `mapped` are read from their files as they are looked at, and take memory of
    their own only where they are changed, which the files are not.
    Another process may save there meanwhile, which deletes the arrays of the state before: then the
    new state is read.
    """
    manifest = load_manifest(folder)
    while True:
        try:
            return manifest, {
                name: _load_array(folder, entry, mapped)
                for name, entry in manifest["arrays"].items()
            }
        except ArtifactError:
            before, manifest = manifest, load_manifest(folder)
            if manifest == before:
                raise


def _load_array(folder: Path, entry: Any, mapped: bool) -> NDArray[Any]:
    path = folder / _array_file(folder, entry)
    try:
        if hash_file(path) != entry["sha256"]:
            raise _damaged(folder, f"{path.name} has changed since it was written")
        array: NDArray[Any]
        if mapped:
            array = np.asarray(np.load(path, mmap_mode="c", allow_pickle=False))
            return array
        with open(path, "rb") as file:
            array = np.lib.format.read_array(file, allow_pickle=False)
            return array
    except (OSError, ValueError, KeyError) as error:
        if isinstance(error, ArtifactError):
            raise
        raise _damaged(folder, f"{path.name} cannot be read: {error}") from error


def _hint(folder: Path) -> str:
    """Which folders in `folder` can be read instead, as after a comparison of algorithms."""
    inside = [str(path.parent) for path in sorted(folder.glob(f"*/{MANIFEST}"))]
    if not inside:
        return ""
    more = ", ..." if len(inside) > _MOST_NAMED else ""
    return f"; pass a folder in it: {', '.join(inside[:_MOST_NAMED])}{more}"


def load_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of `folder` alone."""
    path = folder / MANIFEST
    if folder.is_file():
        raise ArtifactError(f"{str(folder)!r} is a file; pass the folder of a run, its --out")
    if not folder.is_dir():
        raise ArtifactError(f"there is no folder {str(folder)!r}")
    if not path.is_file():
        raise ArtifactError(
            f"{str(folder)!r} was not written by counterfold: it has no {MANIFEST}{_hint(folder)}"
        )
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _damaged(folder, f"{MANIFEST} cannot be read: {error}") from error
    if not isinstance(manifest, dict) or not isinstance(manifest.get("arrays"), dict):
        raise _damaged(folder, f"{MANIFEST} lists no arrays")
    if manifest.get("format") != FORMAT:
        raise ArtifactError(
            f"{str(folder)!r} has format {manifest.get('format')!r}, but this version reads "
            f"{FORMAT}; make it again in another folder, or use the version of counterfold that "
            "wrote it"
        )
    checksum = manifest.pop(_CHECKSUM, None)  # earlier versions wrote none
    if checksum is not None and checksum != _hash_content(manifest):
        raise _damaged(folder, f"{MANIFEST} has changed since it was written")
    return manifest


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Replace the manifest of `folder` in one step, under a new checksum."""
    content = json.loads(json.dumps(manifest))  # as it will be read
    write_json(folder / MANIFEST, {**content, _CHECKSUM: _hash_content(content)})


def _hash_content(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _save_array(folder: Path, name: str, array: NDArray[Any]) -> dict[str, Any]:
    with replacing(folder / f"{name}.npy.new") as file:
        np.save(_Plain(file), array, allow_pickle=False)
    written = folder / f"{name}.npy.new"
    digest = hash_file(written)
    target = folder / f"{name}-{digest[:12]}.npy"
    os.replace(written, target)
    return {"file": target.name, "sha256": digest}


class _Plain:
    """A file with nothing but `write`: NumPy's own writer does not say why a disk refuses."""

    def __init__(self, file: BinaryIO) -> None:
        self.write = file.write


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that becomes `path` once all of it has reached the disk, or else leaves no trace."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        sync_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def save_figure(figure: Any, path: Path, kind: str = "", *, dpi: int = 150) -> None:
    """Draw a Matplotlib figure to `path`, complete or not at all; its suffix is the default kind.

    Raises `ArtifactError`.
    """
    try:
        with replacing(path) as file:
            figure.savefig(file, dpi=dpi, format=kind or path.suffix.removeprefix("."))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ArtifactError(f"cannot draw to {str(path)!r}: {why}") from error


@contextlib.contextmanager
def replacing_folder(folder: Path) -> Iterator[Path]:
    """An empty folder that replaces `folder` if nothing is raised, and is deleted otherwise.

    The old folder is moved aside whole and deleted last; a process that dies in between leaves it
    there, and the next call puts it back.
    """
    partial, old = (folder.with_name(f".{folder.name}.{word}") for word in ("partial", "old"))
    if old.exists() and not folder.exists():
        os.replace(old, folder)
    for left in (partial, old):  # by a process that died
        shutil.rmtree(left, ignore_errors=True)
    try:
        partial.mkdir(parents=True)
        yield partial
        if folder.exists():
            os.replace(folder, old)
        os.replace(partial, folder)
        sync_folder(folder.parent)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def sync_folder(folder: Path) -> None:
    """Make sure that names in `folder` have reached the disk; a rename alone does not."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # not every file system can
            raise
    finally:
        os.close(descriptor)


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Replace `path` in one step."""
    with replacing(path) as file:
        file.write(json.dumps(content, indent=2).encode())


def append_line(path: Path, line: bytes) -> None:
    """Add a line to a file, dropping first any line that a dying process left unfinished."""
    with open(path, "ab+") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - _LONGEST_LINE))
        tail = file.read()
        if tail and not tail.endswith(b"\n"):
            file.truncate(end - len(tail) + tail.rfind(b"\n") + 1)
        file.write(line + b"\n")
        file.flush()
        os.fsync(file.fileno())


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes out of `folder`, which is created if it is missing.

    Raises `ArtifactError` if another process holds it. If an error is raised, the lock that was
    created here is deleted again, and so is the folder if nothing was written to it.
    """
    if folder.is_file():
        raise ArtifactError(f"{str(folder)!r} is a file, not a folder; choose another name")
    new = [path for path in (folder / LOCK, folder) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = file_lock(folder / LOCK)
        lock.acquire(timeout=0)
    except Timeout:
        raise ArtifactError(
            f"{str(folder)!r} is in use by another process; wait for it or choose another folder"
        ) from None
    except OSError as error:
        raise _not_writable(folder, error) from error
    try:
        yield
    except BaseException:
        _remove_lock(lock, new)
        raise
    finally:
        lock.release()


def check_free(folder: Path) -> None:
    """Raise what `locked` would raise, and leave nothing behind."""
    if (folder / LOCK).exists():
        with locked(folder):
            return
    try:
        probe_folder(folder)
    except OSError as error:
        raise _not_writable(folder, error) from error


def probe_folder(folder: Path) -> None:
    """Raise `OSError` if no file can be created in `folder`, or in what is there of its path."""
    present = next(path for path in (folder, *folder.parents) if path.exists())
    with tempfile.TemporaryFile(dir=present):
        pass


def file_lock(path: Path) -> FileLock:
    """A lock on the file `path`, which is created; raises `OSError` where it cannot be.

    `FileLock` mistakes such a place, in ``/proc`` for example, for one that another process holds.
    """
    path.touch()
    return FileLock(path)


def _not_writable(folder: Path, error: OSError) -> ArtifactError:
    return ArtifactError(
        f"cannot write to {str(folder)!r}: {error.strerror or error}; choose another folder"
    )


def _remove_lock(lock: FileLock, new: Sequence[Path]) -> None:
    """Release a lock and delete what was created for it, the file before the folder."""
    for path in new:
        with contextlib.suppress(OSError):  # the folder is not empty
            if path.is_dir():
                lock.release()
                path.rmdir()
            else:
                path.unlink()  # while still locked: on Unix nobody else can lock a deleted file


@contextlib.contextmanager
def in_turn(path: Path, what: str) -> Iterator[None]:
    """Hold the lock file `path`; while another process holds it, say so once and wait."""
    lock = file_lock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        _log.warning("another process%s is %s; waiting for it", _holder(path), what)
        lock.acquire()
    try:
        with contextlib.suppress(OSError):
            path.write_text(str(os.getpid()), encoding="ascii")
        yield
    finally:
        lock.release()


def _holder(path: Path) -> str:
    """The process that noted its number in the lock file, if it has done so yet."""
    try:
        return f" ({int(path.read_text(encoding='ascii'))})"
    except (OSError, ValueError):
        return ""


def _array_file(folder: Path, entry: Any) -> str:
    name = entry.get("file") if isinstance(entry, dict) else None
    if not isinstance(name, str) or Path(name).name != name:
        raise _damaged(folder, f"{MANIFEST} names no array file")
    return name


def _damaged(folder: Path, what: str) -> ArtifactError:
    return ArtifactError(
        f"{str(folder)!r} is damaged: {what}; it was left as it is, choose another folder"
    )
