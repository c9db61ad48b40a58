"""CFR that visits every betting history and every pair of bucket sequences in every iteration.

For variants without draws or runs under perfect recall, with the joint tables that complete such
an abstract game. What the cards do is a matrix product (see `ranges.joint.joint_pass`), so an
iteration costs a few large products instead of a walk over the billions of states. The CFR family
is the same data as elsewhere, with alternating updates.

Tables are in the order of `JointSlots`, which is `layout`. They are as the last iteration left
them: what is accumulated fades when the next one begins, except the regrets of predictive variants,
which have faded already. The tables of deal sampling are different: they are in the order of its
walks, and regrets are sums over deals, so those of n deals are n times as large.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.joint_tables import JointTables
from counterfold.discounting import DCFR, Discounting
from counterfold.public import infosets_kernels
from counterfold.public.infosets import PublicGame
from counterfold.ranges.joint.joint_pass import JointPass
from counterfold.ranges.joint.joint_values import JointEvaluation, evaluate_with
from counterfold.ranges.joint.traversal import Array, Traversal

Factors = NDArray[np.float64]  # by which fade positive regrets, negative ones and averages


@dataclass
class JointSolver:
    """Tables of one run; deterministic, so a checkpoint of them continues it exactly.

    `passes` says which library, device and precision does the work; by default kernels and NumPy's
    BLAS in single precision; averages are summed in double precision.
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
        self._passes = self.passes or JointPass(self.game, self.joint, np.float32, self.threads)
        self.layout = self._passes.slots.layout  # of the tables
        n = self.game.n_slots
        self._regrets, self._averages = self._passes.zeros(n), self._passes.sums(n)
        # What strategies are in proportion to: a guess of the next regrets, or the regrets.
        self._predicted, self._instant_regrets = self._regrets, None
        if self.discounting.predictive:
            self._predicted, self._instant_regrets = self._passes.zeros(n), self._passes.zeros(n)

    @property
    def tables(self) -> dict[str, Array]:
        """All that the next iteration depends on, in the order of `layout`.

        Live arrays, or copies if a GPU has them.
        """
        return {name: self._passes.to_numpy(table) for name, table in self._kept.items()}

    def take_tables(self, tables: Mapping[str, Array]) -> None:
        """Continue from these, which `tables` gave and which were changed since."""
        for name, table in self._kept.items():
            self._passes.fill(table, tables[name])

    def peek(self, name: str, slots: slice | NDArray[np.int64]) -> NDArray[np.floating]:
        """A few numbers of a table."""
        return self._passes.pick(self._kept[name], slots)

    @property
    def _kept(self) -> dict[str, Array]:
        tables = {"regrets": self._regrets, "averages": self._averages}
        if self._instant_regrets is not None:
            tables["instant_regrets"] = self._instant_regrets
        return tables

    def run(self, iterations: int) -> None:
        """Run `n` more iterations."""
        if self._instant_regrets is not None:
            self._predicted[...] = self._regrets + self._instant_regrets
        # Half of it is made by the passes up, which need it.
        reach = [self._passes.reach(p, self._predicted, whole=p == 0) for p in (0, 1)]
        for before, after in pairwise(self._factors(iterations)):
            for seat in (0, 1):
                self._learn(seat, reach, before, after)
                reach[seat] = self._passes.reach(seat, self._predicted, whole=False)
            self.iterations += 1
            self.visited += 2 * self.game.graph.n_nodes
        self._passes.wait()

    def _factors(self, iterations: int) -> Factors:
        """Those after the iteration that was the last, and after `iterations` more."""
        first = self.iterations
        after = self.discounting.weights(max(first, 1), first + iterations, self.horizon)
        return after if first else np.concatenate([np.ones((1, 3)), after])

    def _learn(self, seat: int, reach: list[Any], before: Factors, after: Factors) -> None:
        """One pass for a seat; `before` and `after` are the factors of the two iterations."""
        own, other, instant = reach[seat], reach[1 - seat], self._instant_regrets
        if instant is None:
            self._passes.update(seat, other, own, before, self._regrets, self._averages)
            return
        # Without what they were, guesses become what this iteration alone brings.
        forgotten = np.array([0.0, 0.0, before[2]])
        self._passes.update(seat, other, own, forgotten, self._predicted, self._averages)
        slots = self._passes.slots.seats[seat]
        instant[slots] = self._predicted[slots]
        self._regrets[slots] += instant[slots]
        positive, negative, _ = after.tolist()
        self._regrets[slots] *= (self._regrets[slots] > 0.0) * (positive - negative) + negative
        self._predicted[slots] += self._regrets[slots]

    def by_class(self, name: str) -> Array:
        """A copy of a table with the slots of the game in their order."""
        table, game = self._passes.to_numpy(self.tables[name]), self.game
        copy = np.empty_like(table)
        infosets_kernels.by_class(table, self.layout, game.offsets, game.n_actions, copy)
        return copy

    def average_strategy(self) -> Array:
        """The strategy that converges: a probability for each slot of the game."""
        averages, game = self._passes.to_numpy(self._averages), self.game
        strategy = np.empty_like(averages)
        infosets_kernels.normalize(averages, self.layout, game.offsets, game.n_actions, strategy)
        return strategy

    def evaluate(self) -> JointEvaluation:
        """The average strategy, exactly."""
        passes = JointPass(self.game, self.joint, np.float64, self.threads)
        averages = self._passes.to_numpy(self._averages).astype(np.float64, copy=False)
        return evaluate_with(passes, self.game.graph.variant, averages)
