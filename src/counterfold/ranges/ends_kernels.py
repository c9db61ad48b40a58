"""What folds and showdowns are worth to every hand of a seat, sixteen lines of the other at once.

On a board of the last street hands stand from the weakest to the strongest. Of the hands passed so
far, what is left to a hand is the sum of all, less those with its first card, less those with its
second (see `cards.removal_kernels`, which does the same for one line). The lines lie in the lanes
of a row, so that every step is one operation of the processor on all of them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import inlined_borrowing_kernel
from counterfold.jit.lanes import (
    LANES,
    TILE,
    add_left_row,
    add_row,
    add_rows_to_lines,
    add_scaled_row,
    dot_rows,
    leave_row,
    lines_to_rows,
    subtract_row,
    take_row,
)
from counterfold.ranges.board_cards import ALL_HANDS

NONE = -1


class EndScratch(NamedTuple):
    """Rows of lanes that a thread works with."""

    block: NDArray[
        np.floating
    ]  # [hands of the other, LANES] how often the other comes along a line
    won: NDArray[np.floating]  # [hands of the seat, LANES] weight beaten less weight lost to
    met: NDArray[np.floating]  # [hands of the seat, LANES] weight of all hands that can be met
    taken: NDArray[np.floating]  # [N_SUMS, LANES]
    lanes: NDArray[np.int64]  # [LANES] line of the other in each lane
    places: NDArray[np.int64]  # [LANES] where the vector of a lane begins
    stakes: NDArray[np.floating]  # [LANES] what a lane is multiplied with


@inlined_borrowing_kernel
def _fill_block(n, first, reach, n_lanes, scratch):
    """Turn lines into lanes; lanes that are not used repeat the first."""
    block, lanes, places = scratch.block, scratch.lanes, scratch.places
    for k in range(LANES):
        places[k] = (lanes[k if k < n_lanes else 0] - first) * n
    whole = n // TILE * TILE
    for h in range(0, whole, TILE):
        lines_to_rows(reach, places, block, h)
    for h in range(whole, n):
        for k in range(LANES):
            block[h, k] = reach[places[k] + h]


@inlined_borrowing_kernel
def _sweep(boards, b, own, scratch):
    """Overwrite `won` by twice the weight beaten plus that tied with; `taken` has all hands."""
    block, won, taken = scratch.block, scratch.won, scratch.taken
    mine, theirs = (
        boards.cards[boards.hands[b, own] :],
        boards.cards[boards.hands[b, 1 - own] :],
    )
    at, other_at = 0, 0
    for g in range(boards.groups[b], boards.groups[b + 1]):
        end, other_end = boards.ends[g, own], boards.ends[g, 1 - own]
        for h in range(at, end):
            leave_row(won, h, taken, ALL_HANDS, mine[h, 0], mine[h, 1])
        for h in range(other_at, other_end):
            take_row(block, h, taken, ALL_HANDS, theirs[h, 0], theirs[h, 2])
        for h in range(at, end):
            add_left_row(won, h, taken, ALL_HANDS, mine[h, 0], mine[h, 1])
        at, other_at = end, other_end


@inlined_borrowing_kernel
def _multiply(boards, b, own, scratch):
    """Overwrite `won` by the mean results of an all-in on board `b`."""
    block, won = scratch.block, scratch.won
    n_0, n_1 = boards.n_hands[b, 0], boards.n_hands[b, 1]
    matrix = boards.matrix[boards.matrices[b] :]
    if own == 0:
        for h in range(n_0):
            dot_rows(won, h, block, matrix, h * n_1, n_1)
        return
    for h in range(n_1):
        for k in range(LANES):
            won[h, k] = 0.0
    for k in range(n_0):
        for h in range(n_1):
            add_scaled_row(won, h, block, k, matrix, k * n_1 + h)
    for h in range(n_1):
        for k in range(LANES):
            won[h, k] = -won[h, k]


@inlined_borrowing_kernel
def _value_lanes(boards, b, own, final, shows, scratch):
    """Overwrite `met`, and with `shows` also `won`, for the lines in the lanes."""
    block, won, met, taken = scratch.block, scratch.won, scratch.met, scratch.taken
    n, other_n = boards.n_hands[b, own], boards.n_hands[b, 1 - own]
    mine, theirs = (
        boards.cards[boards.hands[b, own] :],
        boards.cards[boards.hands[b, 1 - own] :],
    )
    same = boards.same[boards.hands[b, own] :]
    for card in range(taken.shape[0]):
        for k in range(LANES):
            taken[card, k] = 0.0
    if shows and final:
        _sweep(boards, b, own, scratch)
    else:
        for h in range(other_n):
            take_row(block, h, taken, ALL_HANDS, theirs[h, 0], theirs[h, 2])
        if shows:
            _multiply(boards, b, own, scratch)
    for h in range(n):
        leave_row(met, h, taken, ALL_HANDS, mine[h, 0], mine[h, 1])
        if shows and final:
            subtract_row(won, h, met, h)
        # A hand that both may have was taken off twice.
        if same[h] != NONE:
            add_row(met, h, block, same[h])


@inlined_borrowing_kernel
def _add_rows(n, rows, scratch, values):
    """Add the lanes of `rows` to the vectors at `places`."""
    places, stakes = scratch.places, scratch.stakes
    whole = n // TILE * TILE
    for h in range(0, whole, TILE):
        add_rows_to_lines(values, places, stakes, rows, h)
    for h in range(whole, n):
        for k in range(LANES):
            values[places[k] + h] += stakes[k] * rows[h, k]


@inlined_borrowing_kernel
def _pay(lines, others, first, n, n_lanes, shows, scratch, values):
    """Add what the lines in the lanes pay to the lines of the seat.

    Lanes without an end of a kind pay nothing to the vector after the last line's.
    """
    places, stakes, lanes = scratch.places, scratch.stakes, scratch.lanes
    nowhere = values.size - n
    costs = False
    for k in range(LANES):
        places[k], stakes[k] = nowhere, 0.0
        if k < n_lanes and others.fold[lanes[k]] != NONE:
            line = others.fold[lanes[k]]
            places[k], stakes[k] = (line - first) * n, lines.fold_stake[line]
    _add_rows(n, scratch.met, scratch, values)
    if not shows:
        return
    for k in range(LANES):
        places[k], stakes[k] = nowhere, 0.0
        if k < n_lanes and others.show[lanes[k]] != NONE:
            line = others.show[lanes[k]]
            places[k], stakes[k] = (line - first) * n, lines.show_stake[line]
            costs |= lines.show_cost[line] != 0.0
    _add_rows(n, scratch.won, scratch, values)
    if costs:
        for k in range(n_lanes):
            if others.show[lanes[k]] != NONE:
                stakes[k] = -lines.show_cost[others.show[lanes[k]]]
        _add_rows(n, scratch.met, scratch, values)


@inlined_borrowing_kernel
def add_ends(boards, b, own, final, lines, others, begin, end, firsts, reach, scratch, values):
    """Add to `values` what folds and showdowns of the starts ``begin:end`` are worth to a seat.

    Parameters
    ----------
    lines, others
        `SeatLines` of the seat `own` and of the other.
    firsts
        The lines of the seat and of the other with which `values` and `reach` begin.
    reach
        How often the other comes along its lines, a vector over its hands for each.
    values
        A vector over the hands of the seat for each of its lines.
    """
    n, other_n = boards.n_hands[b, own], boards.n_hands[b, 1 - own]
    from_line, to_line = others.starts[begin], others.starts[end]
    n_ends, n_shows = 0, 0
    for line in range(from_line, to_line):
        n_ends += others.show[line] != NONE or others.fold[line] != NONE
        n_shows += others.show[line] != NONE
    # Folds alone are cheaper, but few lines fill the lanes better together. Without any showdown
    # the board need not have a matrix of all-ins, which must not be read then.
    apart = n_ends > LANES or n_shows == 0
    for shows in (True, False):
        n_lanes, n_shown = 0, 0
        for line in range(from_line, to_line):
            showing, folding = others.show[line] != NONE, others.fold[line] != NONE
            ends_here = showing if apart else showing or folding
            if ends_here if shows else apart and folding and not showing:
                scratch.lanes[n_lanes] = line
                n_lanes += 1
                n_shown += showing
            if n_lanes == LANES or (n_lanes > 0 and line == to_line - 1):
                _fill_block(other_n, firsts[1], reach, n_lanes, scratch)
                # Without an all-in a board has no matrix of results to read.
                _value_lanes(boards, b, own, final, n_shown > 0, scratch)
                _pay(lines, others, firsts[0], n, n_lanes, n_shown > 0, scratch, values)
                n_lanes, n_shown = 0, 0
