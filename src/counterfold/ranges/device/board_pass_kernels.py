"""The kernels of `board_pass.cu` for a processor, argument by argument, and what orders hands.

What a GPU does is tested by them where there is none: the driver is the same.
"""

import numpy as np

from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.ranges.device.device_lines_kernels import begin_value, match_slots, most_actions
from counterfold.ranges.line_kernels import NONE

# Columns of `limits`, by hand: where its group of equal hands begins and ends among all hands,
# among those with its first card and those with its second; where the sums of these cards end.
N_HAND_LIMITS = 8
_ALL, _FIRST, _SECOND, _ENDS = 0, 2, 4, 6


@kernel
def limit_hands(firsts, seconds, ends, n_groups, by_card, limits):
    """Overwrite `by_card` [n, W, C] and `limits` [n, H, N_HAND_LIMITS] for boards of equal length.

    `by_card` has the hands with each card from the weakest on; the sums of a card so far are
    ``W + 1`` numbers, those of all cards one array, into which limits point. What lies beyond the
    last group of a board, or beyond the last hand with a card, stays as it was.
    """
    width, n_cards = by_card.shape[1], by_card.shape[2]
    met = np.zeros(n_cards, np.int64)
    for i in range(firsts.shape[0]):
        met[:] = 0
        start = 0
        for g in range(n_groups[i]):
            stop = ends[i, g]
            for side in range(2):  # before and after the hands of the group
                for h in range(start, stop):
                    first, second = firsts[i, h], seconds[i, h]
                    limits[i, h, _ALL + side] = stop if side else start
                    limits[i, h, _FIRST + side] = first * (width + 1) + met[first]
                    limits[i, h, _SECOND + side] = second * (width + 1) + met[second]
                    limits[i, h, _ENDS] = first * (width + 1) + width
                    limits[i, h, _ENDS + 1] = second * (width + 1) + width
                if side == 0:
                    for h in range(start, stop):
                        for card in (firsts[i, h], seconds[i, h]):
                            by_card[i, met[card], card] = h
                            met[card] += 1
            start = stop


@kernel
def reach_boards(
    n_starts, n, room, least, begun, starts, source, points, parent, first, n_actions, slot,
    buckets, regrets, above, reach,
):  # fmt: skip
    """Overwrite `reach` [lines, n] of a street; `above` is that of the street before.

    A GPU has `room` for so many lines in its fast memory, none if there are too many.
    """
    shares = np.zeros(most_actions(n_actions), reach.dtype)
    for e in range(n_starts):
        for x in range(n):
            reach[starts[e], x] = begun if source[e] == NONE else above[source[e], x]
            for j in range(points[e], points[e + 1]):
                q = slot[j] + n_actions[j] * buckets[x]
                match_slots(regrets[q:], n_actions[j], least, shares)
                for a in range(n_actions[j]):
                    reach[first[j] + a, x] = reach[parent[j], x] * shares[a]


@kernel
def end_boards(
    n_ends, n_boards, n_hands, n_cards, width, lines, fold, show, by_card, limits, reach, folds,
    shows,
):  # fmt: skip
    """Overwrite the rows of `folds` and `shows` that follow from the other's `lines`.

    Parameters
    ----------
    fold, show
        Row for the weight of the hands that each hand meets, and for that of the hands it beats
        less that of those that win; or NONE.
    """
    before = np.zeros(n_hands + 1, reach.dtype)
    taken = np.zeros((n_cards, width + 1), reach.dtype)
    sums = taken.reshape(-1)
    for end in range(n_ends):
        for board in range(n_boards):
            columns = slice(board * n_hands, (board + 1) * n_hands)
            held = reach[lines[end], columns]
            for h in range(n_hands):
                before[h + 1] = before[h] + held[h]
            for card in range(n_cards):
                for k in range(width):
                    taken[card, k + 1] = taken[card, k] + held[by_card[board, k, card]]
            limit = limits[board]
            for h in range(n_hands):
                met = before[n_hands] - sums[limit[h, _ENDS]] - sums[limit[h, _ENDS + 1]]
                if fold[end] != NONE:
                    folds[fold[end], columns][h] = met + held[h]
                if show[end] != NONE:
                    won = -met
                    for side in range(2):
                        won += before[limit[h, _ALL + side]]
                        won -= sums[limit[h, _FIRST + side]] + sums[limit[h, _SECOND + side]]
                    shows[show[end], columns][h] = won


@kernel
def value_boards(
    n_starts, n, room, least, starts, points, parent, first, n_actions, slot, fold, fold_stake,
    show, show_stake, later, buckets, regrets, folds, shows, coming, values,
):  # fmt: skip
    """Overwrite `values` [lines, n] of a street.

    Parameters
    ----------
    fold, show
        Row of `folds` and `shows` that tells what a line comes to where it ends, or NONE.
    later
        Line of the next street, whose values are `coming`, to which a line leads, or NONE.
    """
    shares = np.zeros(most_actions(n_actions), values.dtype)
    for e in range(n_starts):
        for x in range(n):
            for line in range(starts[e], starts[e + 1]):
                values[line, x] = begin_value(
                    line, x, least, fold, fold_stake, show, show_stake, later, folds, shows, coming
                )
            for j in range(points[e + 1] - 1, points[e] - 1, -1):
                q = slot[j] + n_actions[j] * buckets[x]
                match_slots(regrets[q:], n_actions[j], least, shares)
                for a in range(n_actions[j]):
                    values[parent[j], x] += shares[a] * values[first[j] + a, x]


@inlined_kernel
def _sum_members(vector, members, begin, end):
    """The sum of a vector over the columns of a bucket."""
    total = 0.0
    for k in range(begin, end):
        total += vector[members[k]]
    return total


@kernel
def add_averages(
    n_points, n_buckets, n, least, scale, parent, n_actions, slot, begins, members, reach, regrets,
    averages,
):  # fmt: skip
    """Add the strategy of each bucket to its averages, by `scale` times how often it comes.

    The columns of a bucket are ``members[begins[bucket] : begins[bucket + 1]]``.
    """
    shares = np.zeros(most_actions(n_actions), regrets.dtype)
    for j in range(n_points):
        for bucket in range(n_buckets):
            begin, end = begins[bucket], begins[bucket + 1]
            q = slot[j] + n_actions[j] * bucket
            total = scale * _sum_members(reach[parent[j]], members, begin, end)
            match_slots(regrets[q:], n_actions[j], least, shares)
            for a in range(n_actions[j]):
                averages[q + a] += total * shares[a]


@kernel
def add_regrets(
    n_points, n_buckets, n, least, first, n_actions, slot, begins, members, values, regrets
):
    """Add to the regrets of each bucket what its actions would have won."""
    shares = np.zeros(most_actions(n_actions), regrets.dtype)
    sums = np.zeros(most_actions(n_actions))
    for j in range(n_points):
        for bucket in range(n_buckets):
            begin, end = begins[bucket], begins[bucket + 1]
            q = slot[j] + n_actions[j] * bucket
            match_slots(regrets[q:], n_actions[j], least, shares)
            node = 0.0
            for a in range(n_actions[j]):
                sums[a] = _sum_members(values[first[j] + a], members, begin, end)
                node += shares[a] * sums[a]
            for a in range(n_actions[j]):
                regrets[q + a] += sums[a] - node
