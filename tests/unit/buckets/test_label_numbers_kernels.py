"""Kernels that put classes into buckets, against plain Python."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from counterfold.buckets.label_numbers_kernels import (
    cut_in_order,
    cut_ordered,
    order_by_digit,
    sum_by_value,
)

MOST = 6  # the highest value; low, so that many are equal
POINTS = st.lists(st.tuples(st.integers(0, MOST), st.integers(1, 24)), min_size=1, max_size=40)


def split(points):
    values, weights = zip(*points, strict=True)
    return np.array(values, np.uint16), np.array(weights, np.uint8)


@given(POINTS)
def test_sums_are_added_by_value(points):
    values, weights = split(points)
    sums = np.full(MOST + 1, 0.5)
    sum_by_value(values, weights, sums)
    assert sums.tolist() == [0.5 + sum(w for v, w in points if v == k) for k in range(MOST + 1)]


@given(POINTS, st.integers(1, 9))
def test_points_are_cut_where_their_middle_falls(points, n):
    values, weights = split(points)
    below = np.array([sum(w for v, w in points if v < k) for k in range(MOST + 1)], np.float64)
    total = int(weights.sum(dtype=int))
    labels = np.full(len(points), -1, np.int64)
    cut_in_order(values, weights, below, n / total, n, labels)
    before = 0
    for c in sorted(range(len(points)), key=lambda c: points[c][0]):
        weight = points[c][1]
        part, rest = divmod((2 * before + weight) * n, 2 * total)
        # A middle on the very edge of two parts may be rounded to either.
        assert labels[c] == part or (rest == 0 and labels[c] == part - 1)
        before += weight


def test_a_running_sum_is_left_in_below():
    below = np.array([0.0, 3.0])
    labels = np.empty(3, np.int64)
    values, weights = np.array([1, 0, 1], np.uint16), np.array([2, 3, 5], np.uint8)
    cut_in_order(values, weights, below, 10 / 10, 10, labels)
    assert labels.tolist() == [4, 1, 7]
    assert below.tolist() == [3.0, 10.0]


@given(st.lists(st.integers(0, 2**64 - 1), max_size=30), st.integers(0, 7))
def test_words_are_ordered_by_a_digit_and_stay_in_order_within_it(words, digit):
    after, counts = np.zeros(len(words), np.uint64), np.full(256, 7)
    order_by_digit(np.array(words, np.uint64), np.uint64(8 * digit), counts, after)
    assert after.tolist() == sorted(words, key=lambda word: word >> 8 * digit & 255)


@given(POINTS, st.integers(1, 9))
def test_points_in_order_are_cut_like_points_by_value(points, n):
    values, weights = split(points)
    total = int(weights.sum(dtype=int))
    below = np.array([sum(w for v, w in points if v < k) for k in range(MOST + 1)], np.float64)
    by_value, in_order = np.full((2, len(points)), -1, np.int64)
    cut_in_order(values, weights, below, n / total, n, by_value)
    order = np.argsort(values, kind="stable").astype(np.uint32)
    cut_ordered(order, weights, n / total, n, in_order)
    assert in_order.tolist() == by_value.tolist()
