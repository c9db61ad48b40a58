"""Expands the public situations of a variant under a menu of bets into nodes and edges.

Nodes are expanded in the order in which they are found, so that the edges of a node are contiguous.
With merging, a situation found again is the same node; a hash table of open addressing finds it.
The arrays belong to the caller, who makes them larger when the kernel asks for it and calls again.
"""

import numpy as np

from counterfold.bets.menu_kernels import offered_bids, offered_totals
from counterfold.games.holdem.betting_kernels import (
    AUCTION,
    BET,
    BID,
    CALL,
    DEAL,
    DISCARD,
    DRAW,
    FINAL,
    FIRST_CHOICE,
    FOLD,
    FOLD_FREE,
    KEEP,
    MUST_DISCARD,
    N_ACTIONS,
    N_FIELDS,
    N_HELD,
    N_TURNS,
    PHASE,
    RAISE,
    RUNS,
    SPENT_0,
    SPENT_1,
    STREET,
    TURNS,
    after_bid,
    after_call,
    after_deal,
    after_discards,
    after_fold,
    after_raise,
    count_held,
    first_situation,
)
from counterfold.games.holdem.card_sets_kernels import FIRST_SETS, MOST_SETS, SET_BITS
from counterfold.jit.compiler import inlined_kernel, kernel

# What an edge does: an action of `games.holdem.betting_kernels`, or a deal. `amount` is a raise's
# total over the hand, a bid, the number of the set of cards that is discarded (of a single card its
# place in the order of discards), or 1 for the deal of a card after which no street follows.
DEALT = 6

# Entries of `counts`.
N_NODES, N_EDGES, N_EXPANDED = range(3)

DONE, NEEDS_NODES, NEEDS_EDGES = range(3)
EMPTY = -1


@inlined_kernel
def _hash(situation):
    h = np.uint64(1469598103934665603)
    for field in range(N_FIELDS):
        h = (h ^ np.uint64(situation[field])) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    return h


@inlined_kernel
def _equals(row, situation):
    same = True
    for field in range(N_FIELDS):
        same &= row[field] == situation[field]
    return same


@inlined_kernel
def _find_or_add(situation, merge, nodes, slots, counts):
    """The node of `situation`, a new one if it is not found or nodes do not merge."""
    place = 0
    if merge:
        mask = slots.size - 1
        place = np.int64(_hash(situation) & np.uint64(mask))
        while slots[place] != EMPTY:
            if _equals(nodes[slots[place]], situation):
                return slots[place]
            place = (place + 1) & mask
    node = counts[N_NODES]
    for field in range(N_FIELDS):
        nodes[node, field] = situation[field]
    if merge:
        slots[place] = node
    counts[N_NODES] += 1
    return node


@inlined_kernel
def _add_edge(child, kind, amount, label, edges, counts):
    e = counts[N_EDGES]
    edges[e, 0] = child
    edges[e, 1] = kind
    edges[e, 2] = amount
    edges[e, 3] = label
    counts[N_EDGES] += 1


@kernel
def fill_slots(nodes, n_nodes, slots):
    """Enter the first `n_nodes` situations into `slots`, a power of two of them, all empty."""
    mask = slots.size - 1
    for n in range(n_nodes):
        place = np.int64(_hash(nodes[n]) & np.uint64(mask))
        while slots[place] != EMPTY:
            place = (place + 1) & mask
        slots[place] = n


