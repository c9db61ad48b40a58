"""Arrays that workers fill together: a piece is a stretch of units, its result the rows it wrote.

Only those rows travel. A worker has the whole arrays, and keeps them: rows of a piece lie far
apart, and fresh pages for each of them would take several times as long as what is written there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]


class Shaped(Protocol):
    """What an array is made by."""

    @property
    def dtype(self) -> str:
        """The type of its numbers, in the words of NumPy."""
        ...

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows first."""
        ...


class RowWork(NamedTuple):
    """How to fill the rows of some units."""

    columns: Mapping[str, Shaped]
    work: Callable[[int, int, Arrays], None]  # fills arrays for the units first:last
    rows: Callable[[int, int], NDArray[Any]]  # which it writes, each at least once


class FilledRows(NamedTuple):
    """What a piece wrote."""

    rows: NDArray[Any]
    values: Arrays  # by column, in the order of the rows


class RowMaker(Protocol):
    """What knows several works by name; it must be possible to pickle it."""

    def row_work(self, name: str) -> RowWork:
        """The work of that name."""
        ...


@dataclass(frozen=True)
class RowJob:
    """The work called `name` of a maker."""

    maker: RowMaker
    name: str

    def prepare(self) -> Callable[[Any, tuple[int, int]], FilledRows]:
        """Find the work once."""
        columns, work, rows = self.maker.row_work(self.name)
        arrays = {name: np.zeros(c.shape, c.dtype) for name, c in columns.items()}

        def fill(published: Any, piece: tuple[int, int]) -> FilledRows:
            work(*piece, arrays)
            written = rows(*piece)
            values = {name: array[written] for name, array in arrays.items()}
            for array in arrays.values():
                array[written] = 0
            return FilledRows(written, values)

        return fill
