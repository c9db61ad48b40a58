"""How large a tree will be, before it is built.

The first levels are counted. From each state of the level where that stops, Knuth's estimator
(1975) takes over: walk down at random; the product of the branching factors so far is an unbiased
estimate of the number of nodes on that level. Two descents from each state give a standard error.
Where a few long histories hold most of the nodes the estimate can still be off by more; so the
compilation checks again as it proceeds.
"""

from dataclasses import dataclass

import numpy as np

from counterfold.errors import TooLargeError
from counterfold.games import Game, ListedChance, State
from counterfold.memory import free_memory_bytes

# Peak while compiling, measured on liar's dice (180), goofspiel(5) (192) and leduc (221): arrays,
# their sorted copies and labels. The finished game keeps less than half of it.
BYTES_PER_NODE = 220

_FRONTIER = 100  # minimum states on the level from which descents start, two from each


@dataclass(frozen=True)
class SizeEstimate:
    """Estimated nodes of a game's tree, and what memory there is for it."""

    game: str
    nodes: float
    standard_error: float
    memory_bytes: int

    @property
    def bytes_needed(self) -> float:
        """Peak memory of the compilation."""
        return self.nodes * BYTES_PER_NODE

    def check(self, nodes: float) -> None:
        """Raise `TooLargeError` if a tree of `nodes` nodes cannot fit."""
        if nodes * BYTES_PER_NODE > self.memory_bytes:
            raise TooLargeError(
                f"the tree of {self.game} has about {self.nodes:.2g} ± {self.standard_error:.1g} "
                f"nodes and would need {_gib(self.bytes_needed)}, but {_gib(self.memory_bytes)} of "
                f"memory are free; use smaller parameters"
            )


def estimate_size(game: Game, seed: int = 0) -> SizeEstimate:
    """The number of nodes of `game`: exact if it is small, else estimated."""
    rng = np.random.default_rng(seed)
    root = game.root()
    nodes, frontier = 1.0, [root] if root.utilities is None else []
    while frontier and len(frontier) < _FRONTIER:  # level by level, all of it
        children = [child for state in frontier for child in _children(state, rng)]
        nodes += len(children)
        frontier = [child for child in children if child.utilities is None]
    probes = np.array([(_probe(state, rng), _probe(state, rng)) for state in frontier])
    probes = probes.reshape(-1, 2)
    below = float(probes.mean(axis=1).sum())
    error = float(np.sqrt(np.sum((probes[:, 0] - probes[:, 1]) ** 2) / 4))
    return SizeEstimate(game.name, nodes + below, error, free_memory_bytes())


def _probe(state: State, rng: np.random.Generator) -> float:
    """Knuth's estimate of the nodes below `state` from one descent."""
    width, total = 1.0, 0.0
    while True:
        children = _children(state, rng)
        total += width * len(children)
        inner = [child for child in children if child.utilities is None]
        if not inner:
            return total
        width *= len(inner)
        state = inner[rng.integers(len(inner))]


def _children(state: State, rng: np.random.Generator) -> list[State]:
    chance = state.chance
    if chance is None:
        return [state.child(action) for action in state.infoset.actions]
    if isinstance(chance, ListedChance):
        return [state.child(outcome) for outcome, _ in chance.outcomes()]
    return [state.child(chance.sample(rng))]  # cannot be listed; the compilation will say so


def check_fits(game: Game) -> SizeEstimate:
    """The estimate, or `TooLargeError` if the tree would not fit."""
    size = estimate_size(game)
    size.check(size.nodes)
    return size


def _gib(n_bytes: float) -> str:
    return f"{n_bytes / 2**30:,.1f} GiB" if n_bytes < 2**50 else f"{n_bytes / 2**30:.1e} GiB"
