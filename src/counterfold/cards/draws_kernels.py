"""Strength of hands that may exchange a card on the flop and on the turn, by backward induction.

The player discards so as to maximize E[HS]; a discarded card is dead: it is not drawn, not dealt to
the board and not in the opponent's hand. On one turn board let ``s_r(h, o)`` be 2, 1 or 0 as hand
``h`` beats, ties or loses to ``o`` on river ``r``. With dead cards ``x`` and ``y``, the sum of all
``s_r(h, o)`` that touch neither follows by inclusion and exclusion from four tables:

    score[h, r]    sum over o of s_r(h, o)
    total[h]       sum over r of score[h, r]
    blocked[h, x]  sum over r and the o that hold x
    meeting[y, a, x]  sum over the h that hold a, and the o that hold x, on river y

and the sum over all cards that may be drawn needs no more: the hands that ``a`` makes with any card
against ``{x, y}`` are the mirror image of ``{x, y}`` against the hands that hold ``a``. So a board
costs one sorted sweep per river, each hand adding one row of a table. All sums are integers.

Cards are places among the cards that the turn board left, hands are numbers of pairs of places.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.isomorphism_kernels import index_cards
from counterfold.cards.ranking_kernels import N_HAND_RANKS, rank_board
from counterfold.cards.strength_kernels import leave, order_by_rank, pair_of
from counterfold.jit.compiler import kernel

KEEP_BOTH, DISCARD_FIRST, DISCARD_SECOND = 0, 1, 2

_UNRANKED = np.int16(32767)  # above every hand, so that it is never beaten
_WIDTH = 48  # of a row by place: as for a full deck, so that the longest loops have a fixed length


class DrawScratch(NamedTuple):
    """Work space of one thread.

    ``M`` cards are left on the turn board, ``H`` pairs of them, ``R`` on the river; ``W`` is
    `_WIDTH`. Sums fit 16 bits: of hands with a given card there are at most 44, which count
    twice, and they are added over 48 rivers or 46 own hands.
    """

    board: NDArray[np.uint8]  # [5]
    left: NDArray[np.uint8]  # [M]
    cards: NDArray[np.uint8]  # [M-1] left after the river
    places: NDArray[np.uint8]  # [M-1] their places
    firsts: NDArray[np.uint8]  # [R] pairs of the M-1 cards
    seconds: NDArray[np.uint8]  # [R]
    lows: NDArray[np.uint8]  # [R] the same pairs as places
    highs: NDArray[np.uint8]  # [R]
    ranks: NDArray[np.int16]  # [R]
    order: NDArray[np.uint16]  # [R]
    ends: NDArray[np.uint16]  # [R]
    counts: NDArray[np.int16]
    marks: NDArray[np.uint64]
    rank_of: NDArray[np.int16]  # [M, W] by both places
    around: NDArray[np.int16]  # [W] hands with a card, before and after a group of equals, added
    row: NDArray[np.int16]  # [W]
    score: NDArray[np.int16]  # [H, M]
    total: NDArray[np.int64]  # [H]
    blocked: NDArray[np.int16]  # [H, W]
    meeting: NDArray[np.int16]  # [M, M, W]
    drawn: NDArray[np.int64]  # [M] sum of `total` over the hands that hold a card
    drawn_lost: NDArray[np.int64]  # [M, M] what a dead card takes off that


def make_draw_scratch(n_deck: int) -> DrawScratch:
    """Work space for a deck of `n_deck` cards."""
    m = n_deck - 4
    n_pairs = m * (m - 1) // 2
    firsts, seconds = np.triu_indices(m - 1, 1)
    n_river = firsts.size
    return DrawScratch(
        board=np.zeros(5, np.uint8),
        left=np.zeros(m, np.uint8),
        cards=np.zeros(m - 1, np.uint8),
        places=np.zeros(m - 1, np.uint8),
        firsts=firsts.astype(np.uint8),
        seconds=seconds.astype(np.uint8),
        lows=np.zeros(n_river, np.uint8),
        highs=np.zeros(n_river, np.uint8),
        ranks=np.zeros(n_river, np.int16),
        order=np.zeros(n_river, np.uint16),
        ends=np.zeros(n_river, np.uint16),
        counts=np.zeros(N_HAND_RANKS, np.int16),
        marks=np.zeros(N_HAND_RANKS // 64 + 1, np.uint64),
        rank_of=np.full((m, _WIDTH), _UNRANKED, np.int16),
        around=np.zeros(_WIDTH, np.int16),
        row=np.zeros(_WIDTH, np.int16),
        score=np.zeros((n_pairs, m), np.int16),
        total=np.zeros(n_pairs, np.int64),
        blocked=np.zeros((n_pairs, _WIDTH), np.int16),
        meeting=np.zeros((m, m, _WIDTH), np.int16),
        drawn=np.zeros(m, np.int64),
        drawn_lost=np.zeros((m, m), np.int64),
    )


@kernel
def _pair(a, b):
    """The number of a pair of places in any order."""
    return pair_of(min(a, b), max(a, b))


@kernel
def _sweep_river(river, tables, s):
    """Add one river card, given by its place, to the tables of the turn board."""
    m = s.left.size
    n = 0
    for p in range(m):
        if p != river:
            s.cards[n] = s.left[p]
            s.places[n] = p
            n += 1
    s.board[4] = s.left[river]
    rank_board(s.board, s.cards, False, tables, s.ranks)
    n_groups = order_by_rank(s.ranks, s.counts, s.marks, s.order, s.ends)
    rank_of, around, row = s.rank_of, s.around, s.row
    for p in range(m):
        rank_of[p, p] = rank_of[p, river] = rank_of[river, p] = _UNRANKED
        around[p] = 0
    for h in range(s.ranks.size):
        a, b = s.places[s.firsts[h]], s.places[s.seconds[h]]
        s.lows[h], s.highs[h] = a, b
        rank_of[a, b] = rank_of[b, a] = s.ranks[h]
    meeting = s.meeting[river]
    start = 0
    for g in range(n_groups):
        stop = s.ends[g]
        for k in range(start, stop):
            h = s.order[k]
            around[s.lows[h]] += 1
            around[s.highs[h]] += 1
        for k in range(start, stop):
            h = s.order[k]
            a, b = s.lows[h], s.highs[h]
            rank = s.ranks[h]
            with_a, with_b = rank_of[a], rank_of[b]
            for p in range(_WIDTH):
                # Hands of the opponent that hold p but neither a nor b.
                row[p] = (
                    around[p]
                    - np.int16(with_a[p] < rank)
                    - np.int16(with_a[p] <= rank)
                    - np.int16(with_b[p] < rank)
                    - np.int16(with_b[p] <= rank)
                )
            row[a] = row[b] = 0
            pair = pair_of(a, b)
            score = start + stop - around[a] - around[b] + 1
            s.score[pair, river] = score
            s.total[pair] += score
            blocked, of_a, of_b = s.blocked[pair], meeting[a], meeting[b]
            for p in range(_WIDTH):
                blocked[p] += row[p]
                of_a[p] += row[p]
                of_b[p] += row[p]
        for k in range(start, stop):
            h = s.order[k]
            around[s.lows[h]] += 1
            around[s.highs[h]] += 1
        start = stop


@kernel
def _study_turn(tables, s):
    """Fill all tables of the turn board ``s.board[:4]`` with the cards ``s.left``."""
    m = s.left.size
    s.score[:] = 0
    s.total[:] = 0
    s.blocked[:] = 0
    s.meeting[:] = 0
    for river in range(m):
        _sweep_river(river, tables, s)
    s.drawn[:] = 0
    s.drawn_lost[:] = 0
    for b in range(1, m):
        for a in range(b):
            pair = pair_of(a, b)
            s.drawn[a] += s.total[pair]
            s.drawn[b] += s.total[pair]
            for x in range(m):  # nothing is lost with a or b themselves
                lost = s.score[pair, x] + s.blocked[pair, x]
                s.drawn_lost[a, x] += lost
                s.drawn_lost[b, x] += lost


@kernel
def _choose(n):
    return n * (n - 1) // 2


@kernel
def _left_of_pair(pair, dead, s):
    """The sum over rivers and opponents of a hand that is kept, without a dead card."""
    return s.total[pair] - s.score[pair, dead] - s.blocked[pair, dead]


@kernel
def _left_of_draw(kept, x, y, left_x, left_y, s):
    """The sum over draws of a card that is kept while `x` and `y` are dead.

    `left_x` and `left_y` are those of its hands with either, the other being dead.
    """
    m = s.left.size
    lost = left_x + left_y + s.drawn_lost[kept, x] + s.drawn_lost[kept, y]
    twice = s.meeting[x, kept, y] + s.meeting[y, kept, x] - s.blocked[_pair(x, y), kept]
    return s.drawn[kept] - lost + twice + 2 * (m - 3) * (m - 4)


@kernel
def _keep_value(pair, s):
    """E[HS] of a hand on the turn that is kept."""
    m = s.left.size
    return s.total[pair] / (2.0 * (m - 2) * _choose(m - 3))


@kernel
def _discard_value(kept, discarded, s):
    """E[HS] on the turn after discarding one card and drawing another at random."""
    m = s.left.size
    left = s.drawn[kept] - s.total[_pair(kept, discarded)] - s.drawn_lost[kept, discarded]
    return left / (2.0 * (m - 2) * (m - 3) * _choose(m - 4))


@kernel
def _turn_value(a, b, s):
    """E[HS] of the best choice on the turn."""
    value = max(_discard_value(a, b, s), _discard_value(b, a, s))
    return max(value, _keep_value(_pair(a, b), s))


@kernel
def _turn_values(a, b, c, s):
    """The same for the pairs ``ab``, ``ac`` and ``bc`` of ``a < b < c`` if the third card is dead.

    A discarded card is as dead as one that was so before, so the three share three draws.
    """
    m = s.left.size
    left_ab = _left_of_pair(pair_of(a, b), c, s)
    left_ac = _left_of_pair(pair_of(a, c), b, s)
    left_bc = _left_of_pair(pair_of(b, c), a, s)
    scale = 2.0 * (m - 3) * (m - 4) * _choose(m - 5)
    draw_a = _left_of_draw(a, b, c, left_ab, left_ac, s) / scale
    draw_b = _left_of_draw(b, a, c, left_ab, left_bc, s) / scale
    draw_c = _left_of_draw(c, a, b, left_ac, left_bc, s) / scale
    scale = 2.0 * (m - 3) * _choose(m - 4)
    return (
        max(left_ab / scale, max(draw_a, draw_b)),
        max(left_ac / scale, max(draw_a, draw_c)),
        max(left_bc / scale, max(draw_b, draw_c)),
    )


@kernel
def comes_first(a, b, board):
    """Whether card `a` of a hand is called its first one; the same for any renaming of suits.

    The lower rank comes first; in a pair the card in whose suit the board has the smaller set of
    ranks, as a number. If these are equal too, the cards are interchangeable.
    """
    if a >> 2 != b >> 2:
        return a < b
    of_a = of_b = 0
    for k in range(board.size):
        if board[k] & 3 == a & 3:
            of_a |= 1 << (board[k] >> 2)
        if board[k] & 3 == b & 3:
            of_b |= 1 << (board[k] >> 2)
    return of_a <= of_b


@kernel
def tabulate_turn_draws(boards, first, last, deck, tables, index, s, before, choice, outs):
    """Value before the discard, best choice and outs on the turn boards ``first:last``.

    Outs are the cards whose draw, after the better discard, is worth more than keeping.
    """
    deal = np.zeros(6, np.uint8)
    for n in range(first, last):
        for k in range(4):
            s.board[k] = deal[2 + k] = boards[n, k]
        leave(deck, s.board, 4, s.left)
        _study_turn(tables, s)
        m = s.left.size
        scale = 2.0 * (m - 3) * _choose(m - 4)  # of a hand that was drawn
        for b in range(1, m):
            for a in range(b):
                deal[0], deal[1] = s.left[a], s.left[b]
                c = index_cards(deal, 0, index)
                keep = _keep_value(pair_of(a, b), s)
                f, g = (a, b) if comes_first(deal[0], deal[1], boards[n]) else (b, a)
                without_f = _discard_value(g, f, s)
                without_g = _discard_value(f, g, s)
                kept, gone = (g, f) if without_f >= without_g else (f, g)
                n_outs = 0
                for p in range(m):
                    if p != a and p != b:
                        n_outs += _left_of_pair(_pair(kept, p), gone, s) / scale > keep
                before[c] = max(keep, max(without_f, without_g))
                outs[c] = n_outs
                if keep >= max(without_f, without_g):
                    choice[c] = KEEP_BOTH
                else:
                    choice[c] = DISCARD_FIRST if gone == f else DISCARD_SECOND


@kernel
def tabulate_flop_draws(boards, first, last, deck, tables, index, s, before, after, choice, outs):
    """The same on the flop, and the value after the discards of a hand that was kept.

    Later choices are made with the dead card in mind.
    """
    deal = np.zeros(5, np.uint8)
    n_left = deck.size - 3
    left = np.zeros(n_left, np.uint8)
    n_pairs = n_left * (n_left - 1) // 2
    kept_sums = np.zeros(n_pairs)
    dead_sums = np.zeros((n_pairs, n_left))
    for n in range(first, last):
        for k in range(3):
            s.board[k] = deal[2 + k] = boards[n, k]
        leave(deck, s.board, 3, left)
        kept_sums[:] = 0.0
        dead_sums[:] = 0.0
        for turn in range(n_left):
            s.board[3] = left[turn]
            leave(deck, s.board, 4, s.left)
            _study_turn(tables, s)
            for c in range(s.left.size):
                # A place on the flop is one higher than on the turn from the turn card on.
                z = c + (c >= turn)
                for b in range(c):
                    y = b + (b >= turn)
                    kept_sums[pair_of(y, z)] += _turn_value(b, c, s)
                    for a in range(b):
                        x = a + (a >= turn)
                        of_ab, of_ac, of_bc = _turn_values(a, b, c, s)
                        dead_sums[pair_of(x, y), z] += of_ab
                        dead_sums[pair_of(x, z), y] += of_ac
                        dead_sums[pair_of(y, z), x] += of_bc
        for b in range(1, n_left):
            for a in range(b):
                deal[0], deal[1] = left[a], left[b]
                c = index_cards(deal, 0, index)
                keep = kept_sums[pair_of(a, b)] / (n_left - 2)
                f, g = (a, b) if comes_first(deal[0], deal[1], boards[n]) else (b, a)
                best, gone, kept = -1.0, f, g
                for side in range(2):
                    out, stays = (f, g) if side == 0 else (g, f)
                    value = 0.0
                    for p in range(n_left):
                        if p != a and p != b:
                            value += dead_sums[_pair(stays, p), out]
                    value /= (n_left - 2) * (n_left - 3)
                    if value > best:
                        best, gone, kept = value, out, stays
                n_outs = 0
                for p in range(n_left):
                    if p != a and p != b:
                        n_outs += dead_sums[_pair(kept, p), gone] / (n_left - 3) > keep
                before[c] = max(keep, best)
                after[c] = keep
                outs[c] = n_outs
                if keep >= best:
                    choice[c] = KEEP_BOTH
                else:
                    choice[c] = DISCARD_FIRST if gone == f else DISCARD_SECOND
