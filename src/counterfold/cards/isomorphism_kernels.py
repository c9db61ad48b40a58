"""Numbers for deals that differ only by a renaming of suits, and back (after Waugh 2013).

A deal is a sequence of rounds, each a set of cards. Seen from one suit it is a sequence of disjoint
sets of ranks: the sizes of these sets are the *state* of the suit, reached round by round in a
small automaton, and the sets themselves are a number, the *place*, below a bound that the state
fixes. Suits are interchangeable, so a class of deals is a multiset of (state, place): the four
states choose a block of numbers, and within it the places count through all combinations.

The sets of the four suits travel in one integer, a *lane* of 16 bits to a suit. A suit that the
deck does not have is one that never gets a card.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import borrowing_kernel, kernel

N_LANES = 4
LANE_BITS = 16
MOVE_BITS = 4  # a state has 16 moves, one for each number of cards that a suit may get in a round
STATE_BITS = 16
HASH_SHIFT = 32  # the bits of a hash from here on find the slot, the low ones its shift
BLOCK_ROW = 8  # a block is a row of 8 numbers, one line of the processor's cache
LOW_RANKS = 7  # sets of ranks are squeezed in two parts, to keep the tables small
HIGH_RANKS = 6
N_SETS = 1 << (LOW_RANKS + HIGH_RANKS)
SQUEEZE_LOW = N_SETS
SQUEEZE_HIGH = SQUEEZE_LOW + (1 << 2 * LOW_RANKS)
NO_FAULT = -1

LANE = (1 << LANE_BITS) - 1
LOW_SET = (1 << LOW_RANKS) - 1
STATE = (1 << STATE_BITS) - 1
PLACE_BITS = 40  # a place is below 13! < 2**40; for sorting the state goes above it
PLACE = (1 << PLACE_BITS) - 1


class IndexTables(NamedTuple):
    """What `index_cards` looks up: 60 kB and little more for the splits of hold'em.

    Few arrays, since a call that the compiler does not inline passes seven words for each. Shapes:
    ``R`` rounds, ``S`` states, ``B`` blocks, ``H`` a power of two. `sets` has three parts: the
    place of a set of ranks among all sets of its size, by mask; then, by used and dealt ranks, the
    dealt among the unused, for the low ranks (with the number of unused ones above bit 7); then
    the same for the high ranks. A block is its first class; for each suit the classes that one
    step of its multiset counts; and the orders of suits 1, 2 and 3 in two bits each, the order
    being how many suits of the same state come before.
    """

    bits: NDArray[np.int64]  # [256] by card: its bit among the lanes, 0 if not in the deck
    ends: NDArray[np.int64]  # [R] cards dealt when the round is over
    sets: NDArray[np.uint16]  # [2**13 + 2**14 + 2**12]
    moves: NDArray[np.int64]  # [S*16] by state and cards: next state; above it, places told apart
    hashes: NDArray[np.int64]  # [S] of a final state; the sum over the suits finds the block
    slots: NDArray[np.uint32]  # [3*H] shifts by low bits of the sum; blocks by shifted high bits
    blocks: NDArray[np.int64]  # [B*8]


class UnindexTables(NamedTuple):
    """What `unindex_cards` looks up. Suit 0 of a block has the smallest state and place.

    Shapes: ``R`` rounds, ``B`` blocks, a multiple of ``B*4`` goes by block and suit.
    """

    n_suits: int
    cards: NDArray[np.uint8]  # [64] by bit among the lanes
    ends: NDArray[np.int64]  # [R] cards dealt when the round is over
    sets: NDArray[np.uint16]  # [8192] masks by size, then by place
    set_starts: NDArray[np.int64]  # [14] where the masks of a size start
    offsets: NDArray[np.int64]  # [B+1] block b owns the classes offsets[b]:offsets[b+1]
    orders: NDArray[np.int64]  # [B*4] suits of the same state before this one
    strides: NDArray[np.int64]  # [B*4] classes that one step of the multiset counts
    bounds: NDArray[np.int64]  # [B*4] number of places, 0 for a suit without cards
    sizes: NDArray[np.int64]  # [B*4*R] cards of the suit in the round
    divisors: NDArray[np.int64]  # [B*4*R] what one step of the round's set counts in the place
    firsts: NDArray[np.int64]  # [B*4*R] where the suit's cards of the round start in the deal


@borrowing_kernel
def _count_cards(lanes):
    """The number of bits in each lane, in that lane."""
    twos = lanes - ((lanes >> 1) & 0x5555555555555555)
    fours = (twos & 0x3333333333333333) + ((twos >> 2) & 0x3333333333333333)
    eights = (fours + (fours >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (eights + (eights >> 8)) & 0x00FF00FF00FF00FF


@borrowing_kernel
def _deal_suit(state, place, used, dealt, counts, tables):
    """State and place after a round, for the suit in the lowest lane of the last three integers."""
    used, dealt = used & LANE, dealt & LANE
    by_low = ((used & LOW_SET) << LOW_RANKS) | (dealt & LOW_SET)
    by_high = ((used >> LOW_RANKS) << HIGH_RANKS) | (dealt >> LOW_RANKS)
    low = np.int64(tables.sets[SQUEEZE_LOW + by_low])
    high = np.int64(tables.sets[SQUEEZE_HIGH + by_high])
    squeezed = (low & LOW_SET) | (high << (low >> LOW_RANKS))
    move = tables.moves[(state << MOVE_BITS) | (counts & LANE)]
    return move & STATE, place * (move >> STATE_BITS) + np.int64(tables.sets[squeezed])


@borrowing_kernel
def _multiset_term(place, order):
    """Choose `order + 1` of `place + order`: what a suit adds to the number of its multiset."""
    if order > 1:
        term = place * (place + 1) * (place + 2) // 6
        return term if order == 2 else term * (place + 3) // 4
    return place + order * (place * (place - 1) >> 1)


@borrowing_kernel
def index_cards(cards, start, tables):
    """The class of the deal in the flat array `cards` from `start` on, round after round.

    The cards of a round come in any order. The caller sees to it that all are in the deck and no
    two are equal; otherwise the number means nothing.
    """
    used = np.int64(0)
    state0 = state1 = state2 = state3 = np.int64(0)
    place0 = place1 = place2 = place3 = np.int64(0)
    k = start
    for r in range(tables.ends.size):
        dealt = np.int64(0)
        while k < start + tables.ends[r]:
            dealt |= tables.bits[cards[k]]
            k += 1
        n = _count_cards(dealt)
        state0, place0 = _deal_suit(state0, place0, used, dealt, n, tables)
        state1, place1 = _deal_suit(state1, place1, used >> 16, dealt >> 16, n >> 16, tables)
        state2, place2 = _deal_suit(state2, place2, used >> 32, dealt >> 32, n >> 32, tables)
        state3, place3 = _deal_suit(state3, place3, used >> 48, dealt >> 48, n >> 48, tables)
        used |= dealt

    hashes = tables.hashes
    total = hashes[state0] + hashes[state1] + hashes[state2] + hashes[state3]
    n_shifts = tables.slots.size // 3
    shift = np.int64(tables.slots[total & (n_shifts - 1)])
    slot = ((total >> HASH_SHIFT) + shift) & (2 * n_shifts - 1)
    row = np.int64(tables.slots[n_shifts + slot]) * BLOCK_ROW

    a = (state0 << PLACE_BITS) | place0
    b = (state1 << PLACE_BITS) | place1
    c = (state2 << PLACE_BITS) | place2
    d = (state3 << PLACE_BITS) | place3
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)

    blocks = tables.blocks
    orders = blocks[row + 5]
    return (
        blocks[row]
        + blocks[row + 1] * (a & PLACE)
        + blocks[row + 2] * _multiset_term(b & PLACE, orders & 3)
        + blocks[row + 3] * _multiset_term(c & PLACE, (orders >> 2) & 3)
        + blocks[row + 4] * _multiset_term(d & PLACE, (orders >> 4) & 3)
    )


@kernel
def index_deals(cards, tables, classes):
    """Set `classes[n]` to the class of the deal `cards[n]`."""
    flat = cards.reshape(-1)
    for n in range(classes.size):
        classes[n] = index_cards(flat, n * cards.shape[1], tables)


@kernel
def gather(values, classes, out):
    """Set `out[n]` to the value of class `classes[n]`: NumPy holds Python's lock meanwhile."""
    for n in range(classes.size):
        out[n] = values[classes[n]]


