"""The loop of a run with tables: its metrics, and how much it does at a time."""

from types import SimpleNamespace

import pytest

from counterfold.runs.budget import Budget
from counterfold.training import metered_loop
from counterfold.training.metered_loop import MeteredLoop
from counterfold.training.solver_factory import build_solver, find_chance
from helpers.small_recipes import plan


class Quiet(MeteredLoop):
    """Saves nothing, and counts how often it would."""

    saves = 0

    def save(self):
        self.saves += 1


def loop(made, observer=None, iterations=60, **options):
    cards = made.cards()
    solver = build_solver(made, made.game(cards.n_buckets), find_chance(made, cards))
    return Quiet(made, solver, Budget(iterations=iterations), observer, **options)


def test_the_observer_hears_of_every_chunk():
    told = []
    run = loop(plan(), told.append)
    assert run.run() is False
    assert [metrics.iterations for metrics in told][-1] == 60
    assert told[-1].memory_bytes > 0
    assert 0.0 < told[-1].visited_infosets <= 1.0
    assert run.saves == 1


def test_seconds_of_the_run_before_count():
    told = []
    loop(plan(), told.append, seconds=1000.0).run()
    assert told[-1].seconds > 1000.0


def test_nodes_are_timed_with_the_iterations_that_visit_them(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    run = loop(plan())

    def work(n):
        run.solver.iterations += n
        run.solver.visited += 7 * n
        clock.now += 0.5 * n

    run.solver = SimpleNamespace(iterations=0, visited=0, run=work)
    monkeypatch.setattr(
        "counterfold.runs.run_loop.time", SimpleNamespace(perf_counter=lambda: clock.now)
    )
    run.advance(10)
    assert (run.rate, run.node_rate) == (pytest.approx(2.0), pytest.approx(14.0))


@pytest.mark.parametrize(
    ("algorithm", "threads", "least"),
    [("external", 4, 1), ("public-chance", 1, 1), ("public-chance", 4, 16)],
)
def test_boards_are_walked_by_all_threads_at_a_time(algorithm, threads, least):
    assert metered_loop._least_chunk(plan(algorithm=algorithm, threads=threads)) == least
