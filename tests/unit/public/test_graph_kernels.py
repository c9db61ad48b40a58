import numpy as np

from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import N_FIELDS
from counterfold.public import graph_kernels


def test_count_paths_counts_a_discard_of_either_card_once():
    starts = np.array([0, 3, 4, 5, 5], np.int32)
    children = np.array([1, 2, 2, 3, 3], np.int32)
    kinds = np.array(
        [
            betting.KEEP,
            betting.DISCARD,
            betting.DISCARD,
            betting.CALL,
            betting.CALL,
        ]
    )
    counts = np.empty(4)
    graph_kernels.count_paths(starts, children, kinds, counts)
    assert counts.tolist() == [5, 2, 2, 1]


def test_fill_slots_enters_each_node_once(rng):
    nodes = rng.integers(0, 3, (50, N_FIELDS)).astype(np.int32)
    slots = np.full(128, graph_kernels.EMPTY, np.int32)
    graph_kernels.fill_slots(nodes, 40, slots)
    assert sorted(slots[slots != graph_kernels.EMPTY]) == list(range(40))


def test_depth_first_goes_down_before_it_goes_on():
    starts = np.array([0, 3, 5, 6, 6, 6, 6])
    children = np.array([1, 2, 5, 3, 4, 4], np.int32)
    order = np.empty(6, np.int64)
    graph_kernels.depth_first(starts, children, np.zeros(6, np.bool_), np.empty(7, np.int64), order)
    assert order.tolist() == [0, 1, 3, 4, 2, 5]


def test_longest_paths_on_a_graph_with_a_short_cut():
    levels = np.zeros(4, np.int32)
    parents, children = np.array([0, 0, 1, 2]), np.array([1, 3, 2, 3], np.int32)
    graph_kernels.longest_paths(parents, children, levels)
    assert levels.tolist() == [0, 1, 2, 3]
