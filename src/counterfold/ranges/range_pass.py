"""Passes over the lines and boards of two ranges: the arrays that they need, and threads."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from counterfold.jit.compiler import settle
from counterfold.jit.lanes import LANES
from counterfold.ranges import board_walk_kernels as walk
from counterfold.ranges.board_cards import N_SUMS, NO_CARD, NONE, BoardArrays, BoardCards
from counterfold.ranges.ends_kernels import EndScratch
from counterfold.ranges.line_kernels import BEST, LEARN, VALUE, Scales, Tables
from counterfold.ranges.line_tree import LineTree
from counterfold.ranges.locks import LockedDecision, fill_locks
from counterfold.threads import ThreadPool, even_stretches

BLOCK_BYTES = 1 << 17  # of values that are worked on together: they should stay in the cache
WHOLE_STREETS = 1 << 62
_BOTH = np.array([[0, LEARN], [1, LEARN]])
_PARTS = 2  # of the boards below the root for each thread


Vector = NDArray[np.floating]


class LearnedTables(NamedTuple):
    """What a solver keeps."""

    tables: Tables
    scales: Scales


class TableMemory:
    """Arrays by number that are kept for others of their size or smaller."""

    def __init__(self) -> None:
        self._kept: dict[int, NDArray[Any]] = {}

    def zeros(self, number: int, size: int, dtype: np.dtype[Any]) -> NDArray[Any]:
        """An array of zeros, where the last one of that number was if it fits."""
        kept = self._kept.get(number)
        if kept is None or kept.size < size or kept.dtype != dtype:
            self._kept[number] = np.zeros(size, dtype)
            return self._kept[number]
        kept[:size] = 0
        return kept[:size]


class BoardValues(NamedTuple):
    """Vectors over the hands of a board for all lines of its street, by seat."""

    reach: tuple[NDArray[np.float64], NDArray[np.float64]]
    values: tuple[NDArray[np.float64], NDArray[np.float64]]  # weighted by the other's reach


class RangePass:
    """Passes of one or more threads; the memory of a pass is kept for the next."""

    def __init__(
        self,
        lines: LineTree,
        cards: BoardCards,
        dtype: DTypeLike = np.float32,
        threads: int | None = None,
        block_bytes: int = BLOCK_BYTES,
        packed: bool = False,
    ) -> None:
        self.lines, self.dtype = lines, np.dtype(dtype)
        self.block_bytes, self.packed = block_bytes, packed
        self.pool = ThreadPool(threads)
        self._no_factors = np.ones((1, 3), self.dtype)
        self._settled: Callable[..., Any] = walk.walk_boards
        self._settled_for: LearnedTables | None = None
        self._most_hands = np.full((lines.n_streets, 2), -1)  # for which there is memory
        self.deal(cards)

    def deal(self, cards: BoardCards) -> None:
        """Take other boards and ranges; memory is kept where it suffices for them."""
        self.cards, boards = cards, cards.boards
        self.boards = boards._replace(matrix=boards.matrix.astype(self.dtype, copy=False))
        most_hands = self._most_hands.copy()
        np.maximum.at(most_hands, boards.street, boards.n_hands)
        if (most_hands > self._most_hands).any():
            self._most_hands = most_hands
            self.streets = find_streets(
                self.lines, int(most_hands.max()), self.dtype, self.block_bytes
            )
            self.works = [self._make_work() for _ in range(self.pool.n_threads)]
        self._settled_for = None
        self._most_root_hands = int(boards.n_hands[0].max())
        self.root_weights = self._find_root_weights()
        self.n_pairs = self._count_pairs()
        self.root = self._fill_root()
        self.found = self._place_found()
        n = self.boards.n_hands.astype(np.int64)
        self.slots, self.n_slots = offsets(self.lines.n_rows[self.boards.street] * n)
        self.steps = list_steps(self.boards.street, self.lines.n_streets - 1)
        self.parts = self._share_steps()

    def _make_work(self) -> walk.WalkScratch:
        n_streets, most = self.lines.n_streets, self._most_hands
        lines = np.diff(self.lines.first_lines, axis=0).astype(np.int64)
        widest = self._widest_block()
        lines[-1] = widest
        reach_at, sizes = offsets(lines * most)
        starts = np.diff(self.lines.streets).astype(np.int64)
        later = np.zeros((n_streets, 1), np.int64)
        later[:-1, 0] = starts[1:] * most[:-1].max(axis=1)
        later_at, later_size = offsets(later)
        n = int(most.max())
        actions = max(int(seat.n_actions.max(initial=1)) for seat in self.lines.seats)
        rows = [self._zeros(n, LANES) for _ in range(3)]
        lanes = [np.zeros(LANES, np.int64) for _ in range(2)]
        return walk.WalkScratch(
            (self._zeros(sizes[0]), self._zeros(sizes[1])),
            reach_at,
            self._zeros(max(later_size[0], 1)),
            later_at[:, 0].copy(),
            self._zeros((widest.max() + 1) * n),
            self._zeros((actions + 3) * n),
            self._zeros(2 * actions * n),
            self._zeros(starts.max() * n),
            EndScratch(
                rows[0], rows[1], rows[2], self._zeros(N_SUMS, LANES),
                lanes[0], lanes[1], self._zeros(LANES),
            ),
        )  # fmt: skip

    def _zeros(self, *shape: int) -> NDArray[np.floating]:
        return np.zeros(shape, self.dtype)

    def _widest_block(self) -> NDArray[np.int64]:
        edges = self.streets.blocks
        return np.array([np.diff(seat.starts[edges]).max() for seat in self.lines.seats])

    def _fill_root(self) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
        """Vectors of the root street; its first is the range itself."""
        for vectors, weights in zip(self.works[0].reach, self.root_weights, strict=True):
            vectors[: weights.size] = weights
        return self.works[0].reach

    def _place_found(self) -> walk.RootTotals:
        counts = np.zeros((self.boards.street.size, 2), np.int64)
        if self.lines.n_streets > 1:
            below = self.boards.street == 1
            n_starts = int(self.lines.streets[2] - self.lines.streets[1])
            counts[below] = n_starts * self.boards.n_hands[below]
        at, sizes = offsets(counts)
        return walk.RootTotals(np.zeros(max(int(sizes.max()), 1), self.dtype), at)

    def _share_steps(self) -> list[tuple[int, int]]:
        """Ranges of steps for threads, each of whole boards next to the root."""
        street = self.boards.street[self.steps[:, 0]]
        begins = np.flatnonzero((street == 1) & (self.steps[:, 1] == 1))
        edges = [*begins.tolist(), len(self.steps) - 1]
        n = min(len(begins), _PARTS * self.pool.n_threads)
        return [(edges[a], edges[b]) for a, b in even_stretches(len(begins), n)] if n else []

    def make_tables(
        self, locked: Sequence[LockedDecision] = (), memory: TableMemory | None = None
    ) -> LearnedTables:
        """Empty tables, with the strategies that are locked; those before in `memory` are void."""
        memory = memory or TableMemory()
        n = self.n_slots
        dtype = np.dtype(np.int16) if self.packed else self.dtype
        zeros = [memory.zeros(k, int(size), dtype) for k, size in enumerate((*n, *n))]
        locks, slots = fill_locks(self.lines, self.cards, self.boards, locked)
        tables = Tables(
            (zeros[0], zeros[1]),
            (zeros[2], zeros[3]),
            (locks[0].astype(self.dtype), locks[1].astype(self.dtype)),
            self.slots,
            slots,
        )
        return LearnedTables(tables, self._make_scales())

    def _make_scales(self) -> Scales:
        """The scales of empty tables; none if they are not packed."""
        points = [seat.points[self.lines.streets] for seat in self.lines.seats]
        counts = np.stack([np.diff(edges) for edges in points], axis=1).astype(np.int64)
        slots, n = offsets(counts[self.boards.street])
        sizes = (*n, *n) if self.packed else (0,) * 4
        scales = [np.zeros(int(size), self.dtype) for size in sizes]
        return Scales((scales[0], scales[1]), (scales[2], scales[3]), slots)

    def fetch(self, learned: LearnedTables) -> None:
        """Bring what passes have learned into `learned`, if they keep it elsewhere."""

    def send(self, learned: LearnedTables) -> None:
        """Let passes continue from the numbers in `learned`, which somebody else has written."""

    def weigh_root(self, seat: int, weights: Vector) -> None:
        """Give the hands of a seat at the root other weights, in their order there."""
        self.root[seat][: weights.size] = weights

    def iterate(self, factors: NDArray[np.float64], learned: LearnedTables) -> list[Vector]:
        """An iteration for each row of factors of positive regrets, negative ones and averages.

        Returns what the hands of each seat at the root won in the last one, by its strategies then.
        """
        rows = factors.astype(self.dtype)
        if len(self.parts) < 2 or self.pool.n_threads == 1:
            found = self._walk(self.steps, _BOTH, rows, learned)
        else:
            turns = [np.array([[seat, LEARN]]) for seat in (0, 1)]
            found = np.zeros((2, int(self.boards.n_hands[0].max())), self.dtype)
            for row in rows:
                found = np.concatenate([self._turn(turn, row[None], learned) for turn in turns])
        return [found[seat, : self.boards.n_hands[0, seat]] for seat in (0, 1)]

    def totals(self, turns: Sequence[tuple[int, int]], learned: LearnedTables) -> list[Vector]:
        """What the hands of a seat at the root win against all of the other, for each turn.

        A turn is a seat and `VALUE` or `BEST`.
        """
        rows = np.array(turns)
        found = self._turn(rows, self._no_factors, learned)
        return [found[k, : self.boards.n_hands[0, seat]] for k, (seat, _) in enumerate(turns)]

    def _turn(
        self, turns: NDArray[np.int64], factors: NDArray[np.floating], learned: LearnedTables
    ) -> NDArray[np.floating]:
        """Do one pass for each turn, with all threads."""
        if self.pool.n_threads == 1 or not self.parts:
            return self._walk(self.steps, turns, factors, learned)
        results = []
        for turn in turns:
            one = turn[None]

            def work(first: int, last: int, thread: int, one: NDArray[np.int64] = one) -> None:
                self._walk(self.steps[first:last], one, factors, learned, thread)

            self._walk(self.steps[:1], one, factors, learned)
            self.pool.split(work, self.parts)
            results.append(self._walk(self.steps[-1:], one, factors, learned)[0])
        return np.stack(results)

    def look(self, board: int, learned: LearnedTables, best: int = NONE) -> BoardValues:
        """How often lines of a board are played and what they are worth, by the averages.

        To the seat `best` lines are worth what its best response makes of them.

        The pass must keep whole streets together: `block_bytes` no less than `WHOLE_STREETS`.
        """
        reach, values = [], []
        k = int(self.boards.street[board])
        for seat in (0, 1):
            mode = BEST if seat == best else VALUE
            turns = np.array([[seat, mode]])
            if board == 0:
                self._turn(turns, self._no_factors, learned)
            else:
                self._walk(self._path(board), turns, self._no_factors, learned)
            work = self.works[0]
            values.append(self._by_line(work.values, board, seat))
            other = self.root if board == 0 else work.reach
            at = 0 if board == 0 else int(work.reach_at[k, 1 - seat])
            reach.append(self._by_line(other[1 - seat][at:], board, 1 - seat))
        return BoardValues((reach[1], reach[0]), (values[0], values[1]))

    def look_at_root(self, seat: int, learned: LearnedTables) -> NDArray[np.float64]:
        """[lines of the root street, hands] what the lines of a seat are worth, by the averages.

        Unlike `look`, for any `block_bytes`: the root street is one block.
        """
        self._turn(np.array([[seat, VALUE]]), self._no_factors, learned)
        return self._by_line(self.works[0].values, 0, seat)

    def _path(self, board: int) -> NDArray[np.int32]:
        """Steps down to a board, then over all boards below it and up to it again."""
        above = [board]
        while above[-1]:
            above.append(int(self.boards.parent[above[-1]]))
        down = [(b, 1, 0) for b in reversed(above[1:])]
        first, last = np.flatnonzero(self.steps[:, 0] == board)[[0, -1]]
        return np.concatenate([np.array(down, np.int32), self.steps[first : last + 1]])

    def _by_line(self, vectors: NDArray[np.floating], board: int, seat: int) -> NDArray[np.float64]:
        """[lines of the board's street, hands] in double precision."""
        first, last = self.lines.first_lines[self.boards.street[board] :][:2, seat]
        n = int(self.boards.n_hands[board, seat])
        copied = vectors[: (last - first) * n].astype(np.float64)
        return copied.reshape(int(last - first), n)

    def mean(self, seat: int, totals: NDArray[np.floating]) -> float:
        """The mean over all pairs of hands, from what each hand wins against all others."""
        weights = self.root_weights[seat]
        return float(weights @ totals.astype(np.float64) / self.n_pairs)

    def _find_root_weights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Weights of the hands at the root, in their order there."""
        first, second = (
            weights[self.boards.hand[at : at + weights.size]]
            for weights, at in zip(self.cards.root_weights, self.boards.hands[0], strict=True)
        )
        return first, second

    def _count_pairs(self) -> float:
        """The weight of all pairs of hands that share no card."""
        first, second = self.root_weights
        return float(first @ met_weights(self.boards, 0, 0, second))

    def _walk(
        self,
        steps: NDArray[np.int32],
        turns: NDArray[np.int64],
        factors: NDArray[np.floating],
        learned: LearnedTables,
        thread: int = 0,
    ) -> NDArray[np.floating]:
        results = np.empty((len(turns), self._most_root_hands), self.dtype)
        arguments = (
            steps, turns, factors, self.boards, self.lines.seats, self.streets, learned.tables,
            self.root, self.works[thread], self.found, results, learned.scales,
        )  # fmt: skip
        if learned is not self._settled_for:
            self._settled, self._settled_for = settle(walk.walk_boards, arguments), learned
        self._settled(*arguments)
        return results


def met_weights(
    boards: BoardArrays, b: int, seat: int, other: NDArray[np.floating]
) -> NDArray[np.float64]:
    """For each hand of a seat on board `b`, the weight of the hands of the other it can meet."""
    cards, same, theirs = (
        _on_board(boards.cards, boards, b, seat),
        _on_board(boards.same, boards, b, seat),
        _on_board(boards.cards, boards, b, 1 - seat),
    )
    weights = other.astype(np.float64)
    taken = np.zeros(N_SUMS)
    for column in (0, 2):
        np.add.at(taken, theirs[:, column], weights)
    taken[NO_CARD] = 0.0
    met: NDArray[np.float64] = weights.sum() - taken[cards[:, 0]] - taken[cards[:, 1]]
    met[same != NONE] += weights[same[same != NONE]]
    return np.maximum(met, 0.0)


def _on_board(array: NDArray[Any], boards: BoardArrays, b: int, seat: int) -> NDArray[Any]:
    at = boards.hands[b, seat]
    return array[at : at + boards.n_hands[b, seat]]


def offsets(sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where things of these sizes begin, column by column, and the sums of the columns."""
    ends = np.cumsum(sizes, axis=0)
    return ends - sizes, ends[-1]


def find_streets(
    lines: LineTree, n_hands: int, dtype: np.dtype[Any], block_bytes: int = BLOCK_BYTES
) -> walk.StreetPlaces:
    """Where streets lie, in blocks of starts whose vectors over `n_hands` fit `block_bytes`."""
    room = max(block_bytes // (max(n_hands, 1) * dtype.itemsize), 1)
    blocks, block_starts = [0], [0]
    for begin, end in pairwise(lines.streets.tolist()):
        counts = [seat.starts for seat in lines.seats]
        for e in range(begin + 1, end):
            if any(c[e + 1] - c[blocks[-1]] > room for c in counts):
                blocks.append(e)
        blocks.append(end)
        block_starts.append(len(blocks) - 1)
    arrays = (np.array(x, np.int32) for x in (blocks, block_starts))
    return walk.StreetPlaces(lines.streets, lines.first_lines, *arrays)


def list_steps(street: NDArray[np.int32], last: int) -> NDArray[np.int32]:
    """The boards in their order, each once down and once up; those of the last street at once."""
    steps: list[tuple[int, int, int]] = []
    waiting: list[int] = []
    for b, k in enumerate(street.tolist()):
        while waiting and street[waiting[-1]] >= k:
            steps.append((waiting.pop(), 0, 1))
        if k == last:
            steps.append((b, 1, 1))
        else:
            steps.append((b, 1, 0))
            waiting.append(b)
    steps.extend((b, 0, 1) for b in reversed(waiting))
    return np.array(steps, np.int32)
