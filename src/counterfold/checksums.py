"""Checksums: of files, once for each version of a file, and of what a result depends on.

Hashing a file takes a second per gigabyte, so the result is remembered: in the process, and for a
large file in a stamp beside it. Size, times and inode identify the version; whatever writes to the
file changes them.
"""

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

_LARGE_BYTES = 16 << 20  # a stamp is worth it from here on
_STAMP = ".verified"

_Version = tuple[int, int, int, int]
_known: dict[str, tuple[_Version, str]] = {}


def hash_file(path: Path) -> str:
    """SHA-256 of the content, in hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hash_parts(*parts: str | bytes | NDArray[Any]) -> str:
    """The first 16 digits of the SHA-256 of `parts` in one piece; of an array, its numbers."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            part = part.encode()
        digest.update(part if isinstance(part, bytes) else part.tobytes())
    return digest.hexdigest()[:16]


def known_hash(path: Path) -> str:
    """The same, read only if this version of the file has not been hashed before."""
    key, version = os.path.abspath(path), _version(path)
    found = _known.get(key) or _read_stamp(path)
    if found is not None and found[0] == version:
        return found[1]
    digest = hash_file(path)
    _known[key] = version, digest
    if version[0] >= _LARGE_BYTES:
        with contextlib.suppress(OSError):  # a folder that is read-only works, only slower
            _stamp_of(path).write_text(json.dumps([version, digest]), encoding="ascii")
    return digest


def _version(path: Path) -> _Version:
    found = path.stat()
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def _stamp_of(path: Path) -> Path:
    return path.with_name(path.name + _STAMP)


def _read_stamp(path: Path) -> tuple[_Version, str] | None:
    """What an earlier process noted; a stamp cut short is none."""
    try:
        (size, modified, changed, inode), digest = json.loads(_stamp_of(path).read_bytes())
        return (size, modified, changed, inode), str(digest)
    except (OSError, ValueError, TypeError):
        return None
