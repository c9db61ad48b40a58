"""Strength of one hand on a board of any length, and on boards that grow while cards are red.

In River of Blood a further card is dealt while the last one, from the fifth on, is red. A sample is
one such run, drawn from the cards that are left; its strength is exact over the opponent's hands.
Sample `n` takes its numbers from stream `n`, whatever the thread.
"""

import numpy as np

from counterfold.cards.ranking_kernels import card_bit, rank_board, rank_masks
from counterfold.jit.compiler import kernel
from counterfold.jit.random import draw_from, stream_key, uniform

RIVER = 5  # from this card on colors matter


@kernel
def is_red(card):
    """Whether a card is a diamond or a heart."""
    suit = card & 3
    return suit == 1 or suit == 2


@kernel
def score_hand(hole, board, cards, first_flush_suit_only, tables, ranks):
    """Twice the wins plus the ties of a hand against all pairs of `cards`; overwrites `ranks`."""
    masks = card_bit(hole[0]) | card_bit(hole[1])
    for k in range(board.size):
        masks |= card_bit(board[k])
    own = rank_masks(masks, first_flush_suit_only, tables.by_mask)
    rank_board(board, cards, first_flush_suit_only, tables, ranks)
    score = 0
    for h in range(cards.size * (cards.size - 1) // 2):
        score += 2 * (ranks[h] < own) + (ranks[h] == own)
    return score


@kernel
def sample_runs(
    first, seed, hole, board, cards, first_flush_suit_only, tables, ended, deck, ranks, strengths
):
    """Overwrite `strengths` by those of the hand at the end of runs `first`, `first` + 1 and so on.

    `cards` are those left, in ascending order. Work space: `ended` [52] for the board, `deck` [52]
    for the cards left and `ranks` [1326] for those of the opponent's hands.
    """
    for sample in range(strengths.size):
        key = stream_key(seed, first + sample)
        size = board.size
        for k in range(size):
            ended[k] = board[k]
        for k in range(cards.size):
            deck[k] = cards[k]
        drawn = np.int64(0)  # a bit for each card
        n_drawn = 0
        while size < RIVER or is_red(ended[size - 1]):
            card = draw_from(deck, cards.size, n_drawn, uniform(key, n_drawn))
            drawn |= np.int64(1) << np.int64(card)
            ended[size] = card
            size += 1
            n_drawn += 1
        left = 0
        for k in range(cards.size):
            if not (drawn >> np.int64(cards[k])) & 1:
                deck[left] = cards[k]
                left += 1
        score = score_hand(hole, ended[:size], deck[:left], first_flush_suit_only, tables, ranks)
        strengths[sample] = score / (left * (left - 1.0))


@kernel
def bucket_long_boards(boards, holes, n, first_flush_suit_only, tables, deck, left, ranks, out):
    """Overwrite `out` [boards, hands] with the equal width of HS that each hand falls into.

    `boards` [boards, board]; `holes` [boards, hands, 2] are the hands on each of them. HS is over
    all hands of the `deck` that a player cannot see. Work space: `left` [52], `ranks` [1326].
    """
    for i in range(boards.shape[0]):
        board = boards[i]
        seen = np.int64(0)
        for k in range(board.size):
            seen |= np.int64(1) << np.int64(board[k])
        n_left = 0
        for card in deck:
            if not (seen >> np.int64(card)) & 1:
                left[n_left] = card
                n_left += 1
        rank_board(board, left[:n_left], first_flush_suit_only, tables, ranks)
        masks = np.int64(0)
        for k in range(board.size):
            masks |= card_bit(board[k])
        for own_hand in range(holes.shape[1]):
            a, b = holes[i, own_hand, 0], holes[i, own_hand, 1]
            hand = masks | card_bit(a) | card_bit(b)
            own = rank_masks(hand, first_flush_suit_only, tables.by_mask)
            score = 0
            h = 0
            for j in range(n_left - 1):
                mine = left[j] == a or left[j] == b
                for k in range(j + 1, n_left):
                    if not (mine or left[k] == a or left[k] == b):
                        score += 2 * (ranks[h] < own) + (ranks[h] == own)
                    h += 1
            hands = (n_left - 2) * (n_left - 3)
            out[i, own_hand] = min(score * n // hands, n - 1)
