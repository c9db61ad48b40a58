"""How much memory of a device a spot takes, by its lines and the sizes of its boards."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.ranges.device.spot_lines import place_lines
from counterfold.ranges.line_tree import LineTree

MOST_BYTES = 8 << 30  # of vectors of the last street at a time


class DeviceRoom(NamedTuple):
    """What a spot takes."""

    kept_bytes: int  # tables, all-ins, and the vectors of all streets but the last
    board_bytes: int  # vectors for each board of the last street

    def of_boards(self, n: int) -> int:
        """All of it, with `n` boards of the last street at a time."""
        return self.kept_bytes + n * self.board_bytes


def find_room(
    tree: LineTree, n_boards: NDArray[Any], n_hands: NDArray[Any], dtype: np.dtype[Any]
) -> DeviceRoom:
    """Memory by street, for `n_boards` boards with `n_hands` columns each."""
    streets = range(tree.n_streets)
    lines = [[place_lines(tree, k, seat, np, dtype) for seat in (0, 1)] for k in streets]
    columns, kept = n_boards * n_hands, 0.0
    for k, both in enumerate(lines):
        kept += 2 * float(tree.n_rows[k].sum()) * columns[k]
        if k < tree.n_streets - 1:
            n_vectors = sum(each.n_lines for each in both) + lines[k + 1][0].n_starts
            kept += (n_vectors + n_hands[k] * bool(tree.shows[k])) * columns[k]
    last = lines[-1]
    n_vectors = sum(each.n_lines for each in last) + max(each.n_lines for each in last)
    n_vectors += max(each.n_met for each in last) + max(each.n_shows for each in last)
    n_vectors += 2 * last[0].n_starts  # what the street above has come to, before and after
    return DeviceRoom(int(kept * dtype.itemsize), int(n_vectors * n_hands[-1]) * dtype.itemsize)
