"""Actions that public chance sampling picks for the opponent, over all random numbers."""

import numpy as np
import pytest

from counterfold.training.boards import public_chance_kernels

SIZES = np.array([1.0, 2.0, 3.0])  # hands of three types
ROWS = np.array([0, 1, 2])
REACH = np.array([1.0, 0.5, 1.0])
# [actions, types]: the first action is never taken
STRATEGY = np.array([[0.0, 0.0, 0.0], [0.2, 1.0, 0.4], [0.8, 0.0, 0.3], [0.0, 0.0, 0.3]])
SHARES = (SIZES * REACH) @ STRATEGY.T / (SIZES * REACH).sum()


def picked(strategy, numbers):
    """How often each action is picked, and one over the chance of each that was."""
    actions, inverses = np.empty(numbers.size, np.int64), {}
    for at, number in enumerate(numbers):
        actions[at], inverse = public_chance_kernels._pick(
            SIZES, ROWS, strategy, len(strategy), REACH, number
        )
        inverses[int(actions[at])] = inverse
    return np.bincount(actions, minlength=len(strategy)) / numbers.size, inverses


def test_the_opponent_acts_as_often_as_its_hands_do():
    shares, inverses = picked(STRATEGY, (np.arange(1000) + 0.5) / 1000)
    np.testing.assert_allclose(shares, SHARES, atol=0.0011)
    assert inverses == {k: pytest.approx(1.0 / SHARES[k]) for k in (1, 2, 3)}


def test_an_action_that_no_hand_takes_is_not_picked_at_the_edge():
    """A random number of 0 falls onto the first action that is taken."""
    shares, inverses = picked(STRATEGY, np.zeros(1))
    assert shares.tolist() == [0.0, 1.0, 0.0, 0.0]
    assert inverses == {1: pytest.approx(1.0 / SHARES[1])}


def test_where_nobody_comes_the_last_action_counts_for_nothing():
    k, inverse = public_chance_kernels._pick(SIZES, ROWS, STRATEGY, 4, 0.0 * REACH, 0.5)
    assert (k, inverse) == (3, 0.0)


@pytest.mark.parametrize(
    ("types", "by_hand"),
    [([0, 1, 2, 3], True), ([0, 1, 1, 2], False), ([1, 0, 2, 3], False), ([1, 1, 2, 3], False)],
)
def test_every_hand_is_a_type_if_they_are_numbered_alike(types, by_hand):
    assert public_chance_kernels._is_by_hand(np.array(types), 4) == by_hand
