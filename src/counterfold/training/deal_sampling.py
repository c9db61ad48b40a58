"""Monte Carlo CFR on the public graph of a variant, with buckets for cards.

Deals come in batches: a source deals and labels them, a kernel walks them. Tables are stored in the
order in which walks touch them, given by `layout`, not in the order of strategies.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from counterfold.discounting import CFR, Discounting
from counterfold.errors import AlgorithmError, UnsupportedGameError
from counterfold.public import graph_kernels, walk_kernels
from counterfold.public.deals import Dealer
from counterfold.public.infosets import PublicGame
from counterfold.public.walk_kernels import WalkDeals, WalkGraph
from counterfold.public.walk_order import DealSource, rearrange, walk_graph
from counterfold.sampling import EXTERNAL_SAMPLING, Sampling, check_sampling
from counterfold.sampling_kernels import make_frames
from counterfold.threads import Stretch, stretches
from counterfold.training import deal_sampling_kernels
from counterfold.training.deal_sampling_kernels import WalkStack
from counterfold.training.frozen_kernels import FrozenOpponent
from counterfold.training.sampled_base import Block, SampledSolver

LEAST_PART = MOST_PART = 4_096  # deals made at a time: few calls of Python, which need its lock
_WAITING = 1 << 16  # regrets that a walk of chance sampling holds back before adding them


def walk_stack(graph: WalkGraph, expand: bool) -> WalkStack:
    """Scratch memory for walks over `graph`."""
    depth = longest_path(graph) + 2
    width = int(graph.nodes[:, walk_kernels.NODE_DEGREE].max(initial=1))
    n_waiting = _WAITING if expand else 1
    return WalkStack(
        frames=make_frames(depth, width),
        slot=np.zeros(depth, np.int64),
        hand_paths=np.zeros((depth, 2), np.int64),
        waiting=np.zeros(n_waiting, np.int64),
        regrets=np.zeros(n_waiting),
    )


def longest_path(graph: WalkGraph) -> int:
    """Nodes on the longest path from the root, over all ways to reach a node."""
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
    sampling: Sampling = EXTERNAL_SAMPLING
    discounting: Discounting = CFR
    epoch: int = 10_000  # deals between discounts
    seed: int = 0
    threads: int | None = None
    dtype: Any = np.float32  # of the regrets

    def __post_init__(self) -> None:
        self._allocate(LEAST_PART, MOST_PART)
        self._check()
        self.sampling = check_sampling(self.sampling)
        plain = walk_graph(self.game, self.dealer)
        self._graph, self.layout = rearrange(plain, self.game)
        waits = self.sampling.expand or self.sampling.warm_up > 0
        self._stacks = [walk_stack(plain, waits) for _ in range(self._n_threads)]
        self._frozen: FrozenOpponent | None = (
            None  # the opponent of both players, instead of each other
        )

    @property
    def read_tables(self) -> tuple[str, ...]:
        """Average-strategy sampling explores by the averages."""
        return (*super().read_tables, *(["averages"] if self.sampling.tries else []))

    @property
    def regret_floor(self) -> float:
        """Where actions are pruned, regrets stop a little below the limit."""
        below = self.sampling.prune_below
        return deal_sampling_kernels.FLOOR * below if below < 0.0 else -np.inf

    def _make_batch(self, first: int, n: int) -> WalkDeals:
        return self.source.batch(self.seed, first, n)

    def _walk_batch(self, batch: WalkDeals, first: int, thread: int) -> int:
        arguments = (
            self._graph,
            batch,
            self.sampling,
            self.seed,
            first,
            1.0,
            self.regrets,
            self.averages,
            self._stacks[thread],
        )
        if self.sampling.single:
            return int(deal_sampling_kernels.follow_deals(*arguments))
        return int(deal_sampling_kernels.walk_deals(*arguments, self._frozen))

    def _split(self, block: Block) -> list[Stretch]:
        # A deal that warms up takes as long as thousands of others.
        is_cold = block.first < self.sampling.warm_up
        return stretches(block.first, block.last, 1) if is_cold else super()._split(block)

    def _check(self) -> None:
        """Raise if the parts of a run do not fit each other."""
        variant, dealt = self.game.graph.variant, self.dealer.variant
        if variant != dealt:
            raise UnsupportedGameError(
                f"the graph is for {variant.name} but the deals are for {dealt.name}; use one "
                "variant"
            )
        if self.discounting.predictive:
            raise AlgorithmError(
                "sampled walks cannot predict; use a discounting without prediction"
            )
        if self.sampling.linear:
            raise AlgorithmError("linear is only for trees; use the discounting LINEAR instead")
