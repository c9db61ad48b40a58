"""The kernels of `street_pass.cu` and `last_street.cu` for a processor, argument by argument.

What a GPU does is tested by them where there is none: the driver is the same.
"""

import numpy as np

from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.responses.device.street_boards_kernels import CARD_BITS

NONE = -1
SLOTS = 64  # in which the lines of starts of the last street lie side by side


@inlined_kernel
def _place(hand):
    """Where a hand stands on the board above."""
    return hand >> 2 * CARD_BITS


@inlined_kernel
def _first(hand):
    """The row of its first card."""
    return hand & ((1 << CARD_BITS) - 1)


@inlined_kernel
def _second(hand):
    """The row of its second card, or that of none."""
    return hand >> CARD_BITS & ((1 << CARD_BITS) - 1)


@kernel
def reach_lines(
    n_boards, n_starts, n_hands, n_above, n_lines, n_above_lines, parent, hands, starts, source,
    points, before, first, n_actions, answer, answers, above, reach,
):  # fmt: skip
    """Overwrite `reach` [B, lines, n] of the bot's lines; `above` is that of the street before.

    `before` is the line that leads to a decision, `answer` where the chances of a line begin.
    """
    for b in range(n_boards):
        for e in range(n_starts):
            for h in range(n_hands):
                reach[b, starts[e], h] = above[parent[b], source[e], _place(hands[b, h, 1])]
                for j in range(points[e], points[e + 1]):
                    for line in range(first[j], first[j] + n_actions[j]):
                        chance = answers[answer[line] + hands[b, h, 0]]
                        reach[b, line, h] = reach[b, before[j], h] * chance


@kernel
def count_folds(n_boards, n_ends, n_hands, n_lines, n_rows, single, lines, hands, reach, folds):
    """Overwrite `folds` [B, ends, n] by the weight of the hands that each hand meets."""
    taken = np.zeros(n_rows, reach.dtype)
    for b in range(n_boards):
        for end in range(n_ends):
            held = reach[b, lines[end]]
            taken[:] = 0
            total = taken[0]
            for h in range(n_hands):
                total += held[h]
                taken[_first(hands[b, h, 1])] += held[h]
                if not single:
                    taken[_second(hands[b, h, 1])] += held[h]
            for h in range(n_hands):
                met = total - taken[_first(hands[b, h, 1])]
                if not single:
                    met += held[h] - taken[_second(hands[b, h, 1])]
                folds[b, end, h] = met


@kernel
def value_lines(
    n_boards, n_layers, n_starts, n_hands, n_lines, n_ends, n_below, room, chance, starts, points,
    before, first, n_actions, own, fold, stake, later, hands, answers, folds, coming, totals,
):  # fmt: skip
    """Overwrite `totals` [B, layers * starts, n] of a street that is not the last.

    Parameters
    ----------
    room
        Lines of a start, at most.
    own
        Where the chances of a line begin that the bot would take in the responder's place, or NONE.
    fold, later
        Row of `folds`, and start of the next street, to which a line of the responder leads.
    coming
        [B, layers * starts below, n] what the starts of the next street are worth.
    """
    values = np.zeros(room, totals.dtype)
    for b in range(n_boards):
        for layer in range(n_layers):
            below = max(layer - 1, 0) * n_below
            for e in range(n_starts):
                for h in range(n_hands):
                    for line in range(starts[e], starts[e + 1]):
                        value = values[0] * 0
                        if fold[line] != NONE:
                            value += stake[line] * folds[b, fold[line], h]
                        if later[line] != NONE:
                            value += chance * coming[b, below + later[line], h]
                        values[line - starts[e]] = value
                    for j in range(points[e + 1] - 1, points[e] - 1, -1):
                        at = first[j] - starts[e]
                        node = values[at] if layer == 0 else values[0] * 0
                        for a in range(n_actions[j]):
                            if layer == 0:
                                node = max(node, values[at + a])
                            elif own[first[j] + a] != NONE:
                                share = answers[own[first[j] + a] + hands[b, h, 0]]
                                node += share * values[at + a]
                        values[before[j] - starts[e]] += node
                    totals[b, layer * n_starts + e, h] = values[0]


@kernel
def collect_boards(
    n_parents, n_vectors, n_above, n_hands, first_board, copies, source, down, totals, coming
):
    """Overwrite `coming` [parents, vectors, n above] by sums of `totals` over copies of boards.

    `totals` [boards, vectors, n] begins with `first_board`.
    """
    for a in range(n_parents):
        coming[a] = 0
        for c in range(copies[a], copies[a + 1]):
            for row in range(n_vectors):
                vector = totals[source[c] - first_board, row]
                for u in range(n_above):
                    if down[c, u] != NONE:
                        coming[a, row, u] += vector[down[c, u]]


