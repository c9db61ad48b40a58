"""Values fitted to visits: known terms are found again, and few hands change little."""

import numpy as np
import pytest

from counterfold.matches.aivat import luck_kernels
from counterfold.matches.aivat.value_fit import checked_down, solve_values
from counterfold.matches.aivat.worth_kernels import N_CLASSES, N_FEATURES, classify

CLASS = 30


def visits_of(node, terms, n, seed=0, noise=1.0):
    """Visits of a node in seat 0, and what was won there by `terms`, in stakes, and noise."""
    rng = np.random.default_rng(seed)
    rows = np.zeros((n, luck_kernels.N_VISIT_COLUMNS))
    rows[:, luck_kernels.VISIT_NODE] = node
    rows[:, luck_kernels.VISIT_CLASS] = CLASS
    rows[:, luck_kernels.VISIT_SCALE] = rng.integers(1, 9, n)
    features = rng.uniform(-1, 1, (n, N_FEATURES))
    first = luck_kernels.VISIT_FEATURE
    rows[:, first : first + N_FEATURES] = features
    worth = terms[0] + features @ np.array(terms[1:])
    return rows, worth * rows[:, luck_kernels.VISIT_SCALE] + noise * rng.normal(size=n)


def solve(*found):
    rows, won = (np.concatenate([each[k] for each in found]) for k in (0, 1))
    return solve_values(checked_down(3), rows, won, np.full(3, CLASS))


def test_terms_are_found_again():
    terms = [(0.5, 1.5, 0.2, -0.3), (-0.5, 0.5, 0.0, 0.1)]
    values = solve(*(visits_of(node, terms[node], 20_000, node) for node in range(2)))
    np.testing.assert_allclose(values.nodes[0, :2], terms, atol=0.02)
    np.testing.assert_allclose(values.classes[0, CLASS], np.mean(terms, axis=0), atol=0.03)
    # A node that nobody came to is like its class, and the other seat as it was.
    np.testing.assert_array_equal(values.nodes[0, 2], values.classes[0, CLASS])
    np.testing.assert_array_equal(values.nodes[1], checked_down(3).nodes[1])


def test_a_few_noisy_hands_change_little():
    many = visits_of(0, (0.0, 1.0, 0.0, 0.0), 20_000, noise=50.0)
    values = solve(many, visits_of(1, (3.0, 1.0, 0.0, 0.0), 3, noise=50.0))
    np.testing.assert_allclose(values.nodes[0, 1], values.classes[0, CLASS], atol=0.05)


def test_a_lost_guide_counts_for_classes_only():
    values = solve(visits_of(-1, (0.5, 1.0, 0.0, 0.0), 5000))
    assert values.classes[0, CLASS, 0] == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("stack", [20, 400])
def test_classes_have_numbers_of_their_own(stack):
    places = [
        (street, phase, actor, spent, spent + bet)
        for street in range(8)
        for phase in range(3)
        for actor in range(2)
        for spent in (1, stack // 4, stack)
        for bet in (0, 1)
    ]
    numbers = [classify(stack, *place) for place in places]
    assert len({*numbers}) == len(places)
    assert 0 <= min(numbers) <= max(numbers) < N_CLASSES
