"""Showdowns of two ranges over all ways to complete a board, board by board.

Two ways to compare the hands on a complete board. Few matchups are compared one by one, in
integers. For many, hands are sorted by rank and swept (`cards.removal_kernels`): the cost is linear
in the hands rather than in their pairs.

Boards that differ only by the names of suits that are alike to everyone count as one, with its
number of *copies*.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.ranking_kernels import N_HAND_RANKS, card_bit, rank_board
from counterfold.cards.removal_kernels import sum_groups
from counterfold.cards.strength_kernels import order_by_rank
from counterfold.jit.compiler import borrowing_kernel

NO_SUIT = -1

_NO_RANK = -1
_LANE = (1 << 16) - 1
_N_CARDS = 52
_N_PAIRS = 1326
_ABSENT = -2 * _N_PAIRS  # negative whatever is added
_N_WORDS = (N_HAND_RANKS + 63) // 64


class EquityScratch(NamedTuple):
    """Work space of one thread for ``H`` hands; what it holds means nothing between calls."""

    cards: NDArray[np.uint8]  # [52] cards of the hands that are not on the board
    rows: NDArray[np.int64]  # [52] by card: where its pairs start in `pair_ranks`
    columns: NDArray[np.int64]  # [52] what a second card adds to that
    pair_ranks: NDArray[np.int16]  # [1326] in lexicographic order of places among `cards`
    ranks: NDArray[np.int16]  # [H]
    hands: NDArray[np.uint16]  # [H] hands that the board leaves
    order: NDArray[np.uint16]  # [H] these from the weakest to the strongest
    ends: NDArray[np.uint16]  # [H] where each group of equal hands ends in that order
    counts: NDArray[np.int16]  # [N_HAND_RANKS] zero between calls
    marks: NDArray[np.uint64]  # [.] one bit per hand rank, zero between calls
    held: NDArray[np.float64]  # [52] weight of the hands so far that hold a card
    lows: NDArray[np.uint8]  # [H] the lower card of each hand
    highs: NDArray[np.uint8]  # [H] and the higher one
    below: NDArray[np.float64]  # [H] weight of the weaker hands


def make_scratch(n_hands: int) -> EquityScratch:
    """Work space for up to `n_hands` hands of each player."""
    return EquityScratch(
        cards=np.zeros(_N_CARDS, np.uint8),
        rows=np.zeros(_N_CARDS, np.int64),
        columns=np.zeros(_N_CARDS, np.int64),
        pair_ranks=np.zeros(_N_PAIRS, np.int16),
        ranks=np.zeros(n_hands, np.int16),
        hands=np.zeros(n_hands, np.uint16),
        order=np.zeros(n_hands, np.uint16),
        ends=np.zeros(n_hands, np.uint16),
        counts=np.zeros(N_HAND_RANKS, np.int16),
        marks=np.zeros(_N_WORDS, np.uint64),
        held=np.zeros(_N_CARDS, np.float64),
        lows=np.zeros(n_hands, np.uint8),
        highs=np.zeros(n_hands, np.uint8),
        below=np.zeros(n_hands, np.float64),
    )


@borrowing_kernel
def count_copies(masks, likes):
    """How many sets of cards the one with these bits (`card_bit`) stands for; 0 for none.

    ``likes[s]`` is the last suit before `s` that is alike, or `NO_SUIT`. Of the sets that a
    renaming of like suits makes from each other one counts: where no suit has more than `likes[s]`.
    """
    copies = np.int64(1)
    sizes = runs = np.int64(0)  # 4 bits to a suit: like suits so far, equal ones so far
    for suit in range(4):
        size = run = np.int64(1)
        like = likes[suit]
        if like != NO_SUIT:
            own, other = (masks >> (16 * suit)) & _LANE, (masks >> (16 * like)) & _LANE
            if own > other:
                return np.int64(0)
            size += (sizes >> (4 * like)) & 15
            if own == other:
                run += (runs >> (4 * like)) & 15
            copies = copies * size // run
        sizes |= size << (4 * suit)
        runs |= run << (4 * suit)
    return copies


@borrowing_kernel
def list_boards(board, cards, likes, chosen, boards, copies):
    """Complete `board` by `cards` in all ways, once for all copies, and return how many there are.

    Fills that many rows of `boards` [n, B] and numbers of `copies`; `chosen` [B] is work space.
    """
    n_more = boards.shape[1] - board.size
    for k in range(n_more):
        chosen[k] = k
    n = 0
    while True:
        masks = np.int64(0)
        for k in range(n_more):
            masks |= card_bit(cards[chosen[k]])
        stands_for = count_copies(masks, likes)
        if stands_for > 0:
            for k in range(board.size):
                boards[n, k] = board[k]
            for k in range(n_more):
                boards[n, board.size + k] = cards[chosen[k]]
            copies[n] = stands_for
            n += 1
        k = n_more - 1
        while k >= 0 and chosen[k] == cards.size - n_more + k:
            k -= 1
        if k < 0:
            return n
        chosen[k] += 1
        for m in range(k + 1, n_more):
            chosen[m] = chosen[m - 1] + 1


@borrowing_kernel
def _rank_pairs(board, cards, tables, left, rows, columns, pair_ranks):
    """Rank all pairs of the `cards` that are not on the board, for `_rank_of`."""
    used = np.int64(0)
    for k in range(board.size):
        used |= np.int64(1) << np.int64(board[k])
    n = 0
    for k in range(cards.size):
        card = cards[k]
        if (used >> np.int64(card)) & 1:
            rows[card] = columns[card] = _ABSENT
        else:
            left[n] = card
            columns[card] = n
            n += 1
    for i in range(n):
        rows[left[i]] = i * (2 * n - i - 3) // 2 - 1
    rank_board(board, left[:n], False, tables, pair_ranks)


@borrowing_kernel
def _rank_of(low, high, rows, columns, pair_ranks):
    """Rank of a pair of cards in ascending order, or `_NO_RANK` if the board has one of them."""
    pair = rows[low] + columns[high]
    return np.int64(pair_ranks[pair]) if pair >= 0 else np.int64(_NO_RANK)


@borrowing_kernel
def compare_matchups(
    boards, copies, cards, first, second, weights, other_weights, starts, partners, tables, s
):
    """Weights of wins and of ties of the first player over complete `boards`, matchup by matchup.

    Hand ``i`` of `first` meets the hands ``partners[starts[i]:starts[i+1]]`` of `second`. A hand is
    two cards in ascending order; all are among `cards`, which ascend.
    """
    # Arrays by themselves: to pass the whole scratch to each call costs more than the call.
    left, rows, columns, pair_ranks, ranks = s.cards, s.rows, s.columns, s.pair_ranks, s.ranks
    wins = ties = 0.0
    for b in range(boards.shape[0]):
        _rank_pairs(boards[b], cards, tables, left, rows, columns, pair_ranks)
        for j in range(second.shape[0]):
            rank = _rank_of(second[j, 0], second[j, 1], rows, columns, pair_ranks)
            ranks[j] = N_HAND_RANKS if rank == _NO_RANK else rank  # which nothing beats or ties
        for i in range(first.shape[0]):
            rank = _rank_of(first[i, 0], first[i, 1], rows, columns, pair_ranks)
            if rank == _NO_RANK:
                continue
            won = tied = 0.0
            for m in range(starts[i], starts[i + 1]):
                j = partners[m]
                won += other_weights[j] if rank > ranks[j] else 0.0
                tied += other_weights[j] if rank == ranks[j] else 0.0
            wins += copies[b] * weights[i] * won
            ties += copies[b] * weights[i] * tied
    return wins, ties


@borrowing_kernel
def sweep_ranges(boards, copies, cards, hands, weights, other_weights, tables, s):
    """The same for hands that have a weight for either player, each meeting all it can meet."""
    left, rows, columns, pair_ranks, ranks = s.cards, s.rows, s.columns, s.pair_ranks, s.ranks
    for h in range(hands.shape[0]):
        s.lows[h], s.highs[h] = hands[h, 0], hands[h, 1]
    wins = ties = 0.0
    for b in range(boards.shape[0]):
        _rank_pairs(boards[b], cards, tables, left, rows, columns, pair_ranks)
        n_hands = 0
        for h in range(hands.shape[0]):
            rank = _rank_of(hands[h, 0], hands[h, 1], rows, columns, pair_ranks)
            if rank != _NO_RANK:
                ranks[n_hands] = rank
                s.hands[n_hands] = h
                n_hands += 1
        n_groups = order_by_rank(ranks[:n_hands], s.counts, s.marks, s.order, s.ends)
        for k in range(n_hands):
            s.order[k] = s.hands[s.order[k]]
        won, tied = sum_groups(
            n_groups, s.order, s.ends, s.lows, s.highs, weights, other_weights, s.held, s.below
        )
        wins += copies[b] * won
        ties += copies[b] * tied
    return wins, ties
