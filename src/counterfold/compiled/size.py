"""How large a tree will be, before it is built.

Knuth's estimator (1975): walk down at random; the product of the branching factors met so far is
an unbiased estimate of the number of nodes on that level. Terminals are counted but not walked
into, which keeps the spread small. The mean over many probes estimates the tree, and their spread
gives a standard error. Where a few long histories hold most of the nodes the estimate is usually
low and sometimes high; the compilation therefore checks again as it goes.
"""

import os
from dataclasses import dataclass

import numpy as np

from counterfold.errors import TooLargeError
from counterfold.games import Game, ListedChance, State

# Peak while compiling, measured on liar's dice (180), goofspiel(5) (192) and leduc (221): arrays,
# their sorted copies and labels. The finished game keeps less than half of it.
BYTES_PER_NODE = 220

_PROBES = 1000


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
            children = _children(state, rng)
            total += width * len(children)
            inner = [child for child in children if child.utilities is None]
            if not inner:
                break
            width *= len(inner)
            state = inner[rng.integers(len(inner))]
        totals[k] = total
    error = float(totals.std(ddof=1)) / probes**0.5
    return SizeEstimate(game.name, float(totals.mean()), error, free_memory_bytes())


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
