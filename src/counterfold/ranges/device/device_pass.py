"""The passes of `ranges.joint.joint_pass` for a GPU, through a library like NumPy.

A street is two matrix products, folds and showdowns, and one kernel that follows its lines, a
thread for each start and sequence; an iteration is some fifty calls, however large the game. With
CuPy the kernels are those of `device_pass.cu`. With NumPy they are its twins, by which tests reach
everything here without a GPU; on a processor `JointPass` is faster.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from counterfold.buckets.joint_tables import JointTables
from counterfold.devices import free_gpu_bytes
from counterfold.errors import TooLargeError
from counterfold.public.infosets import PublicGame
from counterfold.ranges.device import device_pass_kernels
from counterfold.ranges.device.cuda_source import open_kernels
from counterfold.ranges.joint.joint_pass import by_seat, check_joint, find_joint_lines, pass_bytes
from counterfold.ranges.joint.joint_slots import JointSlots
from counterfold.ranges.joint.traversal import Array, Reach
from counterfold.ranges.line_kernels import BEST, LEARN, VALUE
from counterfold.ranges.line_tree import NONE, SeatLines
from counterfold.regret_kernels import LEAST_REGRET


class _Street(NamedTuple):
    """The lines of a seat on a street, numbered from zero, as arrays of the device."""

    n_starts: int
    n_lines: int
    slots: slice  # of tables
    starts: Array  # as in `SeatLines`, and so on
    source: Array
    points: Array
    decisions: tuple[Array, Array, Array, Array]  # parent, first, n_actions, row
    ends: tuple[Array, Array, Array, Array]  # rows of folds and stakes, of showdowns and stakes
    later: Array
    ending: tuple[Array, Array]  # the other's lines that end by folds and showdowns: those rows


class DevicePass:
    """Traversal by `xp`, which is `cupy` or `numpy`."""

    def __init__(
        self, game: PublicGame, joint: JointTables, xp: Any, dtype: DTypeLike = np.float32
    ) -> None:
        check_joint(game, joint)
        self.xp, self.dtype = xp, np.dtype(dtype)
        self.lines = find_joint_lines(game)
        self.slots = JointSlots(game, self.lines, joint.n_sequences)
        self.n_buckets, self.n_sequences = joint.n_buckets, joint.n_sequences
        self._check_fits()
        self._launch = open_kernels(xp, "device_pass.cu", device_pass_kernels, self.dtype)
        self._joint = [self._tables(table.values, 1) for table in joint.probabilities]
        self._net = self._tables(joint.net.values, -1)
        streets = range(self.lines.n_streets)
        self._streets = [[self._street(k, seat) for seat in (0, 1)] for k in streets]
        self._reach: list[Reach] = [[self._vectors(k, p) for k in streets] for p in (0, 1)]
        # The lines of one street at a time.
        self._values = max((self._vectors(k, p) for k in streets for p in (0, 1)), key=_size)

    def zeros(self, n: int) -> Array:
        """A table of `n` slots."""
        return self.xp.zeros(n, self.dtype)

    def sums(self, n: int) -> Array:
        """The same in 64 bits, for what only grows."""
        return self.xp.zeros(n)

    def to_numpy(self, table: Array) -> NDArray[Any]:
        """A table in the memory of the processor."""
        return np.asarray(table.get() if hasattr(table, "get") else table)  # `get` is CuPy's

    def pick(self, table: Array, slots: slice | NDArray[np.int64]) -> NDArray[Any]:
        """A part of a table in the memory of the processor."""
        return self.to_numpy(table[slots if isinstance(slots, slice) else self.xp.asarray(slots)])

    def fill(self, table: Array, numbers: NDArray[Any]) -> None:
        """Overwrite a table by numbers of the processor."""
        table[...] = self.xp.asarray(numbers)

    def wait(self) -> None:
        """Wait until the device has done all its work."""
        if self.xp is not np:
            self.xp.cuda.get_current_stream().synchronize()

    def reach(self, seat: int, weights: Array, *, whole: bool = True) -> Reach:
        """How often `seat` plays along each of its lines; overwritten by the next call."""
        found = self._reach[seat]
        for k, vectors in enumerate(found):
            street, n = self._streets[k][seat], self.n_sequences[k]
            self._launch(
                "reach_street", street.n_starts * n, street.n_starts, n, self.n_buckets[k],
                *self._reals(LEAST_REGRET), street.starts, street.source, street.points,
                *street.decisions, weights[street.slots], found[max(k - 1, 0)], vectors,
            )  # fmt: skip
        return found

    def update(
        self, seat: int, other: Reach, own: Reach, factors: Array, regrets: Array, averages: Array
    ) -> None:
        """Learn from one iteration: change the slots of `seat` in `regrets` and `averages`."""
        self._up(seat, LEARN, other, own, factors.tolist(), regrets, averages)

    def value(self, seat: int, other: Reach, weights: Array | None) -> float:
        """Chips that `seat` wins with `weights` as its strategy, or with a best response."""
        mode, none = (BEST if weights is None else VALUE), (1.0, 1.0, 1.0)
        table = self.zeros(0) if weights is None else weights
        found = self._up(seat, mode, other, self._reach[seat], none, table, self.sums(0))
        return float(found[0, 0])

    def _up(
        self, seat: int, mode: int, other: Reach, own: Reach, factors: Any, regrets: Array,
        averages: Array,
    ) -> Array:  # fmt: skip
        """[1, 1] value at the root, after all streets from the last to the first."""
        xp = self.xp
        coming = xp.zeros((1, 1), self.dtype)
        for k in range(self.lines.n_streets - 1, -1, -1):
            street, n, width = self._streets[k][seat], self.n_sequences[k], self.n_buckets[k]
            tables = self._joint[k][seat], self._net[seat]
            folds, shows = (
                xp.matmul(xp.take(other[k], lines, axis=0), table) if lines.size else coming
                for lines, table in zip(street.ending, tables, strict=True)
            )
            values = self._values.reshape(-1)[: street.n_lines * n].reshape(-1, n)
            self._launch(
                "value_street", street.n_starts * n, street.n_starts, n, mode,
                *self._reals(LEAST_REGRET, *factors), street.starts, street.points,
                *street.decisions, *street.ends, street.later, folds, shows, coming, own[k],
                regrets[street.slots], averages[street.slots], values,
            )  # fmt: skip
            begun = xp.take(values, street.starts[:-1], axis=0)
            coming = xp.sum(begun.reshape(street.n_starts, n // width, width), axis=2)
        return coming

    def _check_fits(self) -> None:
        """Refuse what the memory of the GPU cannot hold, before any of it is copied."""
        needed = 2 * pass_bytes(
            self.lines, self.n_sequences, self.dtype
        )  # values and products, too
        needed += self.slots.n_slots * (self.dtype.itemsize + np.dtype(np.float64).itemsize)
        if self.xp is not np and needed > free_gpu_bytes():
            raise TooLargeError(
                f"training needs {needed / 1e9:,.2f} GB of the GPU's memory, but only "
                f"{free_gpu_bytes() / 1e9:,.2f} GB are free; use fewer buckets or --device cpu"
            )

    def _reals(self, *numbers: float) -> tuple[Any, ...]:
        return tuple(map(self.dtype.type, numbers))

    def _tables(self, table: NDArray[Any], sign: int) -> tuple[Array, Array]:
        first, second = by_seat(table, sign, self.dtype)
        moved = self.xp.asarray(first)
        return moved, moved if first is second else self.xp.asarray(second)

    def _vectors(self, k: int, seat: int) -> Array:
        return self.xp.zeros((self._streets[k][seat].n_lines, self.n_sequences[k]), self.dtype)

    def _street(self, k: int, seat: int) -> _Street:
        tree, lines = self.lines, self.lines.seats[seat]
        begin, end = tree.streets[k : k + 2].tolist()
        first, last = tree.first_lines[k : k + 2, seat].tolist()
        points = slice(*lines.points[[begin, end]].tolist())
        above = tree.first_lines[max(k - 1, 0), seat]
        source = lines.source[begin:end]
        later = lines.later[first:last]
        slot, n_rows = int(self.slots.first[k, seat]), int(tree.n_rows[k, seat])
        folds, shows = (self._ends(k, seat, way) for way in ("fold", "show"))
        return _Street(
            end - begin,
            last - first,
            slice(slot, slot + n_rows * self.n_sequences[k]),
            self._numbers(lines.starts[begin : end + 1] - first),
            self._numbers(np.where(source == NONE, NONE, source - above)),
            self._numbers(lines.points[begin : end + 1] - points.start),
            (
                self._numbers(lines.parent[points] - first),
                self._numbers(lines.first[points] - first),
                self._numbers(lines.n_actions[points]),
                self._numbers(lines.row[points]),
            ),
            (*folds[:2], *shows[:2]),
            self._numbers(np.where(later == NONE, NONE, later - end)),
            (folds[2], shows[2]),
        )

    def _ends(self, k: int, seat: int, way: str) -> tuple[Array, Array, Array]:
        """Of lines that end in one way: rows of the product, stakes, and the other's lines."""

        def of(p: int) -> tuple[SeatLines, slice]:
            return self.lines.seats[p], slice(*self.lines.first_lines[k : k + 2, p].tolist())

        (own, street), (theirs, their_street) = of(seat), of(1 - seat)
        ending = np.flatnonzero(getattr(theirs, way)[their_street] != NONE)
        met = getattr(own, way)[street]
        rows = np.searchsorted(ending, met - their_street.start)
        stakes = getattr(own, f"{way}_stake")[street].astype(self.dtype)
        rows = np.where(met == NONE, NONE, rows)
        return self._numbers(rows), self.xp.asarray(stakes), self.xp.asarray(ending)

    def _numbers(self, numbers: NDArray[Any]) -> Array:
        return self.xp.asarray(np.ascontiguousarray(numbers, np.int32))


def _size(array: Array) -> int:
    return int(array.size)