@kernel
def find_fault(cards, tables):
    """The first row of `cards` with a card twice or not in the deck, or NO_FAULT."""
    for n in range(cards.shape[0]):
        used = np.int64(0)
        for k in range(cards.shape[1]):
            bit = tables.bits[cards[n, k]]
            if bit == 0 or used & bit != 0:
                return n
            used |= bit
    return NO_FAULT


@kernel
def _find_block(index, offsets):
    """The block that owns class `index`."""
    low, high = 0, offsets.size - 1
    while high - low > 1:
        middle = (low + high) >> 1
        if offsets[middle] <= index:
            low = middle
        else:
            high = middle
    return low


@kernel
def _largest_place(value, order, bound):
    """The largest place below `bound` whose multiset term does not exceed `value`."""
    if order == 0:
        return value
    low, high = np.int64(0), bound
    while high - low > 1:
        middle = (low + high) >> 1
        if _multiset_term(middle, order) <= value:
            low = middle
        else:
            high = middle
    return low


@kernel
def unindex_cards(index, tables, start, cards):
    """Write the standard deal of class `index` into the flat array `cards` from `start` on.

    The cards of a round ascend, and the suits with the most cards in the first round come first.
    """
    n_rounds = tables.ends.size
    block = _find_block(index, tables.offsets)
    rest = index - tables.offsets[block]
    value = np.int64(0)
    for lane in range(N_LANES):
        suit = block * N_LANES + N_LANES - 1 - lane
        if lane == 0 or tables.orders[suit + 1] == 0:  # the last suit of its state
            value = rest // tables.strides[suit]
            rest -= value * tables.strides[suit]
        place = _largest_place(value, tables.orders[suit], tables.bounds[suit])
        value -= _multiset_term(place, tables.orders[suit])
        used = np.int64(0)
        for r in range(suit * n_rounds, (suit + 1) * n_rounds):
            step = place // tables.divisors[r]
            place -= step * tables.divisors[r]
            squeezed = np.int64(tables.sets[tables.set_starts[tables.sizes[r]] + step])
            k = start + tables.firsts[r]
            dealt = np.int64(0)
            rank = 0
            while squeezed != 0:
                if (used >> rank) & 1 == 0:
                    if squeezed & 1 == 1:
                        cards[k] = tables.cards[lane * LANE_BITS + rank]
                        dealt |= 1 << rank
                        k += 1
                    squeezed >>= 1
                rank += 1
            used |= dealt

    first = start
    for r in range(n_rounds):
        for k in range(first + 1, start + tables.ends[r]):
            card = cards[k]
            while k > first and cards[k - 1] > card:
                cards[k] = cards[k - 1]
                k -= 1
            cards[k] = card
        first = start + tables.ends[r]


@kernel
def unindex_deals(classes, tables, cards):
    """Set `cards[n]` to the standard deal of the class `classes[n]`."""
    flat = cards.reshape(-1)
    for n in range(classes.size):
        unindex_cards(classes[n], tables, n * cards.shape[1], flat)


@kernel
def weigh_classes(classes, tables, weights):
    """Set `weights[n]` to the number of deals in class `classes[n]`, at most 24."""
    for n in range(classes.size):
        block = _find_block(classes[n], tables.offsets)
        rest = classes[n] - tables.offsets[block]
        weight = np.int64(1)
        value = before = alike = np.int64(0)
        for lane in range(N_LANES):
            suit = block * N_LANES + N_LANES - 1 - lane
            if tables.bounds[suit] == 0:
                break
            new = lane == 0 or tables.orders[suit + 1] == 0
            if new:
                value = rest // tables.strides[suit]
                rest -= value * tables.strides[suit]
            place = _largest_place(value, tables.orders[suit], tables.bounds[suit])
            value -= _multiset_term(place, tables.orders[suit])
            alike = 1 if new or place != before else alike + 1
            weight = weight * (tables.n_suits - lane) // alike
            before = place
        weights[n] = weight
