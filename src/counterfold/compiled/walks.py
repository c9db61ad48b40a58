"""What walks over a public game read: the graph in rows, and batches of labelled deals."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.compiled.card_maps import Buckets, CardMap
from counterfold.compiled.classes import PublicGame
from counterfold.compiled.deals import Dealer, Deals, draw_rows
from counterfold.kernels import betting
from counterfold.kernels import deals as layouts
from counterfold.kernels import public_graph as edges
from counterfold.kernels import public_walks as kernels
from counterfold.kernels.public_walks import WalkDeals, WalkGraph


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
    nodes[:, kernels.STREET] = graph.field(betting.STREET)
    digits = np.where(graph.kinds == edges.DISCARD, graph.amounts + 1, 0).astype(np.int8)
    return WalkGraph(nodes, graph.children, digits, graph.variant.hole_cards + 1)
