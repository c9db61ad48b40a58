"""Labels as numbers: combinations without gaps, in order."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from counterfold.buckets.label_numbers import dense, number_rows

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
