"""Traversal along the lines of a street, start by start: reach down, values and regrets up.

`lines` is a `SeatSequences`. Vectors go over bucket sequences; those of the street
before are `n_buckets` times shorter. Tables over slots have ``slot + sequence * n_actions +
action``. The starts ``begin:end`` own their vectors, slots and values, so that threads may share a
street.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.regret_kernels import LEAST_REGRET, discount, match_predicted, match_regrets

NONE = -1


class LeafValues(NamedTuple):
    """What the lines of a seat come to without its own doing, per chip."""

    folds: NDArray[np.floating]  # [folds, S]
    shows: NDArray[np.floating]  # [showdowns, S]
    later: NDArray[np.floating]  # [starts of the next street, S] in chips


class Tables(NamedTuple):
    """What a run keeps, over slots."""

    regrets: NDArray[np.floating]
    averages: NDArray[np.floating]
    instant_regrets: NDArray[np.floating]  # of the last iteration; one entry where nothing predicts


@kernel
def match_slots(lines, n_sequences, weights, strategy):
    """Overwrite `strategy` at all decisions of a seat on a street by normalized `weights`."""
    for j in range(lines.slot.size):
        n_actions = lines.n_actions[j]
        for s in range(n_sequences):
            at = lines.slot[j] + s * n_actions
            match_regrets(weights, at, n_actions, strategy[at : at + n_actions])


@kernel
def reach_lines(lines, begin, end, n_buckets, above, weights, guesses, predictive, reach):
    """Overwrite the vectors of `reach` that belong to the starts ``begin:end``.

    The strategy is in proportion to the positive part of `weights`, which are regrets or averages;
    with `predictive`, `guesses` are added to them. `above` are the vectors of the street before.
    """
    n_sequences = reach.shape[1]
    most = 1
    for j in range(lines.points[begin], lines.points[end]):
        most = max(most, lines.n_actions[j])
    strategy = np.empty(most, reach.dtype)
    for e in range(begin, end):
        source = above[lines.source[e]]
        target = reach[lines.row[lines.starts[e]]]
        for s in range(source.size):
            for b in range(n_buckets):
                target[s * n_buckets + b] = source[s]
        for j in range(lines.points[e], lines.points[e + 1]):
            n_actions, first, slot = lines.n_actions[j], lines.first[j], lines.slot[j]
            before = reach[lines.row[lines.parent[j]]]
            for s in range(n_sequences):
                at = slot + s * n_actions
                if predictive:
                    match_predicted(weights, guesses, at, n_actions, strategy)
                else:
                    match_regrets(weights, at, n_actions, strategy)
                for a in range(n_actions):
                    reach[lines.row[first + a], s] = before[s] * strategy[a]


@inlined_kernel
def _start_values(lines, e, ends, values):
    """Overwrite `values` of the lines of a start by what they come to without a decision."""
    for line in range(lines.starts[e], lines.starts[e + 1]):
        value = values[line - lines.starts[e]]
        value[:] = 0.0
        if lines.fold[line] != NONE:
            source, stake = ends.folds[lines.fold[line]], lines.fold_stake[line]
            for s in range(value.size):
                value[s] = stake * source[s]
        if lines.show[line] != NONE:
            source, stake = ends.shows[lines.show[line]], lines.show_stake[line]
            for s in range(value.size):
                value[s] += stake * source[s]
        if lines.later[line] != NONE:
            source = ends.later[lines.later[line]]
            for s in range(value.size):
                value[s] += source[s]


@inlined_kernel
def _gather(value, n_buckets, total):
    """Overwrite `total` with sums over the buckets that come next."""
    for s in range(total.size):
        total[s] = 0.0
        for b in range(n_buckets):
            total[s] += value[s * n_buckets + b]


@kernel
def update_lines(
    lines, begin, end, n_buckets, ends, reach, factors, predictive, tables, values, totals
):
    """One pass of CFR up the decisions of the starts ``begin:end`` of a seat.

    Adds instantaneous regrets to the regrets and `reach` to the averages, then multiplies positive
    regrets, negative ones and averages by the three `factors`.

    Parameters
    ----------
    tables
        `Tables`, changed in place; `instant_regrets` only if `predictive`.
    values
        [lines of a start, S] overwritten.
    totals
        [E, S / n_buckets] values of the starts, overwritten.
    """
    n_sequences = values.shape[1]
    regrets, averages, instant_regrets = tables
    positive, negative, average = factors[0], factors[1], factors[2]
    most = 1
    for j in range(lines.points[begin], lines.points[end]):
        most = max(most, lines.n_actions[j])
    strategy = np.empty(most, regrets.dtype)
    for e in range(begin, end):
        _start_values(lines, e, ends, values)
        base = lines.starts[e]
        for j in range(lines.points[e + 1] - 1, lines.points[e] - 1, -1):
            n_actions, first, slot = lines.n_actions[j], lines.first[j], lines.slot[j]
            above = values[lines.parent[j] - base]
            for s in range(n_sequences):
                at = slot + s * n_actions
                if predictive:
                    match_predicted(regrets, instant_regrets, at, n_actions, strategy)
                else:
                    match_regrets(regrets, at, n_actions, strategy)
                mean = regrets.dtype.type(0.0)
                for a in range(n_actions):
                    mean += strategy[a] * values[first - base + a, s]
                for a in range(n_actions):
                    instant_regret = values[first - base + a, s] - mean
                    regret = discount(regrets[at + a] + instant_regret, positive, negative)
                    mass = (averages[at + a] + reach[lines.row[first + a], s]) * average
                    # Fading entries would end in slow denormal numbers.
                    regrets[at + a] = regret if abs(regret) > LEAST_REGRET else 0.0
                    averages[at + a] = mass if mass > LEAST_REGRET else 0.0
                    if predictive:
                        instant_regrets[at + a] = instant_regret
                above[s] += mean
        _gather(values[0], n_buckets, totals[e])


@kernel
def value_lines(lines, begin, end, n_buckets, ends, weights, best, values, totals):
    """Values of the starts ``begin:end`` of a seat, without learning.

    With `best` the seat takes the best action everywhere, else it plays in proportion to `weights`.
    Overwrites `values` and `totals` as `update_lines` does.
    """
    n_sequences = values.shape[1]
    most = 1
    for j in range(lines.points[begin], lines.points[end]):
        most = max(most, lines.n_actions[j])
    strategy = np.empty(most, values.dtype)
    for e in range(begin, end):
        _start_values(lines, e, ends, values)
        base = lines.starts[e]
        for j in range(lines.points[e + 1] - 1, lines.points[e] - 1, -1):
            n_actions, first = lines.n_actions[j], lines.first[j] - base
            above = values[lines.parent[j] - base]
            for s in range(n_sequences):
                value = values[first, s]
                if best:
                    for a in range(1, n_actions):
                        value = max(value, values[first + a, s])
                else:
                    at = lines.slot[j] + s * n_actions
                    match_regrets(weights, at, n_actions, strategy)
                    value *= strategy[0]
                    for a in range(1, n_actions):
                        value += strategy[a] * values[first + a, s]
                above[s] += value
        _gather(values[0], n_buckets, totals[e])
