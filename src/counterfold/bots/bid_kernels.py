"""Auctions in the game of a policy: real bids as bids of its menu, and what an auction ended in.

Bids are counted in pots as they are. Once an auction is settled, only its winners and the price
matter, and both are known: the bids as they were read may have ended otherwise.
"""

from counterfold.bets.menu_kernels import ALL_IN
from counterfold.games.holdem import betting_kernels as betting
from counterfold.jit.compiler import borrowing_kernel
from counterfold.public.walk_kernels import NODE_DEGREE, NODE_START

# Columns of `Policy.auctions`.
AUCTION_PAID_0 = 0  # chips that seat 0 has paid at auctions
AUCTION_PAID_1 = 1
AUCTION_DREW = 2  # who won them, as in `DREW`
N_AUCTION_COLUMNS = 3

# Rules of translation; see `bets.translation`.
NEAREST, PSEUDO_HARMONIC = 0, 1


@borrowing_kernel
def paid_at(policy, node):
    """Chips that both seats have paid at auctions."""
    if policy.auctions.shape[0] == 0:
        return 0
    return policy.auctions[node, AUCTION_PAID_0] + policy.auctions[node, AUCTION_PAID_1]


@borrowing_kernel
def real_paid(situation):
    """The same in the real game."""
    return situation[betting.PAID_0] + situation[betting.PAID_1]


@borrowing_kernel
def share_of_lower(rule, size, low_size, high_size):
    """How likely a size is read as the lower one of its neighbors; see `bets.translation`."""
    if rule == NEAREST:
        if low_size > 0.0:
            is_low = size * size <= low_size * high_size
        else:
            is_low = size <= high_size / (high_size + 2.0)
        return 1.0 if is_low else 0.0
    return (high_size - size) * (1.0 + low_size) / ((high_size - low_size) * (1.0 + size))


@borrowing_kernel
def read_bid(policy, node, situation, bid, most):
    """The edges of an auction's first bidder that a real bid may stand for, as in `read_raise`.

    Sizes are pots as they are, `most` is the largest legal bid.
    """
    start = policy.nodes[node, NODE_START]
    stop = start + policy.nodes[node, NODE_DEGREE]
    if bid == most and policy.labels[stop - 1] == ALL_IN:
        return stop - 1, stop - 1, 1.0
    pot = policy.spent[node, 0] + policy.spent[node, 1] + paid_at(policy, node)
    real_pot = situation[betting.SPENT_0] + situation[betting.SPENT_1] + real_paid(situation)
    size = bid / max(float(real_pot), 1.0)
    low_size = 0.0
    for edge in range(start, stop):
        high_size = policy.amounts[edge] / max(float(pot), 1.0)
        if high_size >= size:
            if high_size == size or edge == start:
                return edge, edge, 1.0
            return edge - 1, edge, share_of_lower(policy.rule, size, low_size, high_size)
        low_size = high_size
    return stop - 1, stop - 1, 1.0


@borrowing_kernel
def find_outcome(policy, first, situation):
    """The node after the auction whose first bid is made at `first`, settled as in `situation`.

    It is the one with the same winners and the price, as a share of the pot, nearest to the real
    one.
    """
    paid = real_paid(situation)
    real_share = paid / max(situation[betting.SPENT_0] + situation[betting.SPENT_1] + paid, 1)
    found, least = first, 3.0
    start = policy.nodes[first, NODE_START]
    for edge in range(start, start + policy.nodes[first, NODE_DEGREE]):
        second = policy.children[edge]
        begin = policy.nodes[second, NODE_START]
        for after in range(begin, begin + policy.nodes[second, NODE_DEGREE]):
            child = policy.children[after]
            paid = paid_at(policy, child)
            share = paid / max(policy.spent[child, 0] + policy.spent[child, 1] + paid, 1)
            unlike = abs(share - real_share)
            if policy.auctions[child, AUCTION_DREW] != situation[betting.DREW]:
                unlike += 1.0
            if unlike < least:
                found, least = child, unlike
    return found
