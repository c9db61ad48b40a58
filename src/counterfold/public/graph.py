"""The public graph: every public situation of a variant under a menu of bets, as flat arrays.

Shapes: ``N`` nodes, ``E`` edges. Cards are not enumerated; they enter through buckets. A parent
precedes its children. Merged, equal situations are one node and the graph is far smaller than the
tree: River of Blood, with up to 27 betting rounds, depends on it. Unmerged, a node is a betting
history.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.menu import BetMenu
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import Rules
from counterfold.games.holdem.situation_nodes import SituationNodes
from counterfold.memory import check_memory
from counterfold.public import graph_kernels
from counterfold.public.public_variants import check_public

_FIRST_CAPACITY = 1 << 17  # nodes; room that is not used is not touched


@dataclass(frozen=True, eq=False)
class PublicGraph(SituationNodes):
    """Nodes and edges. `situations` has the fields of `games.holdem.betting_kernels` as columns."""

    variant: Variant
    menu: BetMenu
    merged: bool
    situations: NDArray[np.int32]  # [N, N_FIELDS]
    starts: NDArray[np.int32]  # [N + 1] node n owns edges starts[n]:starts[n + 1]
    children: NDArray[np.int32]  # [E]
    kinds: NDArray[np.int8]  # [E] FOLD, CALL, RAISE, KEEP, DISCARD, BID or DEALT
    amounts: NDArray[
        np.int32
    ]  # [E] a raise's total, a bid, the set of a discard, 1 for a last deal
    labels: NDArray[np.int32]  # [E] size of the menu that a raise or a bid stands for

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    @cached_property
    def sources(self) -> NDArray[np.int32]:
        """[E] the node that owns each edge."""
        return np.repeat(np.arange(self.n_nodes, dtype=np.int32), np.diff(self.starts))

    def count_tree(self) -> float:
        """How many nodes the tree has in which every betting history is a node of its own."""
        counts = np.empty(self.n_nodes)
        graph_kernels.count_paths(self.starts, self.children, self.kinds, counts)
        return float(counts[0])


def build_graph(variant: Variant, menu: BetMenu, *, merge: bool = True) -> PublicGraph:
    """All public situations that `menu` reaches; with `merge`, each once.

    Raises `UnsupportedGameError` for a variant that a graph cannot represent, and `TooLargeError`
    when the arrays would not fit into memory.
    """
    check_public(variant)
    return _Builder(variant, menu, merge).build(variant.rules)


class _Builder:
    """Arrays that grow while the kernel fills them."""

    def __init__(self, variant: Variant, menu: BetMenu, merge: bool) -> None:
        self.variant, self.menu, self.merge = variant, menu, merge
        self.nodes = np.empty((_FIRST_CAPACITY, betting.N_FIELDS), np.int32)
        self.edges = np.empty((2 * _FIRST_CAPACITY, 4), np.int32)
        self.starts = np.zeros(_FIRST_CAPACITY + 1, np.int32)
        self.slots = self._empty_slots()
        self.counts = np.zeros(3, np.int64)

    def build(self, rules: Rules) -> PublicGraph:
        arrays = self.menu.compile(self.variant)
        width = max(arrays.sizes.shape[2], arrays.bids.shape[1]) + 1
        totals, labels = np.empty(width, np.int64), np.empty(width, np.int64)
        while True:
            status = graph_kernels.expand(
                rules,
                arrays,
                self.merge,
                totals,
                labels,
                self.nodes,
                self.slots,
                self.starts,
                self.edges,
                self.counts,
            )
            if status == graph_kernels.DONE:
                return self._sorted()
            if status == graph_kernels.NEEDS_NODES:
                self.nodes = _doubled(self.nodes)
                self.starts = _doubled(self.starts)
                self.slots = self._empty_slots()
                if self.merge:
                    graph_kernels.fill_slots(
                        self.nodes, self.counts[graph_kernels.N_NODES], self.slots
                    )
            else:
                self.edges = _doubled(self.edges)

    def _empty_slots(self) -> NDArray[np.int32]:
        return np.full(2 * self.nodes.shape[0] if self.merge else 1, graph_kernels.EMPTY, np.int32)

    def _sorted(self) -> PublicGraph:
        """The graph with parents before children: by street, then phase, then actions."""
        n, e = self.counts[graph_kernels.N_NODES], self.counts[graph_kernels.N_EDGES]
        nodes, starts, edges = self.nodes[:n], self.starts[: n + 1], self.edges[:e]
        # Choices of a street count their turns, and come before its betting.
        phase = np.maximum(nodes[:, betting.PHASE], betting.DRAW)
        keys = (nodes[:, betting.N_ACTIONS], phase)
        order = np.lexsort((*keys, nodes[:, betting.STREET]))
        place = np.empty(n, np.int32)
        place[order] = np.arange(n, dtype=np.int32)
        degrees = np.diff(starts)[order]
        new_starts = np.zeros(n + 1, np.int32)
        np.cumsum(degrees, out=new_starts[1:])
        moved = np.repeat(starts[:-1][order] - new_starts[:-1], degrees) + np.arange(e)
        return PublicGraph(
            self.variant,
            self.menu,
            self.merge,
            np.ascontiguousarray(nodes[order]),
            new_starts,
            place[edges[moved, 0]],
            edges[moved, 1].astype(np.int8),
            np.ascontiguousarray(edges[moved, 2]),
            np.ascontiguousarray(edges[moved, 3]),
        )


def _doubled(array: NDArray[np.int32]) -> NDArray[np.int32]:
    # The array, its double, and a sorted copy at the end.
    check_memory(
        "the arrays of the public graph",
        4 * array.nbytes,
        "merge its nodes, or offer fewer bets",
    )
    return np.concatenate([array, np.empty_like(array)])
