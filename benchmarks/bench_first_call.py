"""The command line in a fresh process, without and with compiled kernels on disk."""

import tempfile
from collections.abc import Iterator
from statistics import median

from timing import processes
from timing.measure import Figure
from timing.peers import OPENSPIEL_PROGRAM

_REPETITIONS = 3


def figures() -> Iterator[Figure]:
    """Wall seconds from the start of the process to its end."""
    yield from _cold_and_cached("leduc", OPENSPIEL_PROGRAM)
    yield from _cold_and_cached("leduc -a external")


def _cold_and_cached(arguments: str, peer_program: str | None = None) -> Iterator[Figure]:
    cold, cached, theirs = [], [], []
    for _ in range(_REPETITIONS):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(processes.solve(arguments, cache))
            cached.append(processes.solve(arguments, cache))
        if peer_program is not None:
            theirs.append(processes.python(peer_program))
    peer = median(theirs) if theirs else None
    against = "OpenSpiel" if theirs else ""
    for name, times in (("cold", cold), ("cached", cached)):
        wall, compiling = map(median, zip(*times, strict=True))
        title, share = f"solve {arguments}, {name}", compiling / wall
        yield Figure(title, "s", wall, peer, against, details={"compiling_share": share})
        if name == "cold":
            yield Figure(f"  of which Numba compiles ({share:.0%})", "s", compiling)
