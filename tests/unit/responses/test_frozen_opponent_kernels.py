"""What a responder plays, information set by information set, in both orders of slots."""

import numpy as np
import pytest

from counterfold.public.infosets import SlotLayout
from counterfold.responses.frozen_opponent_kernels import respond

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


@pytest.mark.parametrize("evidence", [0.0, 1.1])
def test_the_best_action_is_taken_where_its_gain_is_no_accident(layout, rng, evidence):
    n_better = 0
    for _ in range(20):
        gains = rng.normal(size=SIZES.sum()).astype(np.float32)
        squares = rng.random(gains.size)
        steps = rng.integers(0, 9, gains.size).astype(np.uint8)
        found = np.full(gains.size, np.nan)
        respond(gains, squares, steps, N_BUCKETS, N_ACTIONS, layout, evidence, found)
        in_place = squares.copy()
        respond(gains, in_place, steps, N_BUCKETS, N_ACTIONS, layout, evidence, in_place)
        assert np.array_equal(found, in_place)
        for slots in slots_of(layout):
            best = slots[gains[slots].argmax()]
            if gains[best] > evidence * np.sqrt(squares[best]):
                n_better += 1
                assert found[slots].tolist() == (slots == best).tolist()
            else:
                assert found[slots].tolist() == steps[slots].tolist()
    assert 40 < n_better < 180  # of 200
