"""What walks over a public game read: the graph in rows, and batches of labeled deals."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.payoff import Bounty
from counterfold.public import deals_kernels, graph_kernels, walk_kernels
from counterfold.public.card_maps import Buckets, CardLabels
from counterfold.public.deals import Dealer, Deals, draw_rows
from counterfold.public.graph import PublicGraph
from counterfold.public.infosets import NO_CLASS, PublicGame, SlotLayout, find_stages
from counterfold.public.stages import card_stages
from counterfold.public.walk_kernels import WalkDeals, WalkGraph

_CACHE_LINE = 64  # bytes
_EVERY_ROUND = 0x5555_5555  # bits of seat 0 in `DREW`


class DealSource(Protocol):
    """Where the deals of a run come from."""

    def batch(self, seed: int, first: int, n: int) -> WalkDeals:
        """Deals `first` to `first + n - 1` of a seed."""
        ...


@dataclass(frozen=True, eq=False)
class SampledDeals:
    """Deals drawn at random and labeled by a card map.

    On long boards that takes three times as long as to walk. Where seats may be exchanged, each
    deal therefore comes twice, the second time with the hands of both exchanged. An information set
    belongs to one seat, and meets both seatings only of hands that share its bucket.
    """

    dealer: Dealer
    cards: CardLabels

    def batch(self, seed: int, first: int, n: int) -> WalkDeals:
        """Deals `first` to `first + n - 1` of a seed."""
        if not self.dealer.seats_are_alike:
            return self._make(seed, first, n)
        numbers = np.arange(first, first + n)
        pairs = numbers // 2
        made = self._make(seed, int(pairs[0]), int(pairs[-1] - pairs[0]) + 1)
        return exchange_seats(made, pairs - pairs[0], numbers % 2)

    def _make(self, seed: int, first: int, n: int) -> WalkDeals:
        deals = self.dealer.sample(seed, first, n)
        return WalkDeals(deals.lengths, self.cards.label(deals), deals.strengths, deals.hits)


def exchange_seats(
    deals: WalkDeals, rows: NDArray[np.int64], exchanged: NDArray[np.int64]
) -> WalkDeals:
    """Those `rows` of a batch, with the hands of both seats exchanged where `exchanged` is 1."""
    seats = np.stack([exchanged, 1 - exchanged], axis=1)

    def take(by_seat: NDArray[Any]) -> NDArray[Any]:
        return by_seat[rows[:, None], seats] if by_seat.shape[1] else by_seat[rows]

    return WalkDeals(
        deals.lengths[rows], take(deals.buckets), take(deals.strengths), take(deals.hits)
    )


@dataclass(frozen=True, eq=False)
class EnumeratedDeals:
    """Rows of a list of all deals, drawn with their probabilities."""

    deals: Deals
    buckets: Buckets

    @cached_property
    def _limits(self) -> NDArray[np.float64]:
        return np.cumsum(self.deals.weights)

    def batch(self, seed: int, first: int, n: int) -> WalkDeals:
        """Deals `first` to `first + n - 1` of a seed."""
        rows = draw_rows(self._limits, seed, first, n)
        deals = self.deals
        return WalkDeals(
            deals.lengths[rows], self.buckets[rows], deals.strengths[rows], deals.hits[rows]
        )


def walk_graph(game: PublicGame, dealer: Dealer) -> WalkGraph:
    """The arrays that walks read."""
    graph = game.graph
    first_hand_cells = dealer.layout.stages[:, deals_kernels.STAGE_CELL]
    nodes = np.zeros((graph.n_nodes, walk_kernels.N_NODE_COLUMNS), np.int64)
    nodes[:, walk_kernels.NODE_PHASE] = graph.phase
    nodes[:, walk_kernels.NODE_ACTOR] = graph.field(betting.ACTOR)
    nodes[:, walk_kernels.NODE_START] = graph.starts[:-1]
    nodes[:, walk_kernels.NODE_DEGREE] = np.diff(graph.starts)
    nodes[:, walk_kernels.NODE_SLOT] = game.node_offsets
    nodes[:, walk_kernels.NODE_CELL] = first_hand_cells[game.stage]
    ends = np.flatnonzero(graph.phase >= betting.FOLDED)
    nodes[graph.phase == betting.SHOWDOWN, walk_kernels.NODE_CELL] = first_hand_cells[-1]
    for seat, column in enumerate((walk_kernels.NODE_STAKE_0, walk_kernels.NODE_STAKE_1)):
        spent = graph.situations[ends][:, [betting.SPENT_0 + seat, betting.PAID_0 + seat]]
        nodes[ends, column] = spent.sum(axis=1)
    nodes[graph.decisions, walk_kernels.NODE_STRIDE] = np.diff(graph.starts)[graph.decisions]
    nodes[:, walk_kernels.NODE_STREET] = graph.field(betting.STREET)
    bounty = graph.variant.bounty or Bounty(factor=1, extra=0)
    return WalkGraph(
        nodes, graph.children, find_path_steps(graph), float(bounty.factor), float(bounty.extra)
    )


def find_path_steps(graph: PublicGraph) -> NDArray[np.int8]:
    """[E, N_PATH_COLUMNS] how edges extend the hand paths: an exchange that of its seat, cards that
    both see both.
    """
    steps = np.zeros((graph.n_edges, walk_kernels.N_PATH_COLUMNS), np.int8)
    steps[:, [walk_kernels.CHOICES_0, walk_kernels.CHOICES_1]] = 1
    stages = card_stages(graph.variant)
    choosing = np.where(graph.phase == betting.DRAW, find_stages(graph, stages), -1)
    for at in (at for at, stage in enumerate(stages) if stage.before_draw):
        step = stages[at + 1].steps[-1]
        for seat in (0, 1):
            acts = (graph.field(betting.ACTOR) == seat) | step.shared
            edges = np.flatnonzero(((choosing == at) & acts)[graph.sources])
            digits = graph.amounts[edges] - step.first_set + step.may_keep
            column = walk_kernels.CHOICES_1 * seat
            steps[edges, walk_kernels.CHOICES_0 + column] = step.n_choices
            steps[edges, walk_kernels.CHOICE_0 + column] = np.where(
                graph.kinds[edges] == betting.KEEP, 0, digits
            )
    _add_auctions(graph, steps)
    return steps


def _add_auctions(graph: PublicGraph, steps: NDArray[np.int8]) -> None:
    """Let second bids extend both paths by who wins."""
    settles = (graph.kinds == betting.BID) & (graph.field(betting.FIRST_BID)[graph.sources] > 0)
    edges = np.flatnonzero(settles)
    drew = graph.field(betting.DREW)
    won = drew[graph.children[edges]] ^ drew[graph.sources[edges]]
    for seat, column in enumerate((walk_kernels.CHOICES_0, walk_kernels.CHOICES_1)):
        steps[edges, column] = 2
        steps[edges, column + 1] = (won >> seat) & _EVERY_ROUND != 0


def rearrange(walk: WalkGraph, game: PublicGame) -> tuple[WalkGraph, SlotLayout]:
    """The same walk with what it touches close together: twice as fast if tables are large. Nodes
    are in the order of a walk. A deal has one bucket at all nodes of a stage, so slots are ordered
    by stage, player and bucket, and only then by class, again in the order of a walk.
    """
    n_nodes, n_edges = len(walk.nodes), walk.children.size
    order = order_nodes(game.graph)
    place = np.empty(n_nodes, np.int32)
    place[order] = np.arange(n_nodes, dtype=np.int32)
    nodes = _aligned(walk.nodes[order])
    starts = np.cumsum(nodes[:, walk_kernels.NODE_DEGREE]) - nodes[:, walk_kernels.NODE_DEGREE]
    moved = np.repeat(
        nodes[:, walk_kernels.NODE_START] - starts, nodes[:, walk_kernels.NODE_DEGREE]
    )
    moved += np.arange(n_edges)
    nodes[:, walk_kernels.NODE_START] = starts
    classes = game.classes[order]
    decisions = np.flatnonzero(classes != NO_CLASS)
    layout = _lay_out(
        game, decisions, classes, game.stage[order], nodes[:, walk_kernels.NODE_ACTOR]
    )
    nodes[decisions, walk_kernels.NODE_SLOT] = layout.starts[classes[decisions]]
    nodes[decisions, walk_kernels.NODE_STRIDE] = layout.strides[classes[decisions]]
    children = place[walk.children[moved]]
    moved_walk = walk._replace(nodes=nodes, children=children, path_steps=walk.path_steps[moved])
    return moved_walk, layout


def order_nodes(graph: PublicGraph) -> NDArray[np.int64]:
    """[N] the nodes in the order of a walk."""
    order = np.empty(graph.n_nodes, np.int64)
    seen, stack = np.zeros(graph.n_nodes, np.bool_), np.empty(graph.n_edges + 1, np.int64)
    graph_kernels.depth_first(graph.starts, graph.children, seen, stack, order)
    return order


def _lay_out(
    game: PublicGame,
    decisions: NDArray[np.intp],
    classes: NDArray[np.int32],
    stage: NDArray[np.int8],
    actor: NDArray[np.int64],
) -> SlotLayout:
    """Slots by stage and player, then bucket, then class in the order of `decisions`."""
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
    return SlotLayout(starts, strides, np.ones_like(starts))


def _aligned(nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """A copy in which a row of eight is one cache line."""
    room = np.empty(nodes.nbytes + _CACHE_LINE, np.uint8)
    first = -room.ctypes.data % _CACHE_LINE
    copy = room[first : first + nodes.nbytes].view(np.int64).reshape(nodes.shape)
    copy[...] = nodes
    return copy
