"""Monte Carlo CFR on the public graph of a variant, with buckets for cards.

Deals come in batches: a source deals and labels them, a kernel walks them. Several threads take
batches in turn and share the tables; with one thread a seed reproduces a run bit for bit. Past
regrets and strategies fade between epochs, by the same `Discounting` as elsewhere with the epoch as
its iteration.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.compiled.classes import PublicGame
from counterfold.compiled.deals import Dealer
from counterfold.compiled.walks import DealSource, walk_graph
from counterfold.kernels import public_walks as kernels
from counterfold.kernels.public_walks import PublicSampling, WalkGraph, WalkStack
from counterfold.solvers.variants import CFR, Discounting
from counterfold.threads import thread_count

BATCH = 256  # deals that one thread takes at a time
_WAITING = 1 << 16  # regrets that wait during a walk of chance sampling before they are settled


EXTERNAL = PublicSampling()


def walk_stack(graph: WalkGraph, expand: bool) -> WalkStack:
    """Scratch memory for walks over `graph`."""
    depth = _depth(graph) + 2
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


def _depth(graph: WalkGraph) -> int:
    """Nodes on the longest path: a node's street and actions cannot be more."""
    levels = np.zeros(len(graph.nodes), np.int32)
    parents = np.repeat(np.arange(len(graph.nodes)), graph.nodes[:, kernels.DEGREE])
    kernels.longest_paths(parents, graph.children, levels)
    return int(levels.max()) + 1


@dataclass
class PublicSolver:
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
        self.iterations = 0  # deals walked, each for both players
        self.visited = 0  # nodes
        self.regrets = np.zeros(self.game.n_slots, np.float32)
        self.averages = np.zeros(self.game.n_slots, np.float32)
        self._graph = walk_graph(self.game, self.dealer)
        self._n_threads = thread_count(self.threads)
        expand = self.sampling.expand
        self._stacks = [walk_stack(self._graph, expand) for _ in range(self._n_threads)]

    @property
    def tables(self) -> dict[str, NDArray[np.float32]]:
        """All that the next deal depends on, as live arrays."""
        return {"regrets": self.regrets, "averages": self.averages}

    def run(self, deals: int) -> None:
        """Go on for so many deals, each with one walk per player."""
        last = self.iterations + deals
        while self.iterations < last:
            end = min(last, (self.iterations // self.epoch + 1) * self.epoch)
            self._walk(self.iterations, end)
            self.iterations = end
            if end % self.epoch == 0:
                self._discount(end // self.epoch)

    def _walk(self, first: int, last: int) -> None:
        batches = [(start, min(BATCH, last - start)) for start in range(first, last, BATCH)]
        if self._n_threads == 1:
            self.visited += sum(self._walk_batch(0, *batch) for batch in batches)
            return
        with ThreadPoolExecutor(self._n_threads) as pool:
            parts = [batches[k :: self._n_threads] for k in range(self._n_threads)]
            works = [
                pool.submit(lambda k=k, p=p: sum(self._walk_batch(k, *b) for b in p))  # type: ignore[misc]
                for k, p in enumerate(parts)
            ]
            self.visited += sum(work.result() for work in works)

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

    def _discount(self, epoch: int) -> None:
        positive, negative, average = self.discounting.weights(epoch, epoch, 1_000)[0]
        if (positive, negative, average) != (1.0, 1.0, 1.0):
            kernels.discount(self.regrets, self.averages, positive, negative, average)
