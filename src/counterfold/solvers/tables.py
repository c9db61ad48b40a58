"""Regrets and average strategies that walks of several threads share, and how a run goes on.

Work comes in batches of numbered samples, deals or boards; threads take batches in turn and share
the tables. With one thread a seed reproduces a run bit for bit. Past regrets and strategies fade
between epochs, by the same `Discounting` as elsewhere with the epoch as its iteration.
"""

from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from counterfold.compiled.classes import PublicGame
from counterfold.kernels import public_walks as kernels
from counterfold.solvers.variants import Discounting
from counterfold.threads import thread_count


class SharedTables(ABC):
    """What the sampled solvers of a public game have in common."""

    game: PublicGame
    discounting: Discounting
    epoch: int
    seed: int
    threads: int | None

    def _allocate(self, batch: int) -> None:
        self._batch = batch  # samples that one thread takes at a time
        self.iterations = 0  # samples walked, each for both players
        self.visited = 0  # nodes
        self.regrets = np.zeros(self.game.n_slots, np.float32)
        self.averages = np.zeros(self.game.n_slots, np.float32)
        self._n_threads = thread_count(self.threads)

    @property
    def tables(self) -> dict[str, NDArray[np.float32]]:
        """All that the next sample depends on, as live arrays."""
        return {"regrets": self.regrets, "averages": self.averages}

    def run(self, samples: int) -> None:
        """Go on for so many deals or boards, each with one walk per player."""
        last = self.iterations + samples
        while self.iterations < last:
            end = min(last, (self.iterations // self.epoch + 1) * self.epoch)
            self._walk(self.iterations, end)
            self.iterations = end
            if end % self.epoch == 0:
                self._discount(end // self.epoch)

    @abstractmethod
    def _walk_batch(self, thread: int, first: int, n: int) -> int:
        """Walk samples `first` to `first + n - 1` with the memory of a thread; nodes visited."""

    def _walk(self, first: int, last: int) -> None:
        size = self._batch
        batches = [(start, min(size, last - start)) for start in range(first, last, size)]
        if self._n_threads == 1:
            self.visited += sum(self._walk_batch(0, *batch) for batch in batches)
            return
        with ThreadPoolExecutor(self._n_threads) as pool:
            parts = [batches[k :: self._n_threads] for k in range(self._n_threads)]
            works = [
                pool.submit(lambda k=k, p=p: sum(self._walk_batch(k, *b) for b in p))  # type: ignore[misc]
                for k, p in enumerate(parts)
            ]
            self.visited += sum(work.result() for work in works)

    def _discount(self, epoch: int) -> None:
        positive, negative, average = self.discounting.weights(epoch, epoch, 1_000)[0]
        if (positive, negative, average) != (1.0, 1.0, 1.0):
            kernels.discount(self.regrets, self.averages, positive, negative, average)
