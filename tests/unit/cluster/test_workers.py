import pytest

from counterfold.cluster.workers import LocalWorkers
from counterfold.errors import CardError, ClusterError
from helpers.processes.cluster_jobs import Squares


class Counting:
    """Adds what was published to a piece, and says which preparation did it."""

    def __init__(self):
        self.prepared = 0

    def prepare(self):
        self.prepared += 1
        who = self.prepared
        return lambda published, piece: (who, published + piece)


def test_results_come_in_the_order_of_the_pieces_whoever_does_them():
    with LocalWorkers(2) as workers:
        crew = workers.begin(Counting())
        done = list(crew.do([1, 2, 3], crew.publish(10)))
    assert done == [(1, 11), (2, 12), (1, 13)]


def test_every_worker_prepares_a_job_once():
    job = Counting()
    crew = LocalWorkers(3).begin(job)
    for _ in range(2):
        list(crew.do(range(9), 0))
    assert job.prepared == 3


@pytest.mark.parametrize("n", [0, -1])
def test_nobody_is_no_cluster(n):
    with pytest.raises(ClusterError, match="at least one worker"):
        LocalWorkers(n)


def test_a_piece_that_fails_does_not_keep_others_from_being_done():
    found = list(LocalWorkers(2).begin(Squares(wrong=1)).finish(range(3)))
    assert [each.result for each in found] == [0, None, 4]
    assert [str(each.error or "") for each in found] == ["", "no card 1", ""]
    with pytest.raises(CardError, match=r"^no card 1$"):
        list(LocalWorkers(2).begin(Squares(wrong=1)).do(range(3)))
