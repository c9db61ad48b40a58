"""The kernels of `board_counts.cu` for a processor, argument by argument, and what feeds them.

What a GPU does is tested by them where there is none: the driver is the same. They go over pairs of
hands, as the GPU does, and not by card removal, as `joint_tables_kernels` does.
"""

import numpy as np

from counterfold.buckets.histories.history_kernels import (
    extend_turns,
    find_bucket,
    start_flop,
)
from counterfold.cards.equity_kernels import count_copies
from counterfold.cards.isomorphism_kernels import index_cards
from counterfold.cards.ranking_kernels import card_bit
from counterfold.cards.strength_kernels import leave, pair_of
from counterfold.jit.compiler import borrowing_kernel, kernel

_N_BOARD = 5
_N_FLOP = 3
_HIGH_SHIFT = 14
_LOW_BITS = (1 << _HIGH_SHIFT) - 1
_HIGH_BITS = (1 << 17) - 1
_SUIT_LANE = (1 << 13) - 1


@borrowing_kernel
def list_boards_of(first, last, flops, left, boards, places, weights):
    """List the complete boards of the flops ``first:last``, once for all copies.

    Fills rows of `boards`, of `places` (number of the flop from `first` on, places of both cards
    among those that it leaves) and of `weights`, and returns how many.
    """
    n_left = flops.deck.size - _N_FLOP
    n = 0
    for f in range(first, last):
        leave(flops.deck, flops.boards[f], _N_FLOP, left)
        for t in range(n_left - 1):
            for r in range(t + 1, n_left):
                copies = count_copies(card_bit(left[t]) | card_bit(left[r]), flops.likes[f])
                if copies == 0:
                    continue
                for k in range(_N_FLOP):
                    boards[n, k] = flops.boards[f, k]
                boards[n, _N_FLOP] = left[t]
                boards[n, _N_FLOP + 1] = left[r]
                places[n, 0] = f - first
                places[n, 1] = t
                places[n, 2] = r
                weights[n] = flops.weights[f] * copies
                n += 1
    return n


@borrowing_kernel
def list_turns(first, last, flops, preflop, flop, turn, w, turns):
    """Overwrite the sequences on the turn of the flops ``first:last``, `turns` from 0 on."""
    for f in range(first, last):
        n_left = start_flop(f, flops, preflop, flop, w)
        extend_turns(n_left, turn, w)
        for t in range(n_left):
            for pair in range(turns.shape[2]):
                turns[f - first, t, pair] = w.turns[t, pair]


@borrowing_kernel
def list_levels(first, last, deck, boards, firsts, seconds, river, deal, left, levels):
    """Overwrite the levels by class of all hands on the complete boards ``first:last``."""
    for n in range(first, last):
        leave(deck, boards[n], _N_BOARD, left)
        for k in range(_N_BOARD):
            deal[2 + k] = boards[n, k]
        for h in range(firsts.size):
            deal[0] = left[firsts[h]]
            deal[1] = left[seconds[h]]
            levels[n, h] = river.levels[index_cards(deal, 0, river.classes)]


@kernel
def score_boards(
    n_boards, n_deck, n_hands, deck, boards, firsts, seconds, keys, low, high, unsuited, flushes,
    ranks, scores,
):  # fmt: skip
    """Overwrite the ranks of all hands on each board, and their wins, doubled, plus ties."""
    left = np.zeros(n_deck, np.uint8)
    for n in range(n_boards):
        leave(deck, boards[n], _N_BOARD, left)
        total, masks = np.int64(0), np.int64(0)
        for k in range(_N_BOARD):
            total += keys[boards[n, k]]
            masks |= card_bit(boards[n, k])
        for h in range(n_hands):
            a, b = left[firsts[h]], left[seconds[h]]
            key = total + keys[a] + keys[b]
            both = masks | card_bit(a) | card_bit(b)
            rank = np.int64(
                unsuited[low[key & _LOW_BITS] + high[(key >> _HIGH_SHIFT) & _HIGH_BITS]]
            )
            for suit in range(4):
                rank = max(rank, np.int64(flushes[(both >> (16 * suit)) & _SUIT_LANE]))
            ranks[n, h] = rank
        for h in range(n_hands):
            score = 0
            for g in range(n_hands):
                if _are_disjoint(h, g, firsts, seconds):
                    score += (ranks[n, g] < ranks[n, h]) + (ranks[n, g] <= ranks[n, h])
            scores[n, h] = score


@borrowing_kernel
def _are_disjoint(h, g, firsts, seconds):
    return (
        firsts[h] != firsts[g]
        and firsts[h] != seconds[g]
        and seconds[h] != firsts[g]
        and seconds[h] != seconds[g]
    )


@kernel
def count_scores(
    n_boards, n_deck, n_hands, n_places, n_pairs, n_scores, deck, boards, firsts, seconds, places,
    weights, turns, scores, counts,
):  # fmt: skip
    """Add all hands of the boards to `counts`, by sequence on the turn and score, both orders."""
    left = np.zeros(n_deck, np.uint8)
    for n in range(n_boards):
        leave(deck, boards[n], _N_BOARD, left)
        for order in range(2):
            before = turns[places[n, 0], places[n, 1 + order]]
            for h in range(n_hands):
                pair = pair_of(left[firsts[h]], left[seconds[h]])
                counts[before[pair], scores[n, h]] += weights[n]


@kernel
def tally_showdowns(
    n_boards, n_deck, n_hands, n_places, n_pairs, n_buckets, n_cuts, n_within, n_sequences, deck,
    boards, firsts, seconds, places, weights, turns, cuts, within_cuts, ranks, levels, sums,
):  # fmt: skip
    """Add the pairs of hands of the boards, and wins less losses, in both orders, to `sums`.

    Those are by `sum_at` of two sequences up to the river.
    """
    left, sequences = np.zeros(n_deck, np.uint8), np.zeros(n_hands, np.int64)
    for n in range(n_boards):
        leave(deck, boards[n], _N_BOARD, left)
        for order in range(2):
            turn = turns[places[n, 0], places[n, 1 + order]]
            for h in range(n_hands):
                before = turn[pair_of(left[firsts[h]], left[seconds[h]])]
                level = levels[n, h]
                bucket = find_bucket(before, level, level, cuts, within_cuts)
                sequences[h] = before * n_buckets + bucket
            for h in range(n_hands):
                for g in range(n_hands):
                    one, two = sequences[h], sequences[g]
                    if one > two or not _are_disjoint(h, g, firsts, seconds):
                        continue
                    at = sum_at(one, two, n_sequences)
                    sums[at, 0] += weights[n]
                    if one != two:
                        by = np.int64(ranks[n, h]) - ranks[n, g]
                        sums[at, 1] += weights[n] * (np.int64(by > 0) - np.int64(by < 0))


@borrowing_kernel
def sum_at(one, two, n_sequences):
    """Where sums have the sequences ``one <= two``."""
    return one * (2 * n_sequences - one - 1) // 2 + two


@kernel
def pack_sums(n_sequences, sums, packed):
    """Overwrite `packed` as in `joint_tables_kernels`: pairs, and below the diagonal net wins."""
    for a in range(n_sequences):
        for b in range(a, n_sequences):
            at = sum_at(a, b, n_sequences)
            packed[a, b] = sums[at, 0]
            if a != b:
                packed[b, a] = -sums[at, 1]
