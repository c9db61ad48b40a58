"""One pass over all boards and lines: how often the other gets there, what that is worth, regrets.

The hands of a seat are vectors. A pass goes over the boards in their order: down a street how often
lines are played, then the boards of the next street, then values up. Nothing of a board of the last
street outlives it except its regrets, averages and the values of its starts, so the memory of a
pass is that of one board of each street. Tables lie board by board as ``[action, hand]``.

Boards of the street after the root are independent of each other: threads share them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import borrowing_kernel, copied_kernel, inlined_borrowing_kernel
from counterfold.jit.packing import pack, unpack
from counterfold.ranges.ends_kernels import EndScratch, add_ends
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


class Streets(NamedTuple):
    """Where the streets lie."""

    starts: NDArray[np.int32]  # [K + 1] first start
    lines: NDArray[np.int32]  # [K + 1, 2] first line by seat
    blocks: NDArray[np.int32]  # starts that are worked on together; begin and end with a street's
    block_starts: NDArray[np.int32]  # [K + 1] first entry of `blocks`


class Found(NamedTuple):
    """Values of the starts of all boards next to the root, which threads leave there."""

    totals: NDArray[np.floating]
    at: NDArray[np.int64]  # [B, 2] where those of a board begin, by seat


class Work(NamedTuple):
    """Vectors that a thread works with; those of the root street belong to all."""

    reach: tuple[NDArray[np.floating], NDArray[np.floating]]
    reach_at: NDArray[np.int64]  # [K, 2] where the vectors of a street begin
    later: NDArray[np.floating]  # values of the starts that follow a board, summed over copies
    later_at: NDArray[np.int64]  # [K]
    values: NDArray[np.floating]  # of the lines of a block
    strategy: NDArray[np.floating]  # of one decision, and three vectors more
    rows: NDArray[np.floating]  # of one decision in both tables, where they are packed
    totals: NDArray[np.floating]  # values of the starts of a board
    ends: EndScratch


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


@inlined_borrowing_kernel
def _begin_values(boards, b, p, k, lines, begin, end, streets, later, values):
    """Overwrite the values of lines by what the next street brings them."""
    n = boards.n_hands[b, p]
    first, last = lines.starts[begin], lines.starts[end]
    for line in range(first, last):
        value = values[(line - first) * n : (line - first + 1) * n]
        start = lines.later[line]
        if start == NONE:
            for h in range(n):
                value[h] = 0.0
        else:
            chance = values.dtype.type(boards.chance[k + 1])
            at = (start - streets.starts[k + 1]) * n
            for h in range(n):
                value[h] = chance * later[at + h]


@inlined_borrowing_kernel
def _collect(boards, b, p, n_starts, totals, later):
    """Add the values of the starts of `b` to what its parent's lines come to, for every copy."""
    n, above_n = boards.n_hands[b, p], boards.n_hands[boards.parent[b], p]
    for copy in range(boards.copies[b], boards.copies[b + 1]):
        up = boards.up[boards.ups[copy, p] : boards.ups[copy, p] + n]
        for e in range(n_starts):
            target, source = later[e * above_n : (e + 1) * above_n], totals[e * n : (e + 1) * n]
            for h in range(n):
                target[up[h]] += source[h]


@inlined_borrowing_kernel
def _begin_later(boards, b, p, streets, found, later):
    """Overwrite what the next street brings: nothing yet, or at the root what was found."""
    k = boards.street[b]
    n_starts = streets.starts[k + 2] - streets.starts[k + 1]
    later[: n_starts * boards.n_hands[b, p]] = 0.0
    if b == 0:
        for below in range(1, boards.street.size):
            if boards.street[below] == 1:
                at = found.at[below, p]
                _collect(boards, below, p, n_starts, found.totals[at:], later)


