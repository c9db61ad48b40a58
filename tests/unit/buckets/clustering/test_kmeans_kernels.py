"""Each kernel of k-means against plain NumPy."""

import numpy as np
import pytest

from counterfold.buckets.clustering import kmeans_kernels

# Types of points and of centers: histograms under L1, vectors under the Euclidean distance.
KINDS = {
    "few counts": (np.uint8, np.uint8),
    "many counts": (np.uint16, np.uint16),
    "vectors": (np.float32, np.float64),
    "bytes": (np.uint8, np.float64),
}


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]


def make_points(rng, kind, n, d=13):
    # Few values, so that equal distances are common.
    return rng.integers(0, 4, (n, d)).astype(kind[0])


def all_distances(points, centers):
    differences = points[:, None].astype(float) - centers[None]
    if centers.dtype == np.float64:
        return np.sqrt((differences**2).sum(axis=2))
    return np.abs(differences).sum(axis=2)


def lists(centers, length):
    gaps = np.empty((len(centers), len(centers)))
    kmeans_kernels.measure_gaps(centers, 0, len(centers), gaps)
    order = np.argsort(gaps, axis=1, kind="stable")[:, :length]
    return order.astype(np.uint16), np.take_along_axis(gaps, order, axis=1)


def test_cumulative_counts_leave_out_the_last_column(rng):
    histograms = rng.multinomial(300, np.full(7, 1 / 7), 20).astype(np.uint16)
    cumulative = np.zeros((20, 6), np.uint16)
    assert kmeans_kernels.cumulate(histograms, 5, 20, 300, cumulative) == kmeans_kernels.NO_FAULT
    np.testing.assert_array_equal(cumulative[5:], histograms.cumsum(axis=1)[5:, :-1])
    assert not cumulative[:5].any()


@pytest.mark.parametrize("row", [(1, 2, 3), (-1, 5, 1), (5, 1, -1)])
def test_a_row_with_another_sum_or_a_negative_count_is_found(row):
    histograms = np.array([(1, 2, 2), row, (5, 0, 0)], np.int64)
    cumulative = np.zeros((3, 2), np.uint8)
    assert kmeans_kernels.cumulate(histograms, 0, 3, 5, cumulative) == 1


def test_gaps_are_the_distances_and_a_center_comes_first_in_its_own_list(rng, kind):
    centers = make_points(rng, kind, 9).astype(kind[1])
    centers[7] = centers[2]
    gaps = np.empty((4, 9))
    kmeans_kernels.measure_gaps(centers, 5, 9, gaps)
    expected = all_distances(centers[5:9], centers)
    expected[np.arange(4), np.arange(5, 9)] = -1.0
    np.testing.assert_allclose(gaps, expected, rtol=1e-14)
    np.testing.assert_array_equal(lists(centers, 9)[0][:, 0], np.arange(9))


@pytest.mark.parametrize("length", [1, 3, 40])
def test_pruned_assignment_is_that_of_brute_force(rng, kind, length):
    points = make_points(rng, kind, 500)
    weights = rng.integers(0, 25, 500).astype(np.uint16)
    centers = make_points(rng, kind, 40).astype(kind[1])
    centers[30] = centers[3]
    labels = rng.integers(0, 40, 500).astype(np.uint16)
    start = labels.copy()
    distances = np.zeros(500, np.float32)
    cost, n_changed, n_computed = kmeans_kernels.assign_points(
        points, weights, 100, 500, centers, *lists(centers, length), labels, distances
    )
    table = all_distances(points, centers)[100:]
    np.testing.assert_array_equal(labels[100:], table.argmin(axis=1))  # the first of equals
    np.testing.assert_array_equal(labels[:100], start[:100])
    np.testing.assert_array_equal(distances[100:], table.min(axis=1).astype(np.float32))
    power = 2 if centers.dtype == np.float64 else 1
    assert cost == pytest.approx((weights[100:] * table.min(axis=1) ** power).sum(), rel=1e-12)
    assert n_changed == (labels != start).sum()
    assert n_computed >= 400


def test_centers_far_apart_are_not_looked_at():
    centers = np.arange(0, 1000, 100, dtype=np.uint16)[:, None].repeat(5, axis=1)
    points = (centers.repeat(20, axis=0) + 1).astype(np.uint16)
    labels = np.arange(10, dtype=np.uint16).repeat(20)
    weights, distances = np.ones(200, np.uint16), np.zeros(200, np.float32)
    neighbors, gaps = lists(centers, 10)
    result = kmeans_kernels.assign_points(
        points, weights, 0, 200, centers, neighbors, gaps, labels, distances
    )
    assert result == (200 * 5, 0, 200)  # the own center of each and no other


def test_approach_takes_the_lesser_distance(rng, kind):
    points = make_points(rng, kind, 50)
    center = make_points(rng, kind, 1)[0].astype(kind[1])
    distances = rng.random(50).astype(np.float32) * 8
    expected = np.minimum(distances, all_distances(points, center[None])[:, 0])
    kmeans_kernels.approach(points, center, distances)
    np.testing.assert_allclose(distances, expected, rtol=1e-6)


def test_rows_are_grouped_by_label_in_order(rng):
    rows = rng.permutation(1000)[:300].astype(np.int32)
    labels = rng.choice([0, 2, 3, 6], 300).astype(np.uint16)
    starts, grouped = np.full(9, 7, np.int64), np.empty_like(rows)
    kmeans_kernels.group_rows(rows, labels, starts, grouped)
    np.testing.assert_array_equal(grouped, rows[np.argsort(labels, kind="stable")])
    np.testing.assert_array_equal(starts, np.searchsorted(np.sort(labels), np.arange(9)))


