"""Monte Carlo CFR on the tree of histories."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.errors import AlgorithmError, UnsupportedGameError
from counterfold.sampling import Sampling, check_sampling
from counterfold.sampling_kernels import Frames, make_frames
from counterfold.tree import sampled_kernels
from counterfold.tree.compiled_game import CompiledGame
from counterfold.tree.histories import CHANCE, Tree
from counterfold.tree.profile import Strategy, normalized


class Histories(NamedTuple):
    """The arrays of the tree that a walk reads."""

    player: NDArray[np.int8]
    first_child: NDArray[np.int32]
    chance: NDArray[np.float64]
    infoset: NDArray[np.int32]  # merged, of the actor; at a terminal its row; or EVEN_CHANCE
    utilities: NDArray[np.float64]
    offsets: NDArray[np.int32]


class Stack(NamedTuple):
    """Scratch memory of one walk."""

    frames: Frames
    regrets: NDArray[np.float64]  # by slot: what this walk will add
    touched: NDArray[np.int32]  # the infosets it will add to
    is_touched: NDArray[np.bool_]  # by infoset


@dataclass
class SampledTreeSolver:
    """Tables of one run; a seed and the number of iterations done determine the next one."""

    game: CompiledGame
    sampling: Sampling
    seed: int

    def __post_init__(self) -> None:
        tree = self.game.tree
        if tree.game.n_players < 2:
            raise UnsupportedGameError(
                f"sampling updates a player's average while others walk, but {tree.game.name} has "
                "only one player; use cfr+"
            )
        if self.sampling.prune_below or self.sampling.warm_up:
            raise AlgorithmError("prune_below and warm_up are for public graphs; leave them 0 here")
        self.sampling = check_sampling(self.sampling)
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
            frames=make_frames(depth, width),
            regrets=np.zeros(self.game.n_slots),
            touched=np.zeros(self.game.n_infosets, np.int32),
            is_touched=np.zeros(self.game.n_infosets, np.bool_),
        )

    @property
    def tables(self) -> dict[str, NDArray[np.float64]]:
        """All that the next iteration depends on, as live arrays."""
        return {"regrets": self.regrets, "averages": self.averages}

    def run(self, iterations: int) -> None:
        """Run more iterations, each with one walk per player."""
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