@borrowing_kernel
def walk_boards(
    steps, turns, factors, boards, tree, streets, tables, root, work, found, results, scales
):
    """Passes along `steps`, one for each of `turns`, once for each row of `factors`.

    A turn is a seat and what is done for it. A step names a board, and whether to go down its lines
    and up again. A thread takes the boards below the root that `steps` name; the root comes in
    steps of its own, before and after. What the hands of a seat win at the root goes to the row of
    its turn in `results`. `scales` are those of packed tables.
    """
    last = streets.starts.size - 2
    for t in range(factors.shape[0]):
        for turn in range(turns.shape[0]):
            p, mode = turns[turn, 0], turns[turn, 1]
            weights = tables.regrets if mode == LEARN else tables.averages
            for s in range(steps.shape[0]):
                b, down, up = steps[s, 0], steps[s, 1], steps[s, 2]
                k = boards.street[b]
                for block in range(streets.block_starts[k], streets.block_starts[k + 1]):
                    begin, end = streets.blocks[block], streets.blocks[block + 1]
                    reach = _block_reach(boards, b, k, last, begin, tree, streets, root, work)
                    if down:
                        for q in range(2):
                            # A best responder has no vectors; one that is valued needs none.
                            if q == 1 - p or mode == LEARN:
                                above = _above(boards, b, q, streets, root, work)
                                reach_lines(
                                    boards, b, q, tree[q], begin, end, above, weights, tables,
                                    reach[q], work, scales, mode,
                                    tree[q].points[streets.starts[k]],
                                )  # fmt: skip
                    if up:
                        if k < last and begin == streets.starts[k] and b == 0:
                            _begin_later(boards, b, p, streets, found, work.later)
                        _go_up(
                            boards, b, p, k, last, begin, end, tree, streets, mode, factors[t],
                            weights, tables, reach, work, found, scales,
                        )  # fmt: skip
                if k < last and b > 0 and down:
                    _begin_later(boards, b, p, streets, found, work.later[work.later_at[k] :])
                if up and b == 0:
                    for h in range(boards.n_hands[0, p]):
                        results[turn, h] = work.totals[h]
                if up and k > 1:
                    n_starts = streets.starts[k + 1] - streets.starts[k]
                    later = work.later[work.later_at[k - 1] :]
                    _collect(boards, b, p, n_starts, work.totals, later)


@copied_kernel
def _block_reach(boards, b, k, last, begin, tree, streets, root, work):
    """Vectors of both seats from the first line of a block on; the last street keeps one block."""
    first = 0 if k == last else tree[0].starts[begin] - streets.lines[k, 0]
    second = 0 if k == last else tree[1].starts[begin] - streets.lines[k, 1]
    at_0 = first * boards.n_hands[b, 0]
    at_1 = second * boards.n_hands[b, 1]
    if b == 0:
        return root[0][at_0:], root[1][at_1:]
    return (
        work.reach[0][work.reach_at[k, 0] + at_0 :],
        work.reach[1][work.reach_at[k, 1] + at_1 :],
    )


@copied_kernel
def _above(boards, b, q, streets, root, work):
    """The vectors of the board above, and the line that they begin with."""
    k = max(boards.street[b] - 1, 0)
    vectors = root[q] if k == 0 else work.reach[q][work.reach_at[k, q] :]
    return vectors, streets.lines[k, q]


@inlined_borrowing_kernel
def _go_up(
    boards, b, p, k, last, begin, end, tree, streets, mode, factors, weights, tables, reach, work,
    found, scales,
):  # fmt: skip
    """Values of the starts ``begin:end`` of board `b`."""
    lines, others = tree[p], tree[1 - p]
    n = boards.n_hands[b, p]
    later = work.later[work.later_at[k] :]
    _begin_values(boards, b, p, k, lines, begin, end, streets, later, work.values)
    firsts = (lines.starts[begin], others.starts[begin])
    add_ends(
        boards, b, p, k == last, lines, others, begin, end, firsts, reach[1 - p], work.ends,
        work.values,
    )  # fmt: skip
    value_lines(
        boards, b, p, lines, begin, end, mode, factors, weights, tables, reach[p], work, scales,
        lines.points[streets.starts[k]],
    )  # fmt: skip
    totals = found.totals[found.at[b, p] :] if k == 1 else work.totals
    for e in range(begin, end):
        at, to = (lines.starts[e] - firsts[0]) * n, (e - streets.starts[k]) * n
        for h in range(n):
            totals[to + h] = work.values[at + h]
