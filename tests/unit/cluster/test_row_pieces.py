from dataclasses import dataclass

import numpy as np

from counterfold.cards.table_files import Column
from counterfold.cluster.row_pieces import RowJob, RowWork
from helpers.processes.cluster_jobs import Traveling

N = 24


@dataclass(frozen=True)
class Scattered:
    """Unit u adds to rows u, u + 8 and u + 16, which must be zero before."""

    def row_work(self, name):
        def rows(first, last):
            return np.concatenate([np.arange(first, last) + k for k in (0, 8, 16)])

        def work(first, last, arrays):
            arrays["sums"][rows(first, last)] += 1 + rows(first, last)
            arrays["pairs"][rows(first, last)] += np.array([1, 2], np.uint8)

        columns = {"sums": Column("<i8", (N,)), "pairs": Column("u1", (N, 2))}
        return RowWork(columns, work, rows)


def test_a_piece_has_the_rows_that_it_wrote_and_nothing_of_others():
    crew = Traveling(1).begin(RowJob(Scattered(), "any"))
    pieces = [(0, 3), (3, 8), (0, 3)]
    for (first, last), filled in zip(pieces, crew.do(pieces), strict=True):
        assert filled.rows.size == 3 * (last - first)
        assert filled.values["sums"].tolist() == (1 + filled.rows).tolist()
        assert filled.values["pairs"].tolist() == [[1, 2]] * filled.rows.size
