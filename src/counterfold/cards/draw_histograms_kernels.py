"""Final strength of hands that may exchange a card, summed over draws and boards.

Rows of numbers, such as a histogram, belong to classes of hand and board. A hand that is kept has
the row of its class; one that exchanges a card has the sum over all cards that may be drawn. Kept
rows count as often as there are draws, so that all rows of a street have one total. The sum over
the draws of a kept card is that of all its hands less the one that was broken up: on a board it
takes one pass.
"""

import numpy as np

from counterfold.cards.draws_kernels import DISCARD_FIRST, KEEP_BOTH, comes_first
from counterfold.cards.isomorphism_kernels import index_cards
from counterfold.cards.strength_kernels import leave, pair_of
from counterfold.jit.compiler import kernel


@kernel
def _exchange(board, left, classes, rows, choices, by_card, out):
    """Write the row of every hand on a board after its best choice; overwrites `by_card`."""
    n_columns = rows.shape[1]
    by_card[:] = 0
    for b in range(1, left.size):
        for a in range(b):
            row = rows[pair_of(a, b)]
            for k in range(n_columns):
                by_card[a, k] += row[k]
                by_card[b, k] += row[k]
    for b in range(1, left.size):
        for a in range(b):
            pair = pair_of(a, b)
            c = classes[pair]
            choice = choices[c]
            if choice == KEEP_BOTH:
                for k in range(n_columns):
                    out[c, k] = rows[pair, k] * (left.size - 2)
                continue
            first_goes = choice == DISCARD_FIRST
            kept = b if first_goes == comes_first(left[a], left[b], board) else a
            for k in range(n_columns):
                out[c, k] = by_card[kept, k] - rows[pair, k]


@kernel
def exchange_on_turns(boards, first, last, deck, index, choices, plain, out):
    """Rows after the discard on the turn boards ``first:last``, from those without discards."""
    deal = np.zeros(6, np.uint8)
    left = np.zeros(deck.size - 4, np.uint8)
    n_pairs = left.size * (left.size - 1) // 2
    classes = np.zeros(n_pairs, np.int64)
    rows = np.zeros((n_pairs, plain.shape[1]), np.int64)
    by_card = np.zeros((left.size, plain.shape[1]), np.int64)
    for n in range(first, last):
        for k in range(4):
            deal[2 + k] = boards[n, k]
        leave(deck, boards[n], 4, left)
        for b in range(1, left.size):
            deal[1] = left[b]
            for a in range(b):
                deal[0] = left[a]
                pair = pair_of(a, b)
                c = classes[pair] = index_cards(deal, 0, index)
                for k in range(plain.shape[1]):
                    rows[pair, k] = plain[c, k]
        _exchange(boards[n], left, classes, rows, choices, by_card, out)


@kernel
def exchange_on_flops(boards, first, last, deck, index, turn_index, choices, on_turn, out):
    """The same on flops, from the rows of the turn: a sum over turn cards, then over draws."""
    deal = np.zeros(5, np.uint8)
    later = np.zeros(6, np.uint8)
    left = np.zeros(deck.size - 3, np.uint8)
    n_pairs = left.size * (left.size - 1) // 2
    classes = np.zeros(n_pairs, np.int64)
    rows = np.zeros((n_pairs, on_turn.shape[1]), np.int64)
    by_card = np.zeros((left.size, on_turn.shape[1]), np.int64)
    for n in range(first, last):
        for k in range(3):
            deal[2 + k] = later[2 + k] = boards[n, k]
        leave(deck, boards[n], 3, left)
        for b in range(1, left.size):
            deal[1] = later[1] = left[b]
            for a in range(b):
                deal[0] = later[0] = left[a]
                pair = pair_of(a, b)
                classes[pair] = index_cards(deal, 0, index)
                row = rows[pair]
                row[:] = 0
                for t in range(left.size):
                    if t != a and t != b:
                        later[5] = left[t]
                        c = index_cards(later, 0, turn_index)
                        for k in range(row.size):
                            row[k] += on_turn[c, k]
        _exchange(boards[n], left, classes, rows, choices, by_card, out)