def group(rows, labels, k):
    starts, grouped = np.empty(k + 1, np.int64), np.empty_like(rows)
    kmeans_kernels.group_rows(rows, labels, starts, grouped)
    return grouped, starts


def weighted_lower_median(values, weights):
    repeated = np.sort(values.repeat(weights))
    return repeated[(repeated.size - 1) // 2]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_medians_counted_anew_and_kept_up_to_date_are_the_medians(rng, dtype):
    n, d, k, top = 200, 6, 5, 9
    points = rng.integers(0, top + 1, (n, d)).astype(np.uint8)
    weights = rng.integers(0, 25, n).astype(np.uint16)
    rows = np.arange(n, dtype=np.int32)
    before = rng.integers(0, k - 1, n).astype(np.uint16)  # cluster 4 is empty at first
    after = np.where(rng.random(n) < 0.3, rng.integers(1, k, n), before % (k - 2) + 1)
    after = after.astype(np.uint16)  # and cluster 0 at last
    nobody = np.zeros(k + 1, np.int64)
    counts = np.zeros((k, d, top + 1), dtype)
    kept = np.full((k, d), 77, np.uint8)
    totals = np.empty(k, np.int64)
    first = (rows, nobody, *group(rows, before, k))
    kmeans_kernels.update_medians(points, weights, *first, 0, k, False, counts, totals, kept)
    assert (kept[4] == 77).all()
    changed = rows[before != after]
    parts = (*group(changed, before[changed], k), *group(changed, after[changed], k))
    kmeans_kernels.update_medians(points, weights, *parts, 0, k, False, counts, totals, kept)
    anew, anew_totals = kept.copy(), np.empty(k, np.int64)
    anew[1:] = 0
    one = np.full((1, d, top + 1), 5, dtype)
    parts = (rows, nobody, *group(rows, after, k))
    kmeans_kernels.update_medians(points, weights, *parts, 0, k, True, one, anew_totals, anew)
    np.testing.assert_array_equal(anew, kept)
    np.testing.assert_array_equal(totals, np.bincount(after, weights, k))
    np.testing.assert_array_equal(totals, anew_totals)
    for c in range(1, k):
        mine = after == c
        expected = [weighted_lower_median(points[mine, j], weights[mine]) for j in range(d)]
        np.testing.assert_array_equal(kept[c], expected)


@pytest.mark.parametrize("dtype", [np.float32, np.uint8])
def test_means_are_weighted_and_an_empty_cluster_keeps_its_center(rng, dtype):
    points = rng.integers(0, 200, (90, 4)).astype(dtype)
    weights = rng.integers(0, 25, 90).astype(np.uint16)
    labels = rng.choice([0, 2], 90).astype(np.uint16)
    centers, totals = np.full((3, 4), 7.5), np.empty(3, np.int64)
    members = group(np.arange(90, dtype=np.int32), labels, 3)
    kmeans_kernels.update_means(points, weights, *members, 0, 3, totals, centers)
    for c in (0, 2):
        mine = labels == c
        expected = np.average(points[mine].astype(float), axis=0, weights=weights[mine])
        np.testing.assert_allclose(centers[c], expected, rtol=1e-14)
    assert (centers[1] == 7.5).all()
    np.testing.assert_array_equal(totals, np.bincount(labels, weights, 3))


def seeds_of(points, weights, draws):
    n, k = len(points), len(draws)
    nearest, distances, chosen = np.empty(n, np.int64), np.empty(n), np.empty(k, np.int64)
    scratch = (np.empty(n), nearest, distances, np.empty(k))
    kmeans_kernels.choose_seeds(points, weights.astype(float), draws, *scratch, chosen)
    return chosen, nearest, distances


@pytest.mark.parametrize("dtype", [np.uint16, np.float64])
def test_seeds_know_the_distance_of_every_point(rng, dtype):
    points = rng.integers(0, 30, (300, 5)).astype(dtype)
    weights = rng.integers(0, 5, 300).astype(np.uint16)
    chosen, nearest, distances = seeds_of(points, weights, rng.random((12, 4)))
    table = all_distances(points, points[chosen])
    np.testing.assert_allclose(distances, table.min(axis=1), rtol=1e-14)
    np.testing.assert_allclose(table[np.arange(300), nearest], distances, rtol=1e-14)
    assert weights[chosen].all()


def plain_seeds(points, weights, draws):
    """Greedy k-means++ without pruning."""
    power = 2 if points.dtype == np.float64 else 1
    costs, chosen = np.ones(len(points)), []
    for s, row in enumerate(draws):
        sums = np.cumsum(weights * costs)
        drawn = np.searchsorted(sums, (row if s else row[:1]) * sums[-1], side="right")
        tried = all_distances(points, points[drawn]) ** power
        if s:
            tried = np.minimum(costs[:, None], tried)
        winner = (weights @ tried).argmin() if s else 0
        chosen.append(drawn[winner])
        costs = tried[:, winner]
    return chosen


@pytest.mark.parametrize("dtype", [np.uint16, np.float64])
def test_seeds_are_those_of_plain_kmeans_plus_plus(rng, dtype):
    points = rng.integers(0, 1000, (200, 3)).astype(dtype)
    weights = rng.integers(1, 25, 200).astype(np.uint16)
    draws = rng.random((15, 5))
    chosen, _, _ = seeds_of(points, weights, draws)
    np.testing.assert_array_equal(chosen, plain_seeds(points, weights, draws))


def test_every_different_point_becomes_a_seed_before_any_twice(rng):
    points = np.arange(6, dtype=np.uint16).repeat(3)[:, None]
    chosen, _, distances = seeds_of(points, np.ones(18, np.uint16), rng.random((8, 2)))
    assert sorted(points[chosen[:6], 0]) == list(range(6))
    assert not distances.any()
