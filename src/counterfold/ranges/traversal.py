"""Full-width passes over a public game with joint tables: reach down, products, values up.

The value of a hand that ends, to each bucket sequence of a seat, is a table times the other's reach
vector. All lines of a street that end alike are one matrix product, for which a BLAS is called;
kernels along the lines do the rest. Threads share the rows of the products as well as the lines,
and each calls a single-threaded BLAS: BLAS threads would take all cores, and spin while waiting for
each other if other work has taken one. A seat learns (`update`) or is valued (`value`) in one pass
from the last street to the first.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray
from threadpoolctl import ThreadpoolController

from counterfold.buckets.joint_tables import JointTables
from counterfold.errors import AbstractionError
from counterfold.memory import check_memory
from counterfold.public.infosets import PublicGame
from counterfold.ranges import seat_sequences_kernels
from counterfold.ranges.seat_sequences import Street, find_seat_sequences
from counterfold.ranges.seat_sequences_kernels import LeafValues, Tables
from counterfold.threads import ThreadPool, even_stretches

_ROWS_AT_ONCE = 512  # rows of a product that a thread computes at a time

Array = Any  # of NumPy or of a library that replaces it
Reach = list[Array]  # [rows, S] by street, in the order of `SeatSequences.row`


class Traversal(Protocol):
    """What solving and evaluation need; arrays have one library and, except sums, one precision."""

    def zeros(self, n: int) -> Array:
        """A table of `n` slots."""
        ...

    def sums(self, n: int) -> Array:
        """The same in 64 bits, for what only grows."""
        ...

    def to_numpy(self, table: Array) -> NDArray[Any]:
        """A table in the memory of the processor."""
        ...

    def strategy(self, weights: Array) -> Array:
        """Probabilities in proportion to positive `weights`."""
        ...

    def reach(self, seat: int, weights: Array, guesses: Array | None = None) -> Reach:
        """How often `seat` plays along each of its lines; overwritten by the next call.

        Its strategy is in proportion to positive `weights`, to which `guesses` are added.
        """
        ...

    def update(
        self, seat: int, other: Reach, own: Reach, factors: Array, tables: Tables, predictive: bool
    ) -> None:
        """Learn from one iteration: change the slots of `seat` in `tables`."""
        ...

    def value(self, seat: int, other: Reach, weights: Array | None) -> float:
        """Chips that `seat` wins with `weights` as its strategy, or with a best response."""
        ...


def check_joint(game: PublicGame, joint: JointTables) -> None:
    """Raise `AbstractionError` unless the buckets of `game` are the sequences of `joint`."""
    counts = {int(n): None for n in game.n_buckets}
    wanted = joint.n_sequences
    if len(wanted) != len(game.stages) or not set(counts) <= set(wanted):
        raise AbstractionError(
            f"{game.graph.variant.name} was classified with {', '.join(map(str, counts))} buckets "
            f"on its streets, but the joint tables have {', '.join(map(str, wanted))} sequences"
        )


def traversal_bytes(streets: Sequence[Street], n_sequences: Sequence[int], dtype: DTypeLike) -> int:
    """Memory of the joint tables, reach vectors and products."""
    size, n = np.dtype(dtype).itemsize, n_sequences
    cells = n[-1] ** 2 + sum(m * m for m in n)
    ends = 0
    for m, street in zip(n, streets, strict=True):
        cells += m * sum(lines.row.size + lines.source.size for lines in street.seats)
        blocks = zip(street.folds, street.shows, strict=True)
        ends = max(ends, m * max(f.stop + s.stop - s.start for f, s in blocks))
    return size * (cells + ends)


class BlasTraversal:
    """Traversal by NumPy's BLAS and kernels."""

    def __init__(
        self,
        game: PublicGame,
        joint: JointTables,
        dtype: DTypeLike = np.float32,
        threads: int | None = None,
    ) -> None:
        check_joint(game, joint)
        self.streets = find_seat_sequences(game)
        check_memory(
            f"full-width passes over {joint.n_sequences[-1]:,} bucket sequences",
            traversal_bytes(self.streets, joint.n_sequences, dtype),
        )
        self.n_buckets = joint.n_buckets
        self.joint = [np.ascontiguousarray(table.values, dtype) for table in joint.probabilities]
        self.net = np.ascontiguousarray(joint.net.values, dtype)
        self._pool = ThreadPool(threads)
        self._blas = ThreadpoolController()
        self._reach: tuple[Reach, Reach] = ([], [])
        for reach, seat in zip(self._reach, (0, 1), strict=True):
            for street, n in zip(self.streets, joint.n_sequences, strict=True):
                reach.append(np.zeros((street.seats[seat].row.size, n), dtype))

    def zeros(self, n: int) -> Array:
        """A table of `n` slots."""
        return np.zeros(n, self.net.dtype)

    def sums(self, n: int) -> Array:
        """The same in 64 bits, for what only grows."""
        return np.zeros(n)

    def to_numpy(self, table: Array) -> NDArray[Any]:
        """The table itself."""
        return np.asarray(table)

    def strategy(self, weights: Array) -> Array:
        """Probabilities in proportion to positive `weights`."""
        strategy = np.empty_like(weights)
        for street, joint in zip(self.streets, self.joint, strict=True):
            for lines in street.seats:
                seat_sequences_kernels.match_slots(lines, joint.shape[0], weights, strategy)
        return strategy

    def reach(self, seat: int, weights: Array, guesses: Array | None = None) -> Reach:
        """How often `seat` plays along each of its lines; overwritten by the next call."""
        above = np.ones((1, 1), self.net.dtype)
        last = (weights, False) if guesses is None else (guesses, True)

        def work(begin: int, end: int, _: int, k: int, above: Array) -> None:
            lines, reach = self.streets[k].seats[seat], self._reach[seat][k]
            n = self.n_buckets[k]
            seat_sequences_kernels.reach_lines(lines, begin, end, n, above, weights, *last, reach)

        for k, street in enumerate(self.streets):
            self._share_out(street.seats[seat].source.size, work, k, above)
            above = self._reach[seat][k]
        return self._reach[seat]

    def update(
        self, seat: int, other: Reach, own: Reach, factors: Array, tables: Tables, predictive: bool
    ) -> None:
        """Learn from one iteration: change the slots of `seat` in `tables`."""

        def visit(
            begin: int, end: int, k: int, ends: LeafValues, values: Array, totals: Array
        ) -> None:
            lines, n = self.streets[k].seats[seat], self.n_buckets[k]
            seat_sequences_kernels.update_lines(
                lines, begin, end, n, ends, own[k], factors, predictive, tables, values, totals
            )

        self._up(seat, other, visit)

    def value(self, seat: int, other: Reach, weights: Array | None) -> float:
        """Chips that `seat` wins with `weights` as its strategy, or with a best response."""
        best = weights is None
        table = self.zeros(1) if weights is None else weights

        def visit(
            begin: int, end: int, k: int, ends: LeafValues, values: Array, totals: Array
        ) -> None:
            lines, n = self.streets[k].seats[seat], self.n_buckets[k]
            seat_sequences_kernels.value_lines(
                lines, begin, end, n, ends, table, best, values, totals
            )

        return float(self._up(seat, other, visit)[0, 0])

    def _up(self, seat: int, other: Reach, visit: Callable[..., None]) -> Array:
        """Values at the root, after `visit` has gone up all streets."""

        def work(
            begin: int,
            end: int,
            thread: int,
            k: int,
            ends: LeafValues,
            values: Array,
            totals: Array,
        ) -> None:
            visit(begin, end, k, ends, values[thread], totals)

        later = np.zeros((1, 1), self.net.dtype)
        for k in range(len(self.streets) - 1, -1, -1):
            lines, n = self.streets[k].seats[seat], self.joint[k].shape[0]
            ends = LeafValues(*self._multiply(k, seat, other[k]), later)
            most = int(np.diff(lines.starts).max())
            values = np.empty((self._pool.n_threads, most, n), self.net.dtype)
            later = np.empty((lines.source.size, n // self.n_buckets[k]), self.net.dtype)
            self._share_out(lines.source.size, work, k, ends, values, later)
        return later

    def _multiply(self, k: int, seat: int, other: Array) -> tuple[Array, Array]:
        """Values per chip of all folds and showdowns of a street, to the sequences of `seat`."""
        street = self.streets[k]
        folds, shows = other[street.folds[1 - seat]], other[street.shows[1 - seat]]
        joint, net = (t.T if seat == 0 else t for t in (self.joint[k], self.net))
        if shows.shape[0] == 0:
            return self._product(folds, joint), shows
        return self._product(folds, joint), self._product(shows, net)

    def _product(self, rows: Array, table: Array) -> Array:
        """The matrix product, in blocks: its last bits do not depend on the number of threads."""
        product = np.empty((rows.shape[0], table.shape[1]), rows.dtype)

        def work(begin: int, end: int, _: int) -> None:
            for block in range(begin, end):
                at = slice(block * _ROWS_AT_ONCE, (block + 1) * _ROWS_AT_ONCE)
                np.matmul(rows[at], table, out=product[at])

        with self._blas.limit(limits=1, user_api="blas"):
            self._share_out(-(-rows.shape[0] // _ROWS_AT_ONCE), work)
        return product

    def _share_out(self, n: int, work: Callable[..., None], *values: Any) -> None:
        """Do `work` on `n` starts or blocks, a range of them in each thread."""
        if n < self._pool.n_threads:
            work(0, n, 0, *values)
            return

        def work_on(begin: int, end: int, thread: int) -> None:
            work(begin, end, thread, *values)

        self._pool.share_out(work_on, even_stretches(n, self._pool.n_threads))
