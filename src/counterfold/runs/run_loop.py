"""The loop that solving and training share: budget, chunks, clock, checkpoints, interrupts.

The number of iterations in a chunk depends on the clock; what an iteration does must not. Then a
run that was killed and resumed ends with the same tables, bit for bit, as one that was not.
"""

import threading
import time
from abc import ABC, abstractmethod
from math import inf
from typing import Protocol

from counterfold.runs.budget import Budget
from counterfold.runs.interrupts import interruptible


class IterativeSolver(Protocol):
    """What the loop needs of a solver."""

    iterations: int  # so far, including those before a resumption

    def run(self, n: int, /) -> None:
        """Run `n` more iterations, or a few more where only some numbers of them are possible."""
        ...


class RunLoop(ABC):
    """One call of `solve` or `train`: chunks of iterations until the budget is spent.

    A subclass says how to `save`, and may observe chunks, pause at given iterations, and warm up.
    """

    warm_up_iterations = 0  # iterations that load or compile the kernels, kept off the clock

    def __init__(
        self,
        solver: IterativeSolver,
        budget: Budget,
        *,
        chunk_seconds: float,  # how long an interrupt may go unnoticed
        checkpoint_seconds: float,
        least_chunk: int = 1,  # the fewest iterations that keep all threads busy
        seconds: float = 0.0,  # that the run had taken before it was resumed
        stop: threading.Event | None = None,  # what else interrupts it, besides signals
    ) -> None:
        self.solver, self.budget = solver, budget
        self.seconds = seconds  # of iterations; pauses and checkpoints are not counted
        self.rate = 0.0  # iterations per second of the last chunk
        self.exploitability = inf  # at the last pause that measured it
        self._chunk_seconds, self._checkpoint_seconds = chunk_seconds, checkpoint_seconds
        self._seconds_before = seconds
        self._stop = stop
        self._least_chunk = self._last_chunk = least_chunk

    @abstractmethod
    def save(self) -> None:
        """Write a checkpoint and the strategy so far."""

    def observe(self) -> None:
        """Called after every chunk."""
        return

    def next_pause(self, done: int) -> int | None:
        """The first iteration beyond `done` after which `pause` is called, None for no pauses."""
        return None

    def pause(self) -> None:
        """Called at pauses and when the iterations of the budget are done."""
        return

    def run(self) -> bool:
        """Iterate, then save; returns whether an interrupt came before the budget was spent."""
        with interruptible(self._stop) as interrupted:
            saved = time.monotonic()
            if not self._is_done():
                self.advance(self.warm_up_iterations)
                self.seconds = self._seconds_before
            while not (interrupted.is_set() or self._is_done()):
                self._run_chunk()
                self.observe()
                if time.monotonic() - saved > self._checkpoint_seconds:
                    self.save()
                    saved = time.monotonic()
            self.save()
            return interrupted.is_set() and not self._is_done()

    def advance(self, n: int) -> None:
        """Run `n` iterations on the clock, or more if the solver cannot stop there."""
        started, done = time.perf_counter(), self.solver.iterations
        self.solver.run(n)
        elapsed = time.perf_counter() - started
        self.seconds += elapsed
        self._last_chunk = self.solver.iterations - done
        self.rate = self._last_chunk / max(elapsed, 1e-9)

    def _run_chunk(self) -> None:
        done = self.solver.iterations
        ends = [end for end in (self.next_pause(done), self.budget.iterations) if end is not None]
        self.advance(min([self._chunk(), *(end - done for end in ends)]))
        if self.solver.iterations in ends:
            self.pause()

    def _chunk(self) -> int:
        """Iterations that take a moment; a few say little about the rate, so chunks grow slowly."""
        seconds = self._chunk_seconds
        if self.budget.seconds is not None:
            seconds = min(seconds, self.budget.seconds - self._seconds_of_call)
        return max(self._least_chunk, min(int(self.rate * seconds), 4 * self._last_chunk))

    @property
    def _seconds_of_call(self) -> float:
        return self.seconds - self._seconds_before

    def _is_done(self) -> bool:
        budget = self.budget
        return (
            (budget.iterations is not None and self.solver.iterations >= budget.iterations)
            or (budget.until is not None and self.exploitability <= budget.until)
            or (budget.seconds is not None and self._seconds_of_call >= budget.seconds)
        )
