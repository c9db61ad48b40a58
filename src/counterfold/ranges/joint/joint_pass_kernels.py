"""The lines of one street of a game with joint tables: reach down, values and regrets up.

A street is a single board whose hands are bucket sequences, and its lines are followed as on any
other board. Only the ends of hands differ: they are products of vectors and tables.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.ranges.line_kernels import LEARN, reach_lines, value_lines

NONE = -1
_MOST_USED = 0.8  # share of the sequences up to which the others are worth leaving out


class Ends(NamedTuple):
    """What the other's lines that end in one way are worth per chip, for a block of starts."""

    rows: NDArray[np.floating]  # [., S]
    places: NDArray[np.int32]  # row of each line of the block that ends so, or NONE: worth nothing
    first: int  # the number of the first of these lines


class JointWork(NamedTuple):
    """Vectors that a thread works with, as `ranges.line_kernels.value_lines` takes them."""

    values: NDArray[np.floating]  # of the lines of a start
    strategy: NDArray[np.floating]  # three vectors
    rows: NDArray[np.floating]  # nothing: tables are not packed


@kernel
def reach_street(boards, k, p, lines, begin, end, above, weights, tables, scales, reach, work):
    """Overwrite `reach`, which begins with the first line of the starts ``begin:end``."""
    reach_lines(
        boards,
        k,
        p,
        lines,
        begin,
        end,
        above,
        weights,
        tables,
        reach,
        work,
        scales,
        LEARN,
        0,
    )


@kernel
def pack_rows(reach, ending, rows, places, columns):
    """Copy the vectors of the lines `ending` to `rows`, without those that are zero.

    Sequences that none of them plays are left out too, if there are many. `places` become the row
    of each line or NONE, `columns` the sequences that are kept. Returns how many of both there are.
    """
    n = reach.shape[1]
    used = np.zeros(n, reach.dtype)
    n_rows = 0
    for i in range(ending.size):
        row = reach[ending[i]]
        n_played = 0
        for h in range(n):
            n_played += row[h] > 0.0
        places[i] = NONE
        if n_played > 0:
            places[i] = n_rows
            n_rows += 1
            for h in range(n):
                used[h] = max(used[h], row[h])
    n_columns = 0
    for h in range(n):
        n_columns += used[h] > 0.0
    keep_all = n_columns > _MOST_USED * n
    n_columns = 0
    for h in range(n):
        if keep_all or used[h] > 0.0:
            columns[n_columns] = h
            n_columns += 1
    for i in range(ending.size):
        if places[i] != NONE:
            row = reach[ending[i]]
            target = rows[places[i] * n_columns : (places[i] + 1) * n_columns]
            if keep_all:
                for h in range(n):
                    target[h] = row[h]
            else:
                for c in range(n_columns):
                    target[c] = row[columns[c]]
    return n_rows, n_columns


@inlined_kernel
def _add_end(ends, number, stake, value):
    """Add what a line comes to where it ends with a line of the other."""
    place = ends.places[number - ends.first]
    if place != NONE:
        source = ends.rows[place]
        for h in range(value.size):
            value[h] += stake * source[h]


@inlined_kernel
def _begin_values(lines, e, n, folds, shows, later, values):
    """Overwrite the values of the lines of a start by what they come to without a decision."""
    for line in range(lines.starts[e], lines.starts[e + 1]):
        at = (line - lines.starts[e]) * n
        value = values[at : at + n]
        if lines.later[line] == NONE:
            value[:] = 0.0
        else:
            value[:] = later[0][lines.later[line] - later[1]]
        if lines.fold[line] != NONE:
            _add_end(folds, lines.fold[line], lines.fold_stake[line], value)
        if lines.show[line] != NONE:
            _add_end(shows, lines.show[line], lines.show_stake[line], value)


class Ending(NamedTuple):
    """The other's lines of a block of starts that end in one way."""

    lines: NDArray[np.intp]  # numbered from the first line of the street on
    first: int  # the number of the first of them among all that end so
    table: NDArray[np.floating]  # [S, S] the other's sequence, own


class EndRows(NamedTuple):
    """What the products of a thread are made with, the last one with a line for each way."""

    rows: NDArray[np.floating]
    columns: NDArray[np.int32]
    part: NDArray[np.floating]  # those rows of a table that are multiplied with
    places: tuple[NDArray[np.int32], NDArray[np.int32]]
    products: tuple[NDArray[np.floating], NDArray[np.floating]]


@kernel
def _multiply(reach, ending, scratch, way):
    """Values per chip of the lines of a block of starts that end in one way."""
    n, table = reach.shape[1], ending.table
    places, products = scratch.places[way], scratch.products[way]
    n_rows, n_columns = pack_rows(reach, ending.lines, scratch.rows, places, scratch.columns)
    product = products[: n_rows * n].reshape(n_rows, n)
    if n_rows > 0:
        rows = scratch.rows[: n_rows * n_columns].reshape(n_rows, n_columns)
        if n_columns == n:
            np.dot(rows, table, product)
        else:
            part = scratch.part[: n_columns * n].reshape(n_columns, n)
            for c in range(n_columns):
                part[c] = table[scratch.columns[c]]
            np.dot(rows, part, product)
    return Ends(product, places, ending.first)


@kernel
def value_street(
    boards, k, p, lines, begin, end, mode, factors, weights, tables, scales, reach, other, endings,
    later, scratch, work, totals,
):  # fmt: skip
    """Values up the decisions of the starts ``begin:end`` of a seat, in `LEARN` also regrets.

    Parameters
    ----------
    lines
        `SeatLines` whose `fold` and `show` are numbers of the other's lines that end so.
    reach
        How often the seat comes along its lines, beginning with the first of these starts.
    other, endings
        How often the other seat comes along its lines of the street, and those of them that end
        with these starts, by a fold and at showdown.
    later
        Values of the starts of the next street, and the number of the first of them.
    totals
        Values of the starts to the sequences of the street before, beginning with the first of
        these starts; overwritten.
    """
    n = boards.n_hands[k, p]
    folds = _multiply(other, endings[0], scratch, 0)
    shows = _multiply(other, endings[1], scratch, 1)
    for e in range(begin, end):
        _begin_values(lines, e, n, folds, shows, later, work.values)
        at = (lines.starts[e] - lines.starts[begin]) * n
        value_lines(
            boards, k, p, lines, e, e + 1, mode, factors, weights, tables, reach[at:], work, scales,
            0,
        )  # fmt: skip
        total = totals[e - begin]
        total[:] = 0.0
        up = boards.up[boards.ups[k, p] : boards.ups[k, p] + n]
        for h in range(n):
            total[up[h]] += work.values[h]
