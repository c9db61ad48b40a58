"""The passes of `ranges.range_pass` for a GPU, through a library like NumPy.

A street is a few kernels, however many boards it has: those of `device_pass.cu` along its lines, a
thread for each start and column, that of `board_pass.cu` at the ends of hands, and one that sums
over boards. Boards of the last street go in parts that memory has room for. With NumPy the
kernels are their twins, by which tests reach everything here without a GPU.

Tables are on the device while passes work on them: `fetch` brings them back into those of
`make_tables`, whose order is the processor's, and `send` takes them there again.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from counterfold.devices import free_gpu_bytes
from counterfold.errors import TooLargeError, UnsupportedGameError
from counterfold.ranges.board_cards import BoardCards
from counterfold.ranges.device import board_pass_kernels, device_pass_kernels, spot_pass_kernels
from counterfold.ranges.device.board_pass import END_THREADS, LANES_AT_ONCE
from counterfold.ranges.device.cuda_source import open_kernels
from counterfold.ranges.device.device_room import MOST_BYTES, find_room
from counterfold.ranges.device.spot_boards import list_spot_boards, spread_matrices
from counterfold.ranges.device.spot_lines import place_lines
from counterfold.ranges.device.spot_tables import bring_back, take_there
from counterfold.ranges.line_kernels import LEARN, NONE
from counterfold.ranges.line_tree import LineTree
from counterfold.ranges.locks import LockedDecision
from counterfold.ranges.range_pass import LearnedTables, RangePass, TableMemory, Vector
from counterfold.regret_kernels import LEAST_REGRET

Array = Any  # of NumPy or of a library that replaces it


class _Part(NamedTuple):
    """Boards that are worked on together, as arrays of the device; columns count from the first."""

    first: int  # board of the street
    n_boards: int
    n: int  # columns
    first_above: int  # column of the street above
    n_above: int  # columns there, of the boards above these
    up: Array
    down: Array  # of the whole street
    by_card: Array
    limits: Array
    matrices: Array  # [n_boards, H, H], or none


class SpotPass(RangePass):
    """Traversal by `xp`, which is `cupy` or `numpy`."""

    def __init__(
        self,
        lines: LineTree,
        cards: BoardCards,
        xp: Any,
        dtype: DTypeLike = np.float32,
        threads: int | None = None,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        if any((seat.lock != NONE).any() for seat in lines.seats):
            raise UnsupportedGameError("a spot with locks cannot use a GPU; use --device cpu")
        self.xp, self._most_bytes = xp, most_bytes
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        sources = (
            ("device_pass.cu", device_pass_kernels),
            ("board_pass.cu", board_pass_kernels),
            ("spot_pass.cu", spot_pass_kernels),
        )
        self._along, self._at_ends, self._collect = (
            open_kernels(xp, name, twins, self.dtype, sums=self.dtype) for name, twins in sources
        )
        streets = range(lines.n_streets)
        self._lines = [
            [place_lines(lines, k, seat, xp, self.dtype) for seat in (0, 1)] for k in streets
        ]
        real: Any = self.dtype.type
        self._real, self._least, self._begun = real, real(LEAST_REGRET), [None, None]
        super().__init__(lines, cards, self.dtype, threads)

    def deal(self, cards: BoardCards) -> None:
        """Take other boards and ranges."""
        super().deal(cards)
        self._boards = list_spot_boards(cards, self.boards)
        self._check_fits()
        last = self.lines.n_streets - 1
        self._parts = [
            [self._place(k, *part) for part in (self._split() if k == last else [self._whole(k)])]
            for k in range(last + 1)
        ]
        widths = [max(part.n for part in parts) for parts in self._parts]
        placed = list(zip(self._lines, widths, strict=True))
        self._reach = [[self._zeros_there(each.n_lines, n) for each in both] for both, n in placed]
        self._values, self._folds, self._shows = (
            self.xp.zeros(
                max(getattr(each, name) * n for both, n in placed for each in both), self.dtype
            )
            for name in ("n_lines", "n_met", "n_shows")
        )
        self._learned: LearnedTables | None = None  # whose tables are on the device
        self._ahead = False  # whether they have learned since

    def make_tables(
        self, locked: Sequence[LockedDecision] = (), memory: TableMemory | None = None
    ) -> LearnedTables:
        """Empty tables, here and on the device."""
        self._learned, self._ahead = super().make_tables(locked, memory), False
        # By street, part and seat, each [row, column].
        self._regrets, self._averages = (
            [[[self._table(k, p, part) for p in (0, 1)] for part in parts]
             for k, parts in enumerate(self._parts)]
            for _ in range(2)
        )  # fmt: skip
        return self._learned

    def iterate(self, factors: NDArray[np.float64], learned: LearnedTables) -> list[Vector]:
        """An iteration for each row of factors; see `RangePass.iterate`."""
        self._take(learned)
        found: list[Array] = []
        for row in factors.astype(self.dtype):
            found = [self._pass(seat, LEARN, row) for seat in (0, 1)]
        self._ahead = True
        return [self._at_root(seat, values) for seat, values in enumerate(found)]

    def totals(self, turns: Sequence[tuple[int, int]], learned: LearnedTables) -> list[Vector]:
        """What the hands of a seat at the root win against all of the other, for each turn."""
        self._take(learned)
        rows = np.ones(3, self.dtype)
        return [self._at_root(seat, self._pass(seat, mode, rows)) for seat, mode in turns]

    def fetch(self, learned: LearnedTables) -> None:
        """Bring what the device has learned into `learned`."""
        if self._ahead and learned is self._learned:
            self._move(learned, to_device=False)
            self._ahead = False

    def send(self, learned: LearnedTables) -> None:
        """Go on from the numbers in `learned`."""
        self._move(learned, to_device=True)
        self._learned, self._ahead = learned, False

    def _take(self, learned: LearnedTables) -> None:
        if learned is not self._learned:
            self.send(learned)
        roots = self._boards[0]
        for seat, columns in enumerate(roots.columns):
            reach = np.zeros((1, roots.n_hands), self.dtype)
            reach[0, columns] = self.root[seat][: columns.size]
            self._begun[seat] = self.xp.asarray(reach)

    def _at_root(self, seat: int, values: Array) -> Vector:
        """By hand of the seat, in the order of the processor."""
        found: Vector = self._to_numpy(values)[self._boards[0].columns[seat]]
        return found

    def _pass(self, seat: int, mode: int, factors: NDArray[np.floating]) -> Array:
        """[columns of the root] what hands win, after all streets down and up again."""
        last, weights = self.lines.n_streets - 1, self._regrets if mode == LEARN else self._averages
        seats = (0, 1) if mode == LEARN else (1 - seat,)
        coming = self.xp.zeros((1, 1), self.dtype)
        for k in range(last):
            self._go_down(k, 0, seats, weights)
        for k in range(last, -1, -1):
            lines = self._lines[k][seat]
            above = self._zeros_there(lines.n_starts, self._n_columns(k - 1)) if k else coming
            for i, part in enumerate(self._parts[k]):
                if k == last:
                    self._go_down(k, i, seats, weights)
                values = self._go_up(k, i, seat, mode, factors, coming)
                if k:
                    self._collect(
                        "collect_starts", lines.n_starts * part.n_above, lines.n_starts, part.n,
                        part.n_above, self._n_columns(k - 1), len(part.down), part.first_above,
                        part.first * self._boards[k].n_hands,
                        self._real(self.boards.chance[k]), lines.starts, part.down, values,
                        above,
                    )  # fmt: skip
            coming = above
        return values[0].copy()

    def _go_down(self, k: int, i: int, seats: Sequence[int], weights: Any) -> None:
        """How often seats play along their lines on boards of a part."""
        part, xp = self._parts[k][i], self.xp
        for seat in seats:
            lines = self._lines[k][seat]
            above = self._begun[seat]
            if k:
                above = xp.take(self._reach[k - 1][seat], lines.source, axis=0)
                above = xp.take(above, part.up, axis=1)
            self._along(
                "reach_street", lines.n_starts * part.n, lines.n_starts, part.n, 1,
                self._least, lines.starts, lines.own_start, lines.points, *lines.decisions,
                weights[k][i][seat], above, self._view(self._reach[k][seat], part.n),
            )  # fmt: skip

    def _go_up(
        self, k: int, i: int, seat: int, mode: int, factors: NDArray[np.floating], coming: Array
    ) -> Array:
        """[lines, columns] what lines are worth; regrets and averages change in `LEARN`."""
        part, lines = self._parts[k][i], self._lines[k][seat]
        folds, shows = self._end(k, part, 1 - seat)
        regrets, averages = self._regrets[k][i][seat], self._averages[k][i][seat]
        values = self._view(self._values[: lines.n_lines * part.n], part.n)
        self._along(
            "value_street", lines.n_starts * part.n, lines.n_starts, part.n, mode, self._least,
            *factors, lines.starts, lines.points, *lines.decisions, *lines.worth, lines.later,
            folds, shows, coming, self._view(self._reach[k][seat], part.n),
            regrets if mode == LEARN else averages, averages, values,
        )  # fmt: skip
        return values

    def _end(self, k: int, part: _Part, seat: int) -> tuple[Array, Array]:
        """What hands meet where lines of `seat` end."""
        lines, last = self._lines[k][seat], k == self.lines.n_streets - 1
        ends, n_hands = lines.ends, self._boards[k].n_hands
        reach = self._view(self._reach[k][seat], part.n)
        folds, shows = (self._view(v, part.n) for v in (self._folds, self._shows))
        _, width, n_cards = part.by_card.shape
        n_sums = 2 * n_hands + 1 + n_cards * (width + 1)
        n_blocks = -(-ends.lines.size // LANES_AT_ONCE) * part.n_boards
        self._at_ends(
            "end_boards", n_blocks * END_THREADS, ends.lines.size, part.n_boards, n_hands, n_cards,
            width, ends.lines, ends.met, ends.shows, part.by_card, part.limits, reach, folds, shows,
            block=END_THREADS, shared=LANES_AT_ONCE * n_sums * self.dtype.itemsize,
        )  # fmt: skip
        n_shows = lines.n_shows
        if n_shows and not last:
            shows[:n_shows] = self._all_in(part, seat, self.xp.take(reach, lines.shown, axis=0))
        if lines.cost is not None:
            shows[:n_shows] -= lines.cost * self.xp.take(folds, lines.shown_met, axis=0)
        return folds, shows

    def _all_in(self, part: _Part, seat: int, reach: Array) -> Array:
        """[lines, columns] what the hands of the other win where lines of `seat` end all-in."""
        n_hands, xp = part.matrices.shape[1], self.xp
        held = xp.ascontiguousarray(reach.reshape(-1, part.n_boards, n_hands).transpose(1, 0, 2))
        if seat == 1:
            won = xp.matmul(held, part.matrices.transpose(0, 2, 1))
        else:
            won = -xp.matmul(held, part.matrices)
        return won.transpose(1, 0, 2).reshape(reach.shape)

    def _move(self, learned: LearnedTables, *, to_device: bool) -> None:
        """Copy all tables from one memory to the other, part by part."""
        for k, parts in enumerate(self._parts):
            for i, part in enumerate(parts):
                for seat in (0, 1):
                    for here, there in (
                        (learned.tables.regrets[seat], self._regrets[k][i][seat]),
                        (learned.tables.averages[seat], self._averages[k][i][seat]),
                    ):
                        self._move_part(k, part, seat, here, there, to_device)

    def _move_part(
        self, k: int, part: _Part, seat: int, here: Array, there: Array, to_device: bool
    ) -> None:
        street = self._boards[k]
        boards = slice(part.first, part.first + part.n_boards)
        edges = street.begins[boards.start : boards.stop + 1, seat]
        columns = street.columns[seat][edges[0] : edges[-1]] - part.first * street.n_hands
        slots, table = self.slots[street.boards[boards], seat], there.reshape(-1, part.n)
        if to_device:
            take_there(self.xp, slots, edges - edges[0], columns, here, table)
        else:
            bring_back(self.xp, slots, edges - edges[0], columns, table, here)

    def _whole(self, k: int) -> tuple[int, int]:
        return 0, self._boards[k].boards.size

    def _split(self) -> list[tuple[int, int]]:
        """Boards of the last street, from one to another, of as many above as memory has room for.

        There is at least one above.
        """
        street, room = self._boards[-1], self._most_bytes
        if self.xp is not np:
            room = min(room, free_gpu_bytes() - self._room.kept_bytes)
        most = room // (self._room.board_bytes or 1)
        edges, parts = street.children.tolist(), []
        if len(edges) == 1:
            return [self._whole(self.lines.n_streets - 1)]
        first = edges[0]
        for end, following in zip(edges[1:], [*edges[2:], None], strict=True):
            if following is None or following - first > most:
                parts.append((first, end))
                first = end
        return parts

    def _place(self, k: int, first: int, end: int) -> _Part:
        xp, street = self.xp, self._boards[k]
        n_hands, above = street.n_hands, self._boards[max(k - 1, 0)]
        all_in = k < self.lines.n_streets - 1 and self.lines.shows[k]
        matrices = spread_matrices(street, self.boards, self.dtype) if all_in else np.zeros(0)
        parents = np.searchsorted(street.children, [first, end])
        first_above, end_above = (parents * above.n_hands).tolist() if k else (0, 0)
        return _Part(
            first,
            end - first,
            (end - first) * n_hands,
            first_above,
            end_above - first_above,
            xp.asarray(street.up[first * n_hands : end * n_hands]),
            xp.asarray(street.down),
            xp.asarray(street.by_card[first:end]),
            xp.asarray(street.limits[first:end]),
            xp.asarray(matrices),
        )

    def _check_fits(self) -> None:
        """Refuse what the memory of the GPU cannot hold, before any of it is copied."""
        sizes = np.array([(each.boards.size, each.n_hands) for each in self._boards])
        self._room = find_room(self.lines, sizes[:, 0], sizes[:, 1], self.dtype)
        if self.xp is np:
            return
        least = max(np.diff(self._boards[-1].children), default=1)
        needed, free = self._room.of_boards(int(least)), free_gpu_bytes()
        if needed > free:
            raise TooLargeError(
                f"this spot needs {needed / 1e9:,.2f} GB of the GPU's memory, but only "
                f"{free / 1e9:,.2f} GB are free; offer fewer sizes or use --device cpu"
            )

    def _n_columns(self, k: int) -> int:
        """Of all boards of a street."""
        return self._boards[k].boards.size * self._boards[k].n_hands

    def _table(self, k: int, seat: int, part: _Part) -> Array:
        return self.xp.zeros(int(self.lines.n_rows[k, seat]) * part.n, self.dtype)

    def _zeros_there(self, *shape: int) -> Array:
        return self.xp.zeros(shape, self.dtype)

    def _view(self, vectors: Array, n: int) -> Array:
        """[rows, n] of vectors that may be longer than needed."""
        flat = vectors.reshape(-1)
        return flat[: flat.size // n * n].reshape(-1, n)

    def _to_numpy(self, table: Array) -> NDArray[Any]:
        return np.asarray(table.get() if hasattr(table, "get") else table)  # `get` is CuPy's
