import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.training.epochs.table_changes import find_changes

TABLES = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), max_size=40)


@given(TABLES)
def test_changes_lead_from_what_was_to_what_is(rows):
    before, table = np.array(rows, np.float32).reshape(-1, 2).T
    sums = before.astype(np.float64)
    slots, changes = find_changes(table, before)
    changes.add_to(sums)
    np.testing.assert_array_equal(sums, table)
    np.testing.assert_array_equal(slots, np.flatnonzero(before != table))
    np.testing.assert_array_equal(changes.slots, slots)


def test_without_a_table_before_changes_are_all_that_is_not_zero():
    _, changes = find_changes(np.array([0.0, 2.5, 0.0, -1.0]))
    assert changes.slots.tolist() == [1, 3]
    assert changes.values.tolist() == [2.5, -1.0]


@pytest.mark.parametrize(("last", "size"), [(200, 1), (40_000, 2), (300_000, 4)])
def test_a_slot_takes_as_few_bytes_as_its_gap_needs(last, size):
    table = np.zeros(last + 1)
    table[last] = 1.0
    _, changes = find_changes(table)
    assert changes.slots.tolist() == [last]
    assert changes.nbytes == size + 4


def test_differences_are_taken_before_they_are_rounded():
    """A float64 average of 2**30 grows by a third: in 32 bits it would not notice."""
    before = np.array([2.0**30])
    _, changes = find_changes(before + 1 / 3, before)
    assert changes.values[0] == pytest.approx(1 / 3, rel=1e-6)
