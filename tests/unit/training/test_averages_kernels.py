"""Sums in 32 bits that are rounded at random, where rounding to the nearest would stall."""

import numpy as np
import pytest

from counterfold.jit.compiler import kernel
from counterfold.jit.random import stream_key
from counterfold.training.averages_kernels import add_changes, add_rounded, fade_averages

LARGE = np.float32(2**26)  # the next number is eight more
GAP = float(np.spacing(LARGE))
N = 20_000


@kernel
def add_often(averages, n_actions, share, strategy, seed, n):
    """Add a strategy `n` times to all infosets."""
    for i in range(averages.size // n_actions):
        for t in range(n):
            noise = stream_key(seed, i * n + t)
            add_rounded(averages, i * n_actions, n_actions, share, strategy, noise)


def assert_mean(found, expected):
    """Within five standard errors; the seeds are fixed, and a fair one fails at 6e-7."""
    found = np.asarray(found, float)
    assert found.std() > 0.0
    assert abs(found.mean() - expected) < 5 * found.std() / np.sqrt(found.size)


@pytest.mark.parametrize("share", [0.05, 1.0, 7.0])
def test_a_large_sum_notices_what_is_added_on_average(share):
    strategy = np.array([0.3, 0.7])
    assert (LARGE + np.float32(0.7) == LARGE).all()
    averages = np.full(2 * N, LARGE)
    add_often(averages, 2, share, strategy, 1, 10)
    gained = averages.reshape(N, 2) - LARGE
    for k in range(2):
        assert set(np.unique(gained[:, k])) <= {GAP * m for m in range(11)}
        assert_mean(gained[:, k], 10 * share * strategy[k])


def test_the_error_is_at_most_that_of_whole_gaps():
    """Its variance: at most what is added times the gap, as if each were a gap or nothing."""
    averages = np.full(2 * N, LARGE)
    add_often(averages, 2, 1.0, np.array([0.5, 0.5]), 1, 10)
    assert averages.var(dtype=float) == pytest.approx(10 * 0.5 * (GAP - 0.5), rel=0.05)


def test_actions_of_an_infoset_are_rounded_alike():
    """Equal sums stay equal, however often the infoset is visited."""
    averages = np.full(4 * 500, LARGE)
    add_often(averages, 4, 1.0, np.full(4, 0.25), 2, 100)
    rows = averages.reshape(-1, 4)
    assert (rows == rows[:, :1]).all()
    assert len(np.unique(rows[:, 0])) > 5


def test_other_slots_and_actions_that_are_not_played_stay():
    averages = np.full(5, np.float32(1 / 3))
    add_rounded(averages, 1, 3, 10.0, np.array([0.5, 0.0, 0.5]), np.uint64(2**64 - 1))
    assert averages[[0, 2, 4]].tolist() == [np.float32(1 / 3)] * 3
    assert averages[[1, 3]] == pytest.approx(5 + 1 / 3)


@pytest.mark.parametrize("factor", [1 - 2.0**-27, 0.999, 0.5])
def test_averages_fade_on_average_by_their_factor(factor):
    """Also by factors so near to one that every number would be rounded back to itself."""
    start = np.float32(1.3 * 2**20)
    averages = np.full(N, start)
    fade_averages(averages, 0, factor, 1, 5)
    if factor == 0.5:
        assert (averages == start / 2).all()
    else:
        assert_mean(averages, float(start) * factor)
        assert np.unique(averages).size == 2


def test_fading_in_parts_is_fading_at_once():
    whole, parts = (np.full(N, np.float32(1.1)) for _ in range(2))
    fade_averages(whole, 0, 0.9, 1, 5)
    for first in (0, 7_000, 7_001):
        last = {0: 7_000, 7_000: 7_001, 7_001: N}[first]
        fade_averages(parts[first:last], first, 0.9, 1, 5)
    assert whole.tobytes() == parts.tobytes()
    for seed, epoch in ((2, 5), (1, 6)):
        other = np.full(N, np.float32(1.1))
        fade_averages(other, 0, 0.9, seed, epoch)
        assert other.tobytes() != whole.tobytes()


def test_what_shares_added_is_noticed_on_average():
    averages, slots = np.full(2 * N, LARGE), np.arange(0, 2 * N, 2)
    for sample in range(10):
        add_changes(averages, slots, np.full(N, np.float32(0.3)), 1, 60 * sample)
    assert (averages[1::2] == LARGE).all()
    assert_mean(averages[::2] - LARGE, 10 * 0.3)
