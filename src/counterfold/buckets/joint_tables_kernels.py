"""How often two hands on a board have each pair of bucket sequences, and which of them wins.

Among all hands on a board let ``N[b]`` be those of sequence b, and ``C[c, b]`` those of them that
hold card c. The pairs of hands without a common card number ``N[a] N[b] - sum_c C[c, a] C[c, b]``,
plus ``N[a]`` for ``a = b`` since a hand shares two cards with itself. Going up the order of hands
with N and C of the weaker ones, a hand beats ``N[b] - C[c, b] - C[d, b]`` hands of sequence b.

A board has few of all sequences, so its counts are made in a matrix over those that occur. Sums
over boards are *packed*: at ``[a, b]`` with ``a <= b`` the pairs, and below the diagonal the wins
less the losses of sequence a against b. The first is symmetric and the second antisymmetric, so
nothing is missing.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.histories.history_kernels import (
    StreetTables,
    extend_sequences,
    extend_turns,
    find_bucket,
    start_flop,
    start_river,
    start_turn,
)
from counterfold.cards.isomorphism_kernels import index_cards
from counterfold.cards.removal_kernels import sweep_labels, take_labels
from counterfold.cards.strength_kernels import pair_of, score_board
from counterfold.jit.compiler import borrowing_kernel
from counterfold.jit.random import draw_from, stream_key, uniform

_N_BOARD = 5
_UNSEEN = -1


class SequenceGrowth(NamedTuple):
    """How sequences grow."""

    preflop: NDArray[np.int32]  # [1326] bucket of each pair
    flop: StreetTables
    turn: StreetTables
    river: StreetTables


class JointScratch(NamedTuple):
    """Work space of one thread.

    Shapes: ``S`` sequences, ``H`` hands, ``C`` cards, ``K`` sequences that a board can have.
    """

    numbers: NDArray[np.int32]  # [S] places in `names`; `_UNSEEN` between calls
    names: NDArray[np.int32]  # [K] the sequences on the board, ascending
    sequences: NDArray[np.int32]  # [H] by hand: pairs of places in lexicographic order
    labels: NDArray[np.int32]  # [H] their places in `names`
    levels: NDArray[np.int32]  # [H]
    firsts: NDArray[np.uint8]  # [H] place of the first card
    seconds: NDArray[np.uint8]  # [H]
    totals: NDArray[np.int32]  # [K] hands of each sequence
    held: NDArray[np.int32]  # [C, K] those that hold a card
    found: NDArray[np.int32]  # [K]
    pairs: NDArray[np.int32]  # [K, K] pairs without a common card; nothing below the diagonal
    wins: NDArray[np.int32]  # [K, K] pairs of which the first wins


def make_joint_scratch(n_cards: int, n_sequences: int) -> JointScratch:
    """Work space for boards that leave up to `n_cards` cards."""
    n_hands = n_cards * (n_cards - 1) // 2
    most = min(n_sequences, n_hands)
    return JointScratch(
        numbers=np.full(n_sequences, _UNSEEN, np.int32),
        names=np.zeros(most, np.int32),
        sequences=np.zeros(n_hands, np.int32),
        labels=np.zeros(n_hands, np.int32),
        levels=np.zeros(n_hands, np.int32),
        firsts=np.zeros(n_hands, np.uint8),
        seconds=np.zeros(n_hands, np.uint8),
        totals=np.zeros(most, np.int32),
        held=np.zeros((n_cards, most), np.int32),
        found=np.zeros(most, np.int32),
        pairs=np.zeros((most, most), np.int32),
        wins=np.zeros((most, most), np.int32),
    )


@borrowing_kernel
def list_hands(cards, of_pair, y):
    """Put the hands among `cards` and their sequences into the work space; returns how many."""
    h = 0
    for i in range(cards.size - 1):
        for j in range(i + 1, cards.size):
            y.firsts[h] = i
            y.seconds[h] = j
            y.sequences[h] = of_pair[pair_of(cards[i], cards[j])]
            h += 1
    return h


@borrowing_kernel
def number_sequences(sequences, numbers, names, labels):
    """Number the sequences that occur in ascending order; returns how many there are."""
    for h in range(sequences.size):
        numbers[sequences[h]] = 0
    n = 0
    for sequence in range(numbers.size):
        if numbers[sequence] != _UNSEEN:
            names[n] = sequence
            numbers[sequence] = n
            n += 1
    for h in range(sequences.size):
        labels[h] = numbers[sequences[h]]
    for k in range(n):
        numbers[names[k]] = _UNSEEN
    return n


@borrowing_kernel
def count_pairs(n, totals, held, found, pairs):
    """Overwrite `pairs` on and above its diagonal by the pairs of hands without a common card.

    `found` is work space: a card is in hands of some sequences only.
    """
    for a in range(n):
        row = pairs[a]
        for b in range(a, n):
            row[b] = totals[a] * totals[b]
        row[a] += totals[a]
    for c in range(held.shape[0]):
        with_card = held[c]
        n_found = 0
        for b in range(n):
            if with_card[b] != 0:
                found[n_found] = b
                n_found += 1
        for x in range(n_found):
            row, times = pairs[found[x]], with_card[found[x]]
            for y in range(x, n_found):
                row[found[y]] -= times * with_card[found[y]]


@borrowing_kernel
def add_pairs(n, names, pairs, weight, sums):
    """Add the pairs of a board to the packed sums."""
    for a in range(n):
        row = sums[names[a]]
        for b in range(a, n):
            row[names[b]] += weight * pairs[a, b]


@borrowing_kernel
def add_net(n, names, wins, weight, sums):
    """Add wins less losses to the packed sums."""
    for a in range(1, n):
        row = sums[names[a]]
        for b in range(a):
            row[names[b]] += weight * (wins[a, b] - wins[b, a])


@borrowing_kernel
def add_squares(n, names, pairs, wins, squares):
    """Add the squares of what a board adds to the packed sums."""
    for a in range(n):
        row = squares[names[a]]
        for b in range(a):
            net = np.int64(wins[a, b] - wins[b, a])
            row[names[b]] += net * net
        for b in range(a, n):
            row[names[b]] += np.int64(pairs[a, b]) * pairs[a, b]


@borrowing_kernel
def tally_pairs(cards, of_pair, weight, y, sums):
    """Add one board that leaves `cards`, with the sequences of all hands, to the packed sums."""
    n_hands = list_hands(cards, of_pair, y)
    labels, firsts, seconds = y.labels[:n_hands], y.firsts[:n_hands], y.seconds[:n_hands]
    n = number_sequences(y.sequences[:n_hands], y.numbers, y.names, labels)
    held = y.held[: cards.size]
    take_labels(n, labels, firsts, seconds, y.totals, held)
    count_pairs(n, y.totals, held, y.found, y.pairs)
    add_pairs(n, y.names, y.pairs, weight, sums)


@borrowing_kernel
def tally_flops(first, last, flops, streets, w, y, sums):
    """Add the flops ``first:last``."""
    for f in range(first, last):
        n_left = start_flop(f, flops, streets.preflop, streets.flop, w)
        tally_pairs(w.left[:n_left], w.flop, flops.weights[f], y, sums)


@borrowing_kernel
def tally_turns(first, last, flops, streets, w, y, sums):
    """Add all turns of the flops ``first:last``."""
    for f in range(first, last):
        n_left = start_flop(f, flops, streets.preflop, streets.flop, w)
        later = w.later[: n_left - 1]
        for t in range(n_left):
            weight = start_turn(f, t, n_left, flops, w)
            if weight > 0:
                extend_sequences(w.deal, later, streets.turn, w.flop, w.turns[t])
                tally_pairs(later, w.turns[t], weight, y, sums)


@borrowing_kernel
def _find_levels(deal, river, s, levels):
    """The level of every hand on the complete board in the scratch: its score, or by class."""
    for k in range(_N_BOARD):
        deal[2 + k] = s.board[k]
    for h in range(s.firsts.size):
        if river.levels.size == 0:
            levels[h] = s.scores[0, h]
        else:
            deal[0] = s.cards[s.firsts[h]]
            deal[1] = s.cards[s.seconds[h]]
            levels[h] = river.levels[index_cards(deal, 0, river.classes)]


@borrowing_kernel
def _tally_showdown(of_pair, river, s, y):
    """Count pairs and wins on the board in the scratch by sequences up to the river.

    `of_pair` has the sequences up to the turn. Returns how many sequences the board has.
    """
    cards = s.cards
    for h in range(s.firsts.size):
        before = of_pair[pair_of(cards[s.firsts[h]], cards[s.seconds[h]])]
        bucket = find_bucket(before, y.levels[h], y.levels[h], river.cuts, river.within_cuts)
        y.sequences[h] = before * river.n_buckets + bucket
    n = number_sequences(y.sequences, y.numbers, y.names, y.labels)
    sweep_labels(n, s.order, s.ends, y.labels, s.firsts, s.seconds, y.totals, y.held, y.wins)
    count_pairs(n, y.totals, y.held, y.found, y.pairs)
    return n


@borrowing_kernel
def tally_rivers(first, last, flops, streets, tables, w, s, y, sums):
    """Add all rivers of the flops ``first:last``; `s` is scratch of `cards.strength_kernels`."""
    river = streets.river
    for f in range(first, last):
        n_left = start_flop(f, flops, streets.preflop, streets.flop, w)
        extend_turns(n_left, streets.turn, w)
        for t in range(n_left - 1):
            for r in range(t + 1, n_left):
                weight = start_river(f, t, r, flops, tables, w, s)
                if weight == 0:
                    continue
                _find_levels(w.deal, river, s, y.levels)
                for turn in (t, r):
                    n = _tally_showdown(w.turns[turn], river, s, y)
                    add_pairs(n, y.names, y.pairs, weight, sums)
                    add_net(n, y.names, y.wins, weight, sums)


@borrowing_kernel
def draw_board(seed, n, deck, left, board):
    """Draw board number `n` of a seed from `deck`; `left` is work space."""
    key = stream_key(seed, n)
    for k in range(deck.size):
        left[k] = deck[k]
    for k in range(board.size):
        board[k] = draw_from(left, deck.size, k, uniform(key, k))


@borrowing_kernel
def sample_rivers(first, last, seed, deck, streets, tables, w, s, y, sums, squares):
    """Add the sampled boards ``first:last`` of a seed, each by itself in `squares`."""
    river = streets.river
    for n in range(first, last):
        draw_board(seed, n, deck, w.left, s.board)
        score_board(deck, tables, s)
        _find_levels(w.deal, river, s, y.levels)
        extend_sequences(w.deal, s.cards, streets.flop, streets.preflop, w.flop)
        extend_sequences(w.deal, s.cards, streets.turn, w.flop, w.turns[0])
        n_seen = _tally_showdown(w.turns[0], river, s, y)
        add_pairs(n_seen, y.names, y.pairs, 1, sums)
        add_net(n_seen, y.names, y.wins, 1, sums)
        add_squares(n_seen, y.names, y.pairs, y.wins, squares)
