"""Monte Carlo CFR on the tree of histories."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.errors import UnsupportedGameError
from counterfold.tree import sampled_kernels
from counterfold.tree.compiled_game import CompiledGame
from counterfold.tree.histories import CHANCE, Tree
from counterfold.tree.profile import Strategy, normalized


class Sampling(NamedTuple):
    """What one walk explores, and how iterations are weighted; the kernels read it as it is."""

    expand: bool = False  # explore everybody's actions; sample only nature
    single: bool = False  # play one history; the traverser explores with probability epsilon
    linear: bool = False  # weigh iteration t by t
    epsilon: float = 1.0  # least probability of exploring an action of the traverser
    tau: float = 0.0  # average-strategy sampling: how much a frequent action is preferred
    beta: float = 0.0  # and how long rare ones stay likely


CHANCE_SAMPLING = Sampling(expand=True)
EXTERNAL_SAMPLING = Sampling()
LINEAR_EXTERNAL_SAMPLING = Sampling(linear=True)
OUTCOME_SAMPLING = Sampling(single=True, epsilon=0.6)  # Lanctot et al. 2009
AVERAGE_STRATEGY_SAMPLING = Sampling(epsilon=0.05, tau=1000.0, beta=1e6)  # Gibson et al. 2012


class Histories(NamedTuple):
    """The arrays of the tree that a walk reads."""

    player: NDArray[np.int8]
    first_child: NDArray[np.int32]
    chance: NDArray[np.float64]
    infoset: NDArray[np.int32]  # merged, of the actor; at a terminal its row; or EVEN_CHANCE
    utilities: NDArray[np.float64]
    offsets: NDArray[np.int32]


class Stack(NamedTuple):
    """Scratch memory of one walk: a row per level, a column per action; below, all infosets."""

    node: NDArray[np.int32]
    action: NDArray[np.int32]
    q: NDArray[np.float64]
    others: NDArray[np.float64]
    own: NDArray[np.float64]
    value: NDArray[np.float64]
    strategy: NDArray[np.float64]
    values: NDArray[np.float64]
    regrets: NDArray[np.float64]  # by slot: what this walk will add
    touched: NDArray[np.int32]  # the infosets it will add to
    is_touched: NDArray[np.bool_]  # by infoset


@dataclass
class SampledSolver:
    """Tables of one run; a seed and the number of iterations done determine the next one."""

    game: CompiledGame
    sampling: Sampling
    seed: int

    def __post_init__(self) -> None:
        tree = self.game.tree
        if tree.game.n_players < 2:
            raise UnsupportedGameError(
                f"sampling averages a player's strategy while others walk, and {tree.game.name} "
                "has one player; use cfr+"
            )
        self.iterations = 0
        self.regrets = np.zeros(self.game.n_slots)
        self.averages = np.zeros(self.game.n_slots)
        deciding = tree.player >= 0
        infoset = tree.infoset.copy()
        infoset[deciding] = self.game.infoset_of[tree.infoset[deciding]]
        infoset[_even_chance(tree)] = sampled_kernels.EVEN_CHANCE
        self._tree = Histories(
            tree.player,
            tree.first_child,
            tree.chance,
            infoset,
            tree.utilities,
            self.game.offsets,
        )
        depth = tree.levels.size
        width = int(np.diff(self.game.offsets).max(initial=1))
        self._stack = Stack(
            node=np.zeros(depth, np.int32),
            action=np.zeros(depth, np.int32),
            q=np.zeros(depth),
            others=np.zeros(depth),
            own=np.zeros(depth),
            value=np.zeros(depth),
            strategy=np.zeros((depth, width)),
            values=np.zeros((depth, width)),
            regrets=np.zeros(self.game.n_slots),
            touched=np.zeros(self.game.n_infosets, np.int32),
            is_touched=np.zeros(self.game.n_infosets, np.bool_),
        )

    @property
    def tables(self) -> dict[str, NDArray[np.float64]]:
        """All that the next iteration depends on, as live arrays."""
        return {"regrets": self.regrets, "averages": self.averages}

    def run(self, iterations: int) -> None:
        """Go on for so many iterations, each with one walk per player."""
        sampled_kernels.sample_iterations(
            self._tree,
            self.sampling,
            self.seed,
            self.iterations + 1,
            self.iterations + iterations,
            self.regrets,
            self.averages,
            self._stack,
        )
        self.iterations += iterations

    def average_strategy(self) -> Strategy:
        """The strategy that converges."""
        return normalized(self.game, self.averages)


def _even_chance(tree: Tree) -> NDArray[np.bool_]:
    """Where nature moves and its outcomes are equally likely."""
    even: NDArray[np.bool_] = tree.player == CHANCE
    parent = tree.parent[1:]
    odd = np.abs(tree.chance[1:] * np.diff(tree.first_child)[parent] - 1.0) > _ROUNDING
    even[parent[odd]] = False
    return even


_ROUNDING = 1e-12
