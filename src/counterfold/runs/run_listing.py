"""The runs under a folder, found by their manifests; nothing but the manifests is read."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from counterfold import artifacts
from counterfold.errors import ArtifactError
from counterfold.runs.run_folder import CHECKPOINT

_DEEPEST = 4  # folders below the one that is searched
_MOST = 1000  # folders that are looked at


@dataclass(frozen=True)
class FoundRun:
    """A folder with a strategy."""

    name: str  # such as runs/leduc/dcfr: from the folder that was searched on, by its name
    path: Path
    kind: str  # the command that made it: solve, spot or train
    identity: Mapping[str, Any]
    progress: Mapping[str, Any]  # `iterations`, `seconds` and what the kind adds
    modified: float  # when its strategy was last written, in seconds since 1970
    details: Mapping[str, Any]  # such as its recipe


def find_runs(root: Path) -> Iterator[FoundRun]:
    """The runs in `root` and in the folders below it, in the order of their names.

    Links that lead out of `root` are not followed, and damaged folders are left out.
    """
    top = root.resolve()
    for path in _find_folders(top):
        found = read_run(path, Path(root.resolve().name, path.relative_to(top)).as_posix())
        if found is not None:
            yield found


def _find_folders(top: Path) -> Iterator[Path]:
    """`top` and the folders below it that may hold runs."""
    for parent, names, _ in islice(os.walk(top), _MOST):  # which does not follow links
        path = Path(parent)
        yield path
        deep = len(path.relative_to(top).parts) >= _DEEPEST
        names[:] = (
            []
            if deep
            else sorted(name for name in names if name != CHECKPOINT and not name.startswith("."))
        )


def read_run(path: Path, name: str) -> FoundRun | None:
    """The run in the folder `path` itself; None if there is none, or if links lead elsewhere."""
    manifest = path / artifacts.MANIFEST
    if not manifest.is_file() or manifest.resolve() != manifest:
        return None
    try:
        content = artifacts.load_manifest(path)
        return FoundRun(
            name,
            path,
            str(content["kind"]),
            dict(content["identity"]),
            dict(content["progress"]),
            manifest.stat().st_mtime,
            dict(content.get("details") or {}),
        )
    except (ArtifactError, KeyError, TypeError, ValueError, OSError):
        return None
