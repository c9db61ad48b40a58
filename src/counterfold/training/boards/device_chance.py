"""Public chance sampling in batches of boards, on a GPU (`ranges.device.board_pass`).

It fills the same tables as `public_chance`, by the same boards of a seed. What differs is that all
boards of a batch meet the strategies that the batch began with; a batch of one board is
what `public_chance` does. Batches begin where an epoch does and are always as long, so neither
calls nor threads change a bit of the result: a call ends where a batch does. Threads of the
processor make the next batches while the device walks one, each a whole batch: in smaller parts
they would wait for Python's lock.
"""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from counterfold.discounting import CFR, Discounting
from counterfold.public.boards import check_hands_stay
from counterfold.public.deals import Dealer
from counterfold.public.infosets import PublicGame
from counterfold.ranges.device.board_pass import BoardPass, PlacedBoards, place_boards
from counterfold.threads import helpers
from counterfold.training.boards.public_chance import BoardSource
from counterfold.training.sampled_base import SampledSolver

BOARDS_AT_ONCE = 100


@dataclass
class DeviceChanceSolver(SampledSolver):
    """Tables of one run, in the memory of `xp`'s device; `source` must give boards by hand."""

    game: PublicGame
    dealer: Dealer
    source: BoardSource
    xp: Any  # `cupy`, or `numpy`
    discounting: Discounting = CFR
    epoch: int = 100  # boards between discounts
    seed: int = 0
    threads: int | None = None
    boards_at_once: int = BOARDS_AT_ONCE

    passes: ClassVar[type[BoardPass]] = BoardPass

    def __post_init__(self) -> None:
        check_hands_stay(self.dealer)
        n_boards = min(self.boards_at_once, self.epoch)
        self.averages_type = np.float64  # the device adds without noise
        self._pass = self.passes(self.game, self.dealer, self.xp, n_boards)
        self._allocate(1, self._pass.n_boards)
        self.regrets = self.xp.zeros(self.game.n_slots, self.dtype)
        self.averages = self.xp.zeros(self.game.n_slots, self.averages_type)
        self._makers = helpers(self._n_threads)
        self._ahead: dict[int, Future[PlacedBoards]] = {}  # batches by their first board

    @property
    def tables(self) -> dict[str, NDArray[np.floating]]:
        """All that the next board depends on; copies if a GPU has them."""
        return {name: self._to_numpy(table) for name, table in self._kept.items()}

    def take_tables(self, tables: Mapping[str, NDArray[np.floating]]) -> None:
        """Continue from these, which `tables` gave and which were changed since."""
        for name, table in self._kept.items():
            table[...] = self.xp.asarray(tables[name])

    def peek(self, name: str, slots: slice | NDArray[np.int64]) -> NDArray[np.floating]:
        """A few numbers of a table."""
        at = slots if isinstance(slots, slice) else self.xp.asarray(slots)
        return self._to_numpy(self._kept[name][at])

    def run(self, samples: int) -> None:
        """Walk at least `n` more boards, to the end of a batch."""
        last = self._batch_end(self.iterations + samples)
        while self.iterations < last:
            batch = self._next_batch()
            self.visited += self._walk_batch(batch, self.iterations, 0)
            self.iterations += len(batch.buckets)
            if self.iterations % self.epoch == 0:
                self._fade(self.iterations // self.epoch)
        self._pass.wait()

    def _next_batch(self) -> PlacedBoards:
        """The boards that follow; those after them are made meanwhile, a batch by each thread."""
        first = begin = self.iterations
        self._ahead = {at: batch for at, batch in self._ahead.items() if at >= first}
        for _ in range(self._n_threads + 1):
            end = self._batch_end(begin + 1)
            if begin not in self._ahead:
                self._ahead[begin] = self._makers.submit(self._make_batch, begin, end - begin)
            begin = end
        return self._ahead.pop(first).result()

    @property
    def _kept(self) -> dict[str, Any]:
        return {"regrets": self.regrets, "averages": self.averages}

    def _to_numpy(self, table: Any) -> NDArray[np.floating]:
        return np.asarray(table.get() if hasattr(table, "get") else table)  # `get` is CuPy's

    def _batch_end(self, last: int) -> int:
        """The first end of a batch that does not come before board `last`."""
        begin = last // self.epoch * self.epoch
        size = self._pass.n_boards
        return min(begin + -(-(last - begin) // size) * size, begin + self.epoch)

    def _make_batch(self, first: int, n: int) -> PlacedBoards:
        return place_boards(self.dealer, self.source.batch(self.seed, first, n))

    def _walk_batch(self, batch: PlacedBoards, first: int, thread: int) -> int:
        self._pass.walk(batch, self._kept)
        return 2 * len(batch.buckets) * self.game.graph.n_nodes

    def _fade(self, epoch: int) -> None:
        positive, negative, average = self.discounting.weights(epoch, epoch, 1_000)[0]
        for name, table in self._kept.items():
            if name == "averages":
                table *= average
            else:
                table *= self.xp.where(table > 0, *map(self.dtype, (positive, negative)))
