"""A bot as an opponent that does not learn plays as the bot does at every node of its game."""

import numpy as np
import pytest

from counterfold.bots import policy_kernels
from counterfold.bots.played_run import policy_of
from counterfold.bots.policy_kernels import NO_EDGE
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.walk_kernels import NODE_DEGREE, NODE_SLOT, NODE_STRIDE
from counterfold.public.walk_order import order_nodes, rearrange, walk_graph
from counterfold.responses.frozen_opponent import freeze
from counterfold.training.frozen_kernels import play_frozen

# With a threshold, purified, with an auction, tossed cards, swaps, and plain.
NAMES = ("discard-history", "limit", "auction", "toss", "swap", "bounty-exact", "nolimit")


@pytest.mark.parametrize("name", NAMES)
def test_the_opponent_plays_as_the_bot_does(small_runs, name, rng):
    run = small_runs[name]
    game, policy = run.blueprint.game, policy_of(run)
    untrained = rng.random(game.n_slots) < 0.05
    quantized = np.where(untrained, 0, policy.quantized).astype(np.uint8)
    nodes = game.graph.decisions
    for node in rng.choice(nodes, min(nodes.size, 20), replace=False):
        start, width = game.node_offsets[node], game.n_actions[game.classes[node]]
        quantized[start : start + width] = 0  # its first bucket is untrained
    policy = policy._replace(quantized=quantized)
    graph, layout = rearrange(walk_graph(game, run.plan.dealer), game)
    frozen = freeze(policy, game, layout)
    place = np.argsort(order_nodes(game.graph))
    chances, played = np.zeros((2, int(game.n_actions.max())))
    n_untrained = 0
    for node in rng.choice(nodes, min(nodes.size, 200), replace=False):
        at, stage = place[node], int(game.stage[node])
        for bucket in {0, int(rng.integers(game.n_buckets[game.classes[node]]))}:
            start = graph.nodes[at, NODE_SLOT] + graph.nodes[at, NODE_STRIDE] * bucket
            width = int(graph.nodes[at, NODE_DEGREE])
            play_frozen(frozen, graph.nodes, at, start, width, played)
            if policy_kernels.find_chances(policy, node, bucket, chances):
                np.testing.assert_allclose(played[:width], chances[:width], atol=1e-12)
            else:
                n_untrained += 1
                assert played[_usual_edge(run, policy, node, stage, bucket)] == 1.0
    assert n_untrained


def _usual_edge(run, policy, node, stage, bucket):
    """The number of the edge that the bot takes without a strategy, by its kind."""
    graph = run.blueprint.game.graph
    situation = graph.situations[node].astype(np.int64)
    rules = run.plan.variant.rules
    kind, amount, _, _ = policy_kernels.perform(
        policy, rules, situation, node, stage, bucket, NO_EDGE
    )
    first = graph.starts[node]
    kinds = graph.kinds[first : graph.starts[node + 1]]
    amounts = graph.amounts[first : graph.starts[node + 1]]
    return next(
        k
        for k, found in enumerate(kinds)
        if found == kind and (kind != betting.BID or amounts[k] == amount)
    )
