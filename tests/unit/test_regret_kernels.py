"""Regret matching, picking and discounting against plain Python, in both precisions."""

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from counterfold import regret_kernels
from counterfold.regret_kernels import LEAST_REGRET
from helpers.naive import textbook_cfr

fractions = st.floats(0.0, 1.0, exclude_max=True)

distributions = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=6).filter(lambda p: sum(p) > 0.1)


@given(distributions, fractions)
def test_pick_takes_the_action_on_which_the_number_falls(weights, number):
    strategy = np.array(weights) / np.sum(weights)
    k = regret_kernels.pick(strategy, strategy.size, number)
    assert 0 <= k < strategy.size
    below, above = strategy[:k].sum(), strategy[: k + 1].sum()
    rounding = 1e-12
    assert below - rounding <= number
    assert number < above + rounding or k == strategy.size - 1


@given(distributions, fractions)
def test_pick_never_takes_an_impossible_action_before_the_last(weights, number):
    strategy = np.array(weights) / np.sum(weights)
    k = regret_kernels.pick(strategy, strategy.size, number)
    assert strategy[k] > 0 or k == strategy.size - 1


@given(
    arrays.arrays(np.float64, st.integers(1, 6), elements=st.floats(-1e300, 1e300)),
    st.integers(0, 3),
)
@example(np.array([1e-29, 3e-29]), 0)
def test_match_is_that_of_the_textbook(regrets, start):
    assume(not 0.0 < np.maximum(regrets, 0.0).sum() <= 2e-30)  # see the next test
    table = np.concatenate((np.full(start, 7.0), regrets, np.full(2, 7.0)))
    strategy = np.full(regrets.size + 1, np.nan)
    regret_kernels.match_regrets(table, start, regrets.size, strategy)
    assert strategy[:-1] == pytest.approx(textbook_cfr.match(regrets), abs=1e-15)
    assert np.isnan(strategy[-1])  # beyond the infoset nothing is written


@pytest.mark.parametrize(
    "regrets", [(1e-31, 1e-31), (1e-310, 1e-310), (5e-324, 0.0), (1e-305, -1.0), (0.0, 0.0)]
)
def test_match_gives_a_distribution_however_small_the_regrets(regrets):
    """One over the sum of such regrets may be infinite in 32 bits; they count as none."""
    strategy = np.full(2, np.nan)
    regret_kernels.match_regrets(np.array(regrets), 0, 2, strategy)
    assert (strategy >= 0.0).all()
    assert strategy.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_threshold_is_the_same_in_both_precisions(dtype):
    strategy = np.full(2, np.nan, dtype)
    regret_kernels.match_regrets(np.array([2 * LEAST_REGRET, 0.0], dtype), 0, 2, strategy)
    assert strategy == pytest.approx([1.0, 0.0])
    regret_kernels.match_regrets(np.array([LEAST_REGRET / 2, 0.0], dtype), 0, 2, strategy)
    assert strategy.tolist() == [0.5, 0.5]


tables = arrays.arrays(np.float64, 4, elements=st.floats(-1e6, 1e6))


@given(tables, tables)
def test_a_guess_is_added_to_the_regret(regrets, guesses):
    found, expected = np.empty(3), np.empty(3)
    regret_kernels.match_predicted(regrets, guesses, 1, 3, found)
    regret_kernels.match_regrets(regrets + guesses, 1, 3, expected)
    np.testing.assert_array_equal(found, expected)


def test_discount_table_scales_by_sign():
    regrets = np.array([2.0, -2.0, 0.0], np.float32)
    regret_kernels.discount_table(regrets, 0.5, 0.25)
    assert regrets.tolist() == [1.0, -0.5, 0.0]
