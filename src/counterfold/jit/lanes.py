"""Rows of sixteen numbers that the processor adds and multiplies at once.

An array of rows is contiguous, ``[rows, LANES]``. Loops over the lanes would say the same, but LLVM
cannot know that two arrays do not overlap and checks it before every row, which takes longer than
the row. These functions tell it what a row is.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

LANES = 16


class _Rows:
    """Loads and stores rows of the arguments of a call."""

    def __init__(self, context: Any, builder: Any, signature: Any, values: Any) -> None:
        self.context, self.builder = context, builder
        self.types, self.values = signature.args, values

    def integer(self, argument: int) -> Any:
        kind = self.types[argument]
        return self.context.cast(self.builder, self.values[argument], kind, types.intp)

    def place(self, argument: int, row: Any) -> Any:
        """A pointer to a row of an array."""
        first = self.builder.mul(row, self.context.get_constant(types.intp, LANES))
        return self.pointer(argument, first, LANES)

    def pointer(self, argument: int, at: Any, n: int) -> Any:
        """A pointer to `n` entries of an array."""
        kind = self.types[argument]
        vector = ir.VectorType(self.context.get_data_type(kind.dtype), n).as_pointer()
        return self.builder.bitcast(self.builder.gep(self.data(argument), [at]), vector)

    def data(self, argument: int) -> Any:
        """A pointer to the first entry of an array."""
        array = self.context.make_array(self.types[argument])
        return array(self.context, self.builder, self.values[argument]).data

    def load(self, argument: int, row: Any) -> Any:
        return self.builder.load(self.place(argument, row), align=self._align(argument))

    def store(self, argument: int, row: Any, vector: Any) -> None:
        self.builder.store(vector, self.place(argument, row), align=self._align(argument))

    def add(self, argument: int, row: Any, vector: Any) -> None:
        total = self.builder.fadd(self.load(argument, row), vector)
        self.store(argument, row, total)

    def number(self, argument: int, at: Any) -> Any:
        """An entry of an array, in all lanes."""
        return self.fill(self.builder.load(self.builder.gep(self.data(argument), [at])), LANES)

    def fill(self, number: Any, n: int) -> Any:
        """A vector of `n` times the same number."""
        vector = ir.VectorType(number.type, n)
        undefined = ir.Constant(vector, ir.Undefined)
        first = self.builder.insert_element(undefined, number, ir.Constant(ir.IntType(32), 0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), n), [0] * n)
        return self.builder.shuffle_vector(first, undefined, mask)

    def _align(self, argument: int) -> int:
        return int(self.types[argument].dtype.bitwidth // 8)


def _on_rows(work: Callable[[Any], None], view: type[_Rows] = _Rows) -> Callable[..., Any]:
    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        work(view(context, builder, signature, values))
        return context.get_dummy_value()

    return codegen


@intrinsic
def take_row(typing: Any, block: Any, h: Any, taken: Any, all_of: Any, a: Any, b: Any) -> Any:
    """Add row `h` of `block` to the rows `all_of`, `a` and `b` of `taken`."""

    def work(rows: _Rows) -> None:
        row = rows.load(0, rows.integer(1))
        for argument in (3, 4, 5):
            rows.add(2, rows.integer(argument), row)

    return types.void(block, h, taken, all_of, a, b), _on_rows(work)


def _left(rows: _Rows) -> Any:
    """Row `all_of` less rows `a` and `b` of `taken`."""
    left = rows.load(2, rows.integer(3))
    for argument in (4, 5):
        left = rows.builder.fsub(left, rows.load(2, rows.integer(argument)))
    return left


@intrinsic
def leave_row(typing: Any, target: Any, h: Any, taken: Any, all_of: Any, a: Any, b: Any) -> Any:
    """Overwrite row `h` of `target` by row `all_of` of `taken` less its rows `a` and `b`."""

    def work(rows: _Rows) -> None:
        rows.store(0, rows.integer(1), _left(rows))

    return types.void(target, h, taken, all_of, a, b), _on_rows(work)


@intrinsic
def add_left_row(typing: Any, target: Any, h: Any, taken: Any, all_of: Any, a: Any, b: Any) -> Any:
    """Add row `all_of` of `taken` less its rows `a` and `b` to row `h` of `target`."""

    def work(rows: _Rows) -> None:
        rows.add(0, rows.integer(1), _left(rows))

    return types.void(target, h, taken, all_of, a, b), _on_rows(work)


@intrinsic
def add_row(typing: Any, target: Any, h: Any, source: Any, k: Any) -> Any:
    """Add row `k` of `source` to row `h` of `target`."""

    def work(rows: _Rows) -> None:
        rows.add(0, rows.integer(1), rows.load(2, rows.integer(3)))

    return types.void(target, h, source, k), _on_rows(work)


@intrinsic
def subtract_row(typing: Any, target: Any, h: Any, source: Any, k: Any) -> Any:
    """Subtract row `k` of `source` from row `h` of `target`."""

    def work(rows: _Rows) -> None:
        row = rows.builder.fsub(rows.load(0, rows.integer(1)), rows.load(2, rows.integer(3)))
        rows.store(0, rows.integer(1), row)

    return types.void(target, h, source, k), _on_rows(work)


@intrinsic
def add_scaled_row(typing: Any, target: Any, h: Any, source: Any, k: Any, f: Any, at: Any) -> Any:
    """Add row `k` of `source` times ``f[at]`` to row `h` of `target`."""

    def work(rows: _Rows) -> None:
        row = rows.builder.fmul(rows.load(2, rows.integer(3)), rows.number(4, rows.integer(5)))
        rows.add(0, rows.integer(1), row)

    return types.void(target, h, source, k, f, at), _on_rows(work)


@intrinsic
def dot_rows(typing: Any, target: Any, h: Any, source: Any, f: Any, at: Any, n: Any) -> Any:
    """Overwrite row `h` of `target` by the sum of rows `k` of `source` times ``f[at + k]``."""

    def work(rows: _Rows) -> None:
        builder, first, n = rows.builder, rows.integer(4), rows.integer(5)
        vector = rows.load(0, rows.integer(1)).type
        total = cgutils.alloca_once_value(builder, ir.Constant(vector, None))
        with cgutils.for_range(builder, n) as loop:
            factor = rows.number(3, builder.add(first, loop.index))
            product = builder.fmul(rows.load(2, loop.index), factor)
            builder.store(builder.fadd(builder.load(total), product), total)
        rows.store(0, rows.integer(1), builder.load(total))

    return types.void(target, h, source, f, at, n), _on_rows(work)


TILE = 8  # lines and entries that are turned into rows at once

# Three steps that together swap the lines and the entries of a tile: of pairs of vectors, these
# entries of both. A processor has an instruction for each.
_STEPS = (
    (1, (0, 8, 1, 9, 4, 12, 5, 13), (2, 10, 3, 11, 6, 14, 7, 15)),
    (2, (0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15)),
    (4, (0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15)),
)


def _transpose(builder: Any, tile: list[Any]) -> list[Any]:
    for apart, *masks in _STEPS:
        low, high = (ir.Constant(ir.VectorType(ir.IntType(32), TILE), list(m)) for m in masks)
        for k in range(TILE):
            if k & apart == 0:
                pair = tile[k], tile[k + apart]
                tile[k] = builder.shuffle_vector(*pair, low)
                tile[k + apart] = builder.shuffle_vector(*pair, high)
    # The first step leaves entries in the order 0 2 1 3, 4 6 5 7 of vectors.
    return [tile[k] for k in (0, 2, 1, 3, 4, 6, 5, 7)]


class _Tiles(_Rows):
    """Loads and stores runs of `TILE` numbers."""

    def run(self, argument: int, at: Any) -> tuple[Any, int]:
        """A pointer to a run, and its alignment."""
        return self.pointer(argument, at, TILE), self._align(argument)

    def entry(self, argument: int, k: int) -> Any:
        """Entry `k` of an array."""
        place = self.context.get_constant(types.intp, k)
        return self.builder.load(self.builder.gep(self.data(argument), [place]))

    def row_part(self, row: Any, part: int) -> Any:
        """Where the lanes of a part of a row begin."""
        constant = self.context.get_constant
        first = self.builder.mul(row, constant(types.intp, LANES))
        return self.builder.add(first, constant(types.intp, part * TILE))


@intrinsic
def lines_to_rows(typing: Any, lines: Any, places: Any, rows: Any, h: Any) -> Any:
    """Overwrite `TILE` rows from `h` on: lane k is ``lines[places[k] + h :]``."""

    def work(tiles: _Tiles) -> None:
        builder, h = tiles.builder, tiles.integer(3)
        for part in range(LANES // TILE):
            tile = []
            for k in range(TILE):
                place, align = tiles.run(0, builder.add(tiles.entry(1, part * TILE + k), h))
                tile.append(builder.load(place, align=align))
            for k, vector in enumerate(_transpose(builder, tile)):
                row = builder.add(h, tiles.context.get_constant(types.intp, k))
                place, align = tiles.run(2, tiles.row_part(row, part))
                builder.store(vector, place, align=align)

    return types.void(lines, places, rows, h), _on_rows(work, _Tiles)


@intrinsic
def add_rows_to_lines(typing: Any, lines: Any, places: Any, f: Any, rows: Any, h: Any) -> Any:
    """Add ``f[k]`` times lane k of `TILE` rows from `h` on to ``lines[places[k] + h :]``."""

    def work(tiles: _Tiles) -> None:
        builder, h = tiles.builder, tiles.integer(4)
        for part in range(LANES // TILE):
            tile = []
            for k in range(TILE):
                row = builder.add(h, tiles.context.get_constant(types.intp, k))
                place, align = tiles.run(3, tiles.row_part(row, part))
                tile.append(builder.load(place, align=align))
            for k, vector in enumerate(_transpose(builder, tile)):
                lane = part * TILE + k
                factor = tiles.fill(tiles.entry(2, lane), TILE)
                place, align = tiles.run(0, builder.add(tiles.entry(1, lane), h))
                total = builder.fadd(builder.load(place, align=align), builder.fmul(vector, factor))
                builder.store(total, place, align=align)

    return types.void(lines, places, f, rows, h), _on_rows(work, _Tiles)
