"""What the benchmarks share: a figure with its target, and how a figure is timed.

Contenders take turns, block by block, so that a busy machine slows all of them alike; of each the
median block counts. Ratios within one run are what to look at, the absolute numbers are local.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from statistics import median

Run = Callable[[int], object]  # does so many iterations

_REPETITIONS = 5
_BLOCK_SECONDS = 0.5


@dataclass(frozen=True)
class Figure:
    """One row: our number, the peer's, and what we want of them."""

    name: str
    unit: str  # of both numbers; more is better in "…/s", less in all others
    ours: float
    peer: float | None = None
    against: str = ""  # whom
    least_ratio: float | None = None  # target: how many times better than the peer
    most: float | None = None  # target: our number itself, in `unit`
    details: Mapping[str, float] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        """How many times better than the peer we are."""
        if self.peer is None:
            return None
        return self.ours / self.peer if self.unit.endswith("/s") else self.peer / self.ours

    @property
    def met(self) -> bool | None:
        """Whether the target is reached, if there is one."""
        if self.least_ratio is not None:
            return self.ratio is not None and self.ratio >= self.least_ratio
        return None if self.most is None else self.ours <= self.most


def seconds_of(action: Callable[[], object], times: int = 1) -> float:
    """Mean wall time of a call."""
    start = time.perf_counter()
    for _ in range(times):
        action()
    return (time.perf_counter() - start) / times


def medians(*samples: Callable[[], float], repetitions: int = _REPETITIONS) -> list[float]:
    """Median of what each sample gives; they take turns."""
    rounds = [[sample() for sample in samples] for _ in range(repetitions)]
    return [median(column) for column in zip(*rounds, strict=True)]


def rates(*runs: Run) -> list[float]:
    """Iterations per second of each, after a warm-up that also finds the length of its blocks."""
    blocks = [_block(run) for run in runs]
    timed = [partial(seconds_of, partial(run, n)) for run, n in zip(runs, blocks, strict=True)]
    return [n / seconds for n, seconds in zip(blocks, medians(*timed), strict=True)]


def repeat(step: Callable[[], object]) -> Run:
    """A run out of a function that does one iteration."""

    def run(iterations: int) -> None:
        for _ in range(iterations):
            step()

    return run


def _block(run: Run) -> int:
    run(1)  # compiles or loads what there is to compile or load
    n = 1
    while (seconds := seconds_of(partial(run, n))) < _BLOCK_SECONDS / 4:
        n *= 2
    return max(1, round(n * _BLOCK_SECONDS / seconds))
