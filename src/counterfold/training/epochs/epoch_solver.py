"""Training epoch by epoch: workers walk its shares, this process adds them up, fades and keeps.

An epoch is cut into numbered shares, as many whatever the number of workers. Each is walked by one
thread from the tables the epoch began with; what shares added is summed in their order, to regrets
in 64 bits and to averages with the noise of the share. So the tables after an epoch are the same,
bit for bit, on any number of workers, fast or slow, and even if some of them died. They are those
of one machine whose strategy is up to an epoch old.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from counterfold.cluster.workers import Crew, Workers
from counterfold.errors import AlgorithmError
from counterfold.memory import check_memory
from counterfold.threads import Stretch, even_stretches, stretches
from counterfold.training.averages_kernels import add_changes
from counterfold.training.epochs.share_walks import PublishedTables, ShareJob, ShareResult
from counterfold.training.plan import Plan
from counterfold.training.sampled_base import SampledSolver
from counterfold.training.solver_factory import TableSolver

_ADDED_AT_ONCE = 1 << 17  # slots


@dataclass
class Exchange:
    """What the exchange of tables has cost so far."""

    epochs: int = 0
    seconds: float = 0.0  # of all epochs
    exchange_seconds: float = 0.0  # of those, to publish, copy, compare and add up tables
    nbytes: int = 0  # tables for each worker, and what shares added

    @property
    def share(self) -> float:
        """Of the time; an upper bound, for some of it passes while others walk."""
        return self.exchange_seconds / self.seconds if self.seconds else 0.0

    @property
    def bytes_per_epoch(self) -> float:
        """In both directions."""
        return self.nbytes / max(self.epochs, 1)


class EpochSolver:
    """A sampled solver whose walks are done by a crew, in whole epochs."""

    def __init__(self, solver: SampledSolver, crew: Crew, n_shares: int) -> None:
        self._solver, self._crew, self._n_shares = solver, crew, n_shares
        self.game, self.layout = solver.game, solver.layout
        n_sums = len(self._regrets) * solver.game.n_slots
        check_memory("sums of the shares of an epoch", n_sums * 8)
        self.exchange = Exchange()
        self._n_published = 0

    @property
    def epoch(self) -> int:
        """Samples between two exchanges."""
        return self._solver.epoch

    @epoch.setter
    def epoch(self, n: int) -> None:
        self._solver.epoch = n

    def forget(self) -> None:
        """Begin anew, with empty tables."""
        for table in self.tables.values():
            table[...] = 0.0
        self._solver.iterations = self._solver.visited = 0
        self.exchange = Exchange()

    @property
    def tables(self) -> dict[str, NDArray[np.floating]]:
        """All that the next epoch depends on, as live arrays."""
        return self._solver.tables

    def take_tables(self, tables: Mapping[str, NDArray[np.floating]]) -> None:
        """Continue from these."""
        self._solver.take_tables(tables)

    def peek(self, name: str, slots: slice | NDArray[np.int64]) -> NDArray[np.floating]:
        """A few numbers of a table."""
        return self._solver.peek(name, slots)

    @property
    def iterations(self) -> int:
        """Samples walked."""
        return self._solver.iterations

    @iterations.setter
    def iterations(self, n: int) -> None:
        self._solver.iterations = n

    @property
    def visited(self) -> int:
        """Nodes."""
        return self._solver.visited

    @visited.setter
    def visited(self, n: int) -> None:
        self._solver.visited = n

    def run(self, samples: int) -> None:
        """Walk at least `n` more samples, to the end of an epoch."""
        last = self.iterations + samples
        while self.iterations < last:
            self._run_epoch()

    def _run_epoch(self) -> None:
        solver, clock = self._solver, _Clock()
        number = solver.iterations // solver.epoch + 1
        shares = cut_shares(solver.iterations, number * solver.epoch, self._n_shares)
        with clock:
            sums = {name: np.zeros(solver.game.n_slots) for name in self._regrets}
            published = self._publish()
        for (first, _), result in zip(shares, self._crew.do(shares, published), strict=True):
            with clock:
                self._add(result, first, sums)
        with clock:
            for name, table in self._regrets.items():
                add_regrets(table, sums[name], solver.regret_floor)
            solver.iterations = number * solver.epoch
            solver.fade(number)
        self.exchange.epochs += 1
        self.exchange.seconds += clock.age
        self.exchange.exchange_seconds += clock.seconds

    def _publish(self) -> Any:
        # Averages grow as results come in, while other shares still begin with what they were.
        read = {name: self._solver.tables[name] for name in self._solver.read_tables}
        if "averages" in read:
            read["averages"] = read["averages"].copy()
        self._n_published += 1
        self.exchange.nbytes += self._crew.n_workers * sum(t.nbytes for t in read.values())
        return self._crew.publish(PublishedTables(self._n_published, read))

    def _add(
        self, result: ShareResult, first: int, sums: Mapping[str, NDArray[np.float64]]
    ) -> None:
        """Add what the share that began with sample `first` added."""
        solver = self._solver
        solver.visited += result.visited
        for name, changes in result.changes.items():
            if name in sums:
                changes.add_to(sums[name])
            else:
                add_changes(solver.averages, changes.slots, changes.values, solver.seed, first)
        self.exchange.nbytes += result.nbytes
        self.exchange.exchange_seconds += result.other_seconds / self._crew.n_workers

    @property
    def _regrets(self) -> dict[str, NDArray[np.floating]]:
        return {name: t for name, t in self._solver.tables.items() if name != "averages"}


def share_epochs(plan: Plan, solver: TableSolver, workers: Workers) -> EpochSolver:
    """A solver that lets `workers` walk for `solver`, which was made by the plan."""
    job = ShareJob(plan.recipe, plan.cards().digests())
    return EpochSolver(cast(SampledSolver, solver), workers.begin(job), plan.recipe.solver.shares)


def check_shareable(plan: Plan) -> None:
    """Raise `AlgorithmError` unless an iteration is a sample that a processor walks."""
    if plan.algorithm == "joint-tables":
        raise AlgorithmError(
            "joint-tables samples nothing that workers could walk; leave out --cluster, or set "
            "solver.algorithm to public-chance"
        )
    if plan.recipe.solver.device == "gpu":
        raise AlgorithmError(
            "workers of a cluster walk on processors; leave out --cluster or --device gpu"
        )


def cut_shares(first: int, last: int, n_shares: int) -> list[Stretch]:
    """Samples in at most `n_shares` shares of about the same size."""
    n = last - first
    cut = even_stretches(n, min(n, n_shares))
    return [(first + begin, first + end) for begin, end in cut]


def add_regrets(table: NDArray[np.floating], sums: NDArray[np.float64], floor: float) -> None:
    """Add sums in 64 bits and round once; none falls below `floor`."""
    for first, last in stretches(0, table.size, _ADDED_AT_ONCE):
        np.maximum(table[first:last] + sums[first:last], floor, out=sums[first:last])
        table[first:last] = sums[first:last]


class _Clock:
    """Seconds since it was made, and those in which it was on."""

    def __init__(self) -> None:
        self._made = time.perf_counter()
        self.seconds = 0.0

    def __enter__(self) -> None:
        self._on = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter() - self._on

    @property
    def age(self) -> float:
        return time.perf_counter() - self._made
