"""Algorithms by name, and the one function that makes a solver for any of them."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold import discounting, sampling
from counterfold.discounting import Discounting
from counterfold.errors import UnknownNameError
from counterfold.sampling import Sampling
from counterfold.tree.compiled_game import CompiledGame
from counterfold.tree.full_width import FullWidthSolver
from counterfold.tree.profile import Strategy
from counterfold.tree.sampled import SampledTreeSolver

DEFAULT_HORIZON = 1000  # iterations of a schedule when the length of the run is not known


class Solver(Protocol):
    """A run in memory."""

    iterations: int

    @property
    def tables(self) -> dict[str, NDArray[np.float64]]:
        """All that the next iteration depends on, as live arrays."""
        ...

    def run(self, iterations: int) -> None:
        """Run more iterations."""
        ...

    def average_strategy(self) -> Strategy:
        """The strategy that converges."""
        ...


@dataclass(frozen=True)
class Algorithm:
    """A member of the family: what it is called, what it does, and its parameters."""

    summary: str
    method: Discounting | Sampling | None  # None: the linear program, which has no iterations


ALGORITHMS: dict[str, Algorithm] = {
    "cfr": Algorithm("counterfactual regret minimization (2007)", discounting.CFR),
    "cfr+": Algorithm("regrets never below zero, linear averaging (2014)", discounting.CFR_PLUS),
    "linear": Algorithm("iteration t has weight t (2019)", discounting.LINEAR),
    "dcfr": Algorithm("discounted CFR with 1.5, 0, 2 (2019)", discounting.DCFR),
    "pcfr+": Algorithm("predictive CFR+, quadratic averaging (2021)", discounting.PCFR_PLUS),
    "hs-dcfr": Algorithm("DCFR with scheduled exponents (2024)", discounting.HS_DCFR),
    "hs-pcfr+": Algorithm("predictive CFR+, scheduled averaging (2024)", discounting.HS_PCFR_PLUS),
    "chance": Algorithm("chance sampling: nature is sampled", sampling.CHANCE_SAMPLING),
    "external": Algorithm("external sampling: nature and others", sampling.EXTERNAL_SAMPLING),
    "external-linear": Algorithm(
        "external sampling, iteration t has weight t", sampling.LINEAR_EXTERNAL_SAMPLING
    ),
    "outcome": Algorithm("outcome sampling: one history per walk", sampling.OUTCOME_SAMPLING),
    "average": Algorithm(
        "average strategy sampling: own actions too (2012)", sampling.AVERAGE_STRATEGY_SAMPLING
    ),
    "lp": Algorithm("sequence-form linear program: exact", None),
}


def find_algorithm(name: str) -> Algorithm:
    """The algorithm of that name, or an error with the nearest names."""
    if name not in ALGORITHMS:
        raise UnknownNameError("algorithm", name, ALGORITHMS)
    return ALGORITHMS[name]


def make_solver(
    game: CompiledGame,
    method: Discounting | Sampling,
    *,
    seed: int = 0,
    horizon: int = DEFAULT_HORIZON,
) -> Solver:
    """A fresh solver. `seed` matters only for sampling, `horizon` only for schedules."""
    if isinstance(method, Discounting):
        return FullWidthSolver(game, method, horizon)
    return SampledTreeSolver(game, method, seed)
