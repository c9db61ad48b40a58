"""One pass over boards in which one seat responds to a bot that is looked up by bucket.

Like `ranges.board_walk_kernels`, whose arrays it reads: down a street how often the bot plays its
lines, then the boards of the next street, then values up. The responder may begin to respond on any
street and play like the bot before it: what a start is worth has a *layer* for each such street.
Layer 0 responds from here on. Layer m plays like the bot on this street, and goes on with layer
m - 1 of the next, so that the values of all of them come from one walk.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import borrowing_kernel, inlined_borrowing_kernel
from counterfold.ranges.ends_kernels import EndScratch, add_ends
from counterfold.ranges.line_kernels import take_best

NONE = -1


class ResponseWork(NamedTuple):
    """Vectors that a thread works with; ``K`` streets."""

    reach: NDArray[np.floating]  # of the bot's lines; on the last street of one block
    reach_at: NDArray[np.int64]  # [K] where those of a street begin
    hidden: NDArray[np.floating]  # of hidden vectors
    hidden_at: NDArray[np.int64]  # [K]
    later: NDArray[np.floating]  # by layer, values of the starts that follow a board
    later_at: NDArray[np.int64]  # [K]
    ended: NDArray[np.floating]  # what the ends of a block's lines are worth
    values: NDArray[np.floating]  # of the lines of a block
    node: NDArray[np.floating]  # of one decision
    totals: NDArray[np.floating]  # by layer, values of the starts of a board
    ends: EndScratch


@inlined_borrowing_kernel
def _move(n, source, target, weight, adds, answer, answers, bucket):
    """Make one move of the bot for all of its hands."""
    if answer == NONE:
        if adds:
            for h in range(n):
                target[h] += weight * source[h]
        else:
            for h in range(n):
                target[h] = weight * source[h]
        return
    chances = answers[answer:]
    if adds:
        for h in range(n):
            target[h] += weight * source[h] * chances[np.uint32(bucket[h])]
    else:
        for h in range(n):
            target[h] = weight * source[h] * chances[np.uint32(bucket[h])]


@inlined_borrowing_kernel
def _begin_starts(boards, b, q, k, moves, begin, end, streets, above, work, reach, hidden, first):
    """Overwrite the vectors with which the starts ``begin:end`` begin."""
    n, above_n = boards.n_hands[b, q], boards.n_hands[boards.parent[b], q]
    at = boards.ups[boards.copies[b], q]
    up = boards.up[at : at + n]
    above_line, above_hidden = streets.lines[k - 1, q], moves.hidden[streets.starts[k - 1]]
    zero = reach.dtype.type(0.0)
    for m in range(moves.begins[begin], moves.begins[end]):
        s, t = moves.source[m], moves.target[m]
        if s >= 0:
            source = above[(s - above_line) * above_n : (s - above_line + 1) * above_n]
        else:
            place = work.hidden_at[k - 1] + (-1 - s - above_hidden) * above_n
            source = work.hidden[place : place + above_n]
        if t >= 0:
            target = reach[(t - first) * n : (t - first + 1) * n]
        else:
            place = (-1 - t - moves.hidden[begin]) * n
            target = hidden[place : place + n]
        weight = reach.dtype.type(moves.weight[m])
        adds = moves.adds[m]
        for h in range(n):
            target[h] = (target[h] if adds else zero) + weight * source[up[h]]


@inlined_borrowing_kernel
def _reach_block(n, lines, begin, end, moves, answers, bucket, reach, hidden):
    """Overwrite the vectors of the bot's lines of the starts ``begin:end`` below their first."""
    first, first_hidden = lines.starts[begin], moves.hidden[begin]
    for m in range(moves.points[lines.points[begin]], moves.points[lines.points[end]]):
        s, t = moves.source[m], moves.target[m]
        at = (s - first) * n if s >= 0 else (-1 - s - first_hidden) * n
        to = (t - first) * n if t >= 0 else (-1 - t - first_hidden) * n
        source = reach[at : at + n] if s >= 0 else hidden[at : at + n]
        target = reach[to : to + n] if t >= 0 else hidden[to : to + n]
        weight = reach.dtype.type(moves.weight[m])
        _move(n, source, target, weight, moves.adds[m], moves.answer[m], answers, bucket)


@inlined_borrowing_kernel
def _mix_answers(n_actions, n, row, own, answers, bucket, values, node):
    """Overwrite `node` by the value of what the bot would do in the responder's place."""
    zero = node.dtype.type(0.0)
    for h in range(n):
        node[h] = zero
    for a in range(n_actions):
        if own[row + a] != NONE:
            chances = answers[own[row + a] :]
            value = values[a * n : (a + 1) * n]
            for h in range(n):
                node[h] += chances[np.uint32(bucket[h])] * value[h]


@inlined_borrowing_kernel
def _value_block(n, lines, begin, end, layer, own, own_at, answers, bucket, values, node):
    """Values up the responder's decisions of the starts ``begin:end``."""
    first = lines.starts[begin]
    for j in range(lines.points[end] - 1, lines.points[begin] - 1, -1):
        n_actions = lines.n_actions[j]
        below = values[(lines.first[j] - first) * n :]
        if layer == 0:
            take_best(n_actions, n, below, node)
        else:
            row = own_at + lines.row[j]
            _mix_answers(n_actions, n, row, own, answers, bucket, below, node)
        at = (lines.parent[j] - first) * n
        before = values[at : at + n]
        for h in range(n):
            before[h] += node[h]


