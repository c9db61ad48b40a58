"""Programs in processes of their own, timed from start to end."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

from timing.measure import seconds_of

_COMMAND = Path(__file__).with_name("timed_command.py")


class Times(NamedTuple):
    """Seconds of a process, and those in which Numba compiled."""

    wall: float
    compiling: float


def solve(arguments: str, cache: str) -> Times:
    """`counterfold solve` with compiled kernels in the folder `cache`."""
    output: list[str] = []
    start = partial(_start, _COMMAND, "solve", *arguments.split(), NUMBA_CACHE_DIR=cache)
    wall = seconds_of(lambda: output.append(start()))
    return Times(wall, float(output[0].splitlines()[-1]))


def python(program: str) -> float:
    """Seconds of a Python program."""
    return seconds_of(partial(_start, "-c", program))


def _start(*arguments: str | Path, **environment: str) -> str:
    """What a fresh interpreter prints."""
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
