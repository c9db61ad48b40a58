"""A strategy of an abstract game played in the real one: follow, translate, choose, act.

A policy keeps a node of its public graph beside the real situation. What the opponent does is
translated into an edge of that node; the edge it chooses itself is translated back into a legal
action. The two may diverge: a raise beyond the cap of the menu is read as one that the opponent
could have made earlier on the street; where the abstract game has nothing to call and the real one
does, the policy calls by the odds; if the hand has left the abstract game it is `LOST`; when an
auction is settled, the node is chosen by who won it and by the price; and when a new street begins,
the node is chosen again, by the pot, unless the graph remembers the betting.

The functions take and return numbers, so that matches in kernels, bots in Python and exported bots,
for which the same source runs without Numba, decide alike.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.menu_kernels import ALL_IN, bid_of_size, total_of_size
from counterfold.bots.bid_kernels import (
    find_outcome,
    paid_at,
    read_bid,
    real_paid,
    share_of_lower,
)
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import (
    AUCTION,
    BET,
    BID,
    CALL,
    DEAL,
    DISCARD,
    DRAW,
    FOLD,
    KEEP,
    RAISE,
)
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
POT_BITS = 40  # of an `entry_key`

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
def entry_key(street, final, drew, pot):
    """A number that orders the beginnings of streets: by what must agree, then by the pot."""
    return (((street * 2 + final) << 12 | drew) << POT_BITS) | pot


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
def _pots(total, other, paid):
    """Chips that a raise adds to a call, in pots after the call."""
    return (total - other) / max(2.0 * other + paid, 1.0)


@borrowing_kernel
def passive_edge(policy, node):
    """The edge of a check or call."""
    edge = policy.nodes[node, NODE_START]
    while policy.kinds[edge] != CALL:
        edge += 1
    return edge


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

    `kind` is that of an edge; a discard is any of them, as they lead to one node. A second bid
    waits for `follow_auction`.
    """
    if node == LOST:
        return node, node, 1.0
    phase = policy.nodes[node, NODE_PHASE]
    if kind == BID:
        if phase != AUCTION or situation[betting.FIRST_BID] > 0:
            return node, node, 1.0
        spent, paid = (betting.SPENT_0, betting.PAID_0)
        if situation[betting.ACTOR] == 1:
            spent, paid = (betting.SPENT_1, betting.PAID_1)
        most = stack - situation[spent] - situation[paid]
        low, high, share = read_bid(policy, node, situation, total, most)
        return policy.children[low], policy.children[high], share
    if phase == DRAW and (kind in (KEEP, DISCARD)):
        edge = policy.nodes[node, NODE_START]
        after = policy.children[edge if kind == KEEP else edge + 1]
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

    The amount of a raise is its total over the hand, of a discard the place of the card, of a bid
    its chips. `bucket` is that of its hand at the card stage `stage`.
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
    row = min(situation[betting.STREET], rules.streets.shape[0] - 1)
    choice = situation[betting.N_ACTIONS] // betting.TURNS
    rule = rules.choices[rules.streets[row, betting.FIRST_CHOICE] + choice]
    return DISCARD if rule[betting.MUST_DISCARD] == 1 else KEEP


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
            return usual_choice(rules, situation), 0, NO_EDGE, OFF_TREE
        how = OFF_TREE if node == LOST else FORCED
        return by_odds(policy, stage, bucket, to_call, pot), 0, NO_EDGE, how
    if policy.nodes[node, NODE_ACTOR] != situation[betting.ACTOR]:
        return by_odds(policy, stage, bucket, to_call, pot), 0, NO_EDGE, OFF_TREE
    if k == NO_EDGE:
        if phase < BET:
            edge = policy.nodes[node, NODE_START]
            return usual_choice(rules, situation), 0, edge, UNTRAINED
        kind = by_odds(policy, stage, bucket, to_call, pot)
        edge = passive_edge(policy, node)
        return kind, 0, edge, UNTRAINED
    edge = policy.nodes[node, NODE_START] + k
    kind, amount, edge = act_on_edge(policy, rules, situation, node, edge)
    if kind == BY_ODDS:
        return by_odds(policy, stage, bucket, to_call, pot), 0, edge, FORCED
    return kind, amount, edge, TRAINED
