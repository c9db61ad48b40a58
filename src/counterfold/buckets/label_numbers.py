"""Labels as numbers: points cut into parts, buckets in order of strength, combinations counted."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets import label_numbers_kernels

Labels = NDArray[np.integer]

_MOST_COUNTED = 1 << 22  # integer values below this are counted instead of sorted
_NUMBER_BITS = 32  # of a point in a word that is sorted
_DIGIT_BITS = 11  # few enough places to write to for the processor's cache
_CHUNK = 1 << 22  # classes that are summed at once: a river of a full deck has 30 times as many


def percentiles(values: NDArray[Any], weights: NDArray[Any], n: int) -> NDArray[np.int32]:
    """Cut points in order of `values` into `n` parts of weights as equal as the points allow.

    A point goes where its middle falls, so a part differs from an equal share by at most the
    weight of a point, and from another part by at most twice that; of points of one weight, parts
    differ by one point. Equal values are cut in the order of their numbers.
    """
    labels = np.empty(values.size, np.int32)
    total = float(weights.sum(dtype=np.float64))
    if values.dtype.kind == "u" and values.size > 0 and int(values.max()) < _MOST_COUNTED:
        below = np.zeros(int(values.max()) + 2)
        label_numbers_kernels.sum_by_value(values, weights, below[1:])
        label_numbers_kernels.cut_in_order(values, weights, np.cumsum(below), n / total, n, labels)
        return labels
    whole = values.dtype.kind == "u" and values.dtype.itemsize <= np.dtype(np.uint32).itemsize
    order = _order_whole(values) if whole else np.argsort(values, kind="stable").astype(np.uint32)
    label_numbers_kernels.cut_ordered(order, weights, n / total, n, labels)
    return labels


def _order_whole(values: NDArray[np.unsignedinteger]) -> NDArray[np.uint32]:
    """The points from the lowest value on, equal ones in order, as NumPy's stable sort but faster.

    Words with the value above the number of its point are sorted digit by digit.
    """
    words = values.astype(np.uint64) << _NUMBER_BITS
    words |= np.arange(values.size, dtype=np.uint64)
    other, counts = np.empty_like(words), np.empty(1 << _DIGIT_BITS, np.int64)
    for shift in range(0, int(values.max(initial=0)).bit_length(), _DIGIT_BITS):
        bit = np.uint64(_NUMBER_BITS + shift)
        label_numbers_kernels.order_by_digit(words, bit, counts, other)
        words, other = other, words
    return words.astype(np.uint32)  # the lower half


def dense(labels: NDArray[Any]) -> NDArray[Any]:
    """The same partition with labels from 0 without gaps."""
    if labels.max() < 4 * labels.size:  # a table is cheaper than sorting
        used = np.zeros(int(labels.max()) + 1, bool)
        used[labels] = True
        return np.asarray((np.cumsum(used) - 1).astype(labels.dtype)[labels])
    return np.unique(labels, return_inverse=True)[1]


def order_by_strength(
    labels: Labels, strength: NDArray[np.floating], weights: NDArray[Any]
) -> NDArray[Any]:
    """Renumber buckets by rising mean strength; empty ones are dropped."""
    numbered = dense(labels)
    n = int(numbered.max()) + 1
    sizes, sums = np.zeros(n), np.zeros(n)
    for start in range(0, numbered.size, _CHUNK):
        part = slice(start, start + _CHUNK)
        sizes += np.bincount(numbered[part], weights[part], n)
        sums += np.bincount(numbered[part], strength[part] * weights[part], n)
    place = np.empty(n, numbered.dtype)
    place[np.argsort(sums / sizes, kind="stable")] = np.arange(n)
    return np.asarray(place[numbered])


def number_rows(columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """A number for each combination that occurs, from 0 on in the order of the columns' values."""
    numbers = np.zeros(columns[0].size, np.int64)
    for column in columns:
        values, places = np.unique(column, return_inverse=True)
        _, numbers = np.unique(numbers * values.size + places, return_inverse=True)
    return numbers
