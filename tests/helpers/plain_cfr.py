"""CFR without any cleverness over listed deals, for what cleverer walks must add up to."""

import numpy as np

from counterfold.games.holdem import betting_kernels as betting
from helpers.small_boards import normalize


def full_width(small, rows, weights, regrets, traverser):
    """What plain CFR adds to the traverser's regrets and to the other's averages on some deals."""
    game, graph, deals = small.game, small.game.graph, small.deals
    strategy = normalize(game, regrets)
    phase, actor = graph.phase, graph.field(betting.ACTOR)
    spent = graph.situations[:, [betting.SPENT_0, betting.SPENT_1]]
    reach = np.zeros((graph.n_nodes, rows.size))
    reach[0] = weights
    new_regrets, new_averages = np.zeros((2, game.n_slots))

    def slots(node):
        bucket = small.buckets[rows, actor[node], game.stage[node]].astype(np.int64)
        n_actions = game.n_actions[game.classes[node]]
        return game.node_offsets[node] + n_actions * bucket[None] + np.arange(n_actions)[:, None]

    def takes(node, k):
        if graph.starts[node + 1] - graph.starts[node] == 1:
            return 1.0
        ends = deals.lengths[rows] == graph.field(betting.STREET)[node] + 1
        return ends if k == 1 else ~ends

    for node in range(graph.n_nodes):
        for k, edge in enumerate(range(graph.starts[node], graph.starts[node + 1])):
            share = 1.0
            if phase[node] == betting.DEAL:
                share = takes(node, k)
            elif actor[node] != traverser:
                share = strategy[slots(node)[k]]
                np.add.at(new_averages, slots(node)[k], reach[node] * share)
            reach[graph.children[edge]] += reach[node] * share
    values = np.zeros((graph.n_nodes, rows.size))
    for node in range(graph.n_nodes - 1, -1, -1):
        children = graph.children[graph.starts[node] : graph.starts[node + 1]]
        if phase[node] == betting.FOLDED:
            values[node] = spent[node, actor[node]] * (-1 if actor[node] == traverser else 1)
        elif phase[node] == betting.SHOWDOWN:
            signs = np.sign(deals.strengths[rows, 0, 0] - deals.strengths[rows, 1, 0])
            values[node] = spent[node, 0] * signs * (1 if traverser == 0 else -1)
        elif phase[node] == betting.DEAL:
            values[node] = sum(takes(node, k) * values[c] for k, c in enumerate(children))
        else:
            values[node] = (strategy[slots(node)] * values[children]).sum(axis=0)
            if actor[node] == traverser:
                gains = reach[node] * (values[children] - values[node])
                np.add.at(new_regrets, slots(node), gains)
    return new_regrets, new_averages
