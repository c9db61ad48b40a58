"""Strength of all hands on a board against a random hand, exactly, board by board.

On a complete board all hands are ranked once, sorted, and swept (`cards.removal_kernels`). A hand's
*score* is twice its wins plus its ties, an integer from 0 to ``2 * opponents``; hand strength is
their ratio. On earlier streets the scores of all run-outs are added up, so the sums stay integers
too.

For scores against clusters of opponent hands each hand has a weight, and weights are numbers in
lanes of 16 bits: that of a hand has a one in the lane of its cluster, so that one pass over the
order serves four clusters. Over several run-outs the lanes have 32 bits.

Scratch memory is one `StrengthScratch` per thread. Hands are pairs of the cards left, in
lexicographic order of places; over several run-outs the hand ``a < b`` is number ``52 * a + b``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.isomorphism_kernels import index_cards
from counterfold.cards.ranking_kernels import N_HAND_RANKS, rank_board
from counterfold.cards.removal_kernels import sweep_groups
from counterfold.jit.compiler import borrowing_kernel, kernel

_N_CARDS = 52  # that there are, in any deck
_N_PAIRS = _N_CARDS * (_N_CARDS - 1) // 2
_WORD = 64
_N_WORDS = (N_HAND_RANKS + _WORD - 1) // _WORD

_LANE_BITS = 16
_PER_WORD = 4  # clusters in a word of scores; half as many in a word of sums
_LANE = (1 << _LANE_BITS) - 1
_EVEN_LANES = _LANE << 2 * _LANE_BITS | _LANE
_SUM_BITS = 2 * _LANE_BITS
_SUM = (1 << _SUM_BITS) - 1

# Position of the lowest set bit by multiplication with a de Bruijn sequence of length 64.
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_BIT = np.zeros(64, np.uint8)
_BIT[[((int(_DE_BRUIJN) << k) & (2**64 - 1)) >> 58 for k in range(64)]] = np.arange(64)


class StrengthScratch(NamedTuple):
    """Work space of one thread.

    Shapes: ``C`` cards, ``H`` pairs of them, ``P`` is 52 * 52, ``W`` words of lanes.
    """

    cards: NDArray[np.uint8]  # [C] cards left on a complete board
    board: NDArray[np.uint8]  # [B] complete board
    deal: NDArray[np.uint8]  # [2 + B] hole cards and board, for the class of a hand
    ranks: NDArray[np.int16]  # [H]
    order: NDArray[np.uint16]  # [H] hands from the weakest to the strongest
    ends: NDArray[np.uint16]  # [H] where each group of equal hands ends in that order
    counts: NDArray[np.int16]  # [N_HAND_RANKS] zero between calls
    marks: NDArray[np.uint64]  # [.] one bit per hand rank, zero between calls
    firsts: NDArray[np.uint8]  # [H] place of the first card of a pair
    seconds: NDArray[np.uint8]  # [H]
    words: NDArray[np.int64]  # [W, P] a one in the lane of the cluster of each pair of cards
    weights: NDArray[np.int64]  # [1 + W, H] ones, then the words
    taken: NDArray[np.int64]  # [C] weight so far of the hands that hold a card
    scores: NDArray[np.int64]  # [1 + W, H] against all hands, then by cluster in lanes
    sums: NDArray[np.int64]  # [P] over the run-outs
    squares: NDArray[np.int64]  # [P]
    histograms: NDArray[np.int32]  # [P, bins]
    sums_by: NDArray[np.int64]  # [2 * W, P] by cluster in lanes


def make_scratch(
    n_deck: int, n_final: int, n_bins: int, cluster_of: NDArray[np.uint8]
) -> StrengthScratch:
    """Work space for boards that end with `n_final` cards of a deck of `n_deck`.

    `cluster_of` is the cluster of each of the 1326 pairs, or empty.
    """
    n_left = n_deck - n_final
    n_words = -(-(int(cluster_of.max()) + 1) // _PER_WORD) if cluster_of.size else 0
    firsts, seconds = np.triu_indices(n_left, 1)
    high, low = np.tril_indices(_N_CARDS, -1)  # in the order of `pair_of`
    words = np.zeros((n_words, _N_CARDS * _N_CARDS), np.int64)
    if cluster_of.size:
        lanes = cluster_of.astype(np.int64) % _PER_WORD
        words[cluster_of // _PER_WORD, _N_CARDS * low + high] = 1 << _LANE_BITS * lanes
    return StrengthScratch(
        cards=np.zeros(n_left, np.uint8),
        board=np.zeros(n_final, np.uint8),
        deal=np.zeros(2 + n_final, np.uint8),
        ranks=np.zeros(firsts.size, np.int16),
        order=np.zeros(firsts.size, np.uint16),
        ends=np.zeros(firsts.size, np.uint16),
        counts=np.zeros(N_HAND_RANKS, np.int16),
        marks=np.zeros(_N_WORDS, np.uint64),
        firsts=firsts.astype(np.uint8),
        seconds=seconds.astype(np.uint8),
        words=words,
        weights=np.ones((1 + n_words, firsts.size), np.int64),
        taken=np.zeros(n_left, np.int64),
        scores=np.zeros((1 + n_words, firsts.size), np.int64),
        sums=np.zeros(words.shape[1], np.int64),
        squares=np.zeros(words.shape[1], np.int64),
        histograms=np.zeros((words.shape[1], n_bins), np.int32),
        sums_by=np.zeros((2 * n_words, words.shape[1]), np.int64),
    )


@borrowing_kernel
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


@borrowing_kernel
def score_hands(n_groups, order, ends, firsts, seconds, weights, taken, scores):
    """Overwrite `scores`: for each hand, twice the weight of the disjoint ones that it beats.

    Plus the weight of those that it ties with. With weights of 1 that is twice wins plus ties.
    """
    sweep_groups(n_groups, order, ends, firsts, seconds, weights, taken, scores)
    for h in range(scores.size):
        scores[h] += weights[h]


@borrowing_kernel
def pair_of(a, b):
    """The number of the pair of cards ``a < b``."""
    return np.int64(b) * (np.int64(b) - 1) // 2 + a


@borrowing_kernel
def _cell(a, b):
    """Where the scratch has the pair of cards ``a < b``."""
    return _N_CARDS * np.int64(a) + b


@borrowing_kernel
def leave(deck, board, n_board, left):
    """Write the cards of `deck` that are not among the first `n_board` of `board` to `left`."""
    n = 0
    for k in range(deck.size):
        on_board = False
        for m in range(n_board):
            on_board |= deck[k] == board[m]
        if not on_board:
            left[n] = deck[k]
            n += 1


@borrowing_kernel
def score_board(deck, tables, s):
    """Score all hands on the complete board ``s.board``; returns nothing, fills the scratch."""
    leave(deck, s.board, s.board.size, s.cards)
    rank_board(s.board, s.cards, False, tables, s.ranks)
    n_groups = order_by_rank(s.ranks, s.counts, s.marks, s.order, s.ends)
    for w in range(s.weights.shape[0]):
        if w > 0:
            words, weights = s.words[w - 1], s.weights[w]
            for h in range(s.firsts.size):
                weights[h] = words[_cell(s.cards[s.firsts[h]], s.cards[s.seconds[h]])]
        score_hands(
            n_groups, s.order, s.ends, s.firsts, s.seconds, s.weights[w], s.taken, s.scores[w]
        )


@borrowing_kernel
def add_run_out(bin_of, s):
    """Add the scores of the board in the scratch to the sums of its pairs."""
    for h in range(s.firsts.size):
        cell = _cell(s.cards[s.firsts[h]], s.cards[s.seconds[h]])
        score = s.scores[0, h]
        s.sums[cell] += score
        s.squares[cell] += score * score
        if bin_of.size > 0:
            s.histograms[cell, bin_of[score]] += 1
    for w in range(s.words.shape[0]):
        scores, even, odd = s.scores[1 + w], s.sums_by[2 * w], s.sums_by[2 * w + 1]
        for h in range(s.firsts.size):
            cell = _cell(s.cards[s.firsts[h]], s.cards[s.seconds[h]])
            even[cell] += scores[h] & _EVEN_LANES
            odd[cell] += (scores[h] >> _LANE_BITS) & _EVEN_LANES


@borrowing_kernel
def read_score(scores, x, h):
    """The score of hand `h` against cluster `x`, from all rows of scores."""
    return (scores[1 + x // _PER_WORD, h] >> _LANE_BITS * (x % _PER_WORD)) & _LANE


@borrowing_kernel
def _read_sum(sums_by, x, cell):
    """The sum for a pair against cluster `x`."""
    word = sums_by[x // _PER_WORD * 2 + x % 2, cell]
    return (word >> _SUM_BITS * (x % _PER_WORD // 2)) & _SUM


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


@borrowing_kernel
def add_rows(of, rows, totals):
    """Add each row of numbers to the row `of` totals that it belongs to, in their order."""
    for n in range(of.size):
        for k in range(rows.shape[1]):
            totals[of[n], k] += rows[n, k]


@borrowing_kernel
def tabulate_rivers(boards, first, last, deck, tables, index, s, scores):
    """Scores of all hands on the complete boards ``first:last``, by class of hand and board."""
    for n in range(first, last):
        for m in range(boards.shape[1]):
            s.board[m] = boards[n, m]
            s.deal[2 + m] = boards[n, m]
        score_board(deck, tables, s)
        h = 0
        for i in range(s.cards.size - 1):
            s.deal[0] = s.cards[i]
            for j in range(i + 1, s.cards.size):
                s.deal[1] = s.cards[j]
                scores[index_cards(s.deal, 0, index)] = s.scores[0, h]
                h += 1


@kernel
def tabulate_boards(
    boards, first, last, deck, tables, index, bin_of, cluster_of, s, sums, squares, histograms, ochs
):
    """Sums over all run-outs of the boards ``first:last``, by class of hand and board.

    Boards lack one or two cards. `ochs` is the equity against each cluster; a cluster of which no
    hand is left counts as one half. Without bins or clusters these arrays are empty.
    """
    n_board = boards.shape[1]
    n_more = s.board.size - n_board
    n_clusters = ochs.shape[1]
    left = np.empty(deck.size - n_board, np.uint8)
    taken_by = np.zeros((left.size, n_clusters), np.int32)
    total_by = np.zeros(n_clusters, np.int32)
    n_opponent_run_outs = left.size - 4  # deals of the cards to come, given both hands
    if n_more == 2:
        n_opponent_run_outs = n_opponent_run_outs * (n_opponent_run_outs - 1) // 2
    for n in range(first, last):
        leave(deck, boards[n], n_board, left)
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
                score_board(deck, tables, s)
                add_run_out(bin_of, s)
            else:
                for q in range(p + 1, left.size):
                    s.board[n_board + 1] = left[q]
                    score_board(deck, tables, s)
                    add_run_out(bin_of, s)
        if n_clusters > 0:
            count_clusters(left, cluster_of, taken_by, total_by)
        for i in range(left.size - 1):
            s.deal[0] = left[i]
            for j in range(i + 1, left.size):
                s.deal[1] = left[j]
                cell = _cell(left[i], left[j])
                c = index_cards(s.deal, 0, index)
                sums[c] = s.sums[cell]
                squares[c] = s.squares[cell]
                if bin_of.size > 0:
                    for b in range(s.histograms.shape[1]):
                        histograms[c, b] = s.histograms[cell, b]
                if n_clusters > 0:
                    own = cluster_of[pair_of(left[i], left[j])]
                    for x in range(n_clusters):
                        hands = total_by[x] - taken_by[i, x] - taken_by[j, x] + (x == own)
                        if hands > 0:
                            score = _read_sum(s.sums_by, x, cell)
                            ochs[c, x] = score / (2.0 * hands * n_opponent_run_outs)
                        else:
                            ochs[c, x] = 0.5


@kernel
def tabulate_river_ochs(boards, first, last, deck, tables, index, cluster_of, s, ochs):
    """Equity in 255ths against each cluster on the complete boards ``first:last``."""
    n_clusters = ochs.shape[1]
    taken_by = np.zeros((s.cards.size, n_clusters), np.int32)
    total_by = np.zeros(n_clusters, np.int32)
    for n in range(first, last):
        for m in range(boards.shape[1]):
            s.board[m] = boards[n, m]
            s.deal[2 + m] = boards[n, m]
        score_board(deck, tables, s)
        count_clusters(s.cards, cluster_of, taken_by, total_by)
        h = 0
        for i in range(s.cards.size - 1):
            s.deal[0] = s.cards[i]
            for j in range(i + 1, s.cards.size):
                s.deal[1] = s.cards[j]
                c = index_cards(s.deal, 0, index)
                own = cluster_of[pair_of(s.cards[i], s.cards[j])]
                for x in range(n_clusters):
                    hands = total_by[x] - taken_by[i, x] - taken_by[j, x] + (x == own)
                    score = read_score(s.scores, x, h)
                    equity = score / (2.0 * hands) if hands > 0 else 0.5
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
    n_left = deck.size - n_board
    left = np.zeros(n_left, np.uint8)
    pair_counts = np.zeros((_N_PAIRS, counts.shape[1]), np.uint8)
    for n in range(first, last):
        for m in range(n_board):
            deal[2 + m] = later[2 + m] = boards[n, m]
        leave(deck, boards[n], n_board, left)
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
