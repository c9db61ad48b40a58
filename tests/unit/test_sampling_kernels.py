"""The steps that sampled walks share, each against plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold import sampling_kernels
from counterfold.sampling import Sampling


@given(
    st.lists(st.floats(0.0, 1e6), min_size=1, max_size=5),
    st.floats(0.01, 1.0),
    st.floats(0.0, 1e3),
    st.floats(0.01, 1e6),
)
def test_exploration_is_that_of_the_paper(sums, epsilon, tau, beta):
    """ρ = max(ε, (β + τ s(a)) / (β + Σ s)), at most one (REFERENCE.md; Gibson et al. 2012)."""
    averages = np.array([5.0, *sums])
    sampling = Sampling(epsilon=epsilon, tau=tau, beta=beta)
    for k, own in enumerate(sums):
        rho = sampling_kernels.explore_probability(averages, 1, len(sums), k, sampling)
        expected = max(epsilon, (beta + tau * own) / (beta + sum(sums)))
        assert rho == pytest.approx(min(1.0, expected))


@given(st.floats(0.0, 1.0, exclude_max=True), st.floats(0.01, 0.99))
def test_outcome_sampling_mixes_the_strategy_with_all_actions(number, epsilon):
    strategy = np.array([0.0, 0.25, 0.75])
    k, probability = sampling_kernels.explore_outcome(strategy, 3, epsilon, number)
    assert probability == pytest.approx(epsilon / 3 + (1 - epsilon) * strategy[k])
    assert strategy[k] > 0.0 or number < epsilon


@given(st.floats(-100.0, 100.0), st.integers(0, 2), st.floats(0.1, 10.0))
def test_outcome_sampling_learns_from_the_action_taken_alone(tail, taken, weight):
    """Lanctot et al. 2009: the tail for the action taken, 0 for others, less their mean."""
    strategy, regrets = np.array([0.5, 0.2, 0.3]), np.zeros(5)
    before = sampling_kernels.learn_outcome(regrets, 1, 3, taken, strategy[taken], tail, weight)
    values = np.where(np.arange(3) == taken, tail, 0.0)
    mean = float(strategy @ values)
    assert before == pytest.approx(mean)
    assert regrets[1:4] == pytest.approx(weight * (values - mean))
    assert not regrets[[0, 4]].any()


def test_a_strategy_is_added_to_the_averages_of_its_infoset_alone():
    averages = np.ones(5)
    sampling_kernels.add_average(averages, 1, 3, 10.0, np.array([0.5, 0.2, 0.3]))
    assert averages == pytest.approx([1.0, 6.0, 3.0, 4.0, 1.0])


@pytest.mark.parametrize("number", [0.0, 0.3, 0.5999999999999999])
def test_exploration_stays_within_the_actions(number):
    k, _ = sampling_kernels.explore_outcome(np.array([1.0, 0.0, 0.0]), 3, 0.6, number)
    assert k == min(int(number / 0.6 * 3), 2)


def test_a_fresh_frame_comes_before_the_first_action():
    assert sampling_kernels.BEFORE_FIRST + 1 == 0


def test_frames_have_a_row_for_each_level_and_a_column_for_each_action():
    frames = sampling_kernels.make_frames(5, 3)
    for name in ("node", "action"):
        assert getattr(frames, name).shape == (5,)
        assert getattr(frames, name).dtype == np.int32
    for name in ("q", "others", "own", "value"):
        assert getattr(frames, name).shape == (5,)
        assert getattr(frames, name).dtype == np.float64
    assert frames.strategy.shape == frames.values.shape == (5, 3)
