import numpy as np
import pytest

from counterfold.kernels import public_graph as kernels
from counterfold.kernels.betting import N_FIELDS

pytestmark = pytest.mark.kernel


def test_count_paths_counts_a_discard_of_either_card_once():
    starts = np.array([0, 3, 4, 5, 5], np.int32)
    children = np.array([1, 2, 2, 3, 3], np.int32)
    kinds = np.array([kernels.KEEP, kernels.DISCARD, kernels.DISCARD, kernels.CALL, kernels.CALL])
    amounts = np.array([0, 0, 1, 0, 0], np.int32)
    counts = np.empty(4)
    kernels.count_paths(starts, children, kinds, amounts, counts)
    assert counts.tolist() == [5, 2, 2, 1]


def test_fill_slots_enters_each_node_once(rng):
    nodes = rng.integers(0, 3, (50, N_FIELDS)).astype(np.int32)
    slots = np.full(128, kernels.EMPTY, np.int32)
    kernels.fill_slots(nodes, 40, slots)
    assert sorted(slots[slots != kernels.EMPTY]) == list(range(40))
