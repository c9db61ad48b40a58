"""NumPy's regret matching and fading against those of the kernels."""

import numpy as np
import pytest

from counterfold.ranges.regret_arrays import fade_regrets, match_columns
from counterfold.regret_kernels import LEAST_REGRET, discount_table, match_regrets


def expected_columns(regrets):
    expected = np.empty(regrets.shape)
    for h, column in enumerate(np.ascontiguousarray(regrets.T)):
        match_regrets(column, 0, column.size, expected[:, h])
    return expected


@pytest.mark.parametrize("n_actions", [1, 2, 5])
def test_columns_match_as_in_kernels(rng, n_actions):
    regrets = rng.normal(size=(n_actions, 40))
    regrets[:, :3] = -1.0, 0.0, LEAST_REGRET / n_actions
    weights = np.maximum(regrets, 0.0)
    match_columns(weights)
    np.testing.assert_allclose(weights, expected_columns(regrets), rtol=1e-12, atol=0.0)
    assert (weights[:, :3] == 1.0 / n_actions).all()


def test_part_of_a_table_is_changed_in_place():
    table = np.array([[1.0, 3.0], [1.0, 2.0], [3.0, 0.0]])
    match_columns(table[1:])
    assert table.tolist() == [[1.0, 3.0], [0.25, 1.0], [0.75, 0.0]]


def test_regrets_fade_as_in_kernels_but_for_the_least(rng):
    factors = np.array([0.5, 0.25, 0.125])
    regrets = rng.normal(size=(3, 8))
    regrets[0, :4] = LEAST_REGRET, -3 * LEAST_REGRET, 3 * LEAST_REGRET, -5 * LEAST_REGRET
    expected = regrets.copy()
    discount_table(expected.ravel(), *factors[:2])
    fade_regrets(regrets, factors)
    expected[0, :2] = 0.0
    assert regrets.tolist() == expected.tolist()
    assert regrets[0, 2] > 0.0 > regrets[0, 3]
