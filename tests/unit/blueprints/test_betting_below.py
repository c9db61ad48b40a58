"""The betting below a decision, against the graph that it comes from."""

import pytest

from counterfold.blueprints.betting_below import grow_below
from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import TooLargeError
from counterfold.games.holdem import betting_kernels as betting


def test_the_betting_below_is_a_tree(small_runs):
    graph = TrainedBot(small_runs["nolimit"]).run.blueprint.game.graph
    tree = grow_below(graph, 0)
    assert tree.nodes.size == graph.count_tree()
    assert sorted(tree.children.tolist()) == list(range(1, tree.nodes.size))
    for node in range(0, tree.nodes.size, 7):
        children = tree.children[tree.starts[node] : tree.starts[node + 1]]
        there = graph.children[graph.starts[tree.nodes[node]] : graph.starts[tree.nodes[node] + 1]]
        assert tree.nodes[children].tolist() == there.tolist()
    assert (tree.situations[:, betting.PHASE] == graph.phase[tree.nodes]).all()


def test_too_large_a_tree_is_refused(small_runs):
    graph = TrainedBot(small_runs["nolimit"]).run.blueprint.game.graph
    with pytest.raises(TooLargeError, match="more than 10 histories"):
        grow_below(graph, 0, most=10)
