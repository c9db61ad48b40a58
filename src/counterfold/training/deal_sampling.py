"""Monte Carlo CFR on the public graph of a variant, with buckets for cards.

Deals come in batches: a source deals and labels them, a kernel walks them. Tables lie as walks
come by, which `layout` tells, not as strategies are kept.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from counterfold.discounting import CFR, Discounting
from counterfold.errors import AlgorithmError, UnsupportedGameError
from counterfold.public import graph_kernels, walk_kernels
from counterfold.public.deals import Dealer
from counterfold.public.infosets import PublicGame
from counterfold.public.walk_kernels import PublicSampling, WalkGraph, WalkStack
from counterfold.public.walk_order import DealSource, rearrange, walk_graph
from counterfold.threads import Stretch, stretches
from counterfold.training.sampled_base import SampledSolver

BATCH = 256  # deals that one thread takes at a time
_WAITING = 1 << 16  # regrets that wait during a walk of chance sampling before they are settled


EXTERNAL = PublicSampling()


def walk_stack(graph: WalkGraph, expand: bool) -> WalkStack:
    """Scratch memory for walks over `graph`."""
    depth = longest_path(graph) + 2
    width = int(graph.nodes[:, walk_kernels.NODE_DEGREE].max(initial=1))
    n_waiting = _WAITING if expand else 1
    return WalkStack(
        node=np.zeros(depth, np.int64),
        action=np.zeros(depth, np.int64),
        slot=np.zeros(depth, np.int64),
        discard_paths=np.zeros((depth, 2), np.int64),
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
    """Nodes on the longest path from the root, by which way a node was found or not."""
    levels = np.zeros(len(graph.nodes), np.int32)
    parents = np.repeat(np.arange(len(graph.nodes)), graph.nodes[:, walk_kernels.NODE_DEGREE])
    graph_kernels.longest_paths(parents, graph.children, levels)
    return int(levels.max()) + 1


@dataclass
class DealSamplingSolver(SampledSolver):
    """Tables of one run; seed and number of deals done determine the next deal."""

    game: PublicGame
    dealer: Dealer
    source: DealSource
    sampling: PublicSampling = EXTERNAL
    discounting: Discounting = CFR
    epoch: int = 10_000  # deals between discounts
    seed: int = 0
    threads: int | None = None
    dtype: Any = np.float32  # of the tables

    def __post_init__(self) -> None:
        self._allocate(BATCH)
        self._check()
        plain = walk_graph(self.game, self.dealer)
        self._graph, self.layout = rearrange(plain, self.game)
        expand = bool(self.sampling.expand)
        # Numbers of one type each: a kernel is compiled for its types.
        sampling = self.sampling
        self._plan = PublicSampling(
            expand,
            bool(sampling.single),
            float(sampling.epsilon),
            float(sampling.tau),
            float(sampling.beta),
            float(sampling.prune_below),
            int(sampling.warm_up),
        )
        waits = expand or sampling.warm_up > 0
        self._stacks = [walk_stack(plain, waits) for _ in range(self._n_threads)]

    def _walk_batch(self, first: int, last: int, thread: int) -> int:
        return int(
            walk_kernels.walk_deals(
                self._graph,
                self.source.batch(self.seed, first, last - first),
                self._plan,
                self.seed,
                first,
                1.0,
                self.regrets,
                self.averages,
                self._stacks[thread],
            )
        )

    def _split(self, first: int, last: int) -> list[Stretch]:
        # A deal that warms up takes as long as thousands of others.
        cold = max(first, min(last, self.sampling.warm_up))
        return stretches(first, cold, 1) + super()._split(cold, last)

    def _check(self) -> None:
        """Raise if the parts of a run do not fit each other."""
        variant, dealt = self.game.graph.variant, self.dealer.variant
        if variant != dealt:
            raise UnsupportedGameError(
                f"the graph is of {variant.name} and the deals of {dealt.name}; take one variant"
            )
        sampling = self.sampling
        if self.discounting.predictive:
            raise AlgorithmError("sampled walks cannot predict; take a discounting that does not")
        if sampling.expand and sampling.single:
            raise AlgorithmError("expand and single exclude each other; set one of them")
        if not 0.0 < sampling.epsilon <= 1.0:
            raise AlgorithmError(f"epsilon is above 0 and at most 1, not {sampling.epsilon!r}")
        tries = sampling.epsilon < 1.0 and not (sampling.expand or sampling.single)
        if sampling.tau < 0.0 or sampling.beta < 0.0 or (tries and sampling.beta == 0.0):
            raise AlgorithmError(
                "average-strategy sampling has a beta above 0 and a tau of at least 0, "
                f"not {sampling.beta!r} and {sampling.tau!r}"
            )
        if sampling.prune_below > 0.0:
            raise AlgorithmError(
                f"prune_below is a negative regret, or 0 for none, not {sampling.prune_below!r}"
            )
        if sampling.warm_up and (sampling.warm_up < 0 or sampling.expand or sampling.single):
            raise AlgorithmError(
                "warm_up is a number of deals for external and average-strategy sampling, "
                f"not {sampling.warm_up!r}"
            )
        if sampling.prune_below and (sampling.expand or sampling.single or tries):
            raise AlgorithmError("prune_below is for external sampling; leave it 0 elsewhere")
