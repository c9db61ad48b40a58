"""Histograms of runs in plain NumPy are those of the kernels, to the bit."""

import numpy as np
import pytest

from counterfold.buckets.run_histograms.run_clusters import sample_runs
from counterfold.buckets.run_histograms.run_strength import cumulative_run_strengths
from counterfold.cards import parse_cards
from counterfold.contest.exported.exported_runs import PackedRuns
from counterfold.contest.exported.exported_strength import HandStrength

CENTERS = np.zeros((5, 2, 49), np.uint16)


@pytest.mark.parametrize("first_flush_suit_only", [False, True])
@pytest.mark.parametrize("n_board", [5, 6, 9, 13, 25])
def test_histograms_are_those_of_the_kernel(n_board, first_flush_suit_only):
    packed = PackedRuns(CENTERS, HandStrength(range(52)), first_flush_suit_only)
    holes, boards = sample_runs(n_board, 20, 1, 3)
    expected = cumulative_run_strengths(holes, boards, first_flush_suit_only=first_flush_suit_only)
    for i in range(20):
        found = packed.cumulative(holes[i, 0].tolist(), boards[i].tolist(), 50)
        np.testing.assert_array_equal(found, expected[i, 0])


def test_only_boards_that_go_on_are_covered():
    packed = PackedRuns(CENTERS, HandStrength(range(52)), True)
    boards = ("2c3c4c5c6d", "2c3c4c5c6h", "2c3c4c5c6c", "2c3c4c5d", "2c3c4c5c6d7h", "2c3c4c5c6d7s")
    covered = [packed.covers(parse_cards(board)) for board in boards]
    assert covered == [True, True, False, False, True, False]
