"""Hands of more than two hole cards beside those of two: what the other cards make of them."""

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
from counterfold.jit.random import stream_key, uniform


@kernel
def _category(rank):
    """The class of a hand rank, from 0 for no pair; every straight and better is one of its own."""
    if rank >= STRAIGHT:
        return rank
    return np.int64(rank >= PAIR) + (rank >= TWO_PAIR) + (rank >= TRIPS)


@kernel
def find_long_hands(hands, held, by_mask, ranks):
    """Overwrite `ranks` with those of hands that make more than any two of their cards, else 0.

    `hands` [n, held + board] begin with the hole cards. A better kicker is nothing more; a pair,
    two pairs, three of a kind or a stronger hand is.
    """
    for i in range(hands.shape[0]):
        board = np.int64(0)
        for k in range(held, hands.shape[1]):
            board |= card_bit(hands[i, k])
        masks = board
        best = 0
        for j in range(held):
            masks |= card_bit(hands[i, j])
            for k in range(j):
                pair = board | card_bit(hands[i, j]) | card_bit(hands[i, k])
                best = max(best, rank_masks(pair, False, by_mask))
        rank = rank_masks(masks, False, by_mask)
        ranks[i] = rank if _category(rank) > _category(best) else 0


@kernel
def match_pairs(boards, ranks, deck, tables, left, scratch, hands, counts):
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


@kernel
def play_out(hands, held, first, n_to_come, n_samples, deck, by_mask, left, wins):
    """Overwrite `wins` [n] with how often hands beat another of as many cards, ties counting half.

    Each of `hands` [n, held + board], numbers `first` and on, meets one and `n_to_come` cards of
    the board, `n_samples` times. `left` [52] is work space.
    """
    for i in range(hands.shape[0]):
        key = stream_key(0, first + i)
        own = shown = np.int64(0)
        for k in range(hands.shape[1]):
            if k < held:
                own |= card_bit(hands[i, k])
            else:
                shown |= card_bit(hands[i, k])
        n_left = 0
        for card in deck:
            if (own | shown) & card_bit(card) == 0:
                left[n_left] = card
                n_left += 1
        step = twice = 0
        for _ in range(n_samples):
            board, theirs = shown, np.int64(0)
            for k in range(held + n_to_come):
                # A shuffle may begin in any order of the cards, as where the last one ended.
                at = k + int(uniform(key, step) * (n_left - k))
                step += 1
                card = left[at]
                left[at] = left[k]
                left[k] = card
                if k < held:
                    theirs |= card_bit(card)
                else:
                    board |= card_bit(card)
            mine, other = (
                rank_masks(own | board, False, by_mask),
                rank_masks(theirs | board, False, by_mask),
            )
            twice += np.int64(mine > other) + np.int64(mine >= other)
        wins[i] = twice / (2.0 * n_samples)
