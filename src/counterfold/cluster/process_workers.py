"""Workers as processes of this machine; those that die are replaced, as on a cluster.

A process is a fresh Python, so that nothing depends on how the platform forks. Ctrl-C is for the
process that started them, which ends them with itself.
"""

import multiprocessing
import signal
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from counterfold.cluster.workers import (
    MOST_DEATHS,
    Crew,
    Done,
    Job,
    Workers,
    check_worker_count,
    killed_by,
)
from counterfold.errors import ClusterError, CounterfoldError


class Order(NamedTuple):
    """What a process is to do."""

    job: Job[Any, Any] | None  # a new one, before its first piece
    published: Any
    piece: Any


class _Process:
    """A worker, and the job that it has prepared."""

    def __init__(self) -> None:
        # A platform's own way of starting would copy threads that hold locks.
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.crew: Crew | None = None
        self.piece: int | None = None  # that it works on

    def end(self) -> None:
        """Let it go at once, whatever it does."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class ProcessWorkers(Workers):
    """`n_workers` processes."""

    def __init__(self, n_workers: int) -> None:
        self.n_workers = check_worker_count(n_workers)
        self.processes = [_Process() for _ in range(n_workers)]
        self.n_replaced = 0

    def begin(self, job: Job[Any, Any]) -> Crew:
        """A crew for `job`, which goes to each process with its first piece."""
        for each in [each for each in self.processes if each.piece is not None]:
            self.replace(each)  # a job before was not waited for
        return _ProcessCrew(self, job)

    def replace(self, one: _Process) -> _Process:
        """A new process instead of another."""
        one.end()
        other = _Process()
        self.processes[self.processes.index(one)] = other
        return other

    def close(self) -> None:
        """End all processes."""
        for each in self.processes:
            each.end()


class _ProcessCrew(Crew):
    """All processes, for one job."""

    def __init__(self, workers: ProcessWorkers, job: Job[Any, Any]) -> None:
        self._workers, self._job = workers, job
        self.n_workers = workers.n_workers

    def finish(self, pieces: Sequence[Any], published: Any = None) -> Iterator[Done]:
        todo = deque(range(len(pieces)))
        busy: dict[Any, _Process] = {}  # by connection
        deaths = [0] * len(pieces)

        def give(one: _Process) -> None:
            if not todo:
                return
            one.piece = todo.popleft()
            job = None if one.crew is self else self._job
            busy[one.connection], one.crew = one, self
            with suppress(OSError):  # it has died, which `wait` will say
                one.connection.send(Order(job, published, pieces[one.piece]))

        for each in self._workers.processes:
            give(each)
        while busy:
            for connection in wait(list(busy)):
                one = busy.pop(connection)
                assert one.piece is not None
                number, one.piece = one.piece, None
                try:
                    result, error = one.connection.recv()
                except (EOFError, OSError):
                    deaths[number] += 1
                    given_up = deaths[number] == MOST_DEATHS
                    if not given_up:
                        todo.appendleft(number)
                    self._workers.n_replaced += 1
                    one = self._workers.replace(one)
                    result, error = None, killed_by(number, len(pieces), "they were killed")
                    if not given_up:
                        give(one)
                        continue
                give(one)
                yield Done(number, result, error)


def serve(connection: Connection) -> None:
    """Do what comes, until nobody listens; the main function of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    job, work = None, None
    answer: tuple[Any, CounterfoldError | None]
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            order: Order = connection.recv()
            if order.job is not None:
                job, work = order.job, None
            try:
                if work is None:
                    assert job is not None
                    work = job.prepare()
                answer = work(order.published, order.piece), None
            except CounterfoldError as error:
                answer = None, error
            except Exception:
                answer = None, ClusterError(f"a worker failed: {traceback.format_exc().strip()}")
            connection.send(answer)
