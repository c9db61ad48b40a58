"""The range of a bot that plays a policy: how likely each of its hands is after what all saw.

Where a bet is off the bot's menu, the bot may read it in two ways and draws lots, which nobody
sees. So a range keeps *readings*: nodes of the policy at which the bot may be, each with a weight
for every hand. Weights are joint probabilities up to a factor.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.bid_kernels import real_paid
from counterfold.bots.follow_kernels import find_readings, follow_deal, read_raise
from counterfold.bots.policy_kernels import (
    BY_ODDS,
    LOST,
    act_on_edge,
    by_odds,
    find_chances,
    passive_edge,
)
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import BET, CALL, DISCARD, FOLD, KEEP, RAISE
from counterfold.jit.compiler import borrowing_kernel
from counterfold.public.walk_kernels import NODE_ACTOR, NODE_DEGREE, NODE_PHASE, NODE_START

MOST_READINGS = 8  # after an action of the opponent's; no more are made
N_READINGS = 64  # that a range has room for

# Columns of `RangeScratch.actions`.
KIND, AMOUNT, CHILD, TARGET = range(4)
N_ACTION_COLUMNS = 4
NO_TARGET = -1


class TrackedRange(NamedTuple):
    """Readings with weights. Shapes: ``R`` readings, ``H`` hands."""

    n: NDArray[np.int64]  # [1] readings
    nodes: NDArray[np.int64]  # [R]
    weights: NDArray[np.float64]  # [R, H]


class RangeScratch(NamedTuple):
    """Work space."""

    after: TrackedRange
    actions: NDArray[np.int64]  # [most actions, N_ACTION_COLUMNS]
    chances: NDArray[np.float64]  # [most actions]
    stamp: NDArray[np.int64]  # [1] of the question that is asked of all buckets
    stamps: NDArray[np.int64]  # [buckets] the question that was last answered
    answers: NDArray[np.float64]  # [buckets]
    found: NDArray[np.float64]  # [H] how often each hand does what is asked
    moved: NDArray[np.float64]  # [52, 52] weight of hands that keep a card and give another away
    kept: NDArray[np.float64]  # [52] sums of `moved`


@borrowing_kernel
def begin_range(hands, seen, held):
    """Every hand without the cards in `seen` is equally likely; the policy is at its first node."""
    held.n[0] = 1
    held.nodes[0] = 0
    for h in range(hands.bits.size):
        held.weights[0, h] = 0.0 if hands.bits[h] & seen else 1.0


@borrowing_kernel
def remove_cards(hands, seen, held):
    """Take out the hands that have a card in `seen`."""
    for r in range(held.n[0]):
        for h in range(hands.bits.size):
            if hands.bits[h] & seen:
                held.weights[r, h] = 0.0


@borrowing_kernel
def add_up(held, totals):
    """Overwrite `totals` [H] with the weights over all readings; returns their sum."""
    totals[:] = 0.0
    total = 0.0
    for r in range(held.n[0]):
        for h in range(totals.size):
            totals[h] += held.weights[r, h]
            total += held.weights[r, h]
    return total


@borrowing_kernel
def reading_at(held, node):
    """The reading at `node`, made if there is none."""
    for r in range(held.n[0]):
        if held.nodes[r] == node:
            return r
    # Nobody has seen a range so full; what is beyond would be taken for the last reading.
    r = min(held.n[0], N_READINGS - 1)
    if r == held.n[0]:
        held.nodes[r] = node
        held.weights[r, :] = 0.0
        held.n[0] += 1
    return r


@borrowing_kernel
def replace_range(held, after):
    """Take over the readings in `after` that have a weight."""
    n = 0
    for r in range(after.n[0]):
        if after.weights[r].any():
            held.nodes[n] = after.nodes[r]
            for h in range(held.weights.shape[1]):
                held.weights[n, h] = after.weights[r, h]
            n += 1
    held.n[0] = n


@borrowing_kernel
def range_after_deal(policy, situation, held, room):
    """The readings once a street is dealt and `situation` is the situation after it."""
    after = room.after
    after.n[0] = 0
    for r in range(held.n[0]):
        target = reading_at(after, follow_deal(policy, held.nodes[r], situation))
        for h in range(held.weights.shape[1]):
            after.weights[target, h] += held.weights[r, h]
    replace_range(held, after)


@borrowing_kernel
def count_readings(policy, kind, amount, situation, stack, held, room):
    """How many readings there would be after an action of the opponent's."""
    n = 0
    for r in range(held.n[0]):
        low, high, share = find_readings(policy, held.nodes[r], kind, amount, situation, stack)
        for way in range(2):
            node = low if way == 0 else high
            known = (share if way == 0 else 1.0 - share) == 0.0
            for k in range(n):
                known |= room.after.nodes[k] == node
            if not known:
                room.after.nodes[n] = node
                n += 1
    return n


