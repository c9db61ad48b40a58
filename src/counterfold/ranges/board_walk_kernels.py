"""One pass over all boards and lines: how often the other gets there, what that is worth, regrets.

The hands of a seat are vectors. A pass goes over the boards in their order: down a street how often
lines are played, then the boards of the next street, then values up. Nothing of a board of the last
street outlives it except its regrets, averages and the values of its starts, so the memory of a
pass is that of one board of each street. What happens along the lines of a board is in
`ranges.line_kernels`.

Boards of the street after the root are independent of each other: threads share them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import borrowing_kernel, copied_kernel, inlined_borrowing_kernel
from counterfold.ranges.ends_kernels import EndScratch, add_ends
from counterfold.ranges.line_kernels import LEARN, NONE, reach_lines, value_lines


class StreetPlaces(NamedTuple):
    """Where the streets lie."""

    starts: NDArray[np.int32]  # [K + 1] first start
    lines: NDArray[np.int32]  # [K + 1, 2] first line by seat
    blocks: NDArray[np.int32]  # starts that are worked on together; begin and end with a street's
    block_starts: NDArray[np.int32]  # [K + 1] first entry of `blocks`


class RootTotals(NamedTuple):
    """Values of the starts of all boards next to the root, which threads leave there."""

    totals: NDArray[np.floating]
    at: NDArray[np.int64]  # [B, 2] where those of a board begin, by seat


class WalkScratch(NamedTuple):
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
