"""The base of all sampled solvers: tables that threads share, and the loop over samples.

Work comes in blocks of numbered samples, deals or boards, none longer than an epoch. While threads
walk the samples of a block in stretches that shrink, and share the tables, some of them make those
of the next: all threads have work until a block ends. With one thread a seed reproduces a run bit
for bit, however many calls it is split into. Past regrets and strategies fade between epochs, by
the same `Discounting` as elsewhere with the epoch as its iteration.

Averages have 32 bits and are rounded at random (`averages_kernels`): they only grow, and rounded to
the nearest they would soon notice nothing any more. The noise comes from the seed and the number of
a sample, an epoch or a share. Regrets have 32 bits by default, rounded to the nearest: those that
count, the positive ones, stay small.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold import regret_kernels
from counterfold.discounting import Discounting
from counterfold.errors import AlgorithmError
from counterfold.memory import check_memory
from counterfold.public import infosets_kernels
from counterfold.public.infosets import PublicGame
from counterfold.threads import (
    Stretch,
    ThreadPool,
    even_stretches,
    shrinking_stretches,
    stretches,
    thread_count,
)
from counterfold.training import averages_kernels

AVERAGES = np.float32  # the type of their sums
_FADED_AT_ONCE = 1 << 17  # slots

Batch = tuple[NDArray[Any], ...]  # samples as walks read them: named arrays with a row for each


class Block:
    """Samples that are walked before the next ones, made in parts of `size`."""

    def __init__(self, first: int, last: int, size: int) -> None:
        self.first, self.last, self.size = first, last, size
        self.batches: dict[int, Any] = {}  # by the first sample of a part

    @property
    def parts(self) -> list[Stretch]:
        """What is made at once."""
        return stretches(self.first, self.last, self.size)

    def pieces(self, first: int, last: int) -> Iterator[tuple[int, Any]]:
        """Samples `first` to `last - 1` as views of the parts that have them, with their first."""
        while first < last:
            start = first - (first - self.first) % self.size
            end = min(last, start + self.size)
            batch = self.batches[start]
            yield first, type(batch)(*(array[first - start : end - start] for array in batch))
            first = end


class SampledSolver(ABC):
    """What the sampled solvers of a public game have in common."""

    game: PublicGame
    discounting: Discounting
    epoch: int
    seed: int
    threads: int | None
    dtype: Any = np.float32  # of the regrets
    averages_type: Any = AVERAGES

    def _allocate(self, least_part: int, most_part: int) -> None:
        if self.epoch < 1:
            raise AlgorithmError(f"an epoch must have at least one deal, not {self.epoch!r}")
        if np.dtype(self.dtype) not in (np.float32, np.float64):
            raise AlgorithmError(f"regrets must be float32 or float64, not {self.dtype!r}")
        itemsize = np.dtype(self.dtype).itemsize + np.dtype(self.averages_type).itemsize
        check_memory("regrets and averages", self.game.n_slots * itemsize)
        self._least_part, self._most_part = least_part, most_part  # samples made at a time
        self.iterations = 0  # samples walked, each for both players
        self.visited = 0  # nodes
        self.regrets = np.zeros(self.game.n_slots, self.dtype)
        self.averages = np.zeros(self.game.n_slots, self.averages_type)
        self.layout = self.game.layout  # of the tables
        self._n_threads = thread_count(self.threads)

    @property
    def tables(self) -> dict[str, NDArray[np.floating]]:
        """All that the next sample depends on, as live arrays in the order of `layout`."""
        return {"regrets": self.regrets, "averages": self.averages}

    def take_tables(self, tables: Mapping[str, NDArray[np.floating]]) -> None:
        """Continue from these, which `tables` gave and which were changed since."""
        for name, table in self.tables.items():
            table[...] = tables[name]

    def peek(self, name: str, slots: slice | NDArray[np.int64]) -> NDArray[np.floating]:
        """A few numbers of a table."""
        return self.tables[name][slots]

    def by_class(self, name: str) -> NDArray[np.floating]:
        """A copy of a table with the slots of the game in their order."""
        table, game = self.tables[name], self.game
        copy = np.empty_like(table)
        infosets_kernels.by_class(table, self.layout, game.offsets, game.n_actions, copy)
        return copy

    def average_strategy(self) -> NDArray[np.floating]:
        """The probabilities of all slots of the game; uniform where no walk has come yet."""
        averages, game = self.tables["averages"], self.game
        strategy = np.empty(averages.size)
        infosets_kernels.normalize(averages, self.layout, game.offsets, game.n_actions, strategy)
        return strategy

    def run(self, samples: int) -> None:
        """Walk more deals or boards, once for each player."""
        with ThreadPool(self._n_threads) as pool:
            for last in self._walk_blocks(pool, self.iterations, self.iterations + samples):
                self.iterations = last
                if last % self.epoch == 0:
                    self._discount(pool, last // self.epoch)

    def walk(self, first: int, last: int) -> None:
        """Walk samples `first` to `last - 1`, of one epoch; nothing fades, and they are not
        counted.
        """
        with ThreadPool(self._n_threads) as pool:
            for _ in self._walk_blocks(pool, first, last):
                pass

    def fade(self, epoch: int) -> None:
        """Let past regrets and strategies fade, as at the end of `epoch`, counted from 1."""
        with ThreadPool(self._n_threads) as pool:
            self._discount(pool, epoch)

    @property
    def read_tables(self) -> tuple[str, ...]:
        """The tables that a walk depends on; to the others it only adds."""
        return tuple(name for name in self.tables if name != "averages")

    @property
    def regret_floor(self) -> float:
        """What no regret falls below."""
        return -np.inf

    def _walk_blocks(self, pool: ThreadPool, first: int, last: int) -> Iterator[int]:
        """Walk samples block by block; yields the end of each."""
        for block, following in pairwise([None, *self._blocks(first, last), None]):
            self._work(pool, block, following)
            if block is not None:
                yield block.last

    @abstractmethod
    def _make_batch(self, first: int, n: int) -> Batch:
        """Samples `first` to `first + n - 1`."""

    @abstractmethod
    def _walk_batch(self, batch: Any, first: int, thread: int) -> int:
        """Walk samples, `first` and those after it, with the memory of a thread; nodes visited."""

    def _blocks(self, first: int, last: int) -> list[Block]:
        """Samples in blocks of about the same size, as many as end where an epoch does."""
        blocks = []
        while first < last:
            end = min(last, (first // self.epoch + 1) * self.epoch)
            n_blocks = -(-(end - first) // (self._most_part * self._n_threads))
            for begin, stop in even_stretches(end - first, n_blocks):
                by_thread = -(-(stop - begin) // self._n_threads)
                size = max(by_thread, self._least_part)
                blocks.append(Block(first + begin, first + stop, size))
            first = end
        return blocks

    def _work(self, pool: ThreadPool, block: Block | None, following: Block | None) -> None:
        """Walk the samples of `block`, and make those of the `following` one."""
        visited = [0] * self._n_threads

        def work(first: int, last: int, thread: int) -> None:
            if block is not None and first < block.last:
                for begin, batch in block.pieces(first, last):
                    visited[thread] += self._walk_batch(batch, begin, thread)
            elif following is not None:
                following.batches[first] = self._make_batch(first, last - first)

        walks = [] if block is None else self._split(block)
        parts = [] if following is None else following.parts
        pool.split(work, _interleave(walks, parts))
        self.visited += sum(visited)
        if block is not None:
            block.batches.clear()

    def _split(self, block: Block) -> list[Stretch]:
        """What threads walk at a time."""
        if self._n_threads == 1:
            return [(block.first, block.last)]
        return shrinking_stretches(block.first, block.last, self._n_threads)

    def _discount(self, pool: ThreadPool, epoch: int) -> None:
        positive, negative, average = self.discounting.weights(epoch, epoch, 1_000)[0]
        if (positive, negative, average) == (1.0, 1.0, 1.0):
            return

        def fade(first: int, last: int, thread: int) -> None:
            for table in self._regret_tables():
                regret_kernels.discount_table(table[first:last], positive, negative)
            part = self.averages[first:last]
            averages_kernels.fade_averages(part, first, average, self.seed, epoch)

        pool.split(fade, stretches(0, self.game.n_slots, _FADED_AT_ONCE))

    def _regret_tables(self) -> tuple[NDArray[np.floating], ...]:
        """All tables that fade as regrets do."""
        return (self.regrets,)


def _interleave(walks: list[Stretch], parts: list[Stretch]) -> list[Stretch]:
    """Two walks, then a part that is made, and so on: making holds Python's lock now and then, so
    that few threads are to do it at a time.
    """
    ordered = []
    for at, part in enumerate(parts):
        ordered += [*walks[2 * at : 2 * at + 2], part]
    return ordered + walks[2 * len(parts) :]
