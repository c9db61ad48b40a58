"""What an all-in is worth to every pair of hands: the mean over all boards to come."""

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
