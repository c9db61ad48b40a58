"""The loop of a run whose solver has tables: chunks of half a second, and metrics after each."""

import threading
from collections.abc import Callable
from math import inf

from counterfold.runs.budget import Budget
from counterfold.runs.run_loop import RunLoop
from counterfold.threads import thread_count
from counterfold.training.plan import Plan
from counterfold.training.solver_factory import TableSolver
from counterfold.training.train_metrics import Metrics, MetricsGauge

_CHUNK_SECONDS = 0.5  # how long an interrupt may go unnoticed
_BOARDS_PER_THREAD = 4  # at least, in a chunk: threads that are done early wait for the others

Observer = Callable[[Metrics], None]


class MeteredLoop(RunLoop):
    """Tells an observer about the metrics; a subclass says what is saved."""

    warm_up_iterations = 1

    def __init__(
        self,
        plan: Plan,
        solver: TableSolver,
        budget: Budget,
        observer: Observer | None,
        *,
        checkpoint_seconds: float = inf,
        seconds: float = 0.0,
        stop: threading.Event | None = None,
    ) -> None:
        super().__init__(
            solver,
            budget,
            chunk_seconds=_CHUNK_SECONDS,
            checkpoint_seconds=checkpoint_seconds,
            least_chunk=_least_chunk(plan),
            seconds=seconds,
            stop=stop,
        )
        self.solver: TableSolver = solver
        self.plan, self.observer = plan, observer
        self.node_rate = 0.0
        self.gauge = MetricsGauge(plan.recipe, solver)

    def advance(self, n: int) -> None:
        """Run `n` iterations, and time the nodes that they visit."""
        done, visited = self.solver.iterations, self.solver.visited
        super().advance(n)
        new = self.solver.iterations - done
        self.node_rate = (self.solver.visited - visited) * self.rate / new

    def observe(self) -> None:
        """Tell the observer how far the run has come."""
        if self.observer is not None:
            self.observer(self.metrics())

    def metrics(self) -> Metrics:
        """How far the run has come."""
        return self.gauge.read(self.seconds, self.rate, self.node_rate)


def _least_chunk(plan: Plan) -> int:
    """A board may take longer than a chunk should, and then only one thread would have work."""
    threads = thread_count(plan.recipe.solver.threads)
    return _BOARDS_PER_THREAD * threads if plan.walks_boards and threads > 1 else 1
