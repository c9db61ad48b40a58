"""Ranges through bids and through cards that both players see go."""

from counterfold.bots.follow_kernels import follow_auction
from counterfold.bots.tracking.range_tracking_kernels import (
    AMOUNT,
    CHILD,
    KIND,
    NO_TARGET,
    TARGET,
    find_hand_chances,
    list_actions,
    reading_at,
    replace_range,
)
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import BID, DISCARD
from counterfold.jit.compiler import borrowing_kernel
from counterfold.public.walk_kernels import NODE_START


@borrowing_kernel
def range_after_bid(policy, rules, situation, stage, labels, amount, held, room):
    """Weigh every hand with how likely it is to bid what the bot has bid at `situation`.

    After a second bid the bot waits at its node for `range_after_auction`.
    """
    after = room.after
    after.n[0] = 0
    settles = situation[betting.FIRST_BID] > 0
    for r in range(held.n[0]):
        node, weights = held.nodes[r], held.weights[r]
        n_actions = list_actions(policy, rules, situation, node, room.actions)
        untrained = NO_TARGET
        for k in range(n_actions):
            room.actions[k, TARGET] = NO_TARGET
            if room.actions[k, KIND] == BID and room.actions[k, AMOUNT] == amount:
                child = node if settles else room.actions[k, CHILD]
                room.actions[k, TARGET] = reading_at(after, child)
        if amount == 0:
            waits = settles or n_actions == 0
            usual = node if waits else policy.children[policy.nodes[node, NODE_START]]
            untrained = reading_at(after, usual)
        for target in range(after.n[0]):
            find_hand_chances(
                policy, situation, node, stage, labels, weights, n_actions, BID, target, untrained,
                room, room.found
            )  # fmt: skip
            for h in range(weights.size):
                after.weights[target, h] += weights[h] * room.found[h]
    replace_range(held, after)


@borrowing_kernel
def range_after_auction(policy, situation, held, room):
    """The readings once an auction is settled and `situation` is the situation after it."""
    after = room.after
    after.n[0] = 0
    for r in range(held.n[0]):
        target = reading_at(after, follow_auction(policy, held.nodes[r], situation))
        for h in range(held.weights.shape[1]):
            after.weights[target, h] += held.weights[r, h]
    replace_range(held, after)


@borrowing_kernel
def add_bids(policy, rules, situation, stage, labels, margins, held, room, bids, sums):
    """Overwrite `bids` with those that the bot may make at `situation`, and `sums` [bids, 4] with
    the weight of the hands that make them and their weighted `margins` [3, H]; returns how many.

    A bid may come several times. Both outputs have a row for each action of each reading.
    """
    n = 0
    for r in range(held.n[0]):
        node, weights = held.nodes[r], held.weights[r]
        n_actions = list_actions(policy, rules, situation, node, room.actions)
        for k in range(max(n_actions, 1)):
            bids[n] = room.actions[k, AMOUNT] if n_actions > 0 else 0
            for other in range(n_actions):
                room.actions[other, TARGET] = 0 if other == k else NO_TARGET
            find_hand_chances(
                policy, situation, node, stage, labels, weights, n_actions, BID, 0,
                0 if k == 0 else NO_TARGET, room, room.found
            )  # fmt: skip
            sums[n, :] = 0.0
            for h in range(weights.size):
                weight = weights[h] * room.found[h]
                sums[n, 0] += weight
                for case in range(3):
                    sums[n, 1 + case] += weight * margins[case, h]
            n += 1
    return n


@borrowing_kernel
def range_after_give(
    policy, rules, situation, stage, labels, chosen, numbers, into, sets, usual, held, room, out
):  # fmt: skip
    """Overwrite `out` with the hands that remain once the bot has given away cards that all see.

    Parameters
    ----------
    chosen, numbers, into
        The hands that had these cards, the number of the set that they are of each, and the hand of
        `out` that remains.
    sets
        The first number of a set of as many cards, and the one after the last.
    usual
        The number of the set that goes where nothing was trained, or `NO_TARGET`.
    """
    out.n[0] = 0
    for r in range(held.n[0]):
        node, weights = held.nodes[r], held.weights[r]
        n_actions = list_actions(policy, rules, situation, node, room.actions)
        child = node
        for k in range(n_actions):
            gives = room.actions[k, KIND] == DISCARD
            room.actions[k, TARGET] = room.actions[k, AMOUNT] if gives else NO_TARGET
            if gives and room.actions[k, AMOUNT] == sets[0]:
                child = room.actions[k, CHILD]
        target = reading_at(out, child)
        for number in range(sets[0], sets[1]):
            find_hand_chances(
                policy, situation, node, stage, labels, weights, n_actions, DISCARD, number, usual,
                room, room.found
            )  # fmt: skip
            for m in range(chosen.size):
                if numbers[m] == number:
                    h = chosen[m]
                    out.weights[target, into[m]] += weights[h] * room.found[h]
