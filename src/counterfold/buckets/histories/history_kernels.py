"""Bucket sequences of all hands on a board, and how levels spread over them.

A *level* is the place of a class in the order of a metric. Where the cuts between buckets depend on
the buckets so far, a bucket is the number of cuts of the sequence that the level reaches. On the
river the level can be the score of `cards.strength_kernels`, which comes with ranking the board, so
that no class is looked up.

A sequence is a number: that of the street before, times the buckets of this street, plus the
bucket. Sequences of all hands on a board go by number of the pair of hole cards (`pair_of`); those
that share a card with the board mean nothing.

Flops are one of each class; a turn, or a turn and a river, that differ by like suits of the flop
count once with their number of copies.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.equity_kernels import count_copies
from counterfold.cards.isomorphism_kernels import IndexTables, index_cards
from counterfold.cards.ranking_kernels import card_bit
from counterfold.cards.strength_kernels import leave, pair_of, score_board
from counterfold.jit.compiler import borrowing_kernel, inlined_borrowing_kernel

_N_CARDS = 52
_N_PAIRS = _N_CARDS * (_N_CARDS - 1) // 2
_N_FLOP = 3
_N_DEAL = 7  # hole cards and a complete board


class StreetTables(NamedTuple):
    """How the bucket of a street follows from the class of a hand and its sequence so far.

    Shapes: ``C`` classes, ``S`` sequences so far, ``n`` sets of ``m`` buckets each. With cuts of
    shape [0, 0] the levels are the buckets. All arrays but those of `classes` are read-only.
    """

    n_buckets: int
    classes: IndexTables  # for `index_cards`
    levels: NDArray[np.uint16]  # [C], or empty on the river: the scores are the levels
    cuts: NDArray[np.int32]  # [S, n-1] levels at which sets 1, 2, … start
    within: NDArray[np.uint16]  # [C] levels that cut the sets, or empty: `levels` do
    within_cuts: NDArray[np.int32]  # [S*n, m-1] by sequence and set


class Flops(NamedTuple):
    """The flops to walk over. Shape: ``F`` of them."""

    boards: NDArray[np.uint8]  # [F, 3]
    weights: NDArray[np.int64]  # [F] how many flops each stands for
    likes: NDArray[np.int64]  # [F, 4] like suits, as for `count_copies`
    deck: NDArray[np.uint8]


class FlopScratch(NamedTuple):
    """Work space of one thread; what it holds means nothing between calls."""

    deal: NDArray[np.uint8]  # [7] hole cards and board
    left: NDArray[np.uint8]  # [52] cards that the flop leaves, in its first places
    later: NDArray[np.uint8]  # [52] cards that the turn leaves
    flop: NDArray[np.int32]  # [1326] sequences on the flop
    turns: NDArray[np.int32]  # [52, 1326] sequences on the turn, by place of the card in `left`


def make_flop_scratch() -> FlopScratch:
    """Work space for any deck."""
    return FlopScratch(
        deal=np.zeros(_N_DEAL, np.uint8),
        left=np.zeros(_N_CARDS, np.uint8),
        later=np.zeros(_N_CARDS, np.uint8),
        flop=np.zeros(_N_PAIRS, np.int32),
        turns=np.zeros((_N_CARDS, _N_PAIRS), np.int32),
    )


@inlined_borrowing_kernel
def _count_reached(cuts, row, level):
    """How many cuts of a row are not above `level`."""
    n = 0
    for k in range(cuts.shape[1]):
        n += cuts[row, k] <= level
    return n


@inlined_borrowing_kernel
def find_bucket(sequence, level, other, cuts, within_cuts):
    """The bucket of a hand with the levels `level` and, within its set, `other`."""
    if cuts.shape[0] == 0:
        return np.int64(level)
    first = _count_reached(cuts, sequence, level)
    row = sequence * (cuts.shape[1] + 1) + first
    return first * (within_cuts.shape[1] + 1) + _count_reached(within_cuts, row, other)


@borrowing_kernel
def bucket_deals(cards, street, sequences, buckets):
    """Set `buckets[n]` to the bucket of the deal `cards[n]` and put it at the end of its sequence.

    Deals may have more cards than the street; each starts with hole cards and flop.
    """
    flat = cards.reshape(-1)
    levels, within = street.levels, street.within
    for n in range(buckets.size):
        c = index_cards(flat, n * cards.shape[1], street.classes)
        level = levels[c]
        other = within[c] if within.size > 0 else level
        buckets[n] = find_bucket(sequences[n], level, other, street.cuts, street.within_cuts)
        sequences[n] = sequences[n] * street.n_buckets + buckets[n]


@borrowing_kernel
def extend_sequences(deal, cards, street, before, after):
    """Set the sequences `after` the street for all pairs of `cards`, with the board of `deal`.

    Overwrites the hole cards of `deal`. Cards ascend.
    """
    levels, within = street.levels, street.within
    cuts, within_cuts = street.cuts, street.within_cuts
    for i in range(cards.size - 1):
        deal[0] = cards[i]
        for j in range(i + 1, cards.size):
            deal[1] = cards[j]
            pair = pair_of(cards[i], cards[j])
            c = index_cards(deal, 0, street.classes)
            level = levels[c]
            other = within[c] if within.size > 0 else level
            bucket = find_bucket(before[pair], level, other, cuts, within_cuts)
            after[pair] = before[pair] * street.n_buckets + bucket


@borrowing_kernel
def start_flop(f, flops, preflop, flop, w):
    """Put flop `f`, the cards that it leaves and their sequences into the work space.

    `preflop` has the bucket of every pair; returns the number of cards left.
    """
    n_left = flops.deck.size - _N_FLOP
    for k in range(_N_FLOP):
        w.deal[2 + k] = flops.boards[f, k]
    leave(flops.deck, flops.boards[f], _N_FLOP, w.left)
    extend_sequences(w.deal, w.left[:n_left], flop, preflop, w.flop)
    return n_left


@borrowing_kernel
def drop_card(cards, n_cards, place, rest):
    """Copy `cards` but the one at `place`."""
    for k in range(n_cards - 1):
        rest[k] = cards[k + (k >= place)]


@borrowing_kernel
def start_turn(f, t, n_left, flops, w):
    """Put the turn at place `t` of those that flop `f` leaves, and what it leaves, into `w`.

    Returns how many deals of flop and turn it stands for: 0 if it is a copy of another.
    """
    copies = count_copies(card_bit(w.left[t]), flops.likes[f])
    if copies > 0:
        w.deal[2 + _N_FLOP] = w.left[t]
        drop_card(w.left, n_left, t, w.later)
    return flops.weights[f] * copies


@borrowing_kernel
def start_river(f, t, r, flops, tables, w, s):
    """Score the board of flop `f` and the cards at places `t` and `r` of those that it leaves.

    Returns how many boards it stands for: 0 if it is a copy of another, and then nothing is done.
    """
    copies = count_copies(card_bit(w.left[t]) | card_bit(w.left[r]), flops.likes[f])
    if copies > 0:
        for k in range(_N_FLOP):
            s.board[k] = flops.boards[f, k]
        s.board[_N_FLOP] = w.left[t]
        s.board[_N_FLOP + 1] = w.left[r]
        score_board(flops.deck, tables, s)
    return flops.weights[f] * copies


@borrowing_kernel
def count_turn_levels(first, last, flops, preflop, flop, turn, levels, w, counts):
    """Add the deals up to the turn to `counts`, by sequence on the flop and level.

    For the flops ``first:last``. If `turn` has cuts, a sequence continues with the set that they
    make, and counts are by it: then `levels` are those that cut the sets.
    """
    n_sets = turn.cuts.shape[1] + 1
    for f in range(first, last):
        n_left = start_flop(f, flops, preflop, flop, w)
        later = w.later[: n_left - 1]
        for t in range(n_left):
            weight = start_turn(f, t, n_left, flops, w)
            if weight == 0:
                continue
            for i in range(later.size - 1):
                w.deal[0] = later[i]
                for j in range(i + 1, later.size):
                    w.deal[1] = later[j]
                    row = np.int64(w.flop[pair_of(later[i], later[j])])
                    c = index_cards(w.deal, 0, turn.classes)
                    if turn.cuts.shape[0] > 0:
                        row = row * n_sets + _count_reached(turn.cuts, row, turn.levels[c])
                    counts[row, levels[c]] += weight


@borrowing_kernel
def sum_turn_gaps(first, last, flops, preflop, flop, turn, histograms, centers, w, gaps, n_deals):
    """Add up how far the deals up to the turn are from the center of their sequence.

    For the flops ``first:last``, each into its place of `gaps` and `n_deals`. A gap is the L1
    distance of the cumulative counts in `histograms`, by class, to those of `centers`.
    """
    n_bins = histograms.shape[1]
    for f in range(first, last):
        n_left = start_flop(f, flops, preflop, flop, w)
        later = w.later[: n_left - 1]
        total = 0.0
        for t in range(n_left):
            weight = start_turn(f, t, n_left, flops, w)
            if weight == 0:
                continue
            for i in range(later.size - 1):
                w.deal[0] = later[i]
                for j in range(i + 1, later.size):
                    w.deal[1] = later[j]
                    before = w.flop[pair_of(later[i], later[j])]
                    c = index_cards(w.deal, 0, turn.classes)
                    level = turn.levels[c]
                    other = turn.within[c] if turn.within.size > 0 else level
                    bucket = find_bucket(before, level, other, turn.cuts, turn.within_cuts)
                    counts, center = histograms[c], centers[before * turn.n_buckets + bucket]
                    gap = 0.0
                    upto = np.int64(0)
                    for b in range(n_bins):
                        upto += counts[b]
                        gap += abs(upto - center[b])
                    total += weight * gap
                    n_deals[f] += weight
        gaps[f] = total


@borrowing_kernel
def extend_turns(n_left, turn, w):
    """Fill the sequences on the turn, for every card that the flop leaves."""
    for t in range(n_left):
        w.deal[2 + _N_FLOP] = w.left[t]
        drop_card(w.left, n_left, t, w.later)
        extend_sequences(w.deal, w.later[: n_left - 1], turn, w.flop, w.turns[t])


@borrowing_kernel
def count_river_scores(first, last, flops, preflop, flop, turn, tables, w, s, counts):
    """Add the deals up to the river to `counts`, by sequence on the turn and score.

    For the flops ``first:last``. A board is scored once for both orders of turn and river; `s` is
    the scratch of `cards.strength_kernels`.
    """
    for f in range(first, last):
        n_left = start_flop(f, flops, preflop, flop, w)
        extend_turns(n_left, turn, w)
        for t in range(n_left - 1):
            for r in range(t + 1, n_left):
                weight = start_river(f, t, r, flops, tables, w, s)
                if weight > 0:
                    _add_scores(w.turns[t], w.turns[r], weight, s, counts)


@borrowing_kernel
def _add_scores(one, other, weight, s, counts):
    """Count the scores of all hands on a board by their sequences in both orders."""
    scores, cards = s.scores[0], s.cards
    h = 0
    for i in range(cards.size - 1):
        for j in range(i + 1, cards.size):
            pair = pair_of(cards[i], cards[j])
            counts[one[pair], scores[h]] += weight
            counts[other[pair], scores[h]] += weight
            h += 1
