"""Kernels that put classes into buckets."""

from counterfold.jit.compiler import kernel


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


@kernel
def order_by_digit(before, shift, counts, after):
    """Sort the words `before` by their digit that begins at bit `shift`, equal ones in order.

    A digit is below the size of `counts`, which is work space.
    """
    counts[:] = 0
    last = before.dtype.type(counts.size - 1)
    for k in range(before.size):
        counts[(before[k] >> shift) & last] += 1
    start = 0
    for digit in range(counts.size):
        size = counts[digit]
        counts[digit] = start
        start += size
    for k in range(before.size):
        digit = (before[k] >> shift) & last
        after[counts[digit]] = before[k]
        counts[digit] += 1


@kernel
def cut_ordered(order, weights, scale, n, labels):
    """Label points by their place in `order`, where the middle of each falls."""
    below = 0.0
    for k in range(order.size):
        weight = float(weights[order[k]])
        labels[order[k]] = min(int((below + 0.5 * weight) * scale), n - 1)
        below += weight


@kernel
def find_runs(values, labels, last, starts):
    """Write the points at which the label of their value changes; return how many there are.

    `last` [values] must hold no label and is overwritten. With more than `starts` has room for the
    result is one above its size.
    """
    n = 0
    for c in range(values.size):
        if last[values[c]] != labels[c]:
            if n == starts.size:
                return n + 1
            last[values[c]] = labels[c]
            starts[n] = c
            n += 1
    return n
