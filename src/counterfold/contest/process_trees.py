"""Processes and all that they started, also what has left their process group.

A child that begins a session of its own and whose parent has ended cannot be found by its ancestors
anymore. It still has their environment, where a mark tells whose it is.
"""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress

import psutil

MARK = "COUNTERFOLD_PROGRAM"  # variable of the environment

_ROUNDS = 5  # a process may start another while we look


def kill_tree(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kill `process` and its descendants, those with `mark` in their environment; wait for it."""
    known: list[psutil.Process] = []
    with suppress(psutil.Error):
        known = psutil.Process(process.pid).children(recursive=True)
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
    _kill(known)
    for _ in range(_ROUNDS):
        if not _kill(list(marked_processes(mark))):
            return


def _kill(processes: list[psutil.Process]) -> bool:
    """Kill all of `processes` and wait for their ends; whether there were any."""
    for each in processes:
        with suppress(psutil.Error):
            each.kill()
    psutil.wait_procs(processes, timeout=1.0)
    return bool(processes)


def marked_processes(mark: str) -> Iterator[psutil.Process]:
    """All running processes with `mark` in their environment."""
    for each in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if each.status() != psutil.STATUS_ZOMBIE and each.environ().get(MARK) == mark:
                yield each
