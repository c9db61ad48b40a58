"""Counts of betting histories that others have published."""

import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.graph import build_graph


def count_decisions(graph, told_discards):
    """Histories that end in a decision, with discards told apart in so many ways."""
    ways = np.zeros(graph.n_nodes, np.int64)
    ways[0] = 1
    for node in range(graph.n_nodes):
        for edge in range(graph.starts[node], graph.starts[node + 1]):
            if graph.kinds[edge] != betting.DISCARD or graph.amounts[edge] < told_discards:
                ways[graph.children[edge]] += ways[node]
    return int(ways[graph.decisions].sum())


# Pineapple (MIT Pokerbots 2017) reports about 3.3 million histories; see
# docs/explanation/public-graph.md.
@pytest.mark.parametrize(
    ("caps", "told_discards", "histories"),
    [
        ("cap 4", 2, 3_326_832),
        ("cap 4", 1, 665_401),
        ("rounds 2", 2, 3_525_864),
        ("rounds 2", 1, 707_001),
    ],
)
def test_histories_of_system_3(caps, told_discards, histories):
    graph = build_graph(parse_game("discard"), parse_menu(f"50%, 100%, allin; {caps}"))
    assert count_decisions(graph, told_discards) == histories
