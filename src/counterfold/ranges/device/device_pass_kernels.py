"""The kernels of `device_pass.cu` for a processor, argument by argument.

What a GPU does is tested by them where there is none: the driver is the same.
"""

import numpy as np

from counterfold.jit.compiler import kernel
from counterfold.ranges.device.device_lines_kernels import begin_value, match_slots, most_actions
from counterfold.ranges.line_kernels import BEST, LEARN, NONE


@kernel
def reach_street(
    n_starts, n, width, least, starts, source, points, parent, first, n_actions, row, weights,
    above, reach,
):  # fmt: skip
    """Overwrite `reach` of all lines of a street; `above` is that of the street before."""
    tables, shares = weights.reshape(-1, n), np.zeros(most_actions(n_actions), reach.dtype)
    for e in range(n_starts):
        for h in range(n):
            reach[starts[e], h] = 1.0 if source[e] == NONE else above[source[e], h // width]
            for j in range(points[e], points[e + 1]):
                match_slots(tables[row[j] :, h], n_actions[j], least, shares)
                for a in range(n_actions[j]):
                    reach[first[j] + a, h] = reach[parent[j], h] * shares[a]


@kernel
def value_street(
    n_starts, n, mode, least, positive, negative, average, starts, points, parent, first, n_actions,
    row, fold, fold_stake, show, show_stake, later, folds, shows, coming, reach, regrets, averages,
    values,
):  # fmt: skip
    """Overwrite `values` of all lines of a street, in `LEARN` change regrets and averages.

    Parameters
    ----------
    fold, show
        Row of `folds` and `shows` that tells what a line comes to where it ends, or NONE.
    later
        Row of `coming`, the values of the starts of the next street, or NONE.
    """
    tables, sums = regrets.reshape(-1, n), averages.reshape(-1, n)
    shares = np.zeros(most_actions(n_actions), values.dtype)
    for e in range(n_starts):
        for h in range(n):
            for line in range(starts[e], starts[e + 1]):
                values[line, h] = begin_value(
                    line, h, least, fold, fold_stake, show, show_stake, later, folds, shows, coming
                )
            for j in range(points[e + 1] - 1, points[e] - 1, -1):
                node = values[first[j], h] if mode == BEST else least * 0
                if mode == BEST:
                    for a in range(1, n_actions[j]):
                        node = max(node, values[first[j] + a, h])
                else:
                    match_slots(tables[row[j] :, h], n_actions[j], least, shares)
                    for a in range(n_actions[j]):
                        node += shares[a] * values[first[j] + a, h]
                if mode == LEARN:
                    for a in range(n_actions[j]):
                        before = tables[row[j] + a, h]
                        kept = before * (positive if before > 0 else negative)
                        if abs(kept) <= least:
                            kept = least * 0
                        tables[row[j] + a, h] = kept + (values[first[j] + a, h] - node)
                        sums[row[j] + a, h] = sums[row[j] + a, h] * average + reach[first[j] + a, h]
                values[parent[j], h] += node
