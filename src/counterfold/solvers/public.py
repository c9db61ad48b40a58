"""Monte Carlo CFR on the public graph of a variant, with buckets for cards.

Deals come in batches: a source deals and labels them, a kernel walks them. Several threads take
batches in turn and share the tables; with one thread a seed reproduces a run bit for bit, however
many calls it is split into. Past regrets and strategies fade between epochs, by the same
`Discounting` as elsewhere with the epoch as its iteration.

Tables are of 32 bits by default. An average that has grown beyond 2**24 no longer gains from
additions of one: a table of 64 bits is for games so small, or runs so long, that an information set
is visited tens of millions of times.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.compiled.card_maps import Buckets, CardMap
from counterfold.compiled.classes import PublicGame
from counterfold.compiled.deals import Dealer, Deals
from counterfold.errors import AlgorithmError, UnsupportedGameError
from counterfold.kernels import betting
from counterfold.kernels import deals as layouts
from counterfold.kernels import public_graph as edges
from counterfold.kernels import public_walks as kernels
from counterfold.memory import check_memory
from counterfold.solvers.variants import CFR, Discounting
from counterfold.threads import thread_count

BATCH = 256  # deals that one thread takes at a time
_WAITING = 1 << 16  # regrets that wait during a walk of chance sampling before they are settled


class PublicSampling(NamedTuple):
    """What one walk explores; the kernels read it as it is. See `solvers.sampled.Sampling`.

    With `prune_below` actions of lower regret are left out, but for every twentieth deal: there
    they have a chance to come back.
    """

    expand: bool = False
    single: bool = False
    epsilon: float = 1.0
    tau: float = 0.0
    beta: float = 0.0
    prune_below: float = 0.0  # chips of regret; 0 to leave no action out


EXTERNAL = PublicSampling()


class WalkGraph(NamedTuple):
    """The arrays of a public game that a walk reads."""

    nodes: NDArray[np.int64]  # [N, N_COLUMNS]
    children: NDArray[np.int32]  # [E]
    digits: NDArray[np.int8]  # [E] of a version, at draws
    n_choices: int  # at a draw


class WalkDeals(NamedTuple):
    """A batch of deals that a walk reads."""

    lengths: NDArray[np.uint8]  # [n]
    buckets: Buckets  # [n, 2, cells]
    strengths: NDArray[np.int64]  # [n, 2, versions]


class WalkStack(NamedTuple):
    """Scratch memory of one walk: a row per level, a column per action."""

    node: NDArray[np.int64]
    action: NDArray[np.int64]
    slot: NDArray[np.int64]
    versions: NDArray[np.int64]  # [depth, 2]
    q: NDArray[np.float64]
    others: NDArray[np.float64]
    own: NDArray[np.float64]
    value: NDArray[np.float64]
    strategy: NDArray[np.float64]
    values: NDArray[np.float64]
    waiting: NDArray[np.int64]
    regrets: NDArray[np.float64]


class DealSource(Protocol):
    """Where the deals of a run come from."""

    def batch(self, seed: int, first: int, n: int) -> WalkDeals:
        """Deals `first` to `first + n - 1` of a seed."""
        ...


@dataclass(frozen=True, eq=False)
class SampledDeals:
    """Deals drawn at random and labelled by a card map."""

    dealer: Dealer
    cards: CardMap

    def batch(self, seed: int, first: int, n: int) -> WalkDeals:
        """Deals `first` to `first + n - 1` of a seed."""
        deals = self.dealer.sample(seed, first, n)
        return WalkDeals(deals.lengths, self.cards.label(deals), deals.strengths)


@dataclass(frozen=True, eq=False)
class ListedDeals:
    """Rows of a list of all deals, drawn with their probabilities."""

    deals: Deals
    buckets: Buckets

    @cached_property
    def _cumulative(self) -> NDArray[np.float64]:
        sums = np.cumsum(self.deals.weights)
        return np.asarray(sums / sums[-1])

    def batch(self, seed: int, first: int, n: int) -> WalkDeals:
        """Deals `first` to `first + n - 1` of a seed."""
        rows = np.empty(n, np.int64)
        layouts.pick_rows(self._cumulative, seed, first, rows)
        return WalkDeals(self.deals.lengths[rows], self.buckets[rows], self.deals.strengths[rows])


def walk_graph(game: PublicGame, first_cells: NDArray[np.int64]) -> WalkGraph:
    """The arrays that walks read; `first_cells` by stage."""
    graph = game.graph
    nodes = np.zeros((graph.n_nodes, kernels.N_COLUMNS), np.int64)
    nodes[:, kernels.PHASE] = graph.phase
    nodes[:, kernels.ACTOR] = graph.field(betting.ACTOR)
    nodes[:, kernels.START] = graph.starts[:-1]
    nodes[:, kernels.DEGREE] = np.diff(graph.starts)
    nodes[:, kernels.SLOT] = game.node_offsets
    nodes[:, kernels.CELL] = first_cells[game.stage]
    spent = graph.situations[:, [betting.SPENT_0, betting.SPENT_1]]
    nodes[:, kernels.STAKE] = spent[np.arange(graph.n_nodes), graph.field(betting.ACTOR)]
    nodes[:, kernels.STREET] = graph.field(betting.STREET)
    digits = np.where(graph.kinds == edges.DISCARD, graph.amounts + 1, 0).astype(np.int8)
    return WalkGraph(nodes, graph.children, digits, graph.variant.hole_cards + 1)


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
    """Nodes on the longest path, which may be longer than that by which a node was found."""
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
    dtype: Any = np.float32  # of the tables

    def __post_init__(self) -> None:
        _check(self)
        n_slots = self.game.n_slots
        check_memory("regrets and averages", 2 * n_slots * np.dtype(self.dtype).itemsize)
        self.iterations = 0  # deals walked, each for both players
        self.visited = 0  # nodes
        self.regrets = np.zeros(n_slots, self.dtype)
        self.averages = np.zeros(n_slots, self.dtype)
        self._graph = walk_graph(self.game, self.dealer.layout.stages[:, layouts.CELL])
        self._n_threads = thread_count(self.threads)
        expand = self.sampling.expand
        floats = map(float, self.sampling[2:])
        # Numbers of one type each: a kernel is compiled for its types.
        self._plan = PublicSampling(bool(expand), bool(self.sampling.single), *floats)
        self._stacks = [walk_stack(self._graph, expand) for _ in range(self._n_threads)]

    @property
    def tables(self) -> dict[str, NDArray[np.floating]]:
        """All that the next deal depends on, as live arrays."""
        return {"regrets": self.regrets, "averages": self.averages}

    def average_strategy(self) -> NDArray[np.floating]:
        """The probabilities of all slots; uniform at information sets not visited yet."""
        strategy = np.empty_like(self.averages)
        kernels.normalise(self.averages, self.game.offsets, self.game.n_actions, strategy)
        return strategy

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
        batches = iter([(start, min(BATCH, last - start)) for start in range(first, last, BATCH)])
        if self._n_threads == 1:
            self.visited += self._walk_batches(0, batches)
            return
        with ThreadPoolExecutor(self._n_threads) as pool:
            works = [
                pool.submit(self._walk_batches, thread, batches)
                for thread in range(self._n_threads)
            ]
            self.visited += sum(work.result() for work in works)

    def _walk_batches(self, thread: int, batches: Iterator[tuple[int, int]]) -> int:
        """Walk what is left of `batches`, which threads share; returns the nodes visited."""
        return sum(
            int(
                kernels.walk_deals(
                    self._graph,
                    self.source.batch(self.seed, first, n),
                    self._plan,
                    self.seed,
                    first,
                    1.0,
                    self.regrets,
                    self.averages,
                    self._stacks[thread],
                )
            )
            for first, n in batches
        )

    def _discount(self, epoch: int) -> None:
        positive, negative, average = self.discounting.weights(epoch, epoch, 1_000)[0]
        if (positive, negative, average) != (1.0, 1.0, 1.0):
            kernels.discount(self.regrets, self.averages, positive, negative, average)


def _check(solver: PublicSolver) -> None:
    """Raise if the parts of a run do not fit each other."""
    variant, dealt = solver.game.graph.variant, solver.dealer.variant
    if variant != dealt:
        raise UnsupportedGameError(
            f"the graph is of {variant.name} and the deals of {dealt.name}; take one variant"
        )
    sampling = solver.sampling
    if solver.epoch < 1:
        raise AlgorithmError(f"an epoch has at least one deal, not {solver.epoch!r}")
    if solver.discounting.predictive:
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
    if sampling.prune_below and (sampling.expand or sampling.single or tries):
        raise AlgorithmError("prune_below is for external sampling; leave it 0 elsewhere")
    if np.dtype(solver.dtype) not in (np.float32, np.float64):
        raise AlgorithmError(f"tables are of float32 or float64, not {solver.dtype!r}")
