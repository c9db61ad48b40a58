"""All hands that a board leaves, ready for vector walks: by strength, and by what is known of them.

Hands that fall into the same bucket on every street are played alike: they are one *type*, and a
walk needs one number for each type, not for each hand. On one street types share *rows*: a row is a
bucket that occurs on this board.

A hand is a pair of places among the cards that the board leaves. A hand of a single card is paired
with a shadow of that card, which no other hand holds: so one formula counts disjoint hands.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.ranking_kernels import card_bit, rank_masks, rank_short
from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.public.deals_kernels import STAGE_STREET

NO_TYPE = -1


class Boards(NamedTuple):
    """A batch of boards. Shapes: ``n`` boards, ``H`` hands, ``S`` stages, ``K`` types, at most."""

    lengths: NDArray[np.uint8]  # [n] last street
    n_hands: NDArray[np.int32]  # [n]
    n_groups: NDArray[np.int32]  # [n]
    n_types: NDArray[np.int32]  # [n]
    firsts: NDArray[np.uint8]  # [n, H] place of the first card, from the weakest hand on
    seconds: NDArray[np.uint8]  # [n, H]
    ends: NDArray[np.int32]  # [n, H] where each group of equal hands ends
    types: NDArray[np.int32]  # [n, H]
    sizes: NDArray[np.float32]  # [n, K] hands of a type
    rows: NDArray[np.int32]  # [n, S, K] row of a type at a stage
    n_rows: NDArray[np.int32]  # [n, S]
    buckets: NDArray[np.int32]  # [n, S, K] bucket of a row
    aligned: NDArray[np.bool_]  # [n, S] whether every type is its own row


@kernel
def list_hands(layout, boards, lengths, n_hands, holes, places):
    """Overwrite `holes` [n, H, hole cards] and `places` [n, H, 2] with the hands of each board.

    Hands come in lexicographic order; the last one is repeated where a board leaves fewer.
    """
    left = np.empty(layout.deck.size, np.uint8)
    for i in range(boards.shape[0]):
        seen = np.int64(0)
        for k in range(layout.board_cards + lengths[i] - layout.last_street):
            seen |= np.int64(1) << np.int64(boards[i, k])
        n_left = 0
        for k in range(layout.deck.size):
            if not (seen >> np.int64(layout.deck[k])) & 1:
                left[n_left] = layout.deck[k]
                n_left += 1
        hand = 0
        for a in range(n_left):
            if layout.hole_cards == 1:
                holes[i, hand, 0] = left[a]
                places[i, hand, 0] = a
                places[i, hand, 1] = n_left + a
                hand += 1
                continue
            for b in range(a + 1, n_left):
                holes[i, hand, 0] = left[a]
                holes[i, hand, 1] = left[b]
                places[i, hand, 0] = a
                places[i, hand, 1] = b
                hand += 1
        n_hands[i] = hand
        for rest in range(hand, holes.shape[1]):
            holes[i, rest] = holes[i, hand - 1]
            places[i, rest] = places[i, hand - 1]


@kernel
def _rank_hands(layout, board, size, holes, first_flush_suit_only, by_mask, strengths):
    """Overwrite `strengths` with what decides a showdown on the first `size` cards of `board`."""
    masks = np.int64(0)
    for k in range(size):
        masks |= card_bit(board[k])
    for hand in range(strengths.size):
        held = masks
        for place in range(layout.hole_cards):
            held |= card_bit(holes[hand, place])
        if size + layout.hole_cards >= 5:
            strengths[hand] = rank_masks(held, first_flush_suit_only, by_mask)
        else:
            strengths[hand] = rank_short(held)


@kernel
def order_hands(
    layout, boards, first_flush_suit_only, by_mask, holes, places, orders, strengths, out
):
    """Set the order of strength, its groups and the places of `out`, whose hands are counted.

    `orders` [n, H] is overwritten with the hands from the weakest on, `strengths` [H] with those
    of the last board.
    """
    for i in range(boards.shape[0]):
        n = out.n_hands[i]
        size = layout.board_cards + out.lengths[i] - layout.last_street
        found = strengths[:n]
        _rank_hands(layout, boards[i], size, holes[i], first_flush_suit_only, by_mask, found)
        order = np.argsort(found)
        groups = 0
        for k in range(n):
            hand = order[k]
            orders[i, k] = hand
            out.firsts[i, k] = places[i, hand, 0]
            out.seconds[i, k] = places[i, hand, 1]
            if k + 1 == n or found[order[k + 1]] != found[hand]:
                out.ends[i, groups] = k + 1
                groups += 1
        out.n_groups[i] = groups


@kernel
def find_types(layout, labels, orders, by_hand, marks, pairs, found, out):
    """Set the types and rows of `out` from the buckets `labels` [n, S, H] of all hands.

    Rows are in the order of their buckets, types in that of their last row, then the one before and
    so on: memory is gone through in one direction, and with perfect recall the types are the rows
    of the last street. If `by_hand`, every hand is a type, from the weakest on. `marks`, one for
    each bucket, and `pairs`, one for each pair of hands, are work space and must be `NO_TYPE`; they
    are so again afterwards. `found` [H] is work space, too.
    """
    for i in range(labels.shape[0]):
        n = out.n_hands[i]
        order, types = orders[i], out.types[i]
        types[:n] = 0
        n_types = 1
        for stage in range(labels.shape[1]):
            n_rows = 0
            if layout.stages[stage, STAGE_STREET] <= out.lengths[i]:
                buckets = labels[i, stage]
                n_rows = _number(buckets, n, marks, found)
                out.buckets[i, stage, :n_rows] = found[:n_rows]
                # Split the types so far by the row.
                for k in range(n):
                    types[k] += marks[buckets[order[k]]] * n_types
                _clear(out.buckets[i, stage], n_rows, marks)
                n_split = _number(types, n, pairs, found)
                for k in range(n):
                    types[k] = pairs[types[k]]
                _clear(found, n_split, pairs)
                n_types = n_split
            out.n_rows[i, stage] = n_rows
        if by_hand:
            n_types = n
            for k in range(n):
                types[k] = k
        out.n_types[i] = n_types
        out.sizes[i, :n_types] = 0.0
        for k in range(n):
            out.sizes[i, types[k]] += 1.0
        for stage in range(labels.shape[1]):
            n_rows = out.n_rows[i, stage]
            for row in range(n_rows):
                marks[out.buckets[i, stage, row]] = row
            if n_rows > 0:
                for k in range(n):
                    out.rows[i, stage, types[k]] = marks[labels[i, stage, order[k]]]
            _clear(out.buckets[i, stage], n_rows, marks)
            out.aligned[i, stage] = n_rows == n_types
            for t in range(n_types):
                out.aligned[i, stage] &= out.rows[i, stage, t] == t


@inlined_kernel
def _number(numbers, n, marks, found):
    """Mark each of the first `n` numbers with its place among those that occur.

    Returns how many occur; `found` has them in ascending order.
    """
    n_found = 0
    for k in range(n):
        if marks[numbers[k]] == NO_TYPE:
            marks[numbers[k]] = 0
            found[n_found] = numbers[k]
            n_found += 1
    found[:n_found].sort()
    for place in range(n_found):
        marks[found[place]] = place
    return n_found


@inlined_kernel
def _clear(found, n_found, marks):
    """Take the marks off again."""
    for place in range(n_found):
        marks[found[place]] = NO_TYPE
