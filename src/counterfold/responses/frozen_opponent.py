"""A bot as an opponent that does not learn: what it plays at every node, in its own game.

The table has what the bot plays, not what it was trained to: thresholds and purification are in it.
Where nothing was trained the bot calls by the odds and makes the usual choice before the betting,
as `bots.policy_kernels.perform` does, which depends on the node and not on its class alone.
"""

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.policy_kernels import Policy
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.infosets import PublicGame, SlotLayout
from counterfold.public.walk_order import order_nodes
from counterfold.responses import frozen_opponent_kernels
from counterfold.training import frozen_kernels
from counterfold.training.frozen_kernels import FrozenOpponent

# An action that gained by accident costs the responder more than one that it is slow to believe.
# More than one, so what was tried once changes nothing.
EVIDENCE = 1.1  # standard errors


def freeze(
    policy: Policy, game: PublicGame, layout: SlotLayout, evidence: float = EVIDENCE
) -> FrozenOpponent:
    """What `policy` plays in `game`, for walks in the order of `rearrange`, whose layout it is."""
    steps = np.zeros(game.n_slots, policy.quantized.dtype)
    nodes = game.graph.decisions
    class_nodes = np.zeros(game.n_classes, np.int64)
    class_nodes[game.classes[nodes]] = nodes
    frozen_opponent_kernels.keep_steps(
        policy, class_nodes, game.n_buckets, game.n_actions, layout, steps
    )
    return FrozenOpponent(steps, _habits(policy, game)[order_nodes(game.graph)], evidence)


def _habits(policy: Policy, game: PublicGame) -> NDArray[np.int64]:
    """See `FrozenOpponent.habits`; before the betting the first edge is the usual choice."""
    graph = game.graph
    habits = np.zeros((graph.n_nodes, frozen_kernels.N_HABIT_COLUMNS), np.int64)
    habits[:, frozen_kernels.HABIT_BUCKETS] = policy.last_buckets[game.stage]
    bets = graph.phase == betting.BET
    columns = ((betting.CALL, frozen_kernels.HABIT_CALL), (betting.FOLD, frozen_kernels.HABIT_FOLD))
    for kind, column in columns:
        edges = np.flatnonzero((graph.kinds == kind) & bets[graph.sources])
        nodes = graph.sources[edges]
        habits[nodes, column] = edges - graph.starts[nodes]
    first, second, *paid = (
        np.where(bets, graph.field(field).astype(np.int64), 0)
        for field in (betting.SPENT_0, betting.SPENT_1, betting.PAID_0, betting.PAID_1)
    )
    habits[:, frozen_kernels.HABIT_PRICE] = np.abs(first - second)
    habits[:, frozen_kernels.HABIT_POT] = (
        first + second + sum(paid) + habits[:, frozen_kernels.HABIT_PRICE]
    )
    return habits
