"""One process at a time in the folder of a run.

The folder itself is locked, not a file in it, so that nothing is left behind when a process dies.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from counterfold.errors import ArtifactError


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes out of `folder`, which is made if need be.

    Raises `ArtifactError` if a process is there already. If an error comes up before anything was
    written, a folder that was made goes again. Without such locks, as on Windows or on some network
    disks, nothing is checked.
    """
    if folder.is_file():
        raise ArtifactError(f"{str(folder)!r} is a file, not a folder; choose another name")
    new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArtifactError(
            f"cannot write to {str(folder)!r}: {error.strerror or error}; choose another folder"
        ) from error
    with contextlib.ExitStack() as stack:
        _lock(folder, stack)
        try:
            yield
        except BaseException:
            if new:
                with contextlib.suppress(OSError):  # something was written: it stays
                    folder.rmdir()
            raise


def _lock(folder: Path, stack: contextlib.ExitStack) -> None:
    try:
        import fcntl
    except ImportError:
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    stack.callback(os.close, descriptor)  # which unlocks
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ArtifactError(
            f"{str(folder)!r} is in use by another process; wait for it or choose another folder"
        ) from None
    except OSError:
        return  # a disk without such locks
