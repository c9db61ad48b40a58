"""What a training run reports along the way: rates, coverage, regret, memory."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.blueprints import blueprint_kernels
from counterfold.memory import resident_bytes
from counterfold.public.infosets import PublicGame, SlotLayout
from counterfold.training.recipe import Recipe
from counterfold.training.solver_factory import TableSolver

_SAMPLED_SLOTS = 2_000_000  # sampled to measure the mean positive regret
_SAMPLED_INFOSETS = 100_000  # sampled to measure the share of visited ones


@dataclass(frozen=True)
class Metrics:
    """How far a run has come."""

    iterations: int  # deals, boards or full passes, each for both players
    seconds: float  # of training, checkpoints not counted
    iterations_per_second: float  # lately
    nodes_per_second: float
    visited_infosets: float  # share with any regret, measured on a sample
    trained_infosets: float  # share with an average strategy; measured on a sample until the end
    mean_positive_regret: float  # chips per deal; it bounds nothing, but should fall
    memory_bytes: int  # that the process occupies


class MetricsGauge:
    """Reads the metrics of one run off the tables of its solver."""

    def __init__(self, recipe: Recipe, solver: TableSolver) -> None:
        self._solver = solver
        self._past = _Past(recipe, getattr(solver, "epoch", 1))
        first, n_actions, steps = sample_infosets(solver.game, solver.layout, _SAMPLED_INFOSETS)
        # The slots of the sample, and where those of each information set are among them.
        begins = np.cumsum(n_actions) - n_actions
        actions = np.arange(n_actions.sum()) - np.repeat(begins, n_actions)
        self._slots = np.repeat(first, n_actions) + actions * np.repeat(steps, n_actions)
        self._sample = begins, n_actions, np.ones_like(steps)

    def read(self, seconds: float, rate: float, node_rate: float) -> Metrics:
        """The metrics now, of a run of `seconds` with these recent rates."""
        solver = self._solver
        every = max(1, solver.game.n_slots // _SAMPLED_SLOTS)
        regrets = solver.peek("regrets", slice(None, None, every))
        positive = np.maximum(regrets, 0.0).mean(dtype=np.float64)
        tables = (solver.peek(name, self._slots) for name in ("regrets", "averages"))
        counts = np.zeros(2, np.int64)
        blueprint_kernels.count_reached(*tables, *self._sample, counts)
        visited, trained = (counts / self._sample[0].size).tolist()
        return Metrics(
            solver.iterations,
            seconds,
            rate,
            node_rate,
            visited,
            trained,
            float(positive) / max(1.0, self._past.weight(solver.iterations)),
            resident_bytes(),
        )


def sample_infosets(
    game: PublicGame, layout: SlotLayout, n: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """First slots, numbers and distances of actions of `n` random information sets, or of all."""
    if game.n_infosets <= n:
        chosen = np.arange(game.n_infosets)
    else:
        chosen = np.sort(np.random.default_rng(0).integers(0, game.n_infosets, n))
    ends = np.cumsum(game.n_buckets)
    classes = np.searchsorted(ends, chosen, side="right")
    buckets = chosen - (ends - game.n_buckets)[classes]
    starts = layout.starts[classes] + buckets * layout.strides[classes]
    return np.asarray(starts, np.int64), game.n_actions[classes], layout.steps[classes]


class _Past:
    """How many deals the regrets stand for, counting faded ones for what is left of them."""

    def __init__(self, recipe: Recipe, epoch: int) -> None:
        self.discounting = recipe.solver.fading
        self.epoch = epoch
        self.n_epochs, self.sum = 0, 0.0

    def weight(self, iterations: int) -> float:
        """After `iterations` deals, which must not decrease from call to call."""
        last = iterations // self.epoch
        if last > self.n_epochs:
            for positive, _, _ in self.discounting.weights(self.n_epochs + 1, last, 1_000):
                self.sum = (self.sum + self.epoch) * positive
            self.n_epochs = last
        return self.sum + iterations % self.epoch
