"""Numbers in 16 bits come back nearly as they were, and tables of numbers are left alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.jit.compiler import borrowing_kernel
from counterfold.jit.packing import MOST, pack, unpack


@borrowing_kernel
def _fill(numbers, table, scales, rows, found):
    pack(numbers, table, 3, scales, 1)
    read = unpack(table, 3, numbers.size, scales, 1, rows)
    for i in range(numbers.size):
        found[i] = read[i]


def _write_and_read(numbers, table, scales, rows):
    found = np.empty_like(numbers)
    _fill(numbers, table, scales, rows, found)
    return found


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=20))
def test_the_error_is_half_a_step(values):
    numbers = np.array(values, np.float32)
    table, scales = np.zeros(30, np.int16), np.zeros(2, np.float32)
    found = _write_and_read(numbers, table, scales, np.zeros(20, np.float32))
    largest = np.abs(numbers).max()
    assert np.abs(found - numbers).max() <= 0.51 * largest / MOST + 1e-30
    assert scales[0] == 0
    assert not table[:3].any()
    assert not table[3 + numbers.size :].any()


def test_zeros_and_the_faintest_numbers_are_zero():
    for value in (0.0, 1e-35):
        numbers = np.full(4, value, np.float32)
        table, scales = np.ones(10, np.int16), np.ones(2, np.float32)
        found = _write_and_read(numbers, table, scales, np.zeros(4, np.float32))
        assert np.abs(found).max() == 0


def test_a_table_of_numbers_is_its_own_memory():
    table = np.arange(10, dtype=np.float32)
    none = np.zeros(0, np.float32)
    found = _write_and_read(table[3:7].copy(), table, none, none)
    assert found == pytest.approx([3, 4, 5, 6])


def test_plain_python_does_the_same():
    numbers = np.array([0.5, -2.0, 1.25], np.float32)
    table, scales = np.zeros(5, np.int16), np.zeros(1, np.float32)
    pack(numbers, table, 1, scales, 0)
    found = unpack.py_func(table, 1, 3, scales, 0, np.zeros(3, np.float32))
    assert found == pytest.approx(numbers, abs=1e-4)