@borrowing_kernel
def range_after_opponent(policy, kind, amount, situation, stack, held, room):
    """The readings once the opponent has acted, as the bot draws lots for them."""
    after = room.after
    after.n[0] = 0
    for r in range(held.n[0]):
        low, high, share = find_readings(policy, held.nodes[r], kind, amount, situation, stack)
        for way in range(2):
            chance = share if way == 0 else 1.0 - share
            if chance == 0.0:
                continue
            target = reading_at(after, low if way == 0 else high)
            for h in range(held.weights.shape[1]):
                after.weights[target, h] += chance * held.weights[r, h]
    replace_range(held, after)


@borrowing_kernel
def list_actions(policy, rules, situation, node, actions):
    """Overwrite `actions` with what each edge of `node` comes to in the real situation.

    Returns how many there are: 0 where the policy has left its game.
    """
    if node == LOST or policy.nodes[node, NODE_PHASE] != situation[betting.PHASE]:
        return 0
    if policy.nodes[node, NODE_ACTOR] != situation[betting.ACTOR]:
        return 0
    start, width = policy.nodes[node, NODE_START], policy.nodes[node, NODE_DEGREE]
    for k in range(width):
        kind, amount, edge = act_on_edge(policy, rules, situation, node, start + k)
        actions[k, KIND] = kind
        actions[k, AMOUNT] = amount
        actions[k, CHILD] = policy.children[edge]
    return width


@borrowing_kernel
def _without_strategy(policy, situation, stage, bucket):
    """What a hand that bets does where nothing was trained."""
    to_call = abs(situation[betting.SPENT_0] - situation[betting.SPENT_1])
    pot = situation[betting.SPENT_0] + situation[betting.SPENT_1] + real_paid(situation)
    return by_odds(policy, stage, bucket, to_call, pot)


@borrowing_kernel
def _untrained_child(policy, node, n_actions):
    """Where the policy is after a check, call, fold or keep for which nothing was trained."""
    if n_actions == 0:
        return node
    if policy.nodes[node, NODE_PHASE] < BET:
        return policy.children[policy.nodes[node, NODE_START]]
    return policy.children[passive_edge(policy, node)]


@borrowing_kernel
def _find_chance(policy, situation, node, stage, bucket, n_actions, kind, target, untrained, room):
    """How often a hand in `bucket` does an action of `kind` that `room.actions` marks as `target`.

    `untrained` is the mark of what it does where nothing was trained, `NO_TARGET` if that is not
    an action of `kind`.
    """
    if n_actions == 0 or not find_chances(policy, node, bucket, room.chances):
        if situation[betting.PHASE] < BET:  # before the betting all hands do the same
            return 1.0 if untrained == target else 0.0
        does = _without_strategy(policy, situation, stage, bucket)
        return 1.0 if does == kind and untrained == target else 0.0
    chance = 0.0
    for k in range(n_actions):
        if room.actions[k, TARGET] == target:
            does = room.actions[k, KIND]
            if does == BY_ODDS:
                does = _without_strategy(policy, situation, stage, bucket)
            if does == kind:
                chance += room.chances[k]
    return chance


@borrowing_kernel
def find_hand_chances(
    policy, situation, node, stage, labels, weights, n_actions, kind, target, untrained, room, out
):  # fmt: skip
    """Overwrite `out` [H] with what `_find_chance` says of hands that have a weight.

    Hands in one bucket act alike, so that each bucket is asked once.
    """
    room.stamp[0] += 1
    stamp = room.stamp[0]
    for h in range(weights.size):
        if weights[h] == 0.0:
            out[h] = 0.0
            continue
        bucket = labels[h]
        if room.stamps[bucket] != stamp:
            room.stamps[bucket] = stamp
            room.answers[bucket] = _find_chance(
                policy, situation, node, stage, bucket, n_actions, kind, target, untrained, room
            )
        out[h] = room.answers[bucket]


@borrowing_kernel
def sum_folds(policy, rules, situation, node, stage, labels, weights, margins, share, room):
    """The weight of hands that fold at `node`, and the margins of those that do not, summed.

    All weights are multiplied by `share`.
    """
    n_actions = list_actions(policy, rules, situation, node, room.actions)
    room.actions[:n_actions, TARGET] = 0
    find_hand_chances(
        policy, situation, node, stage, labels, weights, n_actions, FOLD, 0, 0, room, room.found
    )
    folded = called = 0.0
    for h in range(weights.size):
        weight = share * weights[h]
        folded += weight * room.found[h]
        called += weight * (1.0 - room.found[h]) * margins[h]
    return folded, called


