"""CFR that visits every betting history and every pair of bucket sequences in every iteration.

For variants without draws or runs under perfect recall, with the joint tables that complete such
an abstract game. What the cards do is a matrix product (see `ranges.traversal`), so that an
iteration costs a few large products instead of a walk over the billions of states. The CFR family
is the same data as elsewhere, with alternating updates.

Regrets and averages are over the slots of a `PublicGame`, in its own order. The tables of deal
sampling are different: they are in the order of its walks (`SampledSolver.by_class` converts them),
and regrets are sums over deals, so those of n deals are n times as large.
"""

from dataclasses import dataclass

import numpy as np

from counterfold.buckets.joint_tables import JointTables
from counterfold.discounting import DCFR, Discounting
from counterfold.public.infosets import PublicGame
from counterfold.ranges.joint_values import JointEvaluation, evaluate_joint
from counterfold.ranges.seat_sequences_kernels import Tables
from counterfold.ranges.traversal import Array, BlasTraversal, Traversal


@dataclass
class JointSolver:
    """Tables of one run; deterministic, so a checkpoint of them continues it exactly.

    `passes` says which library and precision does the work; by default kernels and NumPy's BLAS in
    single precision; averages are summed in double precision, as in `sampled_base`.
    """

    game: PublicGame
    joint: JointTables
    discounting: Discounting = DCFR
    horizon: int = 1000  # iterations over which a schedule of exponents runs
    threads: int | None = None
    passes: Traversal | None = None

    def __post_init__(self) -> None:
        self.iterations = 0
        self.visited = 0  # nodes of the graph, once for each seat
        self.layout = self.game.layout  # of the tables
        self._passes = self.passes or BlasTraversal(self.game, self.joint, np.float32, self.threads)
        n = self.game.n_slots
        predictive = self.discounting.predictive
        zeros, sums = self._passes.zeros, self._passes.sums
        self._tables = Tables(zeros(n), sums(n), zeros(n if predictive else 1))

    @property
    def tables(self) -> dict[str, Array]:
        """All that the next iteration depends on, as live arrays over the slots of `game`."""
        tables = {"regrets": self._tables.regrets, "averages": self._tables.averages}
        predictive = self.discounting.predictive
        return tables | ({"instant_regrets": self._tables.instant_regrets} if predictive else {})

    def run(self, iterations: int) -> None:
        """Run `n` more iterations."""
        first = self.iterations + 1
        weights = self.discounting.weights(first, first + iterations - 1, self.horizon)
        reach = [self._reach(seat) for seat in (0, 1)]
        for row in weights:
            for seat in (0, 1):
                self._passes.update(
                    seat,
                    reach[1 - seat],
                    reach[seat],
                    row.astype(self._tables.regrets.dtype),
                    self._tables,
                    self.discounting.predictive,
                )
                reach[seat] = self._reach(seat)
            self.iterations += 1
            self.visited += 2 * self.game.graph.n_nodes

    def _reach(self, seat: int) -> list[Array]:
        regrets, _, instant_regrets = self._tables
        guesses = instant_regrets if self.discounting.predictive else None
        return self._passes.reach(seat, regrets, guesses)

    def average_strategy(self) -> Array:
        """The strategy that converges: a probability for each slot."""
        return self._passes.strategy(self._tables.averages)

    def evaluate(self) -> JointEvaluation:
        """The average strategy, exactly."""
        averages = self._passes.to_numpy(self._tables.averages)
        return evaluate_joint(self.game, self.joint, averages, threads=self.threads)
