"""The lines of a street of a spot, numbered from zero, as arrays of a device."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.ranges.device.board_pass import end_rows
from counterfold.ranges.line_tree import NONE, LineTree

Array = Any  # of NumPy or of a library that replaces it


class SpotEnds(NamedTuple):
    """Lines that end a hand, and the rows of what follows from them, or NONE."""

    lines: Array
    met: Array  # weight of the hands that are met
    shows: Array  # weight beaten less weight lost to; before the last street a matrix tells that


class SpotLines(NamedTuple):
    """Lines of a seat on a street."""

    n_starts: int
    n_lines: int
    n_met: int
    n_shows: int
    starts: Array  # as in `SeatLines`, and so on
    source: Array
    own_start: Array  # [E] 0, 1, ...: where vectors have been taken from their sources
    points: Array
    decisions: tuple[Array, Array, Array, Array]  # parent, first, n_actions, row
    worth: tuple[Array, Array, Array, Array]  # the other's rows and stakes, of folds and showdowns
    later: Array
    ends: SpotEnds
    shown: Array  # [n_shows] lines that end at showdown
    shown_met: Array  # [n_shows] their rows of what is met, if there is a cost
    cost: Array | None  # [n_shows, 1] rake of the other, in shares of its stake


def place_lines(tree: LineTree, k: int, seat: int, xp: Any, dtype: np.dtype[Any]) -> SpotLines:
    """The lines of `seat` on street `k`."""

    def numbers(array: NDArray[Any]) -> Array:
        return xp.asarray(np.ascontiguousarray(array, np.int32))

    lines = tree.seats[seat]
    begin, end = tree.streets[k : k + 2].tolist()
    first, last = tree.first_lines[k : k + 2, seat].tolist()
    points = slice(*lines.points[[begin, end]].tolist())
    source, later = lines.source[begin:end], lines.later[first:last]
    met_rows, show_rows = _met_rows(tree, k, seat), end_rows(tree, k, seat, "show")
    shown, final = np.flatnonzero(show_rows != NONE), k == tree.n_streets - 1
    swept = show_rows if final else np.full_like(show_rows, NONE)
    ending = np.flatnonzero((met_rows != NONE) | (swept != NONE))
    cost = _costs(tree, k, seat)
    return SpotLines(
        end - begin,
        last - first,
        int(met_rows.max(initial=NONE)) + 1,
        shown.size,
        numbers(lines.starts[begin : end + 1] - first),
        numbers(np.maximum(source - tree.first_lines[max(k - 1, 0), seat], 0)),
        numbers(np.arange(end - begin)),
        numbers(lines.points[begin : end + 1] - points.start),
        (
            numbers(lines.parent[points] - first),
            numbers(lines.first[points] - first),
            numbers(lines.n_actions[points]),
            numbers(lines.row[points]),
        ),
        (
            numbers(_rows_met(tree, k, seat, "fold", _met_rows(tree, k, 1 - seat))),
            xp.asarray(lines.fold_stake[first:last].astype(dtype)),
            numbers(_rows_met(tree, k, seat, "show", end_rows(tree, k, 1 - seat, "show"))),
            xp.asarray(lines.show_stake[first:last].astype(dtype)),
        ),
        numbers(np.where(later == NONE, NONE, later - end)),
        SpotEnds(numbers(ending), numbers(met_rows[ending]), numbers(swept[ending])),
        numbers(shown),
        numbers(met_rows[shown]),
        xp.asarray(cost.astype(dtype)[:, None]) if cost.any() else None,
    )


def _costs(tree: LineTree, k: int, seat: int) -> NDArray[np.float64]:
    """For the lines of `seat` that end at showdown: what the other pays for it, win or lose.

    In shares of what it may win, which is nothing only if the pot is nothing.
    """
    lines, other = tree.seats[seat], tree.seats[1 - seat]
    here = lines.show[slice(*tree.first_lines[k : k + 2, seat].tolist())]
    met = here[here != NONE]
    stakes = other.show_stake[met]
    return np.where(stakes > 0, other.show_cost[met] / np.where(stakes > 0, stakes, 1), 0.0)


def _met_rows(tree: LineTree, k: int, seat: int) -> NDArray[np.int32]:
    """For the lines of `seat`, their number among those of which one must know what is met."""
    lines = tree.seats[seat]
    here = slice(*tree.first_lines[k : k + 2, seat].tolist())
    wanted = lines.fold[here] != NONE
    if _costs(tree, k, seat).any():
        wanted |= lines.show[here] != NONE
    return np.where(wanted, np.cumsum(wanted) - 1, NONE).astype(np.int32)


def _rows_met(
    tree: LineTree, k: int, seat: int, way: str, rows: NDArray[np.int32]
) -> NDArray[np.int32]:
    """For the lines of `seat`, the rows of the other's lines with which they end in one way."""
    met = getattr(tree.seats[seat], way)[slice(*tree.first_lines[k : k + 2, seat].tolist())]
    places = np.where(met == NONE, 0, met - tree.first_lines[k, 1 - seat])
    found: NDArray[np.int32] = np.where(met == NONE, NONE, rows[places]).astype(np.int32)
    return found
