"""Where a policy is in its own game while the real hand goes on: what others do, as edges of it.

What the opponent does is translated into an edge of the node that the policy keeps. The two games
may diverge: a raise beyond the cap of the menu is read as one that the opponent could have made
earlier on the street; if the hand has left the abstract game it is `LOST`; when an auction is
settled, the node is chosen by who won it and by the price; and when a new street begins, the node
is chosen again, by the pot, unless the graph remembers the betting.
"""

import numpy as np

from counterfold.bets.menu_kernels import ALL_IN
from counterfold.bots.bid_kernels import (
    find_outcome,
    paid_at,
    read_bid,
    real_paid,
    share_of_lower,
)
from counterfold.bots.policy_kernels import LOST, passive_edge
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import (
    AUCTION,
    BET,
    BID,
    DEAL,
    DISCARD,
    DRAW,
    FOLD,
    KEEP,
    RAISE,
)
from counterfold.jit.compiler import borrowing_kernel
from counterfold.public.walk_kernels import NODE_ACTOR, NODE_DEGREE, NODE_PHASE, NODE_START

POT_BITS, DREW_BITS = 26, 30  # of an `entry_key`


@borrowing_kernel
def entry_key(street, final, drew, pot):
    """A number that orders the beginnings of streets: by what must agree, then by the pot."""
    return (((street * 2 + final) << DREW_BITS | drew) << POT_BITS) | pot


@borrowing_kernel
def _pots(total, other, paid):
    """Chips that a raise adds to a call, in pots after the call."""
    return (total - other) / max(2.0 * other + paid, 1.0)


@borrowing_kernel
def read_raise(policy, node, situation, total, stack):
    """The edges of the actor at `node` that a real raise to `total` may stand for: the lower one,
    the higher one, and how likely the lower one is. They are the same where there is no choice.

    See `bets.translation`: sizes in pots after the call, a check or call as size 0, a real
    all-in apart. Where the menu allows no more raises, the edges are those of an earlier node, as
    if the actor had raised like that before; where it never allowed any, it is a check or call.
    """
    if policy.raise_nodes[node] == LOST:
        edge = passive_edge(policy, node)
        return edge, edge, 1.0
    node = policy.raise_nodes[node]
    stop = policy.nodes[node, NODE_START] + policy.nodes[node, NODE_DEGREE]
    low = passive_edge(policy, node)
    paid = max(situation[betting.PAID_0], situation[betting.PAID_1])
    if total == stack - paid and policy.labels[stop - 1] == ALL_IN:
        return stop - 1, stop - 1, 1.0
    actor = policy.nodes[node, NODE_ACTOR]
    other, paid = float(policy.spent[node, 1 - actor]), paid_at(policy, node)
    real_other = situation[betting.SPENT_1 if situation[betting.ACTOR] == 0 else betting.SPENT_0]
    size = _pots(total, float(real_other), real_paid(situation))
    low_size = 0.0
    for edge in range(low + 1, stop):
        high_size = _pots(float(policy.amounts[edge]), other, paid)
        if high_size >= size:
            if high_size == size:
                return edge, edge, 1.0
            return edge - 1, edge, share_of_lower(policy.rule, size, low_size, high_size)
        low_size = high_size
    return stop - 1, stop - 1, 1.0


