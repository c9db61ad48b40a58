"""The base of all sampled solvers: tables that threads share, and the loop over samples.

Work comes in batches of numbered samples, deals or boards; threads take batches in turn and share
the tables. With one thread a seed reproduces a run bit for bit, however many calls it is split
into. Past regrets and strategies fade between epochs, by the same `Discounting` as elsewhere with
the epoch as its iteration.

Averages have 64 bits: they only grow, and in 32 bits a sum of 2**20 no longer notices a twentieth
and one of 2**24 no longer notices a one. Regrets have 32 bits by default, which halves the memory
that a walk reads most of; those that count, the positive ones, stay small.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold import regret_kernels
from counterfold.discounting import Discounting
from counterfold.errors import AlgorithmError
from counterfold.memory import check_memory
from counterfold.public import infosets_kernels
from counterfold.public.infosets import PublicGame
from counterfold.threads import Stretch, ThreadPool, stretches, thread_count

AVERAGES = np.float64  # the type of their sums


class SampledSolver(ABC):
    """What the sampled solvers of a public game have in common."""

    game: PublicGame
    discounting: Discounting
    epoch: int
    seed: int
    threads: int | None
    dtype: Any = np.float32  # of the regrets

    def _allocate(self, batch: int) -> None:
        if self.epoch < 1:
            raise AlgorithmError(f"an epoch must have at least one deal, not {self.epoch!r}")
        if np.dtype(self.dtype) not in (np.float32, np.float64):
            raise AlgorithmError(f"regrets must be float32 or float64, not {self.dtype!r}")
        itemsize = np.dtype(self.dtype).itemsize + np.dtype(AVERAGES).itemsize
        check_memory("regrets and averages", self.game.n_slots * itemsize)
        self._batch = batch  # samples that one thread takes at a time
        self.iterations = 0  # samples walked, each for both players
        self.visited = 0  # nodes
        self.regrets = np.zeros(self.game.n_slots, self.dtype)
        self.averages = np.zeros(self.game.n_slots, AVERAGES)
        self.layout = self.game.layout  # of the tables
        self._n_threads = thread_count(self.threads)

    @property
    def tables(self) -> dict[str, NDArray[np.floating]]:
        """All that the next sample depends on, as live arrays in the order of `layout`."""
        return {"regrets": self.regrets, "averages": self.averages}

    def by_class(self, name: str) -> NDArray[np.floating]:
        """A copy of a table with the slots of the game in their order."""
        table, game = self.tables[name], self.game
        copy = np.empty_like(table)
        infosets_kernels.by_class(table, self.layout, game.offsets, game.n_actions, copy)
        return copy

    def average_strategy(self) -> NDArray[np.floating]:
        """The probabilities of all slots of the game; uniform where no walk has come yet."""
        strategy = np.empty_like(self.averages)
        game = self.game
        infosets_kernels.normalize(
            self.averages, self.layout, game.offsets, game.n_actions, strategy
        )
        return strategy

    def run(self, samples: int) -> None:
        """Walk `n` more deals or boards, once for each player."""
        last = self.iterations + samples
        while self.iterations < last:
            end = min(last, (self.iterations // self.epoch + 1) * self.epoch)
            self._walk(self.iterations, end)
            self.iterations = end
            if end % self.epoch == 0:
                self._discount(end // self.epoch)

    @abstractmethod
    def _walk_batch(self, first: int, last: int, thread: int) -> int:
        """Walk samples `first` to `last - 1` with the memory of a thread; nodes visited."""

    def _walk(self, first: int, last: int) -> None:
        with ThreadPool(self._n_threads) as pool:
            self.visited += sum(pool.share_out(self._walk_batch, self._split(first, last)))

    def _split(self, first: int, last: int) -> list[Stretch]:
        """The batches that threads take; smaller ones if there were too few for all threads."""
        by_thread = -(-(last - first) // self._n_threads)
        return stretches(first, last, max(1, min(self._batch, by_thread)))

    def _discount(self, epoch: int) -> None:
        positive, negative, average = self.discounting.weights(epoch, epoch, 1_000)[0]
        if (positive, negative, average) != (1.0, 1.0, 1.0):
            for table in self._regret_tables():
                regret_kernels.discount_table(table, positive, negative)
            self.averages *= average

    def _regret_tables(self) -> tuple[NDArray[np.floating], ...]:
        """All tables that fade as regrets do."""
        return (self.regrets,)
