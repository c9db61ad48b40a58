import os
import signal
from itertools import pairwise
from math import inf

import pytest

from counterfold.runs import run_loop
from counterfold.runs.budget import Budget
from counterfold.runs.run_loop import RunLoop


class Clock:
    """Stands for the module `time`; only solvers and what else a test says make it go on."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        return self.now

    monotonic = perf_counter


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(run_loop, "time", clock)
    return clock


class Solver:
    """Takes a thousandth of a second an iteration, and a second to load its kernels."""

    def __init__(self, clock, iterations=0):
        self.clock, self.iterations = clock, iterations
        self.chunks = []

    def run(self, n, /):
        self.clock.now += 0.001 * n + (0.0 if self.chunks else 1.0)
        self.iterations += n
        self.chunks.append(n)


class Loop(RunLoop):
    def __init__(self, solver, budget, *, seconds=0.0, chunk=0.1, checkpoint=inf, least=1, **hooks):
        super().__init__(
            solver,
            budget,
            chunk_seconds=chunk,
            checkpoint_seconds=checkpoint,
            least_chunk=least,
            seconds=seconds,
        )
        self.saved, self.observed, self.paused = [], [], []
        self.hooks = hooks

    def save(self):
        self.saved.append(self.solver.iterations)
        self.hooks.get("save", lambda: None)()

    def observe(self):
        self.observed.append(self.solver.iterations)
        self.hooks.get("observe", lambda: None)()

    def next_pause(self, done):
        every = self.hooks.get("every")
        return None if every is None else done - done % every + every

    def pause(self):
        self.paused.append(self.solver.iterations)
        self.exploitability = 1.0 / self.solver.iterations


def test_a_run_ends_at_its_iterations_and_saves_then(clock):
    loop = Loop(Solver(clock), Budget(iterations=777))
    assert not loop.run()
    assert loop.solver.iterations == 777
    assert loop.saved == [777]
    assert loop.paused == [777]
    assert loop.observed[-1] == 777


def test_the_clock_does_not_see_kernels_being_loaded(clock):
    loop = Loop(Solver(clock), Budget(iterations=500))
    loop.run()
    assert loop.seconds == pytest.approx(0.5)
    warmed = Loop(Solver(clock), Budget(iterations=500))
    warmed.warm_up_iterations = 1
    warmed.run()
    assert warmed.solver.iterations == 500
    assert warmed.seconds == pytest.approx(0.499)


def test_chunks_are_large_enough_for_all_threads(clock):
    solver = Solver(clock)
    Loop(solver, Budget(iterations=5_000), chunk=0.001, least=32).run()
    chunks = solver.chunks[1:]
    assert set(chunks[:-1]) == {32}


def test_chunks_grow_by_and_by_and_take_a_moment(clock):
    solver = Solver(clock)
    Loop(solver, Budget(iterations=1000)).run()
    chunks = solver.chunks[1:]  # after the kernels were loaded
    assert chunks[:4] == [1, 4, 16, 64]
    assert all(after <= max(1, 4 * before) for before, after in pairwise(chunks))
    assert max(chunks) == 100  # a tenth of a second


def test_time_limits_the_call_and_not_the_run(clock):
    loop = Loop(Solver(clock, iterations=5000), Budget(seconds=2.0), seconds=5.0)
    loop.run()
    assert loop.seconds == pytest.approx(7.0, abs=0.002)
    assert loop.solver.iterations == pytest.approx(7000, abs=2)


def test_a_run_ends_at_the_first_pause_below_its_goal(clock):
    loop = Loop(Solver(clock), Budget(until=0.01), every=30)
    loop.run()
    assert loop.paused == [30, 60, 90, 120]
    assert loop.solver.iterations == 120


def test_pauses_are_met_exactly(clock):
    loop = Loop(Solver(clock), Budget(iterations=100), every=7)
    loop.run()
    assert loop.paused == [*range(7, 100, 7), 100]


def test_checkpoints_come_by_the_clock(clock):
    loop = Loop(Solver(clock), Budget(iterations=2000), chunk=0.01, checkpoint=0.5)
    loop.run()
    assert len(loop.saved) == 5  # after 0.5, 1.0 and 1.5 s, the second of loading, and at the end
    assert loop.saved == sorted(loop.saved)
    assert loop.saved[-1] == 2000


def test_saving_takes_no_time_of_the_run(clock):
    def save():
        clock.now += 10.0

    loop = Loop(Solver(clock), Budget(seconds=1.0), chunk=0.01, checkpoint=0.0, save=save)
    loop.run()
    assert loop.seconds == pytest.approx(1.0, abs=0.002)


def test_a_run_that_has_nothing_left_to_do_only_saves(clock):
    loop = Loop(Solver(clock, iterations=100), Budget(iterations=50), seconds=3.0)
    assert not loop.run()
    assert loop.solver.chunks == []
    assert (loop.saved, loop.seconds) == ([100], 3.0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_run_after_its_chunk_with_a_save(clock, number):
    def observe():
        if loop.solver.iterations >= 200:
            os.kill(os.getpid(), number)

    before = signal.getsignal(number)
    loop = Loop(Solver(clock), Budget(iterations=10_000), observe=observe)
    assert loop.run()
    assert 200 <= loop.solver.iterations < 10_000
    assert loop.saved == [loop.solver.iterations]
    assert signal.getsignal(number) is before


def test_an_interrupt_in_the_last_chunk_interrupts_nothing(clock):
    def observe():
        if loop.solver.iterations == 10:
            os.kill(os.getpid(), signal.SIGINT)

    loop = Loop(Solver(clock), Budget(iterations=10), observe=observe)
    assert not loop.run()
