"""Monte Carlo CFR on the public graph of a variant, with buckets for cards.

Deals come in batches: a source deals and labels them, a kernel walks them.
"""

from dataclasses import dataclass

import numpy as np

from counterfold.compiled.classes import PublicGame
from counterfold.compiled.deals import Dealer
from counterfold.compiled.walks import DealSource, walk_graph
from counterfold.kernels import public_walks as kernels
from counterfold.kernels.public_walks import PublicSampling, WalkGraph, WalkStack
from counterfold.solvers.tables import SharedTables
from counterfold.solvers.variants import CFR, Discounting

BATCH = 256  # deals that one thread takes at a time
_WAITING = 1 << 16  # regrets that wait during a walk of chance sampling before they are settled


EXTERNAL = PublicSampling()


def walk_stack(graph: WalkGraph, expand: bool) -> WalkStack:
    """Scratch memory for walks over `graph`."""
    depth = longest_path(graph) + 2
    width = int(graph.nodes[:, kernels.DEGREE].max(initial=1))
    n_waiting = _WAITING if expand else 1
    return WalkStack(
        node=np.zeros(depth, np.int64),
        action=np.zeros(depth, np.int64),
        slot=np.zeros(depth, np.int64),
        versions=np.zeros((depth, 2), np.int64),
        q=np.zeros(depth),
        others=np.zeros(depth),
        own=np.zeros(depth),
        value=np.zeros(depth),
        strategy=np.zeros((depth, width)),
        values=np.zeros((depth, width)),
        waiting=np.zeros(n_waiting, np.int64),
        regrets=np.zeros(n_waiting),
    )


def longest_path(graph: WalkGraph) -> int:
    """Nodes on the longest path from the root."""
    levels = np.zeros(len(graph.nodes), np.int32)
    parents = np.repeat(np.arange(len(graph.nodes)), graph.nodes[:, kernels.DEGREE])
    kernels.longest_paths(parents, graph.children, levels)
    return int(levels.max()) + 1


@dataclass
class PublicSolver(SharedTables):
    """Tables of one run; seed and number of deals done determine the next deal."""

    game: PublicGame
    dealer: Dealer
    source: DealSource
    sampling: PublicSampling = EXTERNAL
    discounting: Discounting = CFR
    epoch: int = 10_000  # deals between discounts
    seed: int = 0
    threads: int | None = None

    def __post_init__(self) -> None:
        self._allocate(BATCH)
        self._graph = walk_graph(self.game, self.dealer)
        expand = self.sampling.expand
        self._stacks = [walk_stack(self._graph, expand) for _ in range(self._n_threads)]

    def _walk_batch(self, thread: int, first: int, n: int) -> int:
        return int(
            kernels.walk_deals(
                self._graph,
                self.source.batch(self.seed, first, n),
                self.sampling,
                self.seed + 1,  # streams of their own, apart from those that deal
                first,
                1.0,
                self.regrets,
                self.averages,
                self._stacks[thread],
            )
        )
