"""The one decorator of all kernels.

Numba's cache on disk is keyed by the file of the outermost kernel alone: a change to a helper in
another file is not seen. `make` therefore points `NUMBA_CACHE_DIR` at a folder named by the
content of all kernels.
"""

import os
from collections.abc import Callable
from typing import Any

import numba
from numba.core import event

_CACHE = os.environ.get("COUNTERFOLD_NUMBA_CACHE", "1") == "1"

# error_model="numpy": 0/0 is nan, as on arrays, rather than an exception path in every division.
kernel = numba.njit(cache=_CACHE, nogil=True, error_model="numpy")

# For helpers in the innermost loops: a call that is not inlined passes seven words for every array.
inlined_kernel = numba.njit(cache=_CACHE, nogil=True, error_model="numpy", forceinline=True)


class _FirstCompilation(event.Listener):
    """Calls back once, when the first kernel is compiled rather than loaded from the cache."""

    def __init__(self, announce: Callable[[], None]) -> None:
        self.announce: Callable[[], None] | None = announce

    def on_start(self, event: Any) -> None:
        if self.announce is not None:
            self.announce()
            self.announce = None

    def on_end(self, event: Any) -> None:
        """Nothing to do."""


def announce_compilation(announce: Callable[[], None]) -> None:
    """Call `announce` if and when this process has to compile a kernel."""
    event.register("numba:compile", _FirstCompilation(announce))
