"""Time to an equilibrium of Leduc, checks of NashConv on the way included."""

import tempfile
from collections.abc import Iterator
from functools import partial

from counterfold import Budget, compile_game, parse_game, solve
from timing import processes
from timing.measure import Figure, medians, seconds_of
from timing.peers import LiteEfg, OpenSpiel, seconds_to

NASH_CONV = 1e-3
SOLVES = 10  # one takes some 30 ms


def figures() -> Iterator[Figure]:
    """With kernels in memory, and from the start of a process with kernels on disk.

    The peers' time is that of iterating alone, so the ratios are lower bounds.
    """
    leduc = compile_game(parse_game("leduc"))
    ours = [partial(solve, leduc, name, Budget(until=NASH_CONV / 2)) for name in ("dcfr", "cfr+")]
    iterations = [run().iterations for run in ours]  # also the warm-up
    with tempfile.TemporaryDirectory() as cache:
        start = partial(processes.solve, f"leduc --until {NASH_CONV / 2:g}", cache)
        start()
        dcfr, plus, fresh, spiel, lite = medians(
            *(partial(seconds_of, run, SOLVES) for run in ours),
            lambda: start().wall,
            lambda: seconds_to(NASH_CONV, OpenSpiel("leduc")),
            lambda: seconds_to(NASH_CONV, LiteEfg("leduc")),
            repetitions=3,
        )
    goal = f"leduc to NashConv {NASH_CONV:g}"
    for name, seconds, n in zip(("dcfr", "cfr+"), (dcfr, plus), iterations, strict=True):
        title, details = f"{goal}, {name}", {"iterations": n}
        yield Figure(title, "s", seconds, spiel, "OpenSpiel", least_ratio=100, details=details)
    yield Figure(f"{goal}, cfr+", "s", plus, lite, "LiteEFG")
    yield Figure(f"{goal}, fresh process", "s", fresh, spiel, "OpenSpiel")
