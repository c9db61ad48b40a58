"""Exact responses below one board next to the root, through a library like NumPy.

Data flow, for a seat that responds: down the early streets go vectors of the bot's lines
[board, line, hand]. The last street is one kernel. A block has one board above it and a few starts,
whose vectors it keeps in fast memory; each of its warps takes the boards below one after the other
and writes what the starts are worth there, by layer and hand, and nothing else. `collect_boards`
sums that over boards and their copies, and the early streets go up with it. For a flop of limit
hold'em the last street writes 1,081 hands x 567 starts x 2 layers x 4 bytes = 4.9 MB a river, up to
11.5 GB a flop, 7 GB on average, and reads it once or twice again: some 4 ms of an H200's memory.
Sums by card in fast memory are what takes the time.

With CuPy the kernels are those of `street_pass.cu` and `last_street.cu`, with NumPy their twins.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.devices import free_gpu_bytes
from counterfold.jit.cuda import open_source
from counterfold.responses.device import street_pass_kernels
from counterfold.responses.device.response_tables import (
    Decisions,
    find_early,
    find_last,
)
from counterfold.responses.device.street_boards import StreetBoards
from counterfold.responses.device.street_pass_kernels import SLOTS
from counterfold.responses.response_pass import ResponseSide

WARP = 32  # threads
_MOST_END_WARPS = 6  # of a block that ends hands
_FOLD_WARPS = 4
_VALUE_THREADS = 64
_TILE_NUMBERS = 2 * 16 * 66  # of the hands that a warp values together
MOST_BYTES = 4 << 30  # of what the last street writes, unless one board above needs more

_PACKAGE = "counterfold.responses.device"

Array = Any  # of NumPy or of a library that replaces it


class _Placed(NamedTuple):
    """Boards of a street in the memory of the device."""

    boards: StreetBoards
    parent: Array
    children: Array
    hands: Array
    ends: Array
    copies: Array
    source: Array
    down: Array

    @property
    def n_boards(self) -> int:
        return len(self.boards.parent)

    @property
    def n_hands(self) -> int:
        return int(self.boards.hands.shape[1])

    @property
    def n_above(self) -> int:
        return int(self.boards.down.shape[1])


def place_streets(xp: Any, streets: list[StreetBoards]) -> list[_Placed]:
    """Boards in the memory of the device."""
    return [
        _Placed(
            street,
            *map(
                xp.asarray,
                (
                    street.parent, street.children, street.hands, street.ends,
                    street.copies, street.source, street.down,
                ),
            ),
        )
        for street in streets
    ]  # fmt: skip


class StreetPass:
    """Responds in one seat, by `xp`, which is `cupy` or `numpy`."""

    def __init__(self, side: ResponseSide, xp: Any) -> None:
        self.side, self.xp = side, xp
        last = side.lines.n_streets - 1
        self._early = {k: find_early(side, k) for k in range(1, last)}
        self._last = find_last(side)
        real = "float" if side.dtype == np.float32 else "double"
        options, twins = (f"-Dreal={real}",), street_pass_kernels
        shape = self._last.shape.constants if self._last.n_common else {}
        self._launch = open_source(xp, _PACKAGE, "street_pass.cu", twins, options)
        self._launch_last = open_source(xp, _PACKAGE, "last_street.cu", twins, options, shape)
        self._answers = xp.asarray(side.answers)
        self._placed: dict[int, Array] = {}

    def respond(
        self, streets: list[_Placed], root_buckets: NDArray[np.int32], chance: NDArray[np.float64]
    ) -> Array:
        """[layers * starts, hands at the root] what the starts next to the root are worth.

        It is an array of the device, which may not have come to it yet.
        """
        n_streets, single = len(streets) + 1, self.side.variant.hole_cards == 1
        reach = [self.xp.asarray(self._root_reach(root_buckets))[None]]
        for k in range(1, n_streets - 1):
            reach.append(self._go_down(k, streets[k - 1], reach[-1]))
        coming = self._end(streets[-1], reach[-1], single)
        for k in range(n_streets - 2, 0, -1):
            coming = self._go_up(k, streets[k - 1], reach[k], coming, float(chance[k + 1]), single)
        return coming[0]

    def take(self, found: Array) -> NDArray[np.float64]:
        """[layers, starts, hands at the root] what `respond` gave, once it is known."""
        values = found.get() if hasattr(found, "get") else found  # `get` is CuPy's
        layers = int(self.side.n_layers[1])
        return np.asarray(values.reshape(layers, -1, values.shape[1]), np.float64)

    def _root_reach(self, buckets: NDArray[np.int32]) -> NDArray[np.floating]:
        """[lines, hands] of the bot on the root street."""
        side, moves = self.side, self.side.moves
        n_lines = int(side.lines.first_lines[1, 1 - side.seat])
        reach = np.zeros((n_lines, buckets.size), side.dtype)
        reach[0] = 1.0
        last = int(side.lines.seats[1 - side.seat].points[side.lines.streets[1]])
        for m in range(int(moves.points[0]), int(moves.points[last])):
            held = reach[moves.source[m]]
            reach[moves.target[m]] = held * side.answers[moves.answer[m] + buckets]
        return reach

    def _go_down(self, k: int, at: _Placed, above: Array) -> Array:
        early = self._early[k]
        n_starts, n_lines = _size(early.bot)
        reach = self.xp.zeros((at.n_boards, n_lines, at.n_hands), self.side.dtype)
        self._launch(
            "reach_lines", at.n_boards * n_starts * at.n_hands, at.n_boards, n_starts, at.n_hands,
            at.n_above, n_lines, above.shape[1], at.parent, at.hands,
            *self._of(early.bot.starts, early.source, *early.bot[1:], early.answer), self._answers,
            above, reach,
        )  # fmt: skip
        return reach

    def _go_up(
        self, k: int, at: _Placed, reach: Array, coming: Array, chance: float, single: bool
    ) -> Array:
        """What the starts of street `k` are worth on the boards above."""
        early, side = self._early[k], self.side
        n_rows, n_ends = at.boards.n_cards, early.ends.size
        folds = self.xp.zeros((at.n_boards, max(n_ends, 1), at.n_hands), side.dtype)
        self._launch(
            "count_folds", at.n_boards * -(-n_ends // WARP) * WARP, at.n_boards, n_ends, at.n_hands,
            reach.shape[1], n_rows, int(single), *self._of(early.ends), at.hands, reach, folds,
            block=_FOLD_WARPS * WARP, shared=_FOLD_WARPS * n_rows * WARP * side.dtype.itemsize,
        )  # fmt: skip
        n_starts, n_lines = _size(early.own)
        n_layers = int(side.n_layers[k])
        n_below = coming.shape[1] // int(side.n_layers[k + 1])
        room = int(np.diff(early.own.starts).max(initial=1))
        totals = self.xp.zeros((at.n_boards, n_layers * n_starts, at.n_hands), side.dtype)
        self._launch(
            "value_lines", totals.size, at.n_boards, n_layers, n_starts, at.n_hands, n_lines,
            folds.shape[1], n_below, room, side.dtype.type(chance),
            *self._of(*early.own, early.own_answer, early.fold, early.stake, early.later),
            at.hands, self._answers, folds, coming, totals,
            block=_VALUE_THREADS, shared=_VALUE_THREADS * room * side.dtype.itemsize,
        )  # fmt: skip
        found = self.xp.zeros(
            (len(at.boards.children) - 1, totals.shape[1], at.n_above), side.dtype
        )
        self._collect(at, 0, slice(0, len(found)), totals, found)
        return found

    def _end(self, at: _Placed, above: Array, single: bool) -> Array:
        """What the starts of the last street are worth on the boards above."""
        last, side, n_parents = self._last, self.side, len(at.boards.children) - 1
        n_starts, n_layers = _size(last.own)[0], int(side.n_layers[-1])
        found = self.xp.zeros((n_parents, n_layers * n_starts, at.n_above), side.dtype)
        by_board = n_layers * n_starts * at.n_hands * side.dtype.itemsize
        n_groups, per_group = last.members.shape
        n_warps, shared = self._end_block(at)
        parts = [("end_common", 0, last.n_common), ("end_hands", last.n_common, n_groups)]
        for parents in self._chunks(at.boards.children, by_board):
            begin, end = at.boards.children[[parents.start, parents.stop]].tolist()
            totals = self.xp.zeros((end - begin, n_layers * n_starts, at.n_hands), side.dtype)
            n_here = parents.stop - parents.start
            for name, first, stop in parts:
                self._launch_last(
                    name, n_here * (stop - first) * n_warps * WARP, n_here, stop - first,
                    n_starts, at.n_hands, at.n_above, above.shape[1], n_groups, per_group,
                    last.width, at.boards.n_cards, int(single), n_layers, last.n_sums, last.room,
                    last.coefficients.shape[1], begin, first, *self._of(last.members),
                    at.children[parents.start :], at.hands, at.ends, *self._of(last.source),
                    above[parents], *self._of(last.chances, last.weights, *last.own, last.sums),
                    *self._of(last.term_starts, last.term_slots, last.coefficients), totals,
                    block=n_warps * WARP, shared=shared,
                )  # fmt: skip
            self._collect(at, begin, parents, totals, found[parents])
        return found

    def _end_block(self, at: _Placed) -> tuple[int, int]:
        """Warps of a block that ends hands, and bytes of fast memory that they need."""
        n_begun = at.n_above * self._last.members.shape[1]
        of_warp = 2 * at.boards.n_cards * SLOTS + _TILE_NUMBERS + self._last.n_sums * WARP
        begun, by_warp = (n * self.side.dtype.itemsize for n in (n_begun + n_begun % 2, of_warp))
        n_warps = max(min((_fast_bytes(self.xp) - begun) // by_warp, _MOST_END_WARPS), 1)
        return n_warps, begun + n_warps * by_warp

    def _collect(
        self, at: _Placed, first_board: int, parents: slice, totals: Array, coming: Array
    ) -> None:
        self._launch(
            "collect_boards", coming.size, len(coming), totals.shape[1], at.n_above, at.n_hands,
            first_board, at.copies[parents.start :], at.source, at.down, totals, coming,
        )  # fmt: skip

    def _chunks(self, children: NDArray[np.int32], by_board: int) -> list[slice]:
        """Boards above, as many at once as memory is meant for."""
        most = MOST_BYTES if self.xp is np else min(MOST_BYTES, free_gpu_bytes() // 2)
        edges = [0]
        for a in range(1, len(children)):
            if int(children[a] - children[edges[-1]]) * by_board > most and a - 1 > edges[-1]:
                edges.append(a - 1)
        return [slice(*pair) for pair in pairwise([*edges, len(children) - 1])]

    def _of(self, *arrays: NDArray[Any]) -> list[Array]:
        """Tables of the betting in the memory of the device, moved there once."""
        for array in arrays:
            if id(array) not in self._placed:
                self._placed[id(array)] = self.xp.asarray(np.ascontiguousarray(array))
        return [self._placed[id(array)] for array in arrays]


def _size(decisions: Decisions) -> tuple[int, int]:
    """Starts and lines."""
    return decisions.starts.size - 1, int(decisions.starts[-1])


def _fast_bytes(xp: Any) -> int:
    """Fast memory that a block may have."""
    if xp is np:
        return 0
    return int(xp.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"])