@borrowing_kernel
def find_readings(policy, node, kind, total, situation, stack):
    """The nodes that a real action at the situation `situation` may lead to: two, and how likely
    the first one is. They are the same where there is no choice.

    `kind` is that of an edge; all discards of as many cards lead to one node. A second bid
    waits for `follow_auction`.
    """
    if node == LOST:
        return node, node, 1.0
    phase = policy.nodes[node, NODE_PHASE]
    if kind == BID:
        if phase != AUCTION or situation[betting.FIRST_BID] > 0:
            return node, node, 1.0
        spent = max(situation[betting.SPENT_0], situation[betting.SPENT_1])
        paid = situation[betting.PAID_0 if situation[betting.ACTOR] == 0 else betting.PAID_1]
        most = stack - spent - paid
        low, high, share = read_bid(policy, node, situation, total, most)
        return policy.children[low], policy.children[high], share
    if phase == DRAW and (kind in (KEEP, DISCARD)):
        edge = policy.nodes[node, NODE_START]
        if kind == DISCARD:
            stop = edge + policy.nodes[node, NODE_DEGREE]
            while edge < stop - 1 and (policy.kinds[edge] == KEEP or policy.amounts[edge] != total):
                edge += 1
        after = policy.children[edge]
        return after, after, 1.0
    if phase != BET or kind in (KEEP, DISCARD):
        return node, node, 1.0  # the abstract street is over: it waits
    if policy.nodes[node, NODE_ACTOR] != situation[betting.ACTOR]:
        return node, node, 1.0
    if kind == RAISE:
        low, high, share = read_raise(policy, node, situation, total, stack)
        return policy.children[low], policy.children[high], share
    if kind == FOLD:
        return node, node, 1.0
    after = policy.children[passive_edge(policy, node)]
    return after, after, 1.0


@borrowing_kernel
def follow(policy, node, kind, total, situation, stack, number):
    """The node once the actor has done a real action at the situation `situation`."""
    low, high, share = find_readings(policy, node, kind, total, situation, stack)
    return low if number < share else high


@borrowing_kernel
def follow_auction(policy, node, situation):
    """The node once an auction is settled and `situation` is the situation after it."""
    if node == LOST or policy.nodes[node, NODE_PHASE] != AUCTION:
        return node
    return find_outcome(policy, policy.raise_nodes[node], situation)


@borrowing_kernel
def follow_deal(policy, node, situation):
    """The node once a street is dealt and `situation` is the situation after it.

    If the abstract street is not over, everyone calls there.
    """
    street, final = situation[betting.STREET], situation[betting.FINAL]
    if policy.entries.size > 0:
        found = _nearest_entry(policy, street, final, situation)
        if found != LOST:
            return found
    if node == LOST:
        return node
    while policy.nodes[node, NODE_PHASE] == BET:
        node = policy.children[passive_edge(policy, node)]
    if policy.nodes[node, NODE_PHASE] != DEAL:
        return LOST
    edge = policy.nodes[node, NODE_START]
    for child in range(edge, edge + policy.nodes[node, NODE_DEGREE]):
        if policy.finals[policy.children[child]] == final:
            return policy.children[child]
    return LOST


@borrowing_kernel
def _nearest_entry(policy, street, final, situation):
    """The node of a beginning street whose pot is nearest by ratio to the real one."""
    paid = real_paid(situation)
    pot = situation[betting.SPENT_0] + situation[betting.SPENT_1] + paid
    # A seat may have discarded in ways that the graph does not distinguish, which then has 0.
    for drew in (situation[betting.DREW], 0):
        key = entry_key(street, final, drew, pot)
        first, last = entry_key(street, final, drew, 0), entry_key(street, final, drew + 1, 0)
        at = np.searchsorted(policy.entry_keys, key)
        above = at < policy.entry_keys.size and policy.entry_keys[at] < last
        below = at > 0 and policy.entry_keys[at - 1] >= first
        if above and below:
            high = policy.entry_keys[at] - first
            low = policy.entry_keys[at - 1] - first
            at -= 1 if pot * pot < high * low else 0
        elif below:
            at -= 1
        if above or below:
            return _nearest_paid(policy, at, paid)
    return LOST


@borrowing_kernel
def _nearest_paid(policy, at, paid):
    """Of the entries with the pot of entry `at`, the one at which the most alike was paid."""
    found = policy.entries[at]
    if policy.auctions.shape[0] == 0:
        return found
    key = policy.entry_keys[at]
    at = np.searchsorted(policy.entry_keys, key)
    while at < policy.entry_keys.size and policy.entry_keys[at] == key:
        node = policy.entries[at]
        if abs(paid_at(policy, node) - paid) < abs(paid_at(policy, found) - paid):
            found = node
        at += 1
    return found
