"""Rows of lanes do what loops over the lanes would do."""

import numpy as np
import pytest

from counterfold.jit.compiler import kernel
from counterfold.jit.lanes import (
    LANES,
    TILE,
    add_left_row,
    add_row,
    add_rows_to_lines,
    add_scaled_row,
    dot_rows,
    leave_row,
    lines_to_rows,
    subtract_row,
    take_row,
)


@kernel
def _do_all(block, taken, factors, target):
    """Each operation on another row of `target`, and `take_row` on `taken`."""
    leave_row(target, 0, taken, 2, 0, 1)
    add_left_row(target, 1, taken, 2, 0, 1)
    add_row(target, 2, block, 3)
    subtract_row(target, 3, block, 3)
    add_scaled_row(target, 4, block, 1, factors, 2)
    dot_rows(target, 5, block, factors, 1, 4)
    take_row(block, 2, taken, 3, 4, 5)


@kernel
def _turn(lines, places, rows, factors, back):
    for h in range(0, rows.shape[0], TILE):
        lines_to_rows(lines, places, rows, h)
        add_rows_to_lines(back, places, factors, rows, h)


@pytest.fixture(params=[np.float32, np.float64])
def dtype(request):
    return request.param


def test_every_operation_on_rows(dtype):
    rng = np.random.default_rng(3)
    block, taken, target = (rng.random((6, LANES)).astype(dtype) for _ in range(3))
    factors = rng.random(6).astype(dtype)
    wanted, sums = target.copy(), taken.copy()
    left = taken[2] - taken[0] - taken[1]
    wanted[0] = left
    wanted[1] += left
    wanted[2] += block[3]
    wanted[3] -= block[3]
    wanted[4] += block[1] * factors[2]
    wanted[5] = factors[1:5] @ block[:4]
    sums[3:] += block[2]
    _do_all(block, taken, factors, target)
    assert target == pytest.approx(wanted, rel=1e-6)
    assert taken == pytest.approx(sums, rel=1e-6)


def test_lines_become_rows_and_rows_lines(dtype):
    rng = np.random.default_rng(4)
    n = 3 * TILE
    lines, back = (rng.random(20 * n).astype(dtype) for _ in range(2))
    places = rng.permutation(20)[:LANES] * n
    rows, factors = np.zeros((n, LANES), dtype), rng.random(LANES).astype(dtype)
    wanted = back.copy()
    for place, factor in zip(places, factors, strict=True):
        wanted[place : place + n] += factor * lines[place : place + n]
    _turn(lines, places, rows, factors, back)
    assert np.array_equal(rows, np.stack([lines[place : place + n] for place in places], axis=1))
    assert back == pytest.approx(wanted, rel=1e-6)
