"""Full-width passes over a public game with joint tables: reach down, products, values up.

A joint-table game is a chain of boards, one for each street, whose hands are bucket sequences. Its
lines are followed by the kernels of all boards; what differs is the value of a hand that ends,
which is a table times the other's reach vector. The lines of a block of starts that end alike are
one matrix product, for which a BLAS is called, without the vectors and the sequences that are not
played. Threads share the blocks, and the BLAS has one thread: BLAS threads would take all cores,
and spin while waiting for each other if other work has taken one. Reach along the last street,
which has nearly all lines, can be left to the pass up that needs it: the vectors of a block are
used while they are in the cache, and threads meet half as often.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray
from threadpoolctl import ThreadpoolController

from counterfold.buckets.joint_tables import JointTables
from counterfold.errors import AbstractionError, UnsupportedGameError
from counterfold.jit.compiler import settle
from counterfold.memory import check_memory
from counterfold.public.infosets import PublicGame
from counterfold.ranges.board_cards import BoardArrays
from counterfold.ranges.joint import joint_pass_kernels
from counterfold.ranges.joint.joint_slots import JointSlots
from counterfold.ranges.joint.traversal import Array, Reach
from counterfold.ranges.line_kernels import BEST, LEARN, VALUE, Scales, Tables
from counterfold.ranges.line_tree import NONE, LineTree, SeatLines, find_lines
from counterfold.threads import Stretch, ThreadPool, even_stretches

_MOST_ROWS = 512  # of a product that a thread computes at a time
_N_BLOCKS = 64  # of a street with enough work, all about as long: what is last all threads await
_LEAST_PRODUCTS = 2_000_000  # of a block, a tenth of a millisecond: so long take calls of Python


def check_joint(game: PublicGame, joint: JointTables) -> None:
    """Raise `AbstractionError` unless the buckets of `game` are the sequences of `joint`."""
    counts = {int(n): None for n in game.n_buckets}
    wanted = joint.n_sequences
    if len(wanted) != len(game.stages) or not set(counts) <= set(wanted):
        raise AbstractionError(
            f"{game.graph.variant.name} was classified with {', '.join(map(str, counts))} buckets "
            f"on its streets, but the joint tables have {', '.join(map(str, wanted))} sequences"
        )


def find_joint_lines(game: PublicGame) -> LineTree:
    """The lines of `game`; raises `UnsupportedGameError` if joint tables do not complete it."""
    variant = game.graph.variant
    if not variant.has_small_hands or variant.max_runs:
        raise UnsupportedGameError(
            f"{variant.name} has draws, swaps, auctions, runs or more than two hole cards; "
            "full-width solving with joint tables is for variants without them"
        )
    if game.graph.merged or game.n_classes != game.graph.decisions.size:
        raise UnsupportedGameError(
            "full-width solving with joint tables needs perfect recall; use the feature history "
            "and a graph built with merge=False"
        )
    return find_lines(game.graph)


def pass_bytes(lines: LineTree, n_sequences: Sequence[int], dtype: DTypeLike) -> int:
    """Memory of the joint tables, reach vectors and values of starts."""
    size, n = np.dtype(dtype).itemsize, np.array(n_sequences, np.int64)
    cells = 2 * n[-1] ** 2 + (n**2).sum()  # those of showdowns, and parts of a table
    cells += (np.diff(lines.first_lines, axis=0).sum(axis=1) * n).sum()
    cells += (np.diff(lines.streets)[1:] * n[:-1]).sum()
    return int(size * cells)


class _Scratch(NamedTuple):
    """What a thread works with."""

    ends: joint_pass_kernels.EndRows
    work: joint_pass_kernels.JointWork


class _Task(NamedTuple):
    """What a pass up the streets does; see `Traversal.update`."""

    seat: int
    mode: int
    other: Reach
    own: Reach
    factors: Array
    weights: Array
    tables: Tables


_Work = Callable[[int, int, int], None]  # on a block of starts, by a thread


class _Ending(NamedTuple):
    """The lines of a seat that end in one way."""

    lines: NDArray[np.intp]
    starts: NDArray[np.intp]  # [E + 1] first of them of each start


class JointPass:
    """Traversal by NumPy's BLAS and kernels."""

    def __init__(
        self,
        game: PublicGame,
        joint: JointTables,
        dtype: DTypeLike = np.float32,
        threads: int | None = None,
    ) -> None:
        check_joint(game, joint)
        self.lines, self.dtype = find_joint_lines(game), np.dtype(dtype)
        check_memory(
            f"full-width passes over {joint.n_sequences[-1]:,} bucket sequences",
            pass_bytes(self.lines, joint.n_sequences, dtype),
        )
        self.n_sequences = joint.n_sequences
        self.slots = JointSlots(game, self.lines, joint.n_sequences)
        self._boards = _chain(joint)
        self._joint = [by_seat(table.values, 1, self.dtype) for table in joint.probabilities]
        self._net = by_seat(joint.net.values, -1, self.dtype)
        self._endings = [
            [_find_ending(seat, getattr(seat, way)) for seat in self.lines.seats]
            for way in ("fold", "show")
        ]
        self._seats = [self._number_ends(seat) for seat in (0, 1)]
        unpacked = np.zeros(0, dtype), np.zeros(0, dtype)
        self._scales = Scales(unpacked, unpacked, np.zeros_like(self.slots.first))
        self._pool = ThreadPool(threads)
        import_module("scipy.linalg.cython_blas")  # what kernels call, or it could not be limited
        self._blas = ThreadpoolController()
        counts = np.diff(self.lines.first_lines, axis=0)
        self._reach: list[Reach] = [
            [np.ones(shape, dtype) for shape in zip(counts[:, seat], self.n_sequences, strict=True)]
            for seat in (0, 1)
        ]
        self._blocks = [self._cut(k) for k in range(self.lines.n_streets)]
        self._block_endings = [[self._end_blocks(k, p) for p in (0, 1)] for k in range(len(counts))]
        self._awaited: list[Array | None] = [None, None]  # by seat, weights of its last street
        self._scratch = [self._make_scratch() for _ in range(self._pool.n_threads)]

    def _number_ends(self, seat: int) -> SeatLines:
        """The lines of a seat with numbers among the other's that end so, instead of its lines."""
        lines = self.lines.seats[seat]
        numbers = []
        for others, ending in zip((lines.fold, lines.show), self._endings, strict=True):
            found = np.searchsorted(ending[1 - seat].lines, others)
            numbers.append(np.where(others == NONE, NONE, found).astype(np.int32))
        stakes = [stake.astype(self.dtype) for stake in (lines.fold_stake, lines.show_stake)]
        return lines._replace(
            fold=numbers[0], show=numbers[1], fold_stake=stakes[0], show_stake=stakes[1]
        )

    def _cut(self, k: int) -> list[Stretch]:
        """The starts of a street in blocks, whose bits do not depend on the number of threads."""
        begin, end = self.lines.streets[k : k + 2].tolist()
        most = max(np.diff(e.starts[begin : end + 1]).max() for way in self._endings for e in way)
        by_start = max(int(most), 1) * self.n_sequences[k] ** 2
        rows = max(_MOST_ROWS // max(int(most), 1), 1)
        n_blocks = max(-(-(end - begin) // rows), _N_BLOCKS)
        n_blocks = max(min(n_blocks, (end - begin) // -(-_LEAST_PRODUCTS // by_start)), 1)
        return [(begin + a, begin + b) for a, b in even_stretches(end - begin, n_blocks)]

    def _make_scratch(self) -> _Scratch:
        n = max(self.n_sequences)
        most = max(
            int(ending.starts[end] - ending.starts[begin])
            for blocks in self._blocks
            for begin, end in blocks
            for way in self._endings
            for ending in way
        )
        n_lines = max(int(np.diff(seat.starts).max()) for seat in self.lines.seats)
        rows = [np.empty(most * n, self.dtype) for _ in range(3)]
        places = [np.empty(most, np.int32) for _ in range(2)]
        work = joint_pass_kernels.JointWork(
            np.empty(n_lines * n, self.dtype), np.empty(3 * n, self.dtype), np.empty(0, self.dtype)
        )
        columns, part = np.empty(n, np.int32), np.empty(n * n, self.dtype)
        ends = joint_pass_kernels.EndRows(
            rows[0], columns, part, (places[0], places[1]), (rows[1], rows[2])
        )
        return _Scratch(ends, work)

    def zeros(self, n: int) -> Array:
        """A table of `n` slots."""
        return np.zeros(n, self.dtype)

    def sums(self, n: int) -> Array:
        """The same in 64 bits, for what only grows."""
        return np.zeros(n)

    def to_numpy(self, table: Array) -> NDArray[Any]:
        """The table itself."""
        return np.asarray(table)

    def pick(self, table: Array, slots: slice | NDArray[np.int64]) -> NDArray[Any]:
        """A part of a table."""
        return np.asarray(table[slots])

    def fill(self, table: Array, numbers: NDArray[Any]) -> None:
        """Overwrite a table."""
        table[...] = numbers

    def wait(self) -> None:
        """Everything is done when it returns."""

    def reach(self, seat: int, weights: Array, *, whole: bool = True) -> Reach:
        """How often `seat` plays along each of its lines; overwritten by the next call."""
        last = self.lines.n_streets - 1
        for k in range(last + whole):
            self._pool.split(self._reaching(k, seat, weights), self._blocks[k])
        self._awaited[seat] = None if whole else weights
        return self._reach[seat]

    def _reaching(self, k: int, seat: int, weights: Array) -> _Work:
        """How the vectors of a block of starts of a street are made."""
        lines, n, tables = self._seats[seat], self.n_sequences[k], self._tables(weights, weights)
        vectors, first = self._reach[seat][k].reshape(-1), self.lines.first_lines[k, seat]
        before = max(k - 1, 0)
        above = self._reach[seat][before].reshape(-1), self.lines.first_lines[before, seat]

        def arguments(begin: int, end: int, thread: int) -> tuple[Any, ...]:
            return (
                self._boards, k, seat, lines, begin, end, above, (weights, weights), tables,
                self._scales, vectors[(lines.starts[begin] - first) * n :],
                self._scratch[thread].work,
            )  # fmt: skip

        reach_street = settle(joint_pass_kernels.reach_street, arguments(*self._blocks[k][0], 0))
        return lambda begin, end, thread: reach_street(*arguments(begin, end, thread))

    def update(
        self, seat: int, other: Reach, own: Reach, factors: Array, regrets: Array, averages: Array
    ) -> None:
        """Learn from one iteration: change the slots of `seat` in `regrets` and `averages`."""
        tables = self._tables(regrets, averages)
        self._up(_Task(seat, LEARN, other, own, factors.astype(self.dtype), regrets, tables))

    def value(self, seat: int, other: Reach, weights: Array | None) -> float:
        """Chips that `seat` wins with `weights` as its strategy, or with a best response."""
        mode = BEST if weights is None else VALUE
        table = self.zeros(1) if weights is None else weights
        tables, factors = self._tables(table, table), np.ones(3, self.dtype)
        task = _Task(seat, mode, other, self._reach[seat], factors, table, tables)
        return float(self._up(task)[0, 0])

    def _tables(self, regrets: Array, averages: Array) -> Tables:
        unlocked = np.zeros(0, self.dtype)
        return Tables(
            (regrets, regrets),
            (averages, averages),
            (unlocked, unlocked),
            self.slots.first,
            np.zeros_like(self.slots.first),
        )

    def _up(self, task: _Task) -> Array:
        """Values at the root, after all streets from the last to the first."""
        later, last = np.zeros((1, 1), self.dtype), self.lines.n_streets - 1
        awaited = [
            None if weights is None else self._reaching(last, seat, weights)
            for seat, weights in enumerate(self._awaited)
        ]
        self._awaited = [None, None]
        own = awaited[task.seat]
        if own is not None:
            self._pool.split(own, self._blocks[last])
        with self._blas.limit(limits=1, user_api="blas"):
            for k in range(last, -1, -1):
                later = self._value_street(
                    k, task, later, awaited[1 - task.seat] if k == last else None
                )
        return later

    def _value_street(self, k: int, task: _Task, later: Array, reaching: _Work | None) -> Array:
        """[starts, S of the street before] values of the starts of a street.

        With `reaching` the other's vectors are made first, block by block.
        """
        seat, mode, other, own, factors, weights, tables = task
        lines, n, endings = self._seats[seat], self.n_sequences[k], self._block_endings[k][seat]
        begins, ends = self.lines.streets[k : k + 2].tolist()
        totals = np.empty((ends - begins, self.n_sequences[k - 1] if k else 1), self.dtype)
        vectors, first = own[k].reshape(-1), self.lines.first_lines[k, seat]

        def arguments(begin: int, end: int, thread: int) -> tuple[Any, ...]:
            return (
                self._boards, k, seat, lines, begin, end, mode, factors, (weights, weights), tables,
                self._scales, vectors[(lines.starts[begin] - first) * n :], other[k],
                endings[begin], (later, ends), *self._scratch[thread], totals[begin - begins :],
            )  # fmt: skip

        value_street = settle(joint_pass_kernels.value_street, arguments(*self._blocks[k][0], 0))

        def work(begin: int, end: int, thread: int) -> None:
            if reaching is not None:
                reaching(begin, end, thread)
            value_street(*arguments(begin, end, thread))

        self._pool.split(work, self._blocks[k])
        return totals

    def _end_blocks(self, k: int, seat: int) -> dict[int, tuple[joint_pass_kernels.Ending, ...]]:
        """By first start of a block: the other's lines that end there, by folds and at showdown."""
        tables = self._joint[k][seat], self._net[seat]
        found = {}
        for begin, end in self._blocks[k]:
            ways = []
            for endings, table in zip(self._endings, tables, strict=True):
                ending = endings[1 - seat]
                first, last = (int(ending.starts[e]) for e in (begin, end))
                lines = ending.lines[first:last] - self.lines.first_lines[k, 1 - seat]
                ways.append(joint_pass_kernels.Ending(lines, first, table))
            found[begin] = tuple(ways)
        return found


def _chain(joint: JointTables) -> BoardArrays:
    """One board for each street, whose hands are the bucket sequences."""
    n_streets, none = len(joint.n_buckets), np.zeros(0, np.int32)
    up = [np.arange(n) // m for n, m in zip(joint.n_sequences, joint.n_buckets, strict=True)]
    numbers, counts = np.arange(n_streets, dtype=np.int32), np.array(joint.n_sequences)
    both = np.stack([counts, counts], axis=1)
    return BoardArrays(
        street=numbers,
        parent=numbers - 1,
        copies=np.arange(n_streets + 1, dtype=np.int32),
        n_hands=both.astype(np.int32),
        hands=np.zeros((n_streets, 2), np.int64),
        hand=none,
        cards=none.reshape(0, 3),
        same=none,
        ups=np.cumsum(both, axis=0) - both,
        up=np.concatenate(up).astype(np.int32),
        groups=np.zeros(n_streets + 1, np.int32),
        ends=none.reshape(0, 2),
        matrices=np.full(n_streets, NONE, np.int64),
        matrix=np.zeros(0),
        chance=np.ones(n_streets),
    )


def by_seat(table: NDArray[Any], sign: int, dtype: DTypeLike) -> tuple[Array, Array]:
    """[the other's sequence, own] what a table says to each seat; one array if both are the same.

    `sign` is -1 if what the first seat wins the second loses.
    """
    second = np.ascontiguousarray(sign * table, dtype)
    first = np.ascontiguousarray(table.T, dtype)
    return (second, second) if np.array_equal(first, second) else (first, second)


def _find_ending(lines: SeatLines, others: NDArray[np.int32]) -> _Ending:
    ends = others != NONE
    counts = np.concatenate(([0], np.cumsum(ends)))
    return _Ending(np.flatnonzero(ends), counts[lines.starts])