@borrowing_kernel
def mark_actions(policy, node, n_actions, kind, amount, after, actions):
    """Mark the actions that look like what was seen with the reading in `after` they lead to.

    Discards are marked by their place instead. Returns the mark of what is done untrained.
    """
    for k in range(n_actions):
        does = actions[k, KIND]
        alike = does == kind and (kind != RAISE or actions[k, AMOUNT] == amount)
        alike |= does == BY_ODDS and (kind in (FOLD, CALL))
        actions[k, TARGET] = NO_TARGET
        if alike and kind == DISCARD:
            actions[k, TARGET] = actions[k, AMOUNT]
        elif alike:
            actions[k, TARGET] = reading_at(after, actions[k, CHILD])
    if kind in (KEEP, FOLD, CALL):
        return reading_at(after, _untrained_child(policy, node, n_actions))
    return NO_TARGET


@borrowing_kernel
def range_after_bot(policy, rules, situation, stage, labels, kind, amount, held, room):
    """Weigh every hand with how likely it is to do what the bot has done, but for a discard.

    Parameters
    ----------
    labels
        [H] the buckets of hands; any number for those that are not possible.
    amount
        Of a raise, its total over the hand.
    """
    after = room.after
    after.n[0] = 0
    for r in range(held.n[0]):
        node, weights = held.nodes[r], held.weights[r]
        n_actions = list_actions(policy, rules, situation, node, room.actions)
        untrained = mark_actions(policy, node, n_actions, kind, amount, after, room.actions)
        for target in range(after.n[0]):
            find_hand_chances(
                policy, situation, node, stage, labels, weights, n_actions, kind, target,
                untrained, room, room.found
            )  # fmt: skip
            for h in range(weights.size):
                after.weights[target, h] += weights[h] * room.found[h]
    replace_range(held, after)


@borrowing_kernel
def _chance_of_edge(policy, node, bucket, edge, kind, n_actions, room):
    """How often a hand in `bucket` takes `edge`, or calls in any way; 1 where nothing is known."""
    if not find_chances(policy, node, bucket, room.chances):
        return 1.0
    if kind == RAISE:
        return room.chances[edge - policy.nodes[node, NODE_START]]
    chance = 0.0
    for k in range(n_actions):
        if room.actions[k, KIND] == CALL or room.actions[k, KIND] == BY_ODDS:
            chance += room.chances[k]
    return chance


@borrowing_kernel
def _add_seen(policy, node, labels, weights, edge, kind, share, n_actions, room):
    """Add the hands that take `edge` at `node`, a share of them, to the readings after it."""
    target = reading_at(room.after, policy.children[edge])
    room.stamp[0] += 1
    stamp = room.stamp[0]
    for h in range(weights.size):
        if weights[h] == 0.0:
            continue
        bucket = labels[h]
        if room.stamps[bucket] != stamp:
            room.stamps[bucket] = stamp
            room.answers[bucket] = _chance_of_edge(
                policy, node, bucket, edge, kind, n_actions, room
            )
        room.after.weights[target, h] += share * weights[h] * room.answers[bucket]


@borrowing_kernel
def range_after_seen(policy, rules, situation, stage, labels, kind, amount, held, room):
    """Weigh every hand with how likely the policy is to check, call or raise as somebody did.

    A raise off its menu counts for those that the policy would read it as. Where the policy is not
    asked, was not trained, or may not raise, what was done says nothing about the hand. Returns
    False, and leaves the range as it is, if no hand would be left.
    """
    after, stack = room.after, rules.table[betting.STACK]
    after.n[0] = 0
    for r in range(held.n[0]):
        node, weights = held.nodes[r], held.weights[r]
        n_actions = list_actions(policy, rules, situation, node, room.actions)
        if n_actions == 0 or (kind == RAISE and policy.raise_nodes[node] != node):
            low, high, share = find_readings(policy, node, kind, amount, situation, stack)
            for way in range(2):
                chance = share if way == 0 else 1.0 - share
                if chance > 0.0:
                    target = reading_at(after, low if way == 0 else high)
                    for h in range(weights.size):
                        after.weights[target, h] += chance * weights[h]
        elif kind == RAISE:
            low, high, share = read_raise(policy, node, situation, amount, stack)
            _add_seen(policy, node, labels, weights, low, kind, share, n_actions, room)
            if share < 1.0:
                _add_seen(policy, node, labels, weights, high, kind, 1.0 - share, n_actions, room)
        else:
            edge = passive_edge(policy, node)
            _add_seen(policy, node, labels, weights, edge, kind, 1.0, n_actions, room)
    if not after.weights[: after.n[0]].any():
        return False
    replace_range(held, after)
    return True
