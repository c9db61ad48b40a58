"""Along the lines of one board: how often a seat plays them, what they are worth, what it learns.

The hands of a seat are vectors. Down the lines a strategy follows from regrets or averages by
regret matching, or is locked; up the lines values are mixed by it, or the best is taken, and
regrets and averages grow. Tables lie board by board as ``[action, hand]``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import inlined_borrowing_kernel
from counterfold.jit.packing import pack, unpack
from counterfold.regret_kernels import LEAST_REGRET

NONE = -1

# What a pass does for its seat.
LEARN, VALUE, BEST = range(3)


class Tables(NamedTuple):
    """What a run keeps, by seat."""

    regrets: tuple[NDArray[np.floating], NDArray[np.floating]]
    averages: tuple[NDArray[np.floating], NDArray[np.floating]]
    locks: tuple[NDArray[np.floating], NDArray[np.floating]]  # nan where a hand is free
    slots: NDArray[np.int64]  # [B, 2] where the tables of a board begin
    lock_slots: NDArray[np.int64]  # [B, 2]


class Scales(NamedTuple):
    """What tables of 16-bit integers are multiplied with, one number for each decision."""

    regrets: tuple[NDArray[np.floating], NDArray[np.floating]]
    averages: tuple[NDArray[np.floating], NDArray[np.floating]]
    slots: NDArray[np.int64]  # [B, 2] where those of a board begin


@inlined_borrowing_kernel
def _match(rows, n_actions, n, scale, even):
    """Regret matching by hand: an action has its positive weight times `scale`, plus `even`."""
    zero, one = scale.dtype.type(0.0), scale.dtype.type(1.0)
    alike, least = one / scale.dtype.type(n_actions), scale.dtype.type(LEAST_REGRET)
    # Loops over slices are vectorized; those over ``at + h`` are not, since it might be negative.
    for h in range(n):
        scale[h] = max(rows[h], zero)
    for a in range(1, n_actions):
        row = rows[a * n : (a + 1) * n]
        for h in range(n):
            scale[h] += max(row[h], zero)
    for h in range(n):
        total = scale[h]
        scale[h] = one / total if total > least else zero
        even[h] = zero if total > least else alike


@inlined_borrowing_kernel
def _lock(locks, at, n_actions, n, rows, scale, even, strategy):
    """Overwrite `strategy` by what `_match` found, and by what hands are locked to."""
    zero = scale.dtype.type(0.0)
    for a in range(n_actions):
        for h in range(n):
            k = a * n + h
            free = max(rows[k], zero) * scale[h] + even[h]
            strategy[k] = free if np.isnan(locks[at + k]) else locks[at + k]


@inlined_borrowing_kernel
def _spread(boards, b, p, source, target):
    """Take a vector over the hands of the board above to those of board `b`."""
    up = boards.up[boards.ups[boards.copies[b], p] :]
    for h in range(target.size):
        target[h] = source[up[h]]


@inlined_borrowing_kernel
def reach_lines(
    boards, b, p, lines, begin, end, above, weights, tables, reach, work, scales, mode,
    first_point,
):  # fmt: skip
    """Overwrite `reach` of the lines of the starts ``begin:end`` of seat `p` on board `b`.

    `above` are the vectors of the board above, beginning with the first line of its street; the
    vectors of the root's own start are left as they are. `scales` are those
    of packed tables; `first_point` is the first decision of the street.
    """
    n = boards.n_hands[b, p]
    zero = reach.dtype.type(0.0)
    scale, even, strategy = work.strategy[:n], work.strategy[n : 2 * n], work.strategy[3 * n :]
    factors = scales.regrets if mode == LEARN else scales.averages
    first = lines.starts[begin]
    above_n = boards.n_hands[max(boards.parent[b], 0), p]
    above_first = 0
    if lines.source[begin] != NONE:
        above_first = above[1]
    for e in range(begin, end):
        if lines.source[e] != NONE:
            at = (lines.starts[e] - first) * n
            source = (lines.source[e] - above_first) * above_n
            _spread(boards, b, p, above[0][source : source + above_n], reach[at : at + n])
        for j in range(lines.points[e], lines.points[e + 1]):
            n_actions, slot = lines.n_actions[j], tables.slots[b, p] + lines.row[j] * n
            scale_at = scales.slots[b, p] + j - first_point
            rows = unpack(weights[p], slot, n_actions * n, factors[p], scale_at, work.rows)
            _match(rows, n_actions, n, scale, even)
            at = (lines.parent[j] - first) * n
            before = reach[at : at + n]
            targets = reach[(lines.first[j] - first) * n :]
            if lines.lock[j] != NONE:
                at = tables.lock_slots[b, p] + lines.lock[j] * n
                _lock(tables.locks[p], at, n_actions, n, rows, scale, even, strategy)
                for a in range(n_actions):
                    for h in range(n):
                        targets[a * n + h] = before[h] * strategy[a * n + h]
                continue
            for a in range(n_actions):
                row = rows[a * n : (a + 1) * n]
                target = targets[a * n : (a + 1) * n]
                for h in range(n):
                    target[h] = before[h] * (max(row[h], zero) * scale[h] + even[h])


@inlined_borrowing_kernel
def take_best(n_actions, n, values, node):
    """Overwrite `node` by the value of the best action of each hand."""
    first, second = values[:n], values[n : 2 * n]
    # Of `node[h] = max(node[h], ...)` LLVM stores what is greater alone, which takes far longer.
    if n_actions == 1:
        for h in range(n):
            node[h] = first[h]
    elif n_actions == 2:
        for h in range(n):
            node[h] = max(first[h], second[h])
    else:
        third = values[2 * n : 3 * n]
        for h in range(n):
            node[h] = max(max(first[h], second[h]), third[h])
    for a in range(3, n_actions):
        value = values[a * n : (a + 1) * n]
        for h in range(n):
            node[h] = max(node[h], value[h])


@inlined_borrowing_kernel
def _keep_locked(locks, at, n_actions, n, values, node):
    """Overwrite the value of hands that are locked by that of their strategy."""
    for h in range(n):
        if not np.isnan(locks[at + h]):
            total = node.dtype.type(0.0)
            for a in range(n_actions):
                total += locks[at + a * n + h] * values[a * n + h]
            node[h] = total


@inlined_borrowing_kernel
def _mix(rows, n_actions, n, scale, even, values, node):
    """Overwrite `node` by the value of the strategy that `_match` found."""
    zero = node.dtype.type(0.0)
    for h in range(n):
        node[h] = (max(rows[h], zero) * scale[h] + even[h]) * values[h]
    for a in range(1, n_actions):
        row = rows[a * n : (a + 1) * n]
        value = values[a * n : (a + 1) * n]
        for h in range(n):
            node[h] += (max(row[h], zero) * scale[h] + even[h]) * value[h]


@inlined_borrowing_kernel
def _mix_locked(n_actions, n, strategy, values, node):
    """Overwrite `node` by the value of `strategy`."""
    for h in range(n):
        node[h] = strategy[h] * values[h]
    for k in range(n, n_actions * n):
        node[k % n] += strategy[k] * values[k]


@inlined_borrowing_kernel
def _learn(factors, n, value, node, reach, regrets, averages):
    """Fade what was accumulated for an action, and add what this pass found."""
    positive, negative, average = factors[0], factors[1], factors[2]
    zero, least = node.dtype.type(0.0), node.dtype.type(LEAST_REGRET)
    for h in range(n):
        regret = regrets[h]
        regret *= positive if regret > zero else negative
        # Fading entries would end in slow denormal numbers.
        regrets[h] = (regret if abs(regret) > least else zero) + (value[h] - node[h])
    for h in range(n):
        averages[h] = averages[h] * average + reach[h]


@inlined_borrowing_kernel
def value_lines(
    boards, b, p, lines, begin, end, mode, factors, weights, tables, reach, work, scales,
    first_point,
):  # fmt: skip
    """Values up the decisions of the starts ``begin:end``; in `LEARN` also regrets and averages.

    ``work.values`` hold what lines come to without a decision of the seat, and are changed.
    `scales` are as in `reach_lines`.
    """
    n = boards.n_hands[b, p]
    first = lines.starts[begin]
    scale, even = work.strategy[:n], work.strategy[n : 2 * n]
    node, strategy = work.strategy[2 * n : 3 * n], work.strategy[3 * n :]
    for j in range(lines.points[end] - 1, lines.points[begin] - 1, -1):
        n_actions, slot = lines.n_actions[j], tables.slots[b, p] + lines.row[j] * n
        size = n_actions * n
        at = (lines.first[j] - first) * n
        values = work.values[at:]
        lock = tables.lock_slots[b, p] + lines.lock[j] * n
        scale_at = scales.slots[b, p] + j - first_point
        packing = scales.regrets if mode == LEARN else scales.averages
        rows = unpack(weights[p], slot, size, packing[p], scale_at, work.rows)
        if mode == BEST:
            take_best(n_actions, n, values, node)
            if lines.lock[j] != NONE:
                _keep_locked(tables.locks[p], lock, n_actions, n, values, node)
        else:
            _match(rows, n_actions, n, scale, even)
            if lines.lock[j] == NONE:
                _mix(rows, n_actions, n, scale, even, values, node)
            else:
                _lock(tables.locks[p], lock, n_actions, n, rows, scale, even, strategy)
                _mix_locked(n_actions, n, strategy, values, node)
        if mode == LEARN:
            averages = unpack(
                tables.averages[p], slot, size, scales.averages[p], scale_at, work.rows[size:]
            )
            for a in range(n_actions):
                own = at + a * n
                _learn(
                    factors,
                    n,
                    values[a * n : (a + 1) * n],
                    node,
                    reach[own : own + n],
                    rows[a * n : (a + 1) * n],
                    averages[a * n : (a + 1) * n],
                )
            pack(rows, tables.regrets[p], slot, scales.regrets[p], scale_at)
            pack(averages, tables.averages[p], slot, scales.averages[p], scale_at)
        at = (lines.parent[j] - first) * n
        before = work.values[at : at + n]
        for h in range(n):
            before[h] += node[h]
