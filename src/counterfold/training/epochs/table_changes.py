"""What a walk changed in a table: the slots and by how much, compact enough to send.

Slots are kept as gaps between them, in as few bytes as the widest needs, and differences in 32
bits: five to eight bytes for a slot that was touched, none for the others.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_COMPARED_AT_ONCE = 1 << 18  # slots: what is compared stays in the cache


class Changes(NamedTuple):
    """Where a table differs from what it was."""

    gaps: NDArray[np.unsignedinteger]  # from one slot to the next, the first from slot 0
    values: NDArray[np.float32]  # what was added

    @property
    def slots(self) -> NDArray[np.int64]:
        """The slots themselves, in ascending order."""
        return np.cumsum(self.gaps, dtype=np.int64)

    @property
    def nbytes(self) -> int:
        """What travels."""
        return self.gaps.nbytes + self.values.nbytes

    def add_to(self, sums: NDArray[np.float64]) -> None:
        """Add what was added here."""
        sums[self.slots] += self.values


def find_changes(
    table: NDArray[np.floating], before: NDArray[np.floating] | None = None
) -> tuple[NDArray[np.int64], Changes]:
    """The slots where `table` is not what it was `before`, or not zero, and the changes there."""
    slots = _find_different(table, before)
    values = table[slots]
    if before is not None:
        values = values - before[slots]
    gaps = np.diff(slots, prepend=0)
    small = gaps.astype(np.min_scalar_type(int(gaps.max(initial=0))))
    return slots, Changes(small, values.astype(np.float32))


def _find_different(
    table: NDArray[np.floating], before: NDArray[np.floating] | None
) -> NDArray[np.int64]:
    found = [np.zeros(0, np.int64)]
    for first in range(0, table.size, _COMPARED_AT_ONCE):
        part = slice(first, first + _COMPARED_AT_ONCE)
        other = 0.0 if before is None else before[part]
        found.append(np.flatnonzero(table[part] != other) + first)
    return np.concatenate(found)
