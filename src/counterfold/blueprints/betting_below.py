"""The betting below one decision of a public graph, every history a node of its own."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.errors import TooLargeError
from counterfold.public.graph import PublicGraph

MOST_NODES = 400_000


@dataclass(frozen=True, eq=False)
class BettingBelow:
    """Nodes level by level, so the children of all nodes follow each other."""

    nodes: NDArray[np.int32]  # [N] of the graph
    situations: NDArray[np.int32]  # [N, N_FIELDS]
    starts: NDArray[np.int32]  # [N + 1] node n owns children starts[n]:starts[n + 1]
    children: NDArray[np.int32]  # [N - 1]


def grow_below(graph: PublicGraph, node: int, most: int = MOST_NODES) -> BettingBelow:
    """The tree below `node`; raises `TooLargeError` rather than grow more than `most` nodes."""
    levels = [np.array([node], np.int32)]
    degrees = []
    while levels[-1].size:
        here = levels[-1]
        counts = graph.starts[here + 1] - graph.starts[here]
        firsts = np.cumsum(counts) - counts
        edges = np.repeat(graph.starts[here] - firsts, counts) + np.arange(counts.sum())
        levels.append(graph.children[edges])
        degrees.append(counts)
        if sum(level.size for level in levels) > most:
            raise TooLargeError(
                f"the betting below this decision has more than {most:,} histories; ask for one "
                "further down the line"
            )
    nodes = np.concatenate(levels)
    starts = np.concatenate(([0], np.cumsum(np.concatenate(degrees)))).astype(np.int32)
    children = np.arange(1, nodes.size, dtype=np.int32)
    return BettingBelow(nodes, graph.situations[nodes], starts, children)
