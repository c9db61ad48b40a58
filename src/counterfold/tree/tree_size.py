"""How large a tree will be, before it is built.

A tree of up to 20,000 nodes is counted. Of a larger one, a sample is walked level by level (Chen
1992): the states of a level that offer equally many actions form a stratum, and one of them, drawn
by weight, stands for all. The estimate is unbiased, exact where strata have subtrees of one size,
and several walks give its standard error. The compilation checks again as it proceeds.
"""

from dataclasses import dataclass
from math import log2
from typing import Any

import numpy as np

from counterfold.errors import TooLargeError
from counterfold.games import Game, ListedChance, State
from counterfold.memory import free_memory_bytes

# Peak while compiling, measured on liar's dice (180), goofspiel(5) (192) and leduc (221): arrays,
# their sorted copies and labels. The finished game keeps less than half of it.
BYTES_PER_NODE = 220

_COUNTED = 20_000  # nodes; takes a fraction of a second
_LEAST_WALKS = 4
_WALKED = 10_000  # states after which no further walk begins
_MOST_CHILDREN = 16  # of a state that a walk looks at


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
    counted = _count(game.root())
    if counted is not None:
        return SizeEstimate(game.name, float(counted), 0.0, free_memory_bytes())
    return sample_size(game, seed)


def sample_size(game: Game, seed: int = 0) -> SizeEstimate:
    """The number of nodes of a game that is known not to be small, from a sample."""
    rng = np.random.default_rng(seed)
    walks: list[float] = []
    seen = 0
    while len(walks) < _LEAST_WALKS or seen < _WALKED:
        nodes, looked_at = _walk(game.root(), rng)
        walks.append(nodes)
        seen += looked_at
    error = float(np.std(walks, ddof=1)) / len(walks) ** 0.5
    return SizeEstimate(game.name, float(np.mean(walks)), error, free_memory_bytes())


def _count(root: State) -> int | None:
    """Nodes of a small tree; None if it is large or has chance that cannot be listed."""
    nodes, open_states = 1, [root]
    while open_states:
        state = open_states.pop()
        if state.utilities is not None:
            continue
        chance = state.chance
        if chance is not None and not isinstance(chance, ListedChance):
            return None
        nodes += _degree(state)
        if nodes > _COUNTED:
            return None
        actions = _outcomes(chance) if chance is not None else state.infoset.actions
        open_states += [state.child(action) for action in actions]
    return nodes


def _walk(root: State, rng: np.random.Generator) -> tuple[float, int]:
    """One estimate of the nodes, the sum of the weights of all states seen, and their number."""
    nodes, seen = 1.0, 1
    level: dict[int, tuple[float, State]] = {0: (1.0, root)}
    while level:
        below: dict[int, tuple[float, State]] = {}
        for weight, state in level.values():
            for share, child in _children(state, rng):
                nodes, seen = nodes + weight * share, seen + 1
                if (degree := _degree(child)) == 0:
                    continue
                stratum = degree if degree < _MOST_CHILDREN else _MOST_CHILDREN * int(log2(degree))
                total, kept = below.get(stratum, (0.0, child))
                total += weight * share
                takes = rng.random() * total < weight * share
                below[stratum] = total, child if takes else kept
        level = below
    return nodes, seen


def _children(state: State, rng: np.random.Generator) -> list[tuple[float, State]]:
    """Children, each with how many it stands for; of many only some."""
    chance = state.chance
    if chance is not None and not isinstance(chance, ListedChance):
        return [(1.0, state.child(chance.sample(rng)))]  # the compilation will say so
    actions = _outcomes(chance) if chance is not None else state.infoset.actions
    n = min(len(actions), _MOST_CHILDREN)
    chosen = rng.choice(len(actions), n, replace=False)
    return [(len(actions) / n, state.child(actions[at])) for at in chosen]


def _outcomes(chance: ListedChance) -> list[Any]:
    return [outcome for outcome, _ in chance.outcomes()]


def _degree(state: State) -> int:
    """Number of children; of chance that cannot be listed, one."""
    if state.utilities is not None:
        return 0
    chance = state.chance
    if chance is None:
        return len(state.infoset.actions)
    return len(_outcomes(chance)) if isinstance(chance, ListedChance) else 1


def check_fits(game: Game) -> SizeEstimate:
    """The sampled size, or `TooLargeError` if the tree would not fit."""
    size = sample_size(game)
    size.check(size.nodes)
    return size


def _gib(n_bytes: float) -> str:
    return f"{n_bytes / 2**30:,.1f} GiB" if n_bytes < 2**50 else f"{n_bytes / 2**30:.1e} GiB"
