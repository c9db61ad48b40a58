"""Monte Carlo CFR on the public graph of a variant, with buckets for cards.

Deals come in batches: a source deals and labels them, a kernel walks them.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.compiled.card_maps import Buckets, CardMap
from counterfold.compiled.classes import PublicGame
from counterfold.compiled.deals import Dealer, Deals, draw_rows
from counterfold.kernels import betting
from counterfold.kernels import public_graph as edges
from counterfold.kernels import public_walks as kernels
from counterfold.solvers.tables import SharedTables
from counterfold.solvers.variants import CFR, Discounting

BATCH = 256  # deals that one thread takes at a time
_WAITING = 1 << 16  # regrets that wait during a walk of chance sampling before they are settled


class PublicSampling(NamedTuple):
    """What one walk explores; the kernels read it as it is. See `solvers.sampled.Sampling`."""

    expand: bool = False
    single: bool = False
    epsilon: float = 1.0
    tau: float = 0.0
    beta: float = 0.0
    prune_below: float = 0.0  # chips of regret; 0 to leave no action out


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
    def _limits(self) -> NDArray[np.float64]:
        return np.cumsum(self.deals.weights)

    def batch(self, seed: int, first: int, n: int) -> WalkDeals:
        """Deals `first` to `first + n - 1` of a seed."""
        rows = draw_rows(self._limits, seed, first, n)
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
    sampling: PublicSampling = PublicSampling()
    discounting: Discounting = CFR
    epoch: int = 10_000  # deals between discounts
    seed: int = 0
    threads: int | None = None

    def __post_init__(self) -> None:
        self._allocate(BATCH)
        first_cells = np.array([int(row[2]) for row in self.dealer.layout.stages], np.int64)
        self._graph = walk_graph(self.game, first_cells)
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
