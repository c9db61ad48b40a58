"""A strategy of an abstract game played in the real one: choose, translate, act.

A policy keeps a node of its public graph beside the real situation, as `bots.follow_kernels` says.
The edge that it chooses is translated back into a legal action. The two may diverge: where the
abstract game has nothing to call and the real one does, the policy calls by the odds; if the hand
has left the abstract game it is `LOST`.

The functions take and return numbers, so that matches in kernels, bots in Python and exported bots,
for which the same source runs without Numba, decide alike.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.menu_kernels import bid_of_size, total_of_size
from counterfold.bots.bid_kernels import (
    real_paid,
)
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import (
    BET,
    BID,
    CALL,
    DISCARD,
    DRAW,
    FOLD,
    KEEP,
    RAISE,
)
from counterfold.games.holdem.card_sets_kernels import FIRST_SETS
from counterfold.jit.compiler import borrowing_kernel
from counterfold.public.walk_kernels import (
    NODE_ACTOR,
    NODE_DEGREE,
    NODE_PHASE,
    NODE_SLOT,
    NODE_START,
)

LOST = -1
NO_EDGE = -1

# How a decision was made.
TRAINED, UNTRAINED, OFF_TREE, FORCED = range(4)

BY_ODDS = -1  # in place of a kind of action: a call or a fold, by the odds


class Policy(NamedTuple):
    """A trained strategy as arrays."""

    nodes: NDArray[np.int64]  # [N, 8] rows of `public.walk_kernels`
    children: NDArray[np.int32]  # [E]
    kinds: NDArray[np.int8]  # [E]
    amounts: NDArray[np.int32]  # [E]
    labels: NDArray[np.int32]  # [E]
    spent: NDArray[np.int32]  # [N, 2]
    finals: NDArray[np.int8]  # [N] 1 once no street can follow
    # [N] where raises of the actor are read: the node itself if it offers any, else the actor's
    # last node of the street that does, or `LOST`; at an auction the node of the first bid
    raise_nodes: NDArray[np.int32]
    quantized: NDArray[np.uint8] | NDArray[np.uint16]  # [Q] strategy
    entry_keys: NDArray[np.int64]  # [M] `entry_key` of nodes at which a street begins, ascending
    entries: NDArray[np.int32]  # [M] those nodes; none if the graph remembers the betting
    last_buckets: NDArray[np.int64]  # [stages] buckets of one street, by stage
    nearness: NDArray[np.int64]  # [2] of the menu
    auctions: NDArray[np.int32]  # [N, 3] see `bots.bid_kernels`; no rows without auctions
    rule: int
    threshold: float
    purify: bool


@borrowing_kernel
def kept_steps(policy, node, bucket):
    """Which steps of an information set are played: its first slot, the sum of all that are, what
    each of them must exceed, and the likeliest action.

    The sum is 0 where the likeliest is played alone, and all is 0 where nothing was trained.
    """
    width = policy.nodes[node, NODE_DEGREE]
    start = policy.nodes[node, NODE_SLOT] + width * bucket
    total = best = 0
    for k in range(width):
        total += int(policy.quantized[start + k])
        if policy.quantized[start + k] > policy.quantized[start + best]:
            best = k
    if total == 0:
        return start, 0, 0.0, NO_EDGE
    least = policy.threshold * total
    kept = 0
    if not policy.purify:
        for k in range(width):
            if policy.quantized[start + k] > least:
                kept += int(policy.quantized[start + k])
    return start, kept, least, best


@borrowing_kernel
def choose(policy, node, bucket, number):
    """The edge that the strategy plays at `node`, and whether it was trained there.

    Actions below the threshold are never played, unless all are; with `purify` the likeliest is.
    """
    start, kept, least, best = kept_steps(policy, node, bucket)
    if kept == 0:
        return best, best != NO_EDGE
    number *= kept
    chosen = best
    for k in range(policy.nodes[node, NODE_DEGREE]):
        if policy.quantized[start + k] > least:
            chosen = k
            number -= policy.quantized[start + k]
            if number < 0.0:
                break
    return chosen, True


@borrowing_kernel
def find_chances(policy, node, bucket, chances):
    """Overwrite `chances` with how often `choose` plays each edge; whether it was trained there."""
    start, kept, least, best = kept_steps(policy, node, bucket)
    for k in range(policy.nodes[node, NODE_DEGREE]):
        steps = policy.quantized[start + k]
        if kept == 0:
            chances[k] = 1.0 if k == best else 0.0
        else:
            chances[k] = steps / kept if steps > least else 0.0
    return best != NO_EDGE


@borrowing_kernel
def passive_edge(policy, node):
    """The edge of a check or call."""
    edge = policy.nodes[node, NODE_START]
    while policy.kinds[edge] != CALL:
        edge += 1
    return edge


@borrowing_kernel
def by_odds(policy, stage, bucket, to_call, pot):
    """Check, or call if the hand beats more hands than the price asks for, else fold."""
    if to_call == 0:
        return CALL
    n = policy.last_buckets[stage]
    beaten = ((bucket % n) + 0.5) / n
    return CALL if beaten * (pot + to_call) >= to_call else FOLD


@borrowing_kernel
def act_on_edge(policy, rules, situation, node, edge):
    """What an edge of `node` comes to in the real situation: kind, amount, and the edge to follow.

    A call that costs nothing in the abstract game, but does in the real one, is `BY_ODDS`.
    """
    to_call = abs(situation[betting.SPENT_0] - situation[betting.SPENT_1])
    kind = policy.kinds[edge]
    if kind == BID:
        return BID, bid_of_size(rules, situation, policy.labels[edge]), edge
    if kind == RAISE:
        total = total_of_size(rules, policy.nearness, situation, policy.labels[edge])
        if total == 0:
            return CALL, 0, edge
        return RAISE, total, edge
    if kind == FOLD and to_call == 0:
        return CALL, 0, passive_edge(policy, node)
    if kind == CALL and to_call > 0 and policy.spent[node, 0] == policy.spent[node, 1]:
        return BY_ODDS, 0, edge
    return kind, policy.amounts[edge], edge


@borrowing_kernel
def has_choice(policy, situation, node):
    """Whether the strategy is asked in the real situation: if not, the hand has left its game."""
    if node == LOST or policy.nodes[node, NODE_PHASE] != situation[betting.PHASE]:
        return False
    return policy.nodes[node, NODE_ACTOR] == situation[betting.ACTOR]


@borrowing_kernel
def decide(policy, rules, situation, node, stage, bucket, number):
    """What the policy does in the real situation: kind, amount, edge of its node, and how so.

    The amount of a raise is its total over the hand, of a discard the set of cards, of a bid its
    chips. `bucket` is that of its hand at the card stage `stage`.
    """
    k = NO_EDGE
    if has_choice(policy, situation, node):
        k, _ = choose(policy, node, bucket, number)
    return perform(policy, rules, situation, node, stage, bucket, k)


@borrowing_kernel
def usual_choice(rules, situation):
    """What is done before the betting without a strategy: bid nothing, keep, or, where a card must
    go, discard the first.
    """
    if situation[betting.PHASE] != DRAW:
        return BID
    return DISCARD if betting.choice_rule(rules, situation, betting.MUST_DISCARD) == 1 else KEEP


@borrowing_kernel
def usual_amount(rules, situation):
    """The set of cards that goes by `usual_choice`, if it discards: the first of those that may."""
    if situation[betting.PHASE] != DRAW:
        return 0
    if betting.choice_rule(rules, situation, betting.MUST_DISCARD) == 0:
        return 0
    n_held = betting.choice_rule(rules, situation, betting.N_HELD)
    return FIRST_SETS[n_held, betting.choice_rule(rules, situation, betting.N_TURNS)]


@borrowing_kernel
def perform(policy, rules, situation, node, stage, bucket, k):
    """As `decide`, once edge `k` of the node is chosen, or `NO_EDGE` without a trained strategy.

    It then checks, or calls by the odds, keeps its cards and bids nothing: it never bets. A call
    that costs nothing in its own game, but does in the real one, is also made by the odds.
    """
    phase = situation[betting.PHASE]
    to_call = abs(situation[betting.SPENT_0] - situation[betting.SPENT_1])
    pot = situation[betting.SPENT_0] + situation[betting.SPENT_1] + real_paid(situation)
    if node == LOST or policy.nodes[node, NODE_PHASE] != phase:
        if phase < BET:
            amount = usual_amount(rules, situation)
            return usual_choice(rules, situation), amount, NO_EDGE, OFF_TREE
        how = OFF_TREE if node == LOST else FORCED
        return by_odds(policy, stage, bucket, to_call, pot), 0, NO_EDGE, how
    if policy.nodes[node, NODE_ACTOR] != situation[betting.ACTOR]:
        return by_odds(policy, stage, bucket, to_call, pot), 0, NO_EDGE, OFF_TREE
    if k == NO_EDGE:
        if phase < BET:
            edge = policy.nodes[node, NODE_START]
            amount = usual_amount(rules, situation)
            return usual_choice(rules, situation), amount, edge, UNTRAINED
        kind = by_odds(policy, stage, bucket, to_call, pot)
        edge = passive_edge(policy, node)
        return kind, 0, edge, UNTRAINED
    edge = policy.nodes[node, NODE_START] + k
    kind, amount, edge = act_on_edge(policy, rules, situation, node, edge)
    if kind == BY_ODDS:
        return by_odds(policy, stage, bucket, to_call, pot), 0, edge, FORCED
    return kind, amount, edge, TRAINED