@inlined_borrowing_kernel
def _begin_layer(n, lines, begin, end, first_start, n_starts, layer, chance, later, ended, values):
    """Overwrite values by the ends of lines and what the next street brings in a layer."""
    first = lines.starts[begin]
    below = max(layer - 1, 0) * n_starts
    for line in range(first, lines.starts[end]):
        value = values[(line - first) * n : (line - first + 1) * n]
        end_value = ended[(line - first) * n : (line - first + 1) * n]
        start = lines.later[line]
        if start == NONE:
            for h in range(n):
                value[h] = end_value[h]
        else:
            at = (below + start - first_start) * n
            brought = later[at : at + n]
            for h in range(n):
                value[h] = end_value[h] + chance * brought[h]


@inlined_borrowing_kernel
def _collect_layers(boards, b, p, n_rows, totals, later):
    """Add all rows of what a board's starts are worth to what its parent's lines come to."""
    n, above_n = boards.n_hands[b, p], boards.n_hands[boards.parent[b], p]
    for copy in range(boards.copies[b], boards.copies[b + 1]):
        at = boards.ups[copy, p]
        up = boards.up[at : at + n]
        for e in range(n_rows):
            target, source = later[e * above_n : (e + 1) * above_n], totals[e * n : (e + 1) * n]
            for h in range(n):
                target[up[h]] += source[h]


@borrowing_kernel
def respond_boards(
    steps, p, n_layers, boards, tree, streets, moves, own, own_at, answers, buckets, root, work,
    found,
):  # fmt: skip
    """Walk along `steps`, none of which names the root, while seat `p` responds.

    Parameters
    ----------
    steps
        Rows of a board, whether to go down its lines, and whether to go up again.
    n_layers
        [K] layers of each street.
    moves, own, own_at
        Those of the bot; where in `answers` the bot's answers in place of the responder begin, by
        row of a street, and where the rows of streets begin.
    buckets
        The bot's buckets of the hands of `boards`, as ``boards.hand``.
    root
        The vectors of the bot's lines of the root street.
    found
        Overwritten by the layers of what the starts of boards next to the root are worth at the
        root: the sum over all boards of `steps`.
    """
    q, last = 1 - p, streets.starts.size - 2
    lines, others = tree[p], tree[q]
    for s in range(steps.shape[0]):
        b, down, up = steps[s, 0], steps[s, 1], steps[s, 2]
        k = boards.street[b]
        n, other_n = boards.n_hands[b, p], boards.n_hands[b, q]
        first_start, n_starts = streets.starts[k], streets.starts[k + 1] - streets.starts[k]
        n_later = streets.starts[k + 2] - streets.starts[k + 1] if k < last else 0
        chance = work.values.dtype.type(boards.chance[k + 1] if k < last else 0.0)
        bucket = buckets[boards.hands[b, p] : boards.hands[b, p] + n]
        other_bucket = buckets[boards.hands[b, q] : boards.hands[b, q] + other_n]
        later = work.later[work.later_at[k] :]
        above = root if k == 1 else work.reach[work.reach_at[k - 1] :]
        for block in range(streets.block_starts[k], streets.block_starts[k + 1]):
            begin, end = streets.blocks[block], streets.blocks[block + 1]
            first = others.starts[begin]
            base, hidden_base = work.reach_at[k], work.hidden_at[k]
            if k < last:
                base += (first - streets.lines[k, q]) * other_n
                hidden_base += (moves.hidden[begin] - moves.hidden[first_start]) * other_n
            reach, hidden = work.reach[base:], work.hidden[hidden_base:]
            if down:
                _begin_starts(
                    boards, b, q, k, moves, begin, end, streets, above, work, reach, hidden, first
                )
                _reach_block(
                    other_n, others, begin, end, moves, answers, other_bucket, reach, hidden
                )
            if not up:
                continue
            n_lines = lines.starts[end] - lines.starts[begin]
            work.ended[: n_lines * n] = 0.0
            firsts = (lines.starts[begin], first)
            add_ends(
                boards, b, p, k == last, lines, others, begin, end, firsts, reach, work.ends,
                work.ended,
            )  # fmt: skip
            for layer in range(n_layers[k]):
                _begin_layer(
                    n, lines, begin, end, streets.starts[k + 1], n_later, layer, chance, later,
                    work.ended, work.values,
                )  # fmt: skip
                _value_block(
                    n, lines, begin, end, layer, own, own_at[k], answers, bucket, work.values,
                    work.node,
                )  # fmt: skip
                for e in range(begin, end):
                    at = (lines.starts[e] - firsts[0]) * n
                    to = (layer * n_starts + e - first_start) * n
                    source, target = work.values[at : at + n], work.totals[to : to + n]
                    for h in range(n):
                        target[h] = source[h]
        if down and k < last:
            later[: n_layers[k + 1] * n_later * n] = 0.0
        if up:
            later = found if k == 1 else work.later[work.later_at[k - 1] :]
            _collect_layers(boards, b, p, n_layers[k] * n_starts, work.totals, later)


@borrowing_kernel
def root_ends(p, boards, tree, streets, moves, answers, buckets, root, work, final, ended):
    """Overwrite `root` by the vectors of the bot's lines of the root street, and `ended` by what
    the ends of the responder's lines there are worth. The first vector of `root` is given.
    """
    q, last = 1 - p, streets.starts[1]
    n = boards.n_hands[0, q]
    bucket = buckets[boards.hands[0, q] : boards.hands[0, q] + n]
    _reach_block(n, tree[q], 0, last, moves, answers, bucket, root, work.hidden)
    ended[:] = 0.0
    add_ends(boards, 0, p, final, tree[p], tree[q], 0, last, (0, 0), root, work.ends, ended)
