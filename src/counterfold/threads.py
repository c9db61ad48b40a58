"""Threads: how many to use, and the pools in which they share work.

The number is what the caller asks for, else ``$COUNTERFOLD_THREADS``, else that of the cores this
process may use. Results come in the order of the work, whichever thread did it, so nothing
computed from them depends on the schedule.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from queue import SimpleQueue
from types import TracebackType
from typing import Self, TypeVar

from counterfold.errors import ThreadCountError

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

Stretch = tuple[int, int]  # units of work: the first, and the one after the last


def thread_count(requested: int | None = None) -> int:
    """The number of threads; raises `ThreadCountError` unless it is at least one."""
    named = os.environ.get("COUNTERFOLD_THREADS") if requested is None else str(requested)
    if named is None:
        return _usable_cores()
    if not named.isdecimal() or int(named) < 1:
        source = "COUNTERFOLD_THREADS" if requested is None else "the number of threads"
        raise ThreadCountError(f"{source} must be a whole number of at least 1, not {named!r}")
    return int(named)


def _usable_cores() -> int:
    """Those that this process may run on, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def stretches(first: int, last: int, size: int) -> list[Stretch]:
    """The units from `first` to `last` in ranges of equal size; the final one may be shorter."""
    return [(start, min(start + size, last)) for start in range(first, last, size)]


def even_stretches(n_units: int, n_stretches: int) -> list[Stretch]:
    """`n_units` in ranges whose sizes differ by at most one."""
    return list(pairwise(n_units * k // n_stretches for k in range(n_stretches + 1)))


def shrinking_stretches(first: int, last: int, n_threads: int) -> list[Stretch]:
    """The units in ranges that shrink, each half of what would be a thread's share of the rest; the
    shortest are a 32nd of its share of all.

    Threads that take them one after another end at about the same time, and take few of them: each
    one costs a wait for Python's lock, with many threads a good part of a millisecond.
    """
    found = []
    least = max((last - first) // (32 * n_threads), 1)
    while first < last:
        end = min(first + max((last - first) // (2 * n_threads), least), last)
        found.append((first, end))
        first = end
    return found


def helpers(threads: int | None = None) -> ThreadPoolExecutor:
    """Threads beside the caller's own, for work that is done ahead of it."""
    return ThreadPoolExecutor(thread_count(threads))


class ThreadPool:
    """Threads that share work; one thread is the caller's own.

    As a context manager it waits for running work at the end. If an error or Ctrl-C ends it, work
    that has not started is dropped.
    """

    def __init__(self, threads: int | None = None) -> None:
        self.n_threads = thread_count(threads)
        self._pool = ThreadPoolExecutor(self.n_threads) if self.n_threads > 1 else None
        self._free: SimpleQueue[int] = SimpleQueue()  # numbers of idle threads
        for thread in range(self.n_threads):
            self._free.put(thread)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=error is not None)

    def map(self, work: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
        """The results of `work`, one after another as they are asked for."""
        return map(work, items) if self._pool is None else self._pool.map(work, items)

    def share_out(
        self,
        work: Callable[[int, int, int], _Result],
        parts: Sequence[Stretch],
        tell: Callable[[int], None] | None = None,
    ) -> list[_Result]:
        """Do ``work(first, last, thread)`` for all parts.

        Parts that run at the same time get different thread numbers, by which `work` may choose its
        memory. `tell` is called after each part with its last unit, in order.
        """

        def work_on(part: Stretch) -> _Result:
            if self._pool is None:
                return work(*part, 0)
            thread = self._free.get()
            try:
                return work(*part, thread)
            finally:
                self._free.put(thread)

        results = []
        for part, result in zip(parts, self.map(work_on, parts), strict=True):
            results.append(result)
            if tell is not None:
                tell(part[1])
        return results

    def split(self, work: Callable[[int, int, int], None], parts: Iterable[Stretch]) -> None:
        """Do ``work(first, last, thread)`` for all parts, the caller's thread among the others.

        For work of about a millisecond: nobody waits for a thread that is slow to wake up. Unlike
        `share_out` it must not be called while it runs.
        """
        parts = list(parts)
        left = iter(parts)

        def take(thread: int) -> None:
            for first, last in left:
                work(first, last, thread)

        pool = self._pool
        n_others = min(self.n_threads, len(parts)) - 1 if pool else 0
        others = [pool.submit(take, thread + 1) for thread in range(n_others)] if pool else []
        try:
            take(0)
        finally:
            for _ in left:  # after an error nothing more is started
                pass
            for other in others:
                if not other.cancel():
                    other.result()
