import numpy as np

from counterfold.public import infosets_kernels
from counterfold.public.infosets import SlotLayout


def test_normalize_scales_each_information_set():
    averages = np.array([1.0, 3.0, 0.0, 0.0, 2.0, 1.0, 1.0])
    offsets, n_actions, strategy = np.array([0, 4, 7]), np.array([2, 3]), np.empty(7)
    by_class = SlotLayout(offsets[:-1], n_actions, np.ones_like(n_actions))
    infosets_kernels.normalize(averages, by_class, offsets, n_actions, strategy)
    assert strategy.tolist() == [0.25, 0.75, 0.5, 0.5, 0.5, 0.25, 0.25]


def test_normalize_reads_sums_that_lie_by_bucket():
    # Two classes of two actions and two buckets each: bucket 0 of both, then bucket 1 of both.
    averages = np.array([1.0, 3.0, 2.0, 2.0, 1.0, 0.0, 0.0, 0.0])
    offsets, n_actions, strategy = np.array([0, 4, 8]), np.array([2, 2]), np.empty(8)
    by_bucket = SlotLayout(np.array([0, 2]), np.array([4, 4]), np.array([1, 1]))
    infosets_kernels.normalize(averages, by_bucket, offsets, n_actions, strategy)
    assert strategy.tolist() == [0.25, 0.75, 1.0, 0.0, 0.5, 0.5, 0.5, 0.5]


def test_tables_may_lie_action_by_action():
    # A class of two actions and three buckets, then one of three actions and one bucket.
    table = np.array([1.0, 2.0, 0.0, 3.0, 2.0, 0.0, 1.0, 1.0, 2.0])
    offsets, n_actions, found = np.array([0, 6, 9]), np.array([2, 3]), np.empty(9)
    by_action = SlotLayout(np.array([0, 6]), np.array([1, 1]), np.array([3, 1]))
    infosets_kernels.by_class(table, by_action, offsets, n_actions, found)
    assert found.tolist() == [1.0, 3.0, 2.0, 2.0, 0.0, 0.0, 1.0, 1.0, 2.0]
    infosets_kernels.normalize(table, by_action, offsets, n_actions, found)
    assert found.tolist() == [0.25, 0.75, 0.5, 0.5, 0.5, 0.5, 0.25, 0.25, 0.5]
