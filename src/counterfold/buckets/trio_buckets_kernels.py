"""Hands of three hole cards beside those of two: what the third card makes of them now."""

import numpy as np

from counterfold.cards.ranking_kernels import (
    PAIR,
    STRAIGHT,
    TRIPS,
    TWO_PAIR,
    card_bit,
    rank_board,
    rank_masks,
)
from counterfold.jit.compiler import kernel


@kernel
def _category(rank):
    """The class of a hand rank, from 0 for no pair; every straight and better is one of its own."""
    if rank >= STRAIGHT:
        return rank
    return np.int64(rank >= PAIR) + (rank >= TWO_PAIR) + (rank >= TRIPS)


@kernel
def find_trios(hands, by_mask, ranks):
    """Overwrite `ranks` with those of trios that make more than any two of their cards, else 0.

    `hands` [n, 3 + board] begin with the trio. A better kicker is nothing more; a pair, two pairs,
    three of a kind or a stronger hand is.
    """
    for i in range(hands.shape[0]):
        masks = np.int64(0)
        for k in range(hands.shape[1]):
            masks |= card_bit(hands[i, k])
        best = 0
        for k in range(3):
            best = max(best, rank_masks(masks & ~card_bit(hands[i, k]), False, by_mask))
        rank = rank_masks(masks, False, by_mask)
        ranks[i] = rank if _category(rank) > _category(best) else 0


@kernel
def match_trios(boards, ranks, deck, tables, left, scratch, hands, counts):
    """Write the hands of two cards that are the strongest on each board up to its rank.

    `hands` [room, 2 + board] has one board's after the other's, `counts` how many each has; returns
    how many there are in all. Work space: `left` [52] for the cards of `deck` that are not on the
    board, `scratch` [1326].
    """
    n = 0
    for i in range(boards.shape[0]):
        board = boards[i]
        n_left = 0
        for card in deck:
            on_board = False
            for k in range(board.size):
                on_board |= board[k] == card
            if not on_board:
                left[n_left] = card
                n_left += 1
        rank_board(board, left[:n_left], False, tables, scratch)
        best = -1
        for h in range(n_left * (n_left - 1) // 2):
            if best < scratch[h] <= ranks[i]:
                best = scratch[h]
        h = 0
        first = n
        for j in range(n_left - 1):
            for k in range(j + 1, n_left):
                if scratch[h] == best:
                    hands[n, 0], hands[n, 1] = left[j], left[k]
                    hands[n, 2:] = board
                    n += 1
                h += 1
        counts[i] = n - first
    return n
