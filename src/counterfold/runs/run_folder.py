"""The folder of a run: the strategy, and a checkpoint to resume from.

::

    manifest.json  strategy-….npy                 what is shown, evaluated and played
    checkpoint/manifest.json  regrets-….npy …     what the next iteration depends on

Both are artifacts, each of them a complete state at any moment; the checkpoint is written first, so
a killed run loses at most what came after its last checkpoint. A run can only be resumed as it was
begun: its identity is compared key by key, and the fingerprint of its game gives slots their
meaning.
"""

import importlib.metadata
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from counterfold import artifacts
from counterfold.errors import ArtifactError

CHECKPOINT = "checkpoint"  # the folder of the tables, in that of the strategy
STRATEGY = "strategy"  # the array

_KEYS: Mapping[str, type] = {"kind": str, "identity": dict, "fingerprint": str, "progress": dict}


@dataclass(frozen=True)
class RunRecord:
    """What the manifests of every run say."""

    kind: str  # the command that made it: solve, spot or train
    identity: Mapping[str, Any]  # what must be equal for one call to resume another
    fingerprint: str  # of the game
    progress: Mapping[str, Any]  # `iterations`, `seconds` and what the kind adds
    # hashes of the tables it was built on, by name; earlier versions recorded none
    built_on: Mapping[str, str] | None = None


@dataclass(frozen=True, eq=False)
class StoredStrategy:
    """A strategy as it was saved, with what its kind of run keeps beside it."""

    record: RunRecord
    arrays: Mapping[str, NDArray[Any]]  # those of the strategy among them
    details: Mapping[str, Any]


@contextmanager
def claimed_folder(
    folder: Path, kind: str, identity: Mapping[str, Any], *, resume: bool
) -> Iterator[bool]:
    """Keep other processes out of `folder` for a call, as `claim_folder` allows."""
    with artifacts.locked(folder):
        yield claim_folder(folder, kind, identity, resume=resume)


def claim_folder(folder: Path, kind: str, identity: Mapping[str, Any], *, resume: bool) -> bool:
    """Whether a call continues a run in `folder` rather than beginning one.

    Raises `ArtifactError` if the folder holds a different run, or if a new one would overwrite
    something.
    """
    if not (resume and _holds_run(folder)):
        _check_unused(folder, kind)
        return False
    found = _newest_record(folder)
    if found.kind != kind:
        raise ArtifactError(
            f"{str(folder)!r} holds a run of counterfold {found.kind}, not {kind}; "
            "choose another folder"
        )
    before = _leaves(found.identity)
    for key, value in _leaves(identity).items():
        if before.get(key) != value:
            raise ArtifactError(
                f"{str(folder)!r} holds a run with {key} {before.get(key)!r}, not {value!r}; "
                "choose another folder"
            )
    return True


def check_claim(folder: Path, kind: str, identity: Mapping[str, Any], *, resume: bool) -> None:
    """Raise now what `claimed_folder` would raise later, and leave nothing behind."""
    if claim_folder(folder, kind, identity, resume=resume):
        load_checkpoint_record(folder)
    artifacts.check_free(folder)


def find_identity(folder: Path) -> Mapping[str, Any] | None:
    """What the run in `folder` is, None if there is none."""
    return _newest_record(folder).identity if _holds_run(folder) else None


def save_checkpoint(folder: Path, record: RunRecord, tables: Mapping[str, NDArray[Any]]) -> None:
    """Replace the checkpoint in the folder of a run."""
    artifacts.save(folder / CHECKPOINT, _manifest(record), tables)


def save_strategy(
    folder: Path,
    record: RunRecord,
    arrays: Mapping[str, NDArray[Any]],
    details: Mapping[str, Any],
) -> None:
    """Replace the strategy in the folder of a run; `arrays` has it and what belongs to it."""
    artifacts.save(folder, {**_manifest(record), "details": details}, arrays)


def load_checkpoint_record(folder: Path) -> RunRecord:
    """The manifest of the checkpoint in the folder of a run."""
    if not _has_checkpoint(folder):
        raise ArtifactError(
            f"{str(folder)!r} has a strategy but no checkpoint to resume from; "
            "begin a new run in another folder"
        )
    path = folder / CHECKPOINT
    return _record(path, artifacts.load_manifest(path))


def load_tables(
    folder: Path,
    fingerprint: str,
    tables: Mapping[str, NDArray[Any]],
    converted: Collection[str] = (),
) -> None:
    """Fill `tables`, those of a fresh solver, with what the checkpoint holds.

    Only those named in `converted` may have another type there.
    """
    path = folder / CHECKPOINT
    manifest, arrays = artifacts.load(path, mapped=True)  # each is copied once, and let go
    if _record(path, manifest).fingerprint != fingerprint:
        raise ArtifactError(
            f"the game of {str(folder)!r} has changed since it was saved; begin a new run in "
            "another folder"
        )
    for name, table in tables.items():
        saved = arrays.get(name)
        if saved is None or saved.shape != table.shape:
            raise ArtifactError(f"{str(path)!r} is damaged: its table {name!r} does not fit")
        if saved.dtype != table.dtype and name not in converted:
            raise ArtifactError(
                f"{str(path)!r} has {name} in {saved.dtype}, but this version needs {table.dtype}; "
                "begin a new run in another folder"
            )
    for name, table in tables.items():
        table[:] = arrays[name]


