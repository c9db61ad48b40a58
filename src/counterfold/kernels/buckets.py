"""Kernels that put classes into buckets."""

from counterfold.kernels.compiler import kernel


@kernel
def sum_by_value(values, weights, sums):
    """Add the weight of each point to the sum of its value."""
    for c in range(values.size):
        sums[values[c]] += weights[c]


@kernel
def cut_in_order(values, weights, below, scale, n, labels):
    """Label points by their place in the order of values, equal ones in the order of numbers.

    `below` holds the weight of all points of smaller value, and is used up as a running sum.
    """
    for c in range(values.size):
        value = values[c]
        weight = float(weights[c])
        labels[c] = min(int((below[value] + 0.5 * weight) * scale), n - 1)
        below[value] += weight
