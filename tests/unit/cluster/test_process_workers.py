import os
import signal

import pytest

from counterfold.cluster.process_workers import ProcessWorkers
from counterfold.errors import CardError, ClusterError
from helpers.processes.cluster_jobs import Squares


@pytest.fixture(scope="module")
def workers():
    with ProcessWorkers(2) as found:
        yield found


def test_results_come_in_order_and_dead_processes_are_replaced(workers, tmp_path):
    before = workers.n_replaced
    crew = workers.begin(Squares(tmp_path, deadly=(0, 7)))
    assert list(crew.do(range(12), 1000)) == [1000 + n**2 for n in range(12)]
    assert workers.n_replaced == before + 2
    assert list(crew.do([4])) == [16]


def test_pieces_that_fail_or_kill_do_not_keep_others_from_being_done(workers):
    done = {each.number: each for each in workers.begin(Squares(fatal=1, wrong=4)).finish(range(6))}
    assert [n for n, each in done.items() if each.error is not None] in ([1, 4], [4, 1])
    assert [done[n].result for n in (0, 2, 3, 5)] == [0, 4, 9, 25]
    assert isinstance(done[4].error, CardError)
    assert "3 workers died during piece 1 of 6" in str(done[1].error)


def test_an_error_leaves_workers_for_the_next_job(workers):
    with pytest.raises(CardError, match=r"^no card 0$"):
        list(workers.begin(Squares(wrong=0)).do(range(5)))
    assert list(workers.begin(Squares()).do([5])) == [25]


def test_what_is_no_error_of_ours_says_where_it_was(workers):
    with pytest.raises(ClusterError, match=r"(?s)a worker failed.*in square.*TypeError"):
        list(workers.begin(Squares()).do(["three"]))


def test_ctrl_c_is_not_for_workers_and_all_end_together():
    with ProcessWorkers(2) as workers:
        assert list(workers.begin(Squares()).do([1, 2])) == [1, 4]
        found = [each.process for each in workers.processes]
        for process in found:
            os.kill(process.pid, signal.SIGINT)
        assert list(workers.begin(Squares()).do([3, 4])) == [9, 16]
        assert [each.process for each in workers.processes] == found
    assert not any(process.is_alive() for process in found)