@kernel
def expand(rules, menu, merge, totals, labels, nodes, slots, starts, edges, counts):
    """Expand nodes until none is left, or until there is no room for one more.

    Parameters
    ----------
    totals, labels
        [W] overwritten, room for what a menu offers.
    nodes
        [N, N_FIELDS] situations; `counts` says how many there are. Appended to.
    slots
        [a power of two above N] node or `EMPTY`; unused without `merge`.
    starts
        [N + 1] first edge of each expanded node.
    edges
        [E, 4] child, kind, amount and label of the offer.
    """
    if counts[N_NODES] == 0:
        _find_or_add(first_situation(rules), merge, nodes, slots, counts)
    most = max(totals.size + 2, MOST_SETS + 1)
    while counts[N_EXPANDED] < counts[N_NODES]:
        if counts[N_NODES] + most > nodes.shape[0]:
            return NEEDS_NODES
        if counts[N_EDGES] + most > edges.shape[0]:
            return NEEDS_EDGES
        n = counts[N_EXPANDED]
        starts[n] = counts[N_EDGES]
        row = nodes[n]
        # A tuple, as the rules take it; N_FIELDS of them.
        situation = (
            np.int64(row[0]), np.int64(row[1]), np.int64(row[2]), np.int64(row[3]),
            np.int64(row[4]), np.int64(row[5]), np.int64(row[6]), np.int64(row[7]),
            np.int64(row[8]), np.int64(row[9]), np.int64(row[10]), np.int64(row[11]),
            np.int64(row[12]),
        )  # fmt: skip
        phase = situation[PHASE]
        if phase == BET:
            if situation[SPENT_0] != situation[SPENT_1] or rules.table[FOLD_FREE] == 1:
                child = _find_or_add(after_fold(situation), merge, nodes, slots, counts)
                _add_edge(child, FOLD, 0, 0, edges, counts)
            child = _find_or_add(after_call(rules, situation), merge, nodes, slots, counts)
            _add_edge(child, CALL, 0, 0, edges, counts)
            for i in range(offered_totals(rules, menu, situation, totals, labels)):
                raised = after_raise(situation, totals[i])
                child = _find_or_add(raised, merge, nodes, slots, counts)
                _add_edge(child, RAISE, totals[i], labels[i], edges, counts)
        elif phase == AUCTION:
            for i in range(offered_bids(rules, menu, situation, totals, labels)):
                bid = after_bid(rules, situation, totals[i])
                child = _find_or_add(bid, merge, nodes, slots, counts)
                _add_edge(child, BID, totals[i], labels[i], edges, counts)
        elif phase == DRAW:
            last = min(situation[STREET], rules.streets.shape[0] - 1)
            rule = rules.choices[rules.streets[last, FIRST_CHOICE] + situation[N_ACTIONS] // TURNS]
            n, n_held = rule[N_HELD], count_held(rules, situation)
            if rule[MUST_DISCARD] == 0:
                kept = after_discards(rules, situation, 0)
                child = _find_or_add(kept, merge, nodes, slots, counts)
                _add_edge(child, KEEP, 0, 0, edges, counts)
            # The opponent sees how many cards went, and which only by its own cards and the board:
            # one child for all sets of a size.
            least = rule[N_TURNS] if rule[MUST_DISCARD] == 1 else 1
            for size in range(least, min(rule[N_TURNS], n_held) + 1):
                drawn = after_discards(rules, situation, size)
                child = _find_or_add(drawn, merge, nodes, slots, counts)
                for number in range(FIRST_SETS[n, size], FIRST_SETS[n, size + 1]):
                    if SET_BITS[n, number] >> n_held == 0:
                        _add_edge(child, DISCARD, number, 0, edges, counts)
        elif phase == DEAL:
            street = situation[STREET] + 1
            last = rules.streets.shape[0] - 1
            runs = rules.table[RUNS] > 0 and last <= street < last + rules.table[RUNS]
            if runs:
                dealt = after_deal(rules, situation, True)
                child = _find_or_add(dealt, merge, nodes, slots, counts)
                _add_edge(child, DEALT, 0, 0, edges, counts)
            dealt = after_deal(rules, situation, False)
            child = _find_or_add(dealt, merge, nodes, slots, counts)
            _add_edge(child, DEALT, dealt[FINAL], 0, edges, counts)
        counts[N_EXPANDED] += 1
    starts[counts[N_EXPANDED]] = counts[N_EDGES]
    return DONE


@kernel
def count_paths(starts, children, kinds, counts):
    """Overwrite `counts` with the nodes of the tree below each node, itself included.

    One child stands for all discards of as many cards, as for the opponent it is one.
    """
    for n in range(counts.size - 1, -1, -1):
        counts[n] = 1.0
        for e in range(starts[n], starts[n + 1]):
            alike = kinds[e] == DISCARD and e > starts[n] and children[e] == children[e - 1]
            if not alike:
                counts[n] += counts[children[e]]


@kernel
def depth_first(starts, children, seen, stack, order):
    """Overwrite `order` with all nodes, each after one of its parents and before its siblings.

    Work space: `seen` [N], all False, and `stack` with room for all edges and one more. A node that
    is reached twice comes where a walk comes to it first.
    """
    n = 0
    top = 1
    stack[0] = 0
    while top > 0:
        top -= 1
        node = stack[top]
        if seen[node]:
            continue
        seen[node] = True
        order[n] = node
        n += 1
        for e in range(starts[node + 1] - 1, starts[node] - 1, -1):
            if not seen[children[e]]:
                stack[top] = children[e]
                top += 1


@kernel
def longest_paths(parents, children, levels):
    """Overwrite `levels`, all zero, with the most edges on a path to each node.

    Edges stand in the order of their parents, and a parent precedes its children.
    """
    for e in range(children.size):
        levels[children[e]] = max(levels[children[e]], levels[parents[e]] + 1)
