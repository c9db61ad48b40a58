"""Hands on boards: which are left, from weakest to strongest, and what an all-in is worth.

Hands are numbered as at the root. An all-in is worth the mean over all boards to come.
"""

import numpy as np

from counterfold.jit.compiler import inlined_kernel, kernel

NONE = -1


@inlined_kernel
def _compare(boards, b, copy, matrix, marks, others):
    """Add the results on a copy of the board `b` of the last street to its parent's `matrix`."""
    parent = boards.parent[b]
    n_0, n_1 = boards.n_hands[parent, 0], boards.n_hands[parent, 1]
    # Levels of strength at the places of the parent's hands; hands that the board blocks have none.
    for h in range(n_0):
        marks[h] = NONE
    for h in range(n_1):
        others[h] = NONE
    start_0, start_1 = 0, 0
    for g in range(boards.groups[b], boards.groups[b + 1]):
        for h in range(start_0, boards.ends[g, 0]):
            marks[boards.up[boards.ups[copy, 0] + h]] = g
        for h in range(start_1, boards.ends[g, 1]):
            others[boards.up[boards.ups[copy, 1] + h]] = g
        start_0, start_1 = boards.ends[g, 0], boards.ends[g, 1]
    for h in range(n_0):
        level = marks[h]
        if level == NONE:
            continue
        row = matrix[h * n_1 : (h + 1) * n_1]
        for k in range(n_1):
            won = np.float32(level > others[k]) - np.float32(level < others[k])
            row[k] += won if others[k] != NONE else np.float32(0.0)


@inlined_kernel
def _gather(boards, b, copy, source, matrix):
    """Add the matrix of a copy of the board `b` to its parent's."""
    n_1 = boards.n_hands[boards.parent[b], 1]
    up_0, up_1 = boards.ups[copy, 0], boards.ups[copy, 1]
    at = 0
    for h in range(boards.n_hands[b, 0]):
        row = boards.up[up_0 + h] * n_1
        for k in range(boards.n_hands[b, 1]):
            matrix[row + boards.up[up_1 + k]] += source[at]
            at += 1


@inlined_kernel
def _finish(boards, b, matrix):
    """Turn the sum into a mean, and forget pairs of hands that share a card."""
    chance = np.float32(boards.chance[boards.street[b] + 1])
    n_1 = boards.n_hands[b, 1]
    for h in range(boards.n_hands[b, 0]):
        first = boards.cards[boards.hands[b, 0] + h]
        row = matrix[h * n_1 : (h + 1) * n_1]
        for k in range(n_1):
            second = boards.cards[boards.hands[b, 1] + k]
            shared = first[0] == second[0]
            if first[1] == first[2]:
                shared |= first[0] == second[1] or first[1] == second[0] or first[1] == second[1]
            row[k] = np.float32(0.0) if shared else row[k] * chance


@kernel
def fill_matrices(boards):
    """Fill the matrices of all boards that have one, from the last street up."""
    most_0, most_1 = boards.n_hands[:, 0].max(), boards.n_hands[:, 1].max()
    marks, others = np.empty(most_0, np.int32), np.empty(most_1, np.int32)
    for b in range(boards.street.size - 1, 0, -1):
        start = boards.matrices[boards.parent[b]]
        if start != NONE:
            above = boards.matrix[start:]
            own = boards.matrices[b]
            if own != NONE:
                _finish(boards, b, boards.matrix[own:])
            for copy in range(boards.copies[b], boards.copies[b + 1]):
                if own != NONE:
                    _gather(boards, b, copy, boards.matrix[own:], above)
                else:
                    _compare(boards, b, copy, above, marks, others)
    if boards.matrices[0] != NONE:
        _finish(boards, 0, boards.matrix)
    elif boards.matrices.size > 1:
        for b in range(1, boards.street.size):
            if boards.matrices[b] != NONE and boards.matrices[boards.parent[b]] == NONE:
                _finish(boards, b, boards.matrix[boards.matrices[b] :])


@kernel
def count_hands(dealt, hands, holes, counts):
    """Overwrite `counts` [B] by how many of `hands` the cards of each row of `dealt` leave.

    Rows of `dealt` [B, cards] are filled up with -1; `holes` has the cards of all hands.
    """
    for b in range(dealt.shape[0]):
        off = 0
        for card in dealt[b]:
            if card >= 0:
                off |= np.int64(1) << np.int64(card)
        n = 0
        for hand in hands:
            taken = 0
            for card in holes[hand]:
                taken |= np.int64(1) << np.int64(card)
            n += (taken & off) == 0
        counts[b] = n


