"""Jobs for workers in other processes, some of which they do not survive."""

import os
import pickle
import signal
from dataclasses import dataclass

from counterfold.cluster.workers import Done, LocalWorkers
from counterfold.errors import CardError


class Traveling(LocalWorkers):
    """Workers here, but jobs and results go through pickles, as between machines.

    If they are `frozen`, arrays that arrive cannot be written to, as with Ray.
    """

    def __init__(self, n_workers=1, *, frozen=False):
        super().__init__(n_workers)
        self.frozen = frozen

    def send(self, content):
        buffers = []
        sent = pickle.dumps(content, 5, buffer_callback=buffers.append if self.frozen else None)
        return pickle.loads(sent, buffers=[bytes(buffer) for buffer in buffers])

    def begin(self, job):
        crew = super().begin(self.send(job))
        finish = crew.finish

        def travel(pieces, published=None):
            for done in finish(pieces, published):
                yield Done(*self.send(tuple(done)))

        crew.finish = travel
        return crew


def die_once(folder, name):
    """End this process at once, as if its machine were gone, unless `name` has died before."""
    try:
        (folder / name).touch(exist_ok=False)
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Squares:
    """Squares of numbers; some of them kill or fail."""

    folder: object = None
    deadly: tuple = ()
    fatal: int = -1
    wrong: int = -1

    def prepare(self):
        return self.square

    def square(self, published, piece):
        if piece in self.deadly:
            die_once(self.folder, str(piece))
        if piece == self.fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        if piece == self.wrong:
            raise CardError(f"no card {piece}")
        return (published or 0) + piece**2


@dataclass(frozen=True)
class Deadly:
    """Another job, some pieces of which kill who does them first."""

    job: object
    folder: object
    deadly: tuple  # texts, each in one of the pieces

    def prepare(self):
        work = self.job.prepare()

        def do(published, piece):
            for text in self.deadly:
                if text in repr(piece):
                    die_once(self.folder, text)
            return work(published, piece)

        return do


class DeadlyWorkers:
    """Workers whose jobs are deadly."""

    def __init__(self, workers, folder, deadly):
        self.workers, self.folder, self.deadly = workers, folder, deadly

    def begin(self, job):
        return self.workers.begin(Deadly(job, self.folder, self.deadly))
