"""Tables of a spot on their way between a processor and a device, which order them differently.

A processor has a board after the other, on each a row for each action, of its hands; a device has a
row for each action, of the columns of all boards. The device changes the order, some boards at a
time; what is copied then is whole.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

MOST_SLOTS = 1 << 25  # that are put in order at once, unless one board has more

Array = Any  # of NumPy or of a library that replaces it


class _Group(NamedTuple):
    """Boards whose tables move together."""

    n: int  # slots
    runs: list[tuple[int, int, int]]  # first of them, first slot of the processor, how many
    columns: Array  # of the device
    places: Array  # [rows, columns] among the slots


def bring_back(
    xp: Any, slots: NDArray[np.int64], edges: NDArray[np.int64], columns: NDArray[np.int32],
    table: Array, here: NDArray[np.floating],
) -> None:  # fmt: skip
    """Write `table`, [rows, n] of the device, to where `here` has these boards.

    The hands of board `i` have ``columns[edges[i] : edges[i + 1]]``, and its slots begin at
    ``slots[i]``.
    """
    for group in _groups(xp, slots, edges, columns, len(table)):
        ordered = xp.empty(group.n, table.dtype)
        ordered[group.places] = xp.take(table, group.columns, axis=1)
        for first, begin, n in group.runs:
            part, out = ordered[first : first + n], here[begin : begin + n]
            if hasattr(part, "get"):  # CuPy's
                part.get(out=out)
            else:
                out[...] = part


def take_there(
    xp: Any, slots: NDArray[np.int64], edges: NDArray[np.int64], columns: NDArray[np.int32],
    here: NDArray[np.floating], table: Array,
) -> None:  # fmt: skip
    """Overwrite `table` by what `here` has of these boards; see `bring_back`."""
    for group in _groups(xp, slots, edges, columns, len(table)):
        ordered = xp.empty(group.n, table.dtype)
        for first, begin, n in group.runs:
            ordered[first : first + n] = xp.asarray(here[begin : begin + n])
        table[:, group.columns] = xp.take(ordered, group.places)


def _groups(
    xp: Any,
    slots: NDArray[np.int64],
    edges: NDArray[np.int64],
    columns: NDArray[np.int32],
    n_rows: int,
) -> Iterator[_Group]:
    """Boards one after the other, as many as have room."""
    sizes = n_rows * np.diff(edges)
    ends = np.cumsum(sizes)
    first, begun = 0, 0
    while n_rows and first < slots.size:
        end = max(int(np.searchsorted(ends, begun + MOST_SLOTS, side="right")), first + 1)
        here = slice(first, end)
        widths = np.diff(edges[first : end + 1])
        starts = ends[here] - sizes[here] - begun  # of boards, among the slots of the group
        hands = slice(int(edges[first]), int(edges[end]))
        turns = np.arange(hands.start, hands.stop) - np.repeat(edges[here], widths)
        first_places = xp.asarray((np.repeat(starts, widths) + turns).astype(np.int32))
        steps = xp.asarray(np.repeat(widths, widths).astype(np.int32))
        rows = xp.arange(n_rows, dtype=np.int32)[:, None]
        # Boards between which the processor has others, or another street, are copied apart.
        shifts = slots[here] - starts
        breaks = np.flatnonzero(np.diff(shifts, prepend=-1)).tolist()
        n = int(ends[end - 1]) - begun
        begins = [int(starts[b]) for b in breaks]
        runs = [
            (begin, begin + int(shifts[b]), stop - begin)
            for b, begin, stop in zip(breaks, begins, [*begins[1:], n], strict=True)
        ]
        yield _Group(n, runs, xp.asarray(columns[hands]), first_places + rows * steps)
        first, begun = end, begun + n
