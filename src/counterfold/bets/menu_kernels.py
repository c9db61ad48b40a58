"""Which bets, raises and bids a menu offers in a public situation.

A size is a share of the pot after the call: a raise of x pots calls, then adds x times what the pot
holds by then, which is twice the chips of the other and what was paid at auctions. It is rounded to
chips, half up, and brought between the smallest and the largest legal raise. Bids are shares of the
pot as it is. Checks, calls, folds and bids of nothing are not part of a menu: they are always
offered where they are legal.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem.betting_kernels import (
    ACTOR,
    BETTING,
    BLIND_0,
    BLIND_1,
    FIXED_LIMIT,
    N_ACTIONS,
    N_BETS,
    PAID_0,
    PAID_1,
    SPENT_0,
    SPENT_1,
    STACK,
    STREET,
    raise_bounds,
)
from counterfold.jit.compiler import inlined_kernel, kernel

# Sizes that are not a share of the pot.
NO_SIZE, MINIMUM, ALL_IN = -1, -2, -3
NOTHING = 0  # the label of a bid of no chips

# Columns of `Menu.limits`; 0 for no cap.
LIMIT_BETS = 0  # bets and raises on a street, with a big blind as the first
LIMIT_ROUNDS = 1  # bets and raises of each player on a street, blinds not counted
LIMIT_ACTIONS = 2  # checks, calls, bets and raises of each player on a street
N_LIMITS = 3

# Entries of `Menu.nearness`.
ALL_IN_FROM = 0  # a total of at least this per mille of the stack becomes all-in
MERGE = 1  # raises, counted beyond the call, less than this per mille apart are one


class Menu(NamedTuple):
    """A bet menu; rows beyond the last repeat it."""

    # [S, D, W] by street and by bets already made on it (`N_BETS`), per mille of the pot after the
    # call, or one of the sizes above; padded with `NO_SIZE`
    sizes: NDArray[np.int32]
    limits: NDArray[np.int32]  # [S, N_LIMITS]
    nearness: NDArray[np.int64]  # [2]
    bids: NDArray[np.int32]  # [S, B] by street, per mille of the pot or `ALL_IN`; padded


@inlined_kernel
def _capped(table, limits, situation):
    """Whether a cap forbids another bet or raise.

    On a street players act in turn, and once one has bet they also bet in turn until the street
    ends: who did what follows from how much was done.
    """
    n_bets, n_actions = situation[N_BETS], situation[N_ACTIONS]
    if limits[LIMIT_BETS] > 0 and n_bets >= limits[LIMIT_BETS]:
        return True
    if limits[LIMIT_ROUNDS] > 0:
        blind = 1 if situation[STREET] == 0 and table[BLIND_0] != table[BLIND_1] else 0
        if (n_bets - blind) // 2 >= limits[LIMIT_ROUNDS]:
            return True
    # The other must have an action left to answer with; then the actor has one too.
    return limits[LIMIT_ACTIONS] > 0 and (n_actions + 1) // 2 >= limits[LIMIT_ACTIONS]


@inlined_kernel
def _insert(totals, labels, n, total, label):
    """Put `total` among the first `n` ascending entries, unless it is there."""
    at = n
    while at > 0 and totals[at - 1] > total:
        at -= 1
    if at > 0 and totals[at - 1] == total:
        return n
    for place in range(n, at, -1):
        totals[place] = totals[place - 1]
        labels[place] = labels[place - 1]
    totals[at] = total
    labels[at] = label
    return n + 1


@inlined_kernel
def _other(situation):
    return situation[SPENT_1] if situation[ACTOR] == 0 else situation[SPENT_0]


@inlined_kernel
def _all_in(table, situation):
    """The total of betting with which a seat is all-in: the smaller stack limits both."""
    return table[STACK] - max(situation[PAID_0], situation[PAID_1])


@inlined_kernel
def _total(table, nearness, bounds, situation, size):
    """The total that `size` comes to within the `bounds` of the smallest and largest raise."""
    low, high = bounds
    if size == ALL_IN:
        return high
    other = _other(situation)
    pot = 2 * other + situation[PAID_0] + situation[PAID_1]
    total = other + (pot * size + 500) // 1000
    if size == MINIMUM or table[BETTING] == FIXED_LIMIT or total < low:
        total = low
    near = 1000 * total >= nearness[ALL_IN_FROM] * high
    if total > high or (near and high == _all_in(table, situation)):
        total = high
    return total


@kernel
def total_of_size(rules, nearness, situation, size):
    """The legal total over the hand that `size` comes to; 0 if the actor may not bet or raise."""
    bounds = raise_bounds(rules, situation)
    if bounds[1] == 0:
        return 0
    return _total(rules.table, nearness, bounds, situation, size)


@kernel
def offered_totals(rules, menu, situation, totals, labels):
    """Write the totals over the hand that the actor is offered to bet or raise to; return how many.

    They are legal, ascending and all different. A label is the first size of the row that gave the
    total, `ALL_IN` wherever the stack goes in. Both outputs have room for a row of sizes.
    """
    sizes, limits, nearness = menu.sizes, menu.limits, menu.nearness
    bounds = raise_bounds(rules, situation)
    row = min(situation[STREET], sizes.shape[0] - 1)
    if bounds[1] == 0 or _capped(rules.table, limits[row], situation):
        return 0
    depth = min(situation[N_BETS], sizes.shape[1] - 1)
    other = _other(situation)
    stack = _all_in(rules.table, situation)
    n = 0
    for w in range(sizes.shape[2]):
        size = np.int64(sizes[row, depth, w])
        if size != NO_SIZE:
            total = _total(rules.table, nearness, bounds, situation, size)
            n = _insert(totals, labels, n, total, ALL_IN if total == stack else size)

    kept = 0
    for place in range(n):
        total, label = totals[place], labels[place]
        apart = 1000 + nearness[MERGE]
        if kept == 0 or 1000 * (total - other) >= apart * (totals[kept - 1] - other):
            totals[kept], labels[kept] = total, label
            kept += 1
        elif total == stack:
            totals[kept - 1], labels[kept - 1] = total, label
    return kept


@kernel
def most_bid(rules, situation):
    """The most that the actor may bid: what is left of its stack once it has called a blind."""
    paid = situation[PAID_0] if situation[ACTOR] == 0 else situation[PAID_1]
    return rules.table[STACK] - max(situation[SPENT_0], situation[SPENT_1]) - paid


@kernel
def bid_of_size(rules, situation, size):
    """The legal bid that `size` comes to."""
    most = most_bid(rules, situation)
    pot = situation[SPENT_0] + situation[SPENT_1] + situation[PAID_0] + situation[PAID_1]
    return most if size == ALL_IN else min(most, (pot * size + 500) // 1000)


@kernel
def offered_bids(rules, menu, situation, bids, labels):
    """Write the bids that the actor is offered, ascending and all different; return how many.

    The first is `NOTHING`. A label is the first size that gave the bid, `ALL_IN` for the stack.
    What the other has bid plays no part. Both outputs have room for a row of bids and one more.
    """
    row = min(situation[STREET], menu.bids.shape[0] - 1)
    most = most_bid(rules, situation)
    bids[0], labels[0] = 0, NOTHING
    n = 1
    for w in range(menu.bids.shape[1]):
        size = np.int64(menu.bids[row, w])
        if size != NO_SIZE:
            bid = bid_of_size(rules, situation, size)
            n = _insert(bids, labels, n, bid, ALL_IN if bid == most else size)
    return n
