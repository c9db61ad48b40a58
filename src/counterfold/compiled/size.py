"""How large a tree will be, before it is built.

Knuth's estimator (1975): walk down at random; the product of the branching factors met so far is
an unbiased estimate of the number of nodes on that level. The mean over many probes estimates the
tree, and their spread gives a standard error.
"""

import os
from dataclasses import dataclass

import numpy as np

from counterfold.errors import TooLargeError
from counterfold.games import Game, ListedChance

# Measured while compiling liar's dice and goofspiel(5): arrays, their sorted copies, labels.
BYTES_PER_NODE = 260

_PROBES = 200


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


def estimate_size(game: Game, probes: int = _PROBES, seed: int = 0) -> SizeEstimate:
    """Estimate the number of nodes of `game` from `probes` random descents."""
    rng = np.random.default_rng(seed)
    totals = np.empty(probes)
    for k in range(probes):
        state, width, total = game.root(), 1.0, 1.0
        while state.utilities is None:
            chance = state.chance
            if chance is None:
                actions: tuple[object, ...] = state.infoset.actions
            elif isinstance(chance, ListedChance):
                actions = tuple(outcome for outcome, _ in chance.outcomes())
            else:  # cannot be listed; the compilation will say so
                actions = (chance.sample(rng),)
            width *= len(actions)
            total += width
            state = state.child(actions[rng.integers(len(actions))])
        totals[k] = total
    error = float(totals.std(ddof=1)) / probes**0.5
    return SizeEstimate(game.name, float(totals.mean()), error, free_memory_bytes())


def check_fits(game: Game) -> SizeEstimate:
    """The estimate, or `TooLargeError` if even two standard errors below it would not fit."""
    size = estimate_size(game)
    size.check(size.nodes - 2 * size.standard_error)
    return size


def free_memory_bytes() -> int:
    """Memory that can be used without swapping."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (ValueError, OSError, AttributeError):
        return 4 << 30  # nothing to ask on this system: assume a small machine


def _gib(n_bytes: float) -> str:
    return f"{n_bytes / 2**30:,.1f} GiB" if n_bytes < 2**50 else f"{n_bytes / 2**30:.1e} GiB"
