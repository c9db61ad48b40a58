"""Orders and buckets of three cards by what is left once one of them is laid."""

import numpy as np

from counterfold.public.lay_levels import COSTS, N_COSTS, N_LEVELS, join_costs, sort_levels


def test_the_highest_level_comes_first_and_of_equal_ones_the_lower_class():
    levels = np.array([[3, 200, 200], [N_LEVELS, 0, 7]])
    classes = np.array([[5, 9, 2], [1, 1, 1]])
    assert sort_levels(levels, classes).tolist() == [[2, 1, 0], [0, 2, 1]]


def test_the_largest_class_does_not_disturb_the_order_of_levels():
    levels, classes = np.array([[1, 2]]), np.array([[0, (1 << 32) - 1]])
    assert sort_levels(levels, classes).tolist() == [[1, 0]]


def test_a_bucket_is_joined_with_what_the_next_best_card_costs():
    levels = np.array([[100, 100 - cost, 0] for cost in (0, COSTS[0] - 1, COSTS[0], COSTS[1], 100)])
    order = sort_levels(levels, np.zeros_like(levels))
    found = join_costs(np.full(5, 7), levels, order)
    assert (found // N_COSTS).tolist() == [7] * 5
    assert (found % N_COSTS).tolist() == [0, 0, 1, 2, 2]
