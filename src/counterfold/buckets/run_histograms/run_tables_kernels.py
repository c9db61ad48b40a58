"""Histograms of strength at the end of a run, for all hands on boards of three or four cards.

Which two suits are red is drawn for each run-out: the classes of hands forget the names of suits.
Every card that can come next is dealt equally often, and strength at the end is exact.
"""

import numpy as np

from counterfold.cards.isomorphism_kernels import index_cards
from counterfold.cards.long_boards_kernels import RIVER
from counterfold.cards.ranking_kernels import rank_board
from counterfold.cards.strength_kernels import leave, order_by_rank, score_hands
from counterfold.jit.compiler import kernel
from counterfold.jit.random import stream_key, uniform

_N_CARDS = 52
_RED_SUITS = np.array([0b0011, 0b0101, 0b1001, 0b0110, 0b1010, 0b1100], np.int64)  # any two


@kernel
def deal_run(key, board, next_card, left, n_left, ended):
    """Complete `board` to the end of a run that begins with `next_card`; returns its size.

    `left` are the cards that are not on the board; four of them are never dealt. Overwrites
    `ended`, the longer board.
    """
    red = _RED_SUITS[int(uniform(key, 0) * _RED_SUITS.size)]
    dealt = np.int64(1) << np.int64(next_card)
    n = board.size
    ended[:n] = board
    ended[n] = next_card
    n += 1
    step = 1
    while n < RIVER or ((red >> np.int64(ended[n - 1] & 3)) & 1 and n < board.size + n_left - 4):
        card = ended[n - 1]
        while (dealt >> np.int64(card)) & 1:
            card = left[int(uniform(key, step) * n_left)]
            step += 1
        dealt |= np.int64(1) << np.int64(card)
        ended[n] = card
        n += 1
    return n


@kernel
def add_strengths(ended, weight, deck, tables, pairs, s, histograms):
    """Add the strengths of all hands on the board `ended` to `histograms` [52 * 52, bins].

    `pairs` [cards + 1, 2, pairs] are the places of the cards of each pair, by how many cards there
    are; `s` is the scratch of `strength_kernels`.
    """
    n_bins = histograms.shape[1]
    n_cards = deck.size - ended.size
    n_pairs = n_cards * (n_cards - 1) // 2
    cards, ranks = s.cards[:n_cards], s.ranks[:n_pairs]
    firsts, seconds = pairs[n_cards, 0, :n_pairs], pairs[n_cards, 1, :n_pairs]
    leave(deck, ended, ended.size, cards)
    rank_board(ended, cards, False, tables, ranks)
    n_groups = order_by_rank(ranks, s.counts, s.marks, s.order, s.ends)
    scores = s.scores[0, :n_pairs]
    score_hands(n_groups, s.order, s.ends, firsts, seconds, s.weights[0, :n_pairs], s.taken, scores)
    top = (n_cards - 2) * (n_cards - 3)
    for h in range(n_pairs):
        cell = _N_CARDS * np.int64(cards[firsts[h]]) + cards[seconds[h]]
        histograms[cell, min(scores[h] * n_bins // top, n_bins - 1)] += weight


@kernel
def tabulate_runs(
    boards, first, last, n_rounds, deck, tables, index, pairs, s, sums, total, histograms
):
    """Overwrite the rows of `histograms` [classes, bins] of the boards ``first:last``.

    Every next card is dealt `n_rounds` times. Rows add up to `total`; `sums` [52 * 52, bins] is
    work space.
    """
    n_board = boards.shape[1]
    n_bins = histograms.shape[1]
    n_left = deck.size - n_board
    left = np.empty(n_left, np.uint8)
    ended = np.empty(_N_CARDS, np.uint8)
    for n in range(first, last):
        leave(deck, boards[n], n_board, left)
        for m in range(n_board):
            s.deal[2 + m] = boards[n, m]
        sums[:] = 0.0
        for r in range(n_rounds * n_left):
            size = deal_run(
                stream_key(n_board, n * n_rounds * n_left + r),
                boards[n],
                left[r % n_left],
                left,
                n_left,
                ended,
            )
            # A hand is missing on boards with its cards, the more often the longer they are.
            more = size - n_board
            weight = 1.0 * (n_left - 1) * (n_left - 2) / ((n_left - more) * (n_left - more - 1))
            add_strengths(ended[:size], weight, deck, tables, pairs, s, sums)
        for i in range(n_left - 1):
            s.deal[0] = left[i]
            for j in range(i + 1, n_left):
                s.deal[1] = left[j]
                row = sums[_N_CARDS * np.int64(left[i]) + left[j]]
                c = index_cards(s.deal[: 2 + n_board], 0, index)
                all_runs = 0.0
                for b in range(n_bins):
                    all_runs += row[b]
                below, before = 0.0, 0
                for b in range(n_bins):
                    below += row[b]
                    share = int(below / all_runs * total + 0.5)
                    histograms[c, b] = share - before
                    before = share
