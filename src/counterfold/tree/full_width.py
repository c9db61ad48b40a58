"""CFR that visits every history in every iteration, on the sequence form."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.discounting import Discounting
from counterfold.tree import sequence_form_kernels
from counterfold.tree.compiled_game import CompiledGame
from counterfold.tree.profile import Strategy, normalized


@dataclass
class FullWidthSolver:
    """Tables of one run; deterministic, so a checkpoint of them continues it exactly."""

    game: CompiledGame
    discounting: Discounting
    horizon: int  # iterations over which a schedule of exponents runs

    def __post_init__(self) -> None:
        self.iterations = 0
        self.regrets = np.zeros(self.game.n_slots)
        self.averages = np.zeros(self.game.n_slots)
        self.instant_regrets = np.zeros(self.game.n_slots)  # of the last iteration, for predictions

    @property
    def tables(self) -> dict[str, NDArray[np.float64]]:
        """All that the next iteration depends on, as live arrays."""
        tables = {"regrets": self.regrets, "averages": self.averages}
        return tables | (
            {"instant_regrets": self.instant_regrets} if self.discounting.predictive else {}
        )

    def run(self, iterations: int) -> None:
        """Run `n` more iterations."""
        first = self.iterations + 1
        weights = self.discounting.weights(first, first + iterations - 1, self.horizon)
        sequence_form_kernels.iterate(
            self.game.sequences,
            self.game.offsets,
            self.game.owners,
            weights,
            self.discounting.predictive,
            self.regrets,
            self.averages,
            self.instant_regrets,
        )
        self.iterations += iterations

    def average_strategy(self) -> Strategy:
        """The strategy that converges."""
        return normalized(self.game, self.averages)
