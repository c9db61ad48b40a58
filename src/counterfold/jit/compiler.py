"""The one decorator of all kernels.

Numba's cache on disk is keyed by the file of the outermost kernel alone: a change to a helper in
another file is not seen. `make` therefore points `NUMBA_CACHE_DIR` at a folder named by the
content of all kernels.
"""

import os
import time
from collections.abc import Callable
from typing import Any

import numba
from numba.core import event

_LONG_SECONDS = 2.0  # of a compilation that is worth a line
_CACHE = os.environ.get("COUNTERFOLD_NUMBA_CACHE", "1") == "1"

# error_model="numpy": 0/0 is nan, as on arrays, rather than an exception path in every division.
kernel = numba.njit(cache=_CACHE, nogil=True, error_model="numpy")

# For helpers in the innermost loops: a call that is not inlined passes seven words for every array.
inlined_kernel = numba.njit(cache=_CACHE, nogil=True, error_model="numpy", forceinline=True)


class _CompilationReport(event.Listener):
    """Says that kernels are compiled rather than loaded from the cache, and which take long."""

    def __init__(self, announce: Callable[[str], None], first: str) -> None:
        self.announce, self.first = announce, first
        self._started: list[float] = []  # of compilations inside each other

    def on_start(self, event: Any) -> None:
        if self.first:
            self.announce(self.first)
            self.first = ""
        self._started.append(time.monotonic())

    def on_end(self, event: Any) -> None:
        seconds = time.monotonic() - self._started.pop()
        if not self._started and seconds >= _LONG_SECONDS:
            function = event.data["dispatcher"].py_func
            module = function.__module__.removeprefix("counterfold.")
            self.announce(f"compiled {module}.{function.__name__} in {seconds:.0f} s")


def announce_compilation(announce: Callable[[str], None], first: str) -> None:
    """If and when this process has to compile a kernel, announce `first`, then what takes long."""
    event.register("numba:compile", _CompilationReport(announce, first))
