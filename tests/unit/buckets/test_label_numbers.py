"""Labels as numbers: combinations without gaps, in order."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from counterfold.buckets import label_numbers
from counterfold.buckets.label_numbers import (
    dense,
    number_rows,
    order_by_strength,
    percentiles,
)

ROWS = st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 5)), min_size=1, max_size=40)


@given(ROWS)
def test_rows_have_one_number_when_all_their_columns_agree(rows):
    numbers = number_rows([np.array(column) for column in zip(*rows, strict=True)])
    ordered = sorted(set(rows))
    assert numbers.tolist() == [ordered.index(row) for row in rows]


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=40))
def test_dense_labels_keep_the_partition_and_its_order(labels):
    ordered = sorted(set(labels))
    assert dense(np.array(labels)).tolist() == [ordered.index(label) for label in labels]


def test_buckets_are_ordered_by_the_mean_of_their_deals_in_parts_of_any_size(monkeypatch):
    labels, strength = np.array([7, 7, 3, 3, 7]), np.array([0.0, 1.0, 0.4, 0.4, 1.0])
    weights = np.array([1, 5, 1, 1, 4])
    for chunk in (2, 100):
        monkeypatch.setattr(label_numbers, "_CHUNK", chunk)
        assert order_by_strength(labels, strength, weights).tolist() == [1, 1, 0, 0, 1]
        # As often as the others, the weak deal of the first bucket makes it the weaker one.
        weights_of_few = np.array([9, 1, 1, 1, 1])
        assert order_by_strength(labels, strength, weights_of_few).tolist() == [0, 0, 1, 1, 0]


@given(st.lists(st.sampled_from([0, 3, 2**11, 2**22 + 1, 2**32 - 1]), min_size=1), st.data())
def test_whole_numbers_are_cut_like_any_others(values, data):
    """One way counts small values, one sorts words digit by digit, one is NumPy's sort."""
    size = {"min_size": len(values), "max_size": len(values)}
    weights = np.array(data.draw(st.lists(st.integers(1, 24), **size)), np.uint8)
    n = data.draw(st.integers(1, 9))
    expected = percentiles(np.array(values, np.float64), weights, n)
    assert percentiles(np.array(values, np.uint32), weights, n).tolist() == expected.tolist()
    places = np.unique(values, return_inverse=True)[1].astype(np.uint16)
    assert percentiles(places, weights, n).tolist() == expected.tolist()
