import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from counterfold.errors import CounterfoldError
from counterfold.threads import (
    ThreadPool,
    even_stretches,
    helpers,
    shrinking_stretches,
    stretches,
    thread_count,
)


def test_what_is_asked_for_comes_first_then_the_environment_then_the_cores(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 5}, raising=False)
    monkeypatch.delenv("COUNTERFOLD_THREADS", raising=False)
    assert thread_count() == 3
    monkeypatch.setenv("COUNTERFOLD_THREADS", "4")
    assert thread_count() == 4
    assert thread_count(2) == 2


def test_a_system_that_cannot_tell_what_a_process_may_use_tells_its_cores(monkeypatch):
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 6)
    monkeypatch.delenv("COUNTERFOLD_THREADS", raising=False)
    assert thread_count() == 6


@pytest.mark.parametrize("text", ["0", "-1", "two", "", "1.5"])
def test_refuses_what_is_no_number_of_threads(monkeypatch, text):
    monkeypatch.setenv("COUNTERFOLD_THREADS", text)
    with pytest.raises(CounterfoldError, match=f"COUNTERFOLD_THREADS must be .* not '{text}'"):
        thread_count()
    with pytest.raises(ValueError, match=r"the number of threads must be .* not '0'"):
        thread_count(0)


def test_stretches_cover_all_units_once():
    assert stretches(0, 10, 4) == [(0, 4), (4, 8), (8, 10)]
    assert stretches(3, 5, 1) == [(3, 4), (4, 5)]
    assert stretches(5, 5, 4) == []
    assert even_stretches(10, 3) == [(0, 3), (3, 6), (6, 10)]
    assert even_stretches(1, 2) == [(0, 0), (0, 1)]


def test_stretches_shrink_until_all_threads_end_together():
    assert shrinking_stretches(3, 5, 4) == [(3, 4), (4, 5)]
    found = shrinking_stretches(0, 20_000, 16)
    sizes = [last - first for first, last in found]
    assert sizes[:-1] == sorted(sizes[:-1], reverse=True)
    assert sum(sizes) == 20_000
    assert sizes[0] == 625
    assert sizes[-2] == 39
    assert len(sizes) < 130


THREADS = pytest.mark.parametrize("threads", [1, 2, 5])


@THREADS
def test_results_come_in_the_order_of_the_work(threads):
    done = [threading.Event() for _ in range(threads)]  # of the first ones, the last is done first

    def work(item):
        if item < threads - 1:
            assert done[item + 1].wait(20)
        if item < threads:
            done[item].set()
        return item**2

    with ThreadPool(threads) as pool:
        assert list(pool.map(work, range(20))) == [item**2 for item in range(20)]


@THREADS
def test_all_units_are_done_and_told_in_order(threads):
    done, told = [0] * 100, []

    def work(first, last, thread):
        assert 0 <= thread < threads
        for unit in range(first, last):
            done[unit] += 1
        return last - first

    with ThreadPool(threads) as pool:
        assert pool.share_out(work, stretches(0, 100, 7), told.append) == [7] * 14 + [2]
    assert done == [1] * 100
    assert told == [*range(7, 99, 7), 100]


def test_parts_at_the_same_time_have_memory_of_their_own():
    both = threading.Barrier(2, timeout=120)  # breaks, which is an error, with one at a time
    busy = [0, 0]

    def work(first, last, thread):
        busy[thread] += 1
        both.wait()
        assert busy[thread] == 1
        both.wait()
        busy[thread] -= 1

    with ThreadPool(2) as pool:
        pool.share_out(work, stretches(0, 10, 1))


def test_the_caller_takes_parts_of_what_is_split():
    both = threading.Barrier(2, timeout=120)
    found = {}

    def work(first, last, thread):
        found[first] = thread, threading.current_thread()
        if first < 2:
            both.wait()  # so that one thread cannot take both

    with ThreadPool(2) as pool:
        pool.split(work, stretches(0, 10, 1))
    assert sorted(found) == list(range(10))
    assert {thread for thread, _ in found.values()} == {0, 1}
    assert {who for thread, who in found.values() if thread == 0} == {threading.current_thread()}


def test_helpers_work_beside_the_caller():
    both = threading.Barrier(3, timeout=120)  # two of them and the caller
    with helpers(2) as pool:
        waiting = [pool.submit(both.wait) for _ in range(2)]
        both.wait()
        assert sorted(each.result() for each in waiting) in ([0, 1], [0, 2], [1, 2])


def test_nobody_waits_for_a_thread_that_does_not_wake_up():
    release, taken = threading.Event(), []
    with ThreadPool(2) as pool:
        for _ in range(2):
            pool._pool.submit(release.wait, 20)  # keeps the threads of the pool busy
        pool.split(lambda first, last, thread: taken.append((first, thread)), [(0, 1), (1, 2)])
        release.set()
    assert taken == [(0, 0), (1, 0)]


@THREADS
def test_after_an_error_in_what_is_split_nothing_more_is_started(threads):
    started = []

    def work(first, last, thread):
        started.append(first)
        if first == 3:
            raise ZeroDivisionError

    with ThreadPool(threads) as pool, pytest.raises(ZeroDivisionError):
        pool.split(work, stretches(0, 1000, 1))
    assert 3 in started
    if threads == 1:
        assert started == [0, 1, 2, 3]


def test_one_thread_is_that_of_the_caller():
    with ThreadPool(1) as pool:
        (found,) = pool.share_out(lambda *_: threading.current_thread(), [(0, 1)])
    assert found is threading.current_thread()


@pytest.fixture
def cancelled(monkeypatch):
    """An event that comes when a pool has cancelled its work and begins to wait for the rest."""
    event = threading.Event()

    class Announcing(ThreadPoolExecutor):
        def shutdown(self, wait=True, *, cancel_futures=False):
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            event.set()
            super().shutdown(wait=wait)

    monkeypatch.setattr("counterfold.threads.ThreadPoolExecutor", Announcing)
    return event


@THREADS
@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_after_an_error_nothing_more_is_started(cancelled, threads, error):
    started = []

    def work(first, last, thread):
        started.append(first)
        if first == 3:
            raise error
        if first > 3:
            assert cancelled.wait(20)

    with pytest.raises(error), ThreadPool(threads) as pool:
        pool.share_out(work, stretches(0, 100, 1))
    # Those before the error, and at most one more in each thread.
    assert {0, 1, 2, 3} <= set(started) <= set(range(4 + threads))


@THREADS
def test_an_interrupt_while_progress_is_told_cancels_the_rest(cancelled, threads):
    started = []

    def work(first, last, thread):
        started.append(first)
        if first > 0:
            assert cancelled.wait(20)

    def interrupt(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), ThreadPool(threads) as pool:
        pool.share_out(work, stretches(0, 100, 1), interrupt)
    assert {0} <= set(started) <= set(range(1 + threads))
