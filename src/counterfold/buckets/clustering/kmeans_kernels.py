"""k-means: nearest centers with pruning, medians and means of clusters, and seeds.

The type of the centers chooses the distance. Whole numbers are cumulative histograms under L1,
which is the earth mover's distance on a line up to a factor: the best center is the median of
each coordinate, a whole number again, so that every sum is exact. Reals (float64) are vectors under
the Euclidean distance, whose square is the cost and the mean the best center.

Pruning is by the triangle inequality between centers, as in the exponion algorithm (Newling and
Fleuret 2016): from a center at distance ``u`` of a point, no center farther than ``u + best`` from
that one can be nearer than the best found so far. The distance to a point's own center is
recomputed in each pass, which gives the exact cost, and no bounds are kept: strength histograms lie
close to a surface of few dimensions, where fewer than ten centers out of two hundred are left to
look at.
"""

import numpy as np

from counterfold.jit.compiler import inlined_kernel, kernel

NO_FAULT = -1

# Relative error of a sum of two Euclidean distances, with room to spare; L1 has none.
_SLACK = 1.0 + 1e-12
# A center this much nearer than the one searched from has the shorter list to search.
_NEARER = 0.9


@inlined_kernel
def _distance(x, y):
    if isinstance(y[0], float):  # decided when compiled
        # Four sums are as wide as a register; their order is fixed, so that results are.
        s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
        whole = x.size // 4 * 4
        for j in range(0, whole, 4):
            d0 = np.float64(x[j]) - y[j]
            d1 = np.float64(x[j + 1]) - y[j + 1]
            d2 = np.float64(x[j + 2]) - y[j + 2]
            d3 = np.float64(x[j + 3]) - y[j + 3]
            s0 += d0 * d0
            s1 += d1 * d1
            s2 += d2 * d2
            s3 += d3 * d3
        for j in range(whole, x.size):
            d0 = np.float64(x[j]) - y[j]
            s0 += d0 * d0
        return np.sqrt((s0 + s1) + (s2 + s3))
    total = np.int32(0)
    for j in range(x.size):
        # Every step in 32 bits, or the loop is not vectorized.
        total = np.int32(total + np.int32(abs(np.int32(np.int32(x[j]) - np.int32(y[j])))))
    return np.float64(total)


@inlined_kernel
def _cost(distance, centers):
    """What is minimized: the distance, or its square for reals."""
    if isinstance(centers[0, 0], float):
        return distance * distance
    return distance


@kernel
def cumulate(histograms, first, last, top, cumulative):
    """Write the cumulative counts of the rows ``first:last``, without the last column.

    Returns the first row that does not add up to `top` or has a negative count, or NO_FAULT.
    """
    last_column = histograms.shape[1] - 1
    for i in range(first, last):
        total = np.int64(0)
        least = np.int64(0)
        for j in range(last_column):
            count = np.int64(histograms[i, j])
            least = min(least, count)
            total += count
            cumulative[i, j] = total
        count = np.int64(histograms[i, last_column])
        if min(least, count) < 0 or total + count != top:
            return i
    return NO_FAULT


@kernel
def measure_gaps(centers, first, last, gaps):
    """Set row ``c - first`` of `gaps` to the distances from center `c`, to itself below any."""
    for c in range(first, last):
        for d in range(len(centers)):
            gaps[c - first, d] = _distance(centers[c], centers[d])
        gaps[c - first, c] = -1.0


@kernel
def assign_points(points, weights, first, last, centers, neighbors, gaps, labels, distances):
    """Label the points ``first:last`` with their nearest center, of equally near ones the first.

    The labels are where the search begins. `neighbors` holds for each center the nearest others
    in order, itself first, and `gaps` their distances; the lists may be cut off. Returns the
    weighted cost, the labels changed and the distances computed.
    """
    n_centers, n_listed = neighbors.shape
    slack = _SLACK if isinstance(centers[0, 0], float) else 1.0
    cost, n_changed, n_computed = 0.0, 0, 0
    for i in range(first, last):
        x = points[i]
        best_center = root = labels[i]
        best = from_root = _distance(x, centers[root])
        t = 1
        n_computed += 1
        while t < n_listed and gaps[root, t] <= (from_root + best) * slack:
            c = neighbors[root, t]
            d = _distance(x, centers[c])
            t += 1
            n_computed += 1
            if d < best or (d == best and c < best_center):
                best, best_center = d, c
                if d < _NEARER * from_root:
                    root, from_root, t = c, d, 1
        if t == n_listed and n_listed < n_centers:  # the list gave out before the bound did
            n_computed += n_centers
            for c in range(n_centers):
                d = _distance(x, centers[c])
                if d < best or (d == best and c < best_center):
                    best, best_center = d, c
        n_changed += best_center != labels[i]
        labels[i] = best_center
        distances[i] = best
        cost += weights[i] * _cost(best, centers)
    return cost, n_changed, n_computed