@inlined_kernel
def _value_line(e, line, slot, term_starts, term_slots, coefficients, won, met, h):
    """What the ends of a line are worth to a hand."""
    value = won[h, 0] * 0
    for t in range(term_starts[e, line], term_starts[e, line + 1]):
        at = slot + term_slots[e, t] % SLOTS
        value += coefficients[e, t] * (won[h, at] if term_slots[e, t] < SLOTS else met[h, at])
    return value


@kernel
def end_hands(
    n_parents, n_launched, n_starts, n_hands, n_above, n_lines, n_groups, per_group, width, n_rows,
    single, n_layers, n_sums, room, most, first_board, first_group, members, children, hands, ends,
    source, above, chances, weights, starts, points, before, first, n_actions, sums, term_starts,
    term_slots, coefficients, totals,
):  # fmt: skip
    """Overwrite `totals` [boards, layers * starts, n] of the last street, from `first_board` on.

    The running sums of cards begin at minus their totals. A group of equal hands is added twice,
    and looked at in between: then they are the weight beaten less the weight that wins.

    Parameters
    ----------
    n_launched, first_group, members
        Starts lie side by side in groups [groups, per_group], of which so many are meant.
    width
        Slots of a start.
    chances
        [buckets, groups, SLOTS] how often the bot plays on from a start to the line of a slot.
    weights
        [buckets, starts, room] the same for the responder's lines, if the bot were in its place.
    sums
        Where a line of the responder gathers what follows it, or NONE.
    term_starts, term_slots, coefficients
        [starts, .] The ends of the responder's lines: slots that count as won, from `SLOTS` on as
        met, and what they are multiplied with.
    """
    all_taken = np.zeros((n_rows, SLOTS), totals.dtype)
    taken, held = np.zeros_like(all_taken), np.zeros(SLOTS, totals.dtype)
    won, met = np.zeros((n_hands, SLOTS), totals.dtype), np.zeros((n_hands, SLOTS), totals.dtype)
    gathered = np.zeros(max(n_sums, 1), totals.dtype)
    total, so_far = np.zeros_like(held), np.zeros_like(held)
    for item in range(n_parents * n_launched * per_group):
        a = item // (n_launched * per_group)
        group, s = first_group + item // per_group % n_launched, item % per_group
        e, slot = members[group, s], s * width
        if e == NONE:
            continue
        begun = above[a, source[e]]
        for b in range(children[a], children[a + 1]):
            all_taken[:] = 0
            total[:] = 0
            for h in range(n_hands):
                hand = hands[b, h, 1]
                held[:] = begun[_place(hand)] * chances[hands[b, h, 0], group]
                total += held
                all_taken[_first(hand)] += held
                if not single:
                    all_taken[_second(hand)] += held
            taken[:] = -all_taken
            so_far[:] = -total
            at, g = 0, 0
            while at < n_hands:
                end = ends[b, g]
                for step in range(2):
                    for h in range(at, end):
                        hand = hands[b, h, 1]
                        held[:] = begun[_place(hand)] * chances[hands[b, h, 0], group]
                        so_far += held
                        taken[_first(hand)] += held
                        if not single:
                            taken[_second(hand)] += held
                    if step == 1:
                        break
                    for h in range(at, end):
                        hand = hands[b, h, 1]
                        held[:] = begun[_place(hand)] * chances[hands[b, h, 0], group]
                        won[h] = so_far - taken[_first(hand)]
                        met[h] = total - all_taken[_first(hand)]
                        if not single:
                            won[h] -= taken[_second(hand)]
                            met[h] += held - all_taken[_second(hand)]
                at, g = end, g + 1
            for h in range(n_hands):
                weight = weights[hands[b, h, 0] if n_layers > 1 else 0, e if n_layers > 1 else 0]
                gathered[:] = 0
                mixed = gathered[0]
                for j in range(points[e + 1] - 1, points[e] - 1, -1):
                    best = gathered[0] * 0
                    for k in range(n_actions[j]):
                        line = first[j] + k - starts[e]
                        value = _value_line(
                            e, line, slot, term_starts, term_slots, coefficients, won, met, h
                        )
                        if n_layers > 1:
                            mixed += weight[line] * value
                        if sums[first[j] + k] != NONE:
                            value += gathered[sums[first[j] + k]]
                        best = value if k == 0 else max(best, value)
                    gathered[sums[before[j]]] += best
                value = _value_line(e, 0, slot, term_starts, term_slots, coefficients, won, met, h)
                if n_layers > 1:
                    totals[b - first_board, n_starts + e, h] = mixed + weight[0] * value
                if sums[starts[e]] != NONE:
                    value += gathered[sums[starts[e]]]
                totals[b - first_board, e, h] = value


end_common = end_hands  # on a GPU this knows the betting beforehand
