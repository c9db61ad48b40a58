"""Tables of numbers or of 16-bit integers with scales, which kernels read and write alike.

A table of integers keeps a scale for each stretch of entries that belong together: the largest of
them is `MOST`. A table of floating-point numbers is its own working memory, and needs no scales.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import overload

from counterfold.jit.compiler import copied_kernel

MOST = 32767

_OPTIONS: Any = {"nogil": True, "error_model": "numpy", "forceinline": True, "_nrt": False}


@copied_kernel
def unpack(table: Any, at: int, size: int, scales: Any, k: int, rows: Any) -> Any:
    """Entries ``at:at + size`` as numbers: a view of `table`, or the first of `rows`.

    Only for kernels that borrow: others would give back an array that was not counted.
    """
    found = _numbers(table, at, size, scales, k, rows)
    first = _first(table, at)
    return found[first : first + size]


# Kernels that borrow may return an array that they were given, but not a view of it.
def _numbers(table: Any, at: int, size: int, scales: Any, k: int, rows: Any) -> Any:
    """The array that has entries ``at:at + size`` as numbers."""
    if table.dtype.kind == "f":
        return table
    rows[:size] = table[at : at + size] * scales[k]
    return rows


@overload(_numbers, jit_options=_OPTIONS)
def _compile_numbers(
    table: Any, at: Any, size: Any, scales: Any, k: Any, rows: Any
) -> Callable[..., Any]:
    def numbers(table: Any, at: Any, size: Any, scales: Any, k: Any, rows: Any) -> Any:
        return table

    def integers(table: Any, at: Any, size: Any, scales: Any, k: Any, rows: Any) -> Any:
        packed, scale, found = table[at : at + size], scales[k], rows[:size]
        for i in range(size):
            found[i] = packed[i] * scale
        return rows

    return numbers if isinstance(table.dtype, types.Float) else integers


def _first(table: Any, at: int) -> int:
    """Where entry `at` of `table` lies in what `_numbers` returned."""
    return at if table.dtype.kind == "f" else 0


@overload(_first, jit_options=_OPTIONS)
def _compile_first(table: Any, at: Any) -> Callable[..., Any]:
    def same(table: Any, at: Any) -> Any:
        return at

    def none(table: Any, at: Any) -> Any:
        return 0

    return same if isinstance(table.dtype, types.Float) else none


def pack(rows: Any, table: Any, at: int, scales: Any, k: int) -> None:
    """Write what `unpack` gave back to `table`, with scale `k` of `scales`."""
    if table.dtype.kind != "f":
        largest = np.abs(rows).max(initial=0)
        scales[k] = largest / MOST
        table[at : at + rows.size] = np.rint(rows / (scales[k] or 1))


@overload(pack, jit_options=_OPTIONS)
def _pack(rows: Any, table: Any, at: Any, scales: Any, k: Any) -> Callable[..., Any]:
    def numbers(rows: Any, table: Any, at: Any, scales: Any, k: Any) -> None:
        return

    def integers(rows: Any, table: Any, at: Any, scales: Any, k: Any) -> None:
        largest = rows.dtype.type(0.0)
        for i in range(rows.size):
            largest = max(largest, abs(rows[i]))
        scales[k] = largest / rows.dtype.type(MOST)
        # Below this a scale would be infinite; such numbers mean nothing.
        most, half = rows.dtype.type(MOST), rows.dtype.type(0.5)
        scale = most / largest if largest > 1e-30 else rows.dtype.type(0.0)
        packed = table[at : at + rows.size]
        for i in range(rows.size):
            packed[i] = np.int16(np.floor(rows[i] * scale + half))

    return numbers if isinstance(table.dtype, types.Float) else integers
