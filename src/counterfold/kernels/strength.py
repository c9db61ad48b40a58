"""Strength of all hands on a board against a random hand, exactly, board by board.

On a complete board all hands are ranked once and sorted. Going up the order, the number of weaker
hands that share no card with a hand is the number of all weaker hands less those with its first
card less those with its second. A hand's *score* is twice its wins plus its ties, an integer from 0
to ``2 * opponents``; hand strength is their ratio. On earlier streets the scores of all run-outs
are added up, so the sums stay integers too.

Scratch memory is one `Scratch` per thread. Hands are pairs of the cards left, in lexicographic
order of places; over several run-outs they are numbered as pairs of the whole deck.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.kernels.compiler import kernel
from counterfold.kernels.isomorphism import index_cards
from counterfold.kernels.ranking import N_HAND_RANKS, rank_board

_WORD = 64
_N_WORDS = (N_HAND_RANKS + _WORD - 1) // _WORD

_NO_CLUSTERS = np.zeros(0, np.uint8)

# Position of the lowest set bit by multiplication with a de Bruijn sequence of length 64.
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_BIT = np.zeros(64, np.uint8)
_BIT[[((int(_DE_BRUIJN) << k) & (2**64 - 1)) >> 58 for k in range(64)]] = np.arange(64)


class Scratch(NamedTuple):
    """Work space of one thread. Shapes: ``C`` cards, ``H`` pairs of them, ``K`` clusters."""

    cards: NDArray[np.uint8]  # [C] cards left on a complete board
    board: NDArray[np.uint8]  # [B] complete board
    deal: NDArray[np.uint8]  # [2 + B] hole cards and board, for the class of a hand
    ranks: NDArray[np.int16]  # [H]
    order: NDArray[np.int16]  # [H] hands from the weakest to the strongest
    ends: NDArray[np.int16]  # [H] where each group of equal hands ends in that order
    counts: NDArray[np.int16]  # [N_HAND_RANKS] zero between calls
    marks: NDArray[np.uint64]  # [.] one bit per hand rank, zero between calls
    firsts: NDArray[np.uint8]  # [H] place of the first card of a pair
    seconds: NDArray[np.uint8]  # [H]
    scores: NDArray[np.int32]  # [H]
    taken: NDArray[np.int32]  # [C] hands so far that hold a card
    clusters: NDArray[np.uint8]  # [H] cluster of each hand
    scores_by: NDArray[np.int32]  # [H, K] scores against each cluster
    taken_by: NDArray[np.int32]  # [C, K]
    total_by: NDArray[np.int32]  # [K]
    sums: NDArray[np.int64]  # [H] over the run-outs, by pair of the deck
    squares: NDArray[np.int64]  # [H]
    histograms: NDArray[np.int32]  # [H, bins]
    sums_by: NDArray[np.int64]  # [H, K]


def make_scratch(n_deck: int, n_final: int, n_bins: int, n_clusters: int) -> Scratch:
    """Work space for boards that end with `n_final` cards of a deck of `n_deck`."""
    n_left = n_deck - n_final
    n_pairs = n_deck * (n_deck - 1) // 2
    firsts, seconds = np.triu_indices(n_left, 1)
    return Scratch(
        cards=np.zeros(n_left, np.uint8),
        board=np.zeros(n_final, np.uint8),
        deal=np.zeros(2 + n_final, np.uint8),
        ranks=np.zeros(firsts.size, np.int16),
        order=np.zeros(firsts.size, np.int16),
        ends=np.zeros(firsts.size, np.int16),
        counts=np.zeros(N_HAND_RANKS, np.int16),
        marks=np.zeros(_N_WORDS, np.uint64),
        firsts=firsts.astype(np.uint8),
        seconds=seconds.astype(np.uint8),
        scores=np.zeros(firsts.size, np.int32),
        taken=np.zeros(n_left, np.int32),
        clusters=np.zeros(firsts.size, np.uint8),
        scores_by=np.zeros((firsts.size, n_clusters), np.int32),
        taken_by=np.zeros((n_left, n_clusters), np.int32),
        total_by=np.zeros(n_clusters, np.int32),
        sums=np.zeros(n_pairs, np.int64),
        squares=np.zeros(n_pairs, np.int64),
        histograms=np.zeros((n_pairs, n_bins), np.int32),
        sums_by=np.zeros((n_pairs, n_clusters), np.int64),
    )


@kernel
def order_by_rank(ranks, counts, marks, order, ends):
    """Sort hands by rank: fill `order` and `ends`, and return the number of groups.

    A counting sort; a bit per rank that occurs spares the pass over all 7,462 ranks.
    """
    for h in range(ranks.size):
        rank = np.int64(ranks[h])
        marks[rank >> 6] |= np.uint64(1) << np.uint64(rank & 63)
        counts[rank] += 1
    n_groups = 0
    start = 0
    for word in range(marks.size):
        bits = marks[word]
        while bits != np.uint64(0):
            low = bits & (~bits + np.uint64(1))
            rank = word * _WORD + _BIT[(low * _DE_BRUIJN) >> np.uint64(58)]
            bits ^= low
            size = counts[rank]
            counts[rank] = start
            start += size
            ends[n_groups] = start
            n_groups += 1
    for h in range(ranks.size):
        rank = ranks[h]
        order[counts[rank]] = h
        counts[rank] += 1
    for h in range(ranks.size):
        counts[ranks[h]] = 0
    for word in range(marks.size):
        marks[word] = 0
    return n_groups


@kernel
def score_hands(n_groups, order, ends, firsts, seconds, taken, scores):
    """Overwrite `scores` by twice the wins plus the ties of each hand against all disjoint ones."""
    for c in range(taken.size):
        taken[c] = 0
    start = 0
    for g in range(n_groups):
        stop = ends[g]
        for k in range(start, stop):
            h = order[k]
            scores[h] = start - taken[firsts[h]] - taken[seconds[h]]
        for k in range(start, stop):
            h = order[k]
            taken[firsts[h]] += 1
            taken[seconds[h]] += 1
        for k in range(start, stop):
            h = order[k]
            # The hand itself is counted once and taken off twice.
            scores[h] += stop - taken[firsts[h]] - taken[seconds[h]] + 1
        start = stop


@kernel
def score_clusters(n_groups, order, ends, firsts, seconds, clusters, taken_by, total_by, scores_by):
    """Overwrite `scores_by`: the same against the hands of each cluster apart."""
    n_clusters = total_by.size
    taken_by[:] = 0
    total_by[:] = 0
    start = 0
    for g in range(n_groups):
        stop = ends[g]
        for k in range(start, stop):
            h = order[k]
            a, b = firsts[h], seconds[h]
            for x in range(n_clusters):
                scores_by[h, x] = total_by[x] - taken_by[a, x] - taken_by[b, x]
        for k in range(start, stop):
            h = order[k]
            x = clusters[h]
            taken_by[firsts[h], x] += 1
            taken_by[seconds[h], x] += 1
            total_by[x] += 1
        for k in range(start, stop):
            h = order[k]
            a, b = firsts[h], seconds[h]
            for x in range(n_clusters):
                scores_by[h, x] += total_by[x] - taken_by[a, x] - taken_by[b, x]
            scores_by[h, clusters[h]] += 1
        start = stop


@kernel
def pair_of(a, b):
    """The number of the pair of cards ``a < b``."""
    return np.int64(b) * (np.int64(b) - 1) // 2 + a


@kernel
def _score_board(deck, cluster_of, tables, s):
    """Score all hands on the complete board ``s.board``; returns nothing, fills the scratch."""
    n = 0
    for k in range(deck.size):
        on_board = False
        for m in range(s.board.size):
            on_board |= deck[k] == s.board[m]
        if not on_board:
            s.cards[n] = deck[k]
            n += 1
    rank_board(s.board, s.cards, False, tables, s.ranks)
    n_groups = order_by_rank(s.ranks, s.counts, s.marks, s.order, s.ends)
    score_hands(n_groups, s.order, s.ends, s.firsts, s.seconds, s.taken, s.scores)
    if cluster_of.size > 0:
        for h in range(s.ranks.size):
            s.clusters[h] = cluster_of[pair_of(s.cards[s.firsts[h]], s.cards[s.seconds[h]])]
        score_clusters(
            n_groups,
            s.order,
            s.ends,
            s.firsts,
            s.seconds,
            s.clusters,
            s.taken_by,
            s.total_by,
            s.scores_by,
        )


@kernel
def _add_run_out(bin_of, n_clusters, s):
    """Add the scores of the board in the scratch to the sums of its pairs."""
    h = 0
    for i in range(s.cards.size - 1):
        for j in range(i + 1, s.cards.size):
            pair = pair_of(s.cards[i], s.cards[j])
            score = np.int64(s.scores[h])
            s.sums[pair] += score
            s.squares[pair] += score * score
            if bin_of.size > 0:
                s.histograms[pair, bin_of[score]] += 1
            for x in range(n_clusters):
                s.sums_by[pair, x] += s.scores_by[h, x]
            h += 1


@kernel
def count_clusters(cards, cluster_of, taken_by, total_by):
    """Hands among `cards` by cluster, in all and by card: what is left to divide by."""
    taken_by[:] = 0
    total_by[:] = 0
    for i in range(cards.size - 1):
        for j in range(i + 1, cards.size):
            x = cluster_of[pair_of(cards[i], cards[j])]
            taken_by[i, x] += 1
            taken_by[j, x] += 1
            total_by[x] += 1


@kernel
def tabulate_rivers(boards, first, last, deck, tables, index, s, scores):
    """Scores of all hands on the complete boards ``first:last``, by class of hand and board."""
    for n in range(first, last):
        for m in range(boards.shape[1]):
            s.board[m] = boards[n, m]
            s.deal[2 + m] = boards[n, m]
        _score_board(deck, _NO_CLUSTERS, tables, s)
        h = 0
        for i in range(s.cards.size - 1):
            s.deal[0] = s.cards[i]
            for j in range(i + 1, s.cards.size):
                s.deal[1] = s.cards[j]
                scores[index_cards(s.deal, 0, index)] = s.scores[h]
                h += 1


@kernel
def tabulate_boards(
    boards, first, last, deck, tables, index, bin_of, cluster_of, s, sums, squares, histograms, ochs
):
    """Sums over all run-outs of the boards ``first:last``, by class of hand and board.

    Boards lack one or two cards. Empty `bin_of` or `cluster_of` leave out `histograms` or `ochs`,
    the equity against each cluster; a cluster of which no hand is left counts as one half.
    """
    n_board = boards.shape[1]
    n_more = s.board.size - n_board
    n_clusters = s.total_by.size if cluster_of.size > 0 else 0
    left = np.empty(deck.size - n_board, np.uint8)
    taken_by = np.zeros((left.size, n_clusters), np.int32)
    total_by = np.zeros(n_clusters, np.int32)
    n_opponent_run_outs = left.size - 4  # deals of the cards to come, given both hands
    if n_more == 2:
        n_opponent_run_outs = n_opponent_run_outs * (n_opponent_run_outs - 1) // 2
    for n in range(first, last):
        n_left = 0
        for k in range(deck.size):
            on_board = False
            for m in range(n_board):
                on_board |= deck[k] == boards[n, m]
            if not on_board:
                left[n_left] = deck[k]
                n_left += 1
        for m in range(n_board):
            s.board[m] = boards[n, m]
            s.deal[2 + m] = boards[n, m]
        s.sums[:] = 0
        s.squares[:] = 0
        s.histograms[:] = 0
        s.sums_by[:] = 0
        for p in range(left.size):
            s.board[n_board] = left[p]
            if n_more == 1:
                _score_board(deck, cluster_of, tables, s)
                _add_run_out(bin_of, n_clusters, s)
            else:
                for q in range(p + 1, left.size):
                    s.board[n_board + 1] = left[q]
                    _score_board(deck, cluster_of, tables, s)
                    _add_run_out(bin_of, n_clusters, s)
        if n_clusters > 0:
            count_clusters(left, cluster_of, taken_by, total_by)
        for i in range(left.size - 1):
            s.deal[0] = left[i]
            for j in range(i + 1, left.size):
                s.deal[1] = left[j]
                pair = pair_of(left[i], left[j])
                c = index_cards(s.deal, 0, index)
                sums[c] = s.sums[pair]
                squares[c] = s.squares[pair]
                if bin_of.size > 0:
                    for b in range(s.histograms.shape[1]):
                        histograms[c, b] = s.histograms[pair, b]
                if n_clusters > 0:
                    own = cluster_of[pair]
                    for x in range(n_clusters):
                        hands = total_by[x] - taken_by[i, x] - taken_by[j, x] + (x == own)
                        if hands > 0:
                            ochs[c, x] = s.sums_by[pair, x] / (2.0 * hands * n_opponent_run_outs)
                        else:
                            ochs[c, x] = 0.5


@kernel
def tabulate_river_ochs(boards, first, last, deck, tables, index, cluster_of, s, ochs):
    """Equity in 255ths against each cluster on the complete boards ``first:last``."""
    n_clusters = s.total_by.size
    taken_by = np.zeros((s.cards.size, n_clusters), np.int32)
    total_by = np.zeros(n_clusters, np.int32)
    for n in range(first, last):
        for m in range(boards.shape[1]):
            s.board[m] = boards[n, m]
            s.deal[2 + m] = boards[n, m]
        _score_board(deck, cluster_of, tables, s)
        count_clusters(s.cards, cluster_of, taken_by, total_by)
        h = 0
        for i in range(s.cards.size - 1):
            s.deal[0] = s.cards[i]
            for j in range(i + 1, s.cards.size):
                s.deal[1] = s.cards[j]
                c = index_cards(s.deal, 0, index)
                for x in range(n_clusters):
                    hands = total_by[x] - taken_by[i, x] - taken_by[j, x]
                    hands += x == s.clusters[h]
                    equity = s.scores_by[h, x] / (2.0 * hands) if hands > 0 else 0.5
                    ochs[c, x] = np.uint8(255.0 * equity + 0.5)
                h += 1


@kernel
def count_next(boards, first, last, deck, index, next_index, labels, counts):
    """Count the labels that each hand can have on the next street.

    For the boards ``first:last`` and every card that may follow; `labels` goes by class of the
    next street, `counts` by class of this one and label.
    """
    n_board = boards.shape[1]
    deal = np.zeros(2 + n_board, np.uint8)
    later = np.zeros(3 + n_board, np.uint8)
    left = np.zeros(deck.size, np.uint8)
    pair_counts = np.zeros((deck.size * (deck.size - 1) // 2, counts.shape[1]), np.uint8)
    for n in range(first, last):
        for m in range(n_board):
            deal[2 + m] = later[2 + m] = boards[n, m]
        n_left = 0
        for k in range(deck.size):
            on_board = False
            for m in range(n_board):
                on_board |= deck[k] == boards[n, m]
            if not on_board:
                left[n_left] = deck[k]
                n_left += 1
        pair_counts[:] = 0
        for p in range(n_left):
            later[2 + n_board] = left[p]
            for i in range(n_left - 1):
                if i == p:
                    continue
                later[0] = left[i]
                for j in range(i + 1, n_left):
                    if j != p:
                        later[1] = left[j]
                        label = labels[index_cards(later, 0, next_index)]
                        pair_counts[pair_of(left[i], left[j]), label] += 1
        for i in range(n_left - 1):
            deal[0] = left[i]
            for j in range(i + 1, n_left):
                deal[1] = left[j]
                c = index_cards(deal, 0, index)
                pair = pair_of(left[i], left[j])
                for label in range(counts.shape[1]):
                    counts[c, label] = pair_counts[pair, label]
