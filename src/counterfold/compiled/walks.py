"""What walks over a public game read: the graph in rows, and batches of labelled deals."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.compiled.card_maps import Buckets, CardLabels
from counterfold.compiled.classes import NO_CLASS, PublicGame, SlotLayout
from counterfold.compiled.deals import Dealer, Deals, draw_rows
from counterfold.kernels import betting
from counterfold.kernels import deals as layouts
from counterfold.kernels import public_graph as edges
from counterfold.kernels import public_walks as kernels
from counterfold.kernels.public_walks import WalkDeals, WalkGraph

_CACHE_LINE = 64  # bytes


class DealSource(Protocol):
    """Where the deals of a run come from."""

    def batch(self, seed: int, first: int, n: int) -> WalkDeals:
        """Deals `first` to `first + n - 1` of a seed."""
        ...


@dataclass(frozen=True, eq=False)
class SampledDeals:
    """Deals drawn at random and labelled by a card map."""

    dealer: Dealer
    cards: CardLabels

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


def walk_graph(game: PublicGame, dealer: Dealer) -> WalkGraph:
    """The arrays that walks read."""
    graph = game.graph
    first_cells = dealer.layout.stages[:, layouts.CELL]
    nodes = np.zeros((graph.n_nodes, kernels.N_COLUMNS), np.int64)
    nodes[:, kernels.PHASE] = graph.phase
    nodes[:, kernels.ACTOR] = graph.field(betting.ACTOR)
    nodes[:, kernels.START] = graph.starts[:-1]
    nodes[:, kernels.DEGREE] = np.diff(graph.starts)
    nodes[:, kernels.SLOT] = game.node_offsets
    nodes[:, kernels.CELL] = first_cells[game.stage]
    spent = graph.situations[:, [betting.SPENT_0, betting.SPENT_1]]
    nodes[:, kernels.STAKE] = spent[np.arange(graph.n_nodes), graph.field(betting.ACTOR)]
    nodes[graph.decisions, kernels.STRIDE] = np.diff(graph.starts)[graph.decisions]
    nodes[:, kernels.STREET] = graph.field(betting.STREET)
    digits = np.where(graph.kinds == edges.DISCARD, graph.amounts + 1, 0).astype(np.int8)
    return WalkGraph(nodes, graph.children, digits, graph.variant.hole_cards + 1)


def rearrange(walk: WalkGraph, game: PublicGame) -> tuple[WalkGraph, SlotLayout]:
    """The same walk with what it touches close together: twice as fast where tables are large.

    Nodes stand in the order of a walk. A deal has one bucket at all nodes of a stage, so slots lie
    by stage, player and bucket, and only then by class, in the order of a walk again.
    """
    n_nodes, n_edges = len(walk.nodes), walk.children.size
    order = np.empty(n_nodes, np.int64)
    seen, stack = np.zeros(n_nodes, np.bool_), np.empty(n_edges + 1, np.int64)
    edges.depth_first(game.graph.starts, walk.children, seen, stack, order)
    place = np.empty(n_nodes, np.int32)
    place[order] = np.arange(n_nodes, dtype=np.int32)
    nodes = _aligned(walk.nodes[order])
    starts = np.cumsum(nodes[:, kernels.DEGREE]) - nodes[:, kernels.DEGREE]
    moved = np.repeat(nodes[:, kernels.START] - starts, nodes[:, kernels.DEGREE])
    moved += np.arange(n_edges)
    nodes[:, kernels.START] = starts
    classes = game.classes[order]
    decisions = np.flatnonzero(classes != NO_CLASS)
    layout = _lay_out(game, decisions, classes, game.stage[order], nodes[:, kernels.ACTOR])
    nodes[decisions, kernels.SLOT] = layout.starts[classes[decisions]]
    nodes[decisions, kernels.STRIDE] = layout.strides[classes[decisions]]
    children = place[walk.children[moved]]
    return WalkGraph(nodes, children, walk.digits[moved], walk.n_choices), layout


def _lay_out(
    game: PublicGame,
    decisions: NDArray[np.intp],
    classes: NDArray[np.int32],
    stage: NDArray[np.int8],
    actor: NDArray[np.int64],
) -> SlotLayout:
    """Slots by stage and player, then bucket, then class as it is met among `decisions`."""
    starts, strides = np.zeros((2, game.n_classes), np.int64)
    first = 0
    for at in range(len(game.stages)):
        for seat in (0, 1):
            here = decisions[(stage[decisions] == at) & (actor[decisions] == seat)]
            members, met = np.unique(classes[here], return_index=True)
            members = members[np.argsort(met)]
            widths = game.n_actions[members]
            starts[members] = first + np.cumsum(widths) - widths
            strides[members] = widths.sum()
            first += int((widths * game.n_buckets[members]).sum())
    return SlotLayout(starts, strides)


def _aligned(nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """A copy in which a row of eight is one cache line."""
    room = np.empty(nodes.nbytes + _CACHE_LINE, np.uint8)
    first = -room.ctypes.data % _CACHE_LINE
    copy = room[first : first + nodes.nbytes].view(np.int64).reshape(nodes.shape)
    copy[...] = nodes
    return copy
