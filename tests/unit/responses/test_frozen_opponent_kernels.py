"""Tables of a responder, information set by information set, in both orders of slots."""

import numpy as np
import pytest

from counterfold.public.infosets import SlotLayout
from counterfold.responses.frozen_opponent_kernels import spread, take_best

N_BUCKETS = np.array([1, 3, 2, 4])
N_ACTIONS = np.array([2, 3, 4, 1])
SIZES = N_BUCKETS * N_ACTIONS


@pytest.fixture(params=["infosets", "actions"])
def layout(request):
    starts, ones = np.cumsum(SIZES) - SIZES, np.ones(4, np.int64)
    if request.param == "infosets":
        return SlotLayout(starts, N_ACTIONS, ones)
    return SlotLayout(starts, ones, N_BUCKETS)


def slots_of(layout):
    """The slots of each information set, in the order of its actions."""
    for start, stride, step, n, width in zip(*layout, N_BUCKETS, N_ACTIONS, strict=True):
        for bucket in range(n):
            yield start + bucket * stride + np.arange(width) * step


def test_an_amount_is_divided_as_steps_are(layout, rng):
    for _ in range(20):
        steps = rng.integers(0, 3, SIZES.sum()).astype(np.uint8)
        found = np.full(steps.size, np.nan, np.float32)
        spread(steps, N_BUCKETS, N_ACTIONS, layout, 2.5, found)
        for slots in slots_of(layout):
            share = steps[slots] / max(steps[slots].sum(), 1)
            assert found[slots] == pytest.approx(2.5 * share)


def test_the_best_action_is_taken_where_there_are_regrets(layout, rng):
    for _ in range(20):
        regrets = rng.integers(-3, 3, SIZES.sum()).astype(np.float32)
        for slots in slots_of(layout):
            regrets[slots] *= rng.random() < 0.7
        found = np.full(regrets.size, np.nan)
        take_best(regrets, N_BUCKETS, N_ACTIONS, layout, found)
        for slots in slots_of(layout):
            best = np.eye(slots.size)[regrets[slots].argmax()]
            assert found[slots].tolist() == (best * regrets[slots].any()).tolist()
