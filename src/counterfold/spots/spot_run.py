"""Solving a spot within a budget: evaluations, checkpoints, resumption.

Iterations do not depend on when they were evaluated, saved or interrupted, so a run that was killed
and resumed ends with the same tables, bit for bit, as one that was not.
"""

import threading
import time
from collections.abc import Callable
from math import inf
from pathlib import Path

from counterfold.devices import Device
from counterfold.errors import BudgetError, TooLargeError
from counterfold.ranges.range_solver import RangeSolver
from counterfold.ranges.spot import Spot
from counterfold.runs.budget import Budget
from counterfold.runs.run_folder import claimed_folder
from counterfold.runs.run_loop import RunLoop
from counterfold.spots.solved_spot import SolvedSpot, SpotPoint, SpotProgress
from counterfold.spots.spot_device import choose_spot_device
from counterfold.spots.spot_folder import KIND, identify, load_progress, resume_spot, save_spot

DEFAULT_TARGET = 0.003  # of the pot
MOST_ITERATIONS = 10_000  # where only a target is given: rounding may keep a run above it
_CHUNK_SECONDS = 0.1  # how long an interrupt may go unnoticed
_CHECKPOINT_SECONDS = 10.0
_SAVING_SHARE = 0.1  # of the time, at most, that goes into checkpoints

Observer = Callable[[SpotProgress], None]


def make_budget(
    spot: Spot,
    target: float | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
) -> Budget:
    """Limits of a run; `target` is an exploitability as a share of the pot.

    With no limit at all the default target applies.
    """
    if target is None and iterations is None and seconds is None:
        target = DEFAULT_TARGET
    if target is not None and not 0 < target < 1:
        raise BudgetError(f"target must be a share of the pot above 0 and below 1, not {target!r}")
    if iterations is None and seconds is None:
        iterations = MOST_ITERATIONS
    return Budget(iterations, None if target is None else target * spot.pot, seconds)


def solve_spot(
    spot: Spot,
    budget: Budget | None = None,
    *,
    folder: Path | str | None = None,
    resume: bool = False,
    threads: int | None = None,
    packed: bool = False,
    device: Device = "auto",
    observe: Observer | None = None,
    stop: threading.Event | None = None,
) -> SolvedSpot:
    """Solve `spot`; `budget.until` is in chips, as `make_budget` sets it.

    With `packed`, tables are of 16-bit integers; a resumed run keeps its own, but may
    continue on another device, which rounds differently.

    With `folder`, tables and strategy are saved there as the run goes on and at the end, even on
    Ctrl-C or SIGTERM, or once `stop` is set; with `resume` an existing run is continued.
    """
    budget = budget or make_budget(spot)
    _ = spot.lines  # what is wrong with the menu, removed lines or locks is found out here
    if folder is None:
        progress = SpotProgress(packed=packed)
        return _solve(spot, budget, None, progress, threads, device, observe, stop)
    path = Path(folder)
    with claimed_folder(path, KIND, identify(spot), resume=resume) as resuming:
        progress = load_progress(path) if resuming else SpotProgress(packed=packed)
        return _solve(spot, budget, path, progress, threads, device, observe, stop)


def _solve(
    spot: Spot,
    budget: Budget,
    folder: Path | None,
    progress: SpotProgress,
    threads: int | None,
    device: Device,
    observe: Observer | None,
    stop: threading.Event | None,
) -> SolvedSpot:
    solver = _build_solver(spot, progress.packed, threads, device)
    if folder is not None and progress.iterations:
        resume_spot(folder, solver, progress)
    loop = _SpotLoop(spot, solver, budget, progress, folder, observe, stop)
    interrupted = loop.run()
    return SolvedSpot(spot, solver, loop.progress, interrupted)


def _build_solver(spot: Spot, packed: bool, threads: int | None, device: Device) -> RangeSolver:
    """On a GPU if it is asked for, or with `auto` if there is one that has room."""
    xp = choose_spot_device(spot, device, packed=packed)
    try:
        return spot.solver(threads=threads, packed=packed, xp=xp)
    except TooLargeError:
        if device == "gpu" or xp is None:
            raise
    return spot.solver(threads=threads, packed=packed)


def next_evaluation(done: int) -> int:
    """The first iteration beyond `done` at which a run is evaluated.

    Every ten at first, then about twenty times while iterations double; the same even if the run
    was interrupted. An evaluation takes about as long as an iteration.
    """
    block = done // 200
    step = 10 * max(block, 1)
    return min((done // step + 1) * step, 200 * (block + 1))


class _SpotLoop(RunLoop):
    """Evaluates at growing intervals, and saves to a folder if there is one."""

    warm_up_iterations = 1

    def __init__(
        self,
        spot: Spot,
        solver: RangeSolver,
        budget: Budget,
        progress: SpotProgress,
        folder: Path | None,
        observer: Observer | None,
        stop: threading.Event | None,
    ) -> None:
        super().__init__(
            solver,
            budget,
            chunk_seconds=_CHUNK_SECONDS,
            checkpoint_seconds=_CHECKPOINT_SECONDS,
            seconds=progress.seconds,
            stop=stop,
        )
        self.solver: RangeSolver = solver
        self.spot, self.folder, self.observer = spot, folder, observer
        self.points = list(progress.points)
        self.exploitability = self.points[-1].exploitability if self.points else inf

    @property
    def progress(self) -> SpotProgress:
        """How far the run has come."""
        done, packed = self.solver.iterations, self.solver.passes.packed
        return SpotProgress(done, self.seconds, tuple(self.points), packed)

    def save(self) -> None:
        """Write tables and strategy; those of a large spot not too often."""
        if self.folder is None:
            return
        started = time.monotonic()
        save_spot(self.folder, self.spot, self.solver, self.progress)
        took = time.monotonic() - started
        self._checkpoint_seconds = max(_CHECKPOINT_SECONDS, took / _SAVING_SHARE)

    def observe(self) -> None:
        """Tell the observer how far the run has come."""
        if self.observer is not None:
            self.observer(self.progress)

    def next_pause(self, done: int) -> int:
        """The next evaluation."""
        return next_evaluation(done)

    def pause(self) -> None:
        """Evaluate the strategy so far, on the clock."""
        started = time.perf_counter()
        self.exploitability = self.solver.exploitability()
        self.seconds += time.perf_counter() - started
        self.points.append(SpotPoint(self.solver.iterations, self.seconds, self.exploitability))
