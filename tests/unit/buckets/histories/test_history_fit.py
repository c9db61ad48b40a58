"""Where the cuts of a history bucketing go."""

from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.buckets.histories.history_fit import cut_levels


@pytest.mark.parametrize(
    ("counts", "n", "cuts"),
    [
        ([1, 1, 1, 1], 2, [2]),
        ([1, 1, 1, 1], 4, [1, 2, 3]),
        ([3, 1, 1, 1], 2, [1]),  # the cut nearest to one half
        ([1, 5, 1], 2, [1]),  # the middle of the second level is the middle of all
        ([9, 1, 1], 3, [0, 1]),  # nothing is left for the first part
        ([1, 0, 9], 3, [2, 3]),  # nothing reaches the last part
        ([0, 0], 2, [0]),
        ([1, 2], 1, []),
    ],
)
def test_cuts_lie_nearest_to_equal_shares(counts, n, cuts):
    assert cut_levels(np.array([counts]), n).tolist() == [cuts]


@given(st.lists(st.integers(0, 50), min_size=1, max_size=12).filter(any), st.integers(1, 5))
def test_a_level_goes_where_its_middle_falls(counts, n):
    cuts = cut_levels(np.array([counts]), n)[0]
    found = np.searchsorted(cuts, np.arange(len(counts)), side="right")
    before = 0
    for level, count in enumerate(counts):
        middle = Fraction(2 * before + count, 2 * sum(counts))
        before += count
        if count > 0:
            assert found[level] == floor(n * middle)


def test_rows_are_cut_one_by_one():
    counts = np.array([[[1, 1, 1, 1], [0, 0, 1, 1]], [[3, 1, 1, 1], [1, 1, 0, 0]]])
    assert cut_levels(counts, 2).tolist() == [[[2], [3]], [[1], [1]]]