@kernel
def leave_hands(dealt, hands, holes, starts, hand):
    """Overwrite `hand` from ``starts[b]`` on by the numbers of the hands that board b leaves."""
    for b in range(dealt.shape[0]):
        off = 0
        for card in dealt[b]:
            if card >= 0:
                off |= np.int64(1) << np.int64(card)
        at = starts[b]
        for k in range(hands.size):
            taken = 0
            for card in holes[hands[k]]:
                taken |= np.int64(1) << np.int64(card)
            if (taken & off) == 0:
                hand[at] = k
                at += 1


@kernel
def write_hands(final, dealt, p, hands, holes, starts, n_hands, hand, ats, rows):
    """Overwrite `rows` from ``ats[b]`` on by the cards of the hands of seat `p` on boards of the
    last street, those of the board after their own.
    """
    for b in range(final.size):
        if final[b]:
            for h in range(n_hands[b, p]):
                row, k = rows[ats[b, p] + h], 0
                for card in holes[hands[hand[starts[b, p] + h]]]:
                    row[k] = card
                    k += 1
                for card in dealt[b]:
                    row[k] = card
                    k += 1


@kernel
def order_hands(final, starts, n_hands, ats, ranks, hand, groups, ends):
    """Put hands of boards of the last street in order, and find the groups of equal ones.

    `ranks` of the hands of a board and seat begin at ``ats[b, p]``; `groups` [B + 1] and `ends`
    [., 2] are overwritten.
    """
    n_groups = 0
    groups[0] = 0
    for b in range(final.size):
        if final[b]:
            for p in range(2):
                own = hand[starts[b, p] : starts[b, p] + n_hands[b, p]]
                levels = ranks[ats[b, p] : ats[b, p] + n_hands[b, p]]
                order = np.argsort(levels, kind="mergesort")
                own[:], levels[:] = own[order], levels[order]
            at_0, at_1 = 0, 0
            mine = ranks[ats[b, 0] : ats[b, 0] + n_hands[b, 0]]
            theirs = ranks[ats[b, 1] : ats[b, 1] + n_hands[b, 1]]
            while at_0 < mine.size or at_1 < theirs.size:
                if at_1 == theirs.size or (at_0 < mine.size and mine[at_0] <= theirs[at_1]):
                    level = mine[at_0]
                else:
                    level = theirs[at_1]
                while at_0 < mine.size and mine[at_0] == level:
                    at_0 += 1
                while at_1 < theirs.size and theirs[at_1] == level:
                    at_1 += 1
                ends[n_groups, 0], ends[n_groups, 1] = at_0, at_1
                n_groups += 1
        groups[b + 1] = n_groups


@kernel
def link_hands(boards, p, hands, others, holes, no_second, renamings, renamed, place):
    """Overwrite `cards`, `same` and `up` of the hands of seat `p`.

    Parameters
    ----------
    hands, others
        All hands of the seat and of the other at the root, as numbers of the deck's hands.
    no_second
        What hands of one card have as second and third row of sums.
    renamings
        [C] row of `renamed`, the hands under new names of suits, that makes a copy.
    place
        [hands of the deck] is used to work with.
    """
    single = holes.shape[1] == 1
    for b in range(boards.street.size):
        first, n = boards.hands[b, p], boards.n_hands[b, p]
        other, other_n = boards.hands[b, 1 - p], boards.n_hands[b, 1 - p]
        place[:] = NONE
        if not single:  # a hand of one card is taken off once
            for h in range(other_n):
                place[others[boards.hand[other + h]]] = h
        for h in range(n):
            number = hands[boards.hand[first + h]]
            boards.same[first + h] = place[number]
            boards.cards[first + h, 0] = holes[number, 0]
            for k in range(1, 3):
                boards.cards[first + h, k] = no_second[k - 1] if single else holes[number, 1]
        place[:] = NONE
        if boards.parent[b] == NONE:
            for h in range(hands.size):
                place[hands[h]] = h
        else:
            above = boards.parent[b]
            for h in range(boards.n_hands[above, p]):
                place[hands[boards.hand[boards.hands[above, p] + h]]] = h
        for copy in range(boards.copies[b], boards.copies[b + 1]):
            names = renamed[renamings[copy]]
            at = boards.ups[copy, p]
            for h in range(n):
                boards.up[at + h] = place[names[hands[boards.hand[first + h]]]]