@kernel
def approach(points, center, distances):
    """Lower the distances of all points to those from one more center."""
    for i in range(len(points)):
        distances[i] = min(distances[i], _distance(points[i], center))


@kernel
def group_rows(rows, labels, starts, grouped):
    """Sort `rows` by label into `grouped`; label `c` owns ``starts[c]:starts[c + 1]``.

    `labels` are those of the rows, not of all points; the order within a label is kept.
    """
    starts[:] = 0
    for r in range(rows.size):
        starts[labels[r] + 1] += 1
    for c in range(1, starts.size):
        starts[c] += starts[c - 1]
    # Filling moves each start to its end, which is the next one's start.
    for r in range(rows.size):
        c = labels[r]
        grouped[starts[c]] = rows[r]
        starts[c] += 1
    for c in range(starts.size - 1, 0, -1):
        starts[c] = starts[c - 1]
    starts[0] = 0


@inlined_kernel
def _count(points, weights, rows, sign, counts):
    for r in range(rows.size):
        x = points[rows[r]]
        weight = sign * np.int64(weights[rows[r]])
        for j in range(x.size):
            counts[j, x[j]] += weight


@kernel
def update_medians(
    points, weights, left, left_at, joined, joined_at, first, last, fresh, counts, totals, centers
):
    """Move the centers ``first:last`` to the weighted lower median of each coordinate.

    `counts` holds for each cluster the weight by coordinate and value, and is brought up to date
    with the rows that left and joined it. If `fresh`, one such table is used for all and the rows
    that joined are all there are. `totals` gets the weights; a cluster without any keeps its
    center.
    """
    for c in range(first, last):
        table = counts[0 if fresh else c]
        if fresh:
            table[:] = 0
        else:
            _count(points, weights, left[left_at[c] : left_at[c + 1]], -1, table)
        _count(points, weights, joined[joined_at[c] : joined_at[c + 1]], 1, table)
        total = np.int64(0)
        for v in range(table.shape[1]):
            total += table[0, v]
        totals[c] = total
        if total == 0:
            continue
        for j in range(table.shape[0]):
            v = 0
            below = np.int64(table[j, 0])
            while 2 * below < total:
                v += 1
                below += table[j, v]
            centers[c, j] = v


@kernel
def update_means(points, weights, members, starts, first, last, totals, centers):
    """Move the centers ``first:last`` to the weighted mean of their members.

    `totals` gets the weights; a cluster without any keeps its center.
    """
    for c in range(first, last):
        total = np.int64(0)
        for m in range(starts[c], starts[c + 1]):
            total += np.int64(weights[members[m]])
        totals[c] = total
        if total == 0:
            continue
        center = centers[c]
        center[:] = 0.0
        for m in range(starts[c], starts[c + 1]):
            x = points[members[m]]
            weight = np.float64(weights[members[m]])
            for j in range(x.size):
                center[j] += weight * x[j]
        for j in range(center.size):
            center[j] /= total


@kernel
def choose_seeds(points, weights, draws, sums, nearest, distances, to_seeds, chosen):
    """Greedy k-means++ (Arthur and Vassilvitskii 2007) over `points`, as rows of which to begin.

    Each seed is the best of several points drawn with probability proportional to their cost;
    ``draws[s]`` are the uniform numbers for seed `s`. All but the first three are overwritten:
    `sums`, `nearest` and `distances` have one entry for each point, `to_seeds` and `chosen` one
    for each seed. Weights are float64, and so are points that are not counts.
    """
    total = 0.0
    for i in range(len(points)):
        total += weights[i]
        sums[i] = total
        distances[i] = np.inf
    for s in range(chosen.size):
        if s > 0:
            total = 0.0
            for i in range(len(points)):
                total += weights[i] * _cost(distances[i], points)
                sums[i] = total
        least = np.inf
        # The first seed has nothing to be compared with.
        for t in range(draws.shape[1] if s > 0 else 1):
            drawn = min(np.searchsorted(sums, draws[s, t] * total, side="right"), len(points) - 1)
            cost = 0.0
            if s > 0:
                cost = _join(
                    points, weights, drawn, chosen[:s], nearest, distances, to_seeds, False
                )
            if cost < least:
                least = cost
                chosen[s] = drawn
        _join(points, weights, chosen[s], chosen[:s], nearest, distances, to_seeds, True)


@kernel
def _join(points, weights, seed, chosen, nearest, distances, to_seeds, keep):
    """The cost with one more seed; written to `nearest` and `distances` if `keep`."""
    for s in range(chosen.size):
        to_seeds[s] = _distance(points[seed], points[chosen[s]])
    cost = 0.0
    for i in range(len(points)):
        d = distances[i]
        # A seed twice as far from the nearest one as the point is cannot be nearer to the point.
        if chosen.size == 0 or to_seeds[nearest[i]] < 2.0 * d:
            d = min(d, _distance(points[i], points[seed]))
        cost += weights[i] * _cost(d, points)
        if keep and d < distances[i]:
            distances[i] = d
            nearest[i] = chosen.size
    return cost