def load_strategy(
    folder: Path, kind: str, names: Sequence[str] = (STRATEGY,), *, mapped: bool = False
) -> StoredStrategy:
    """The strategy in the folder of a run of `kind`, at least the arrays `names`.

    Those that are `mapped` are read as they are looked at.
    """
    if (found := run_kind(folder)) != kind:
        raise ArtifactError(f"{str(folder)!r} holds a run of counterfold {found}, not {kind}")
    manifest, arrays = artifacts.load(folder, mapped=mapped)
    details = manifest.get("details")
    if not (arrays.keys() >= {*names} and isinstance(details, dict)):
        raise ArtifactError(f"{str(folder)!r} is damaged: its manifest lists no strategy")
    return StoredStrategy(_record(folder, manifest), arrays, details)


def run_kind(folder: Path) -> str:
    """Which command made the strategy in `folder`: solve, spot or train."""
    begun = _has_checkpoint(folder) or (folder / artifacts.LOCK).exists()
    if begun and not (folder / artifacts.MANIFEST).exists():
        raise ArtifactError(f"{str(folder)!r} has no strategy yet; continue the run with --resume")
    return _record(folder, artifacts.load_manifest(folder)).kind


def _manifest(record: RunRecord) -> dict[str, Any]:
    return {"counterfold": importlib.metadata.version("counterfold"), **vars(record)}


def _record(folder: Path, manifest: Mapping[str, Any]) -> RunRecord:
    for key, kind in _KEYS.items():
        if not isinstance(manifest.get(key), kind):
            raise ArtifactError(f"{str(folder)!r} is damaged: its manifest lacks {key!r}")
    progress = manifest["progress"]
    for key in ("iterations", "seconds"):
        value = progress.get(key)
        if not isinstance(value, int | float) or not 0 <= value < float("inf"):
            raise ArtifactError(f"{str(folder)!r} is damaged: its progress has {key} {value!r}")
    built_on = manifest.get("built_on")
    if built_on is not None and not isinstance(built_on, dict):
        raise ArtifactError(f"{str(folder)!r} is damaged: its manifest lists no tables")
    return RunRecord(**{key: manifest[key] for key in _KEYS}, built_on=built_on)


def check_built_on(folder: Path, record: RunRecord, found: Mapping[str, str]) -> None:
    """Raise `ArtifactError` if tables other than those `found` gave slots their meaning."""
    if record.built_on is None or record.built_on == found:
        return
    names = sorted({name for name, _ in record.built_on.items() ^ found.items()})
    raise ArtifactError(
        f"the card tables {', '.join(names)} are not those that {str(folder)!r} was trained with; "
        "copy them from where it was trained, or train it again"
    )


def _newest_record(folder: Path) -> RunRecord:
    path = folder / CHECKPOINT if _has_checkpoint(folder) else folder
    return _record(path, artifacts.load_manifest(path))


def _has_checkpoint(folder: Path) -> bool:
    return (folder / CHECKPOINT / artifacts.MANIFEST).exists()


def _holds_run(folder: Path) -> bool:
    return _has_checkpoint(folder) or (folder / artifacts.MANIFEST).exists()


def _check_unused(folder: Path, kind: str) -> None:
    """Raise if a new run would overwrite something; leftovers of a save that died are fine."""
    if folder.is_file():
        raise ArtifactError(f"{str(folder)!r} is a file, not a folder; choose another name")
    if _holds_run(folder):
        way = "pass --resume to continue it or choose another folder"
        if not _has_checkpoint(folder):
            way = "it has no checkpoint to continue from, so choose another folder"
        elif (found := _newest_record(folder).kind) != kind:
            way = f"it is one of counterfold {found}, not {kind}, so choose another folder"
        raise ArtifactError(f"{str(folder)!r} already holds a run; {way}")
    vacant = artifacts.is_vacant(folder, besides=CHECKPOINT)
    if not (vacant and artifacts.is_vacant(folder / CHECKPOINT)):
        raise ArtifactError(f"{str(folder)!r} is not empty; choose another folder")


def _leaves(content: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Values by dotted keys."""
    leaves: dict[str, Any] = {}
    for key, value in content.items():
        if isinstance(value, Mapping):
            leaves |= _leaves(value, f"{prefix}{key}.")
        else:
            leaves[prefix + key] = value
    return leaves
