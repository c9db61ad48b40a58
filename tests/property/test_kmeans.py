"""k-means: properties that hold for any points, weights and seeds."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from counterfold.buckets.clustering.kmeans import assign, cluster, renumber

BINS = 7
seeds = st.integers(0, 2**32)


@st.composite
def histograms(draw, max_rows=12):
    """Counts that add up to the same number in each row."""
    shape = (draw(st.integers(1, max_rows)), draw(st.integers(1, 9)))
    bins = draw(arrays.arrays(np.int64, shape, elements=st.integers(0, BINS - 1)))
    counts = np.zeros((shape[0], BINS), np.uint8)
    np.add.at(counts, (np.arange(shape[0])[:, None], bins), 1)
    return counts


@st.composite
def vectors(draw, max_rows=12):
    shape = (draw(st.integers(1, max_rows)), draw(st.integers(1, 5)))
    return draw(arrays.arrays(np.float32, shape, elements=st.floats(-4, 4, width=16)))


def weights_for(points):
    return arrays.arrays(np.uint8, len(points), elements=st.integers(1, 24))


def kind_of(points):
    return "emd" if points.dtype == np.uint8 else "euclidean"


def brute_force(points, centers):
    """Distances of all pairs, in whole steps for histograms."""
    if kind_of(points) == "emd":
        top = points[0].sum()
        cumulative = np.rint(centers.cumsum(axis=1) * top)
        return np.abs(points.cumsum(axis=1)[:, None] - cumulative[None]).sum(axis=2) / top / BINS
    return np.sqrt(((points[:, None].astype(float) - centers[None]) ** 2).sum(axis=2))


@given(histograms(), histograms())
def test_distance_of_counts_is_that_of_scipy(points, others):
    from scipy.stats import wasserstein_distance  # takes a second to import

    middles = (np.arange(BINS) + 0.5) / BINS
    center = others[0] / others[0].sum()
    # Rounded to the counts of the points, as `assign` does.
    top = points[0].sum()
    steps = np.diff(np.rint(center.cumsum() * top), prepend=0)
    _, distances = assign(points, center[None])
    expected = [wasserstein_distance(middles, middles, point, steps) for point in points]
    np.testing.assert_allclose(distances, expected, rtol=1e-6, atol=1e-7)


@given(arrays.arrays(np.float32, (3, BINS), elements=st.floats(0.0078125, 1, width=32)))
def test_distance_of_shares_is_that_of_pot_to_the_rounding(points):
    ot = pytest.importorskip("ot")
    middles = (np.arange(BINS) + 0.5) / BINS
    shares = points.astype(float) / points.astype(float).sum(axis=1, keepdims=True)
    _, distances = assign(points[1:], shares[:1])
    expected = [ot.emd2_1d(middles, middles, shares[0], s, metric="euclidean") for s in shares[1:]]
    np.testing.assert_allclose(distances, expected, atol=1 / 16383)


@given(st.data(), histograms() | vectors(), seeds)
def test_labels_are_the_nearest_centers_and_the_cost_is_theirs(data, points, seed):
    weights = data.draw(weights_for(points))
    k = data.draw(st.integers(1, len(points)))
    found = cluster(points, k, distance=kind_of(points), weights=weights, seed=seed)
    table = brute_force(points, found.centers)
    nearest = table.min(axis=1)
    np.testing.assert_allclose(table[np.arange(len(points)), found.labels], nearest, atol=1e-12)
    cost = weights @ (nearest if kind_of(points) == "emd" else nearest**2)
    assert found.inertia[-1] == pytest.approx(cost, rel=1e-9, abs=1e-12)
    assert found.mean_distance == pytest.approx(cost / weights.sum(), rel=1e-9, abs=1e-12)


@given(st.data(), histograms(), seeds)
def test_equally_near_centers_are_told_apart_by_their_number(data, points, seed):
    k = data.draw(st.integers(1, len(points)))
    found = cluster(points, k, seed=seed)
    steps = np.rint(brute_force(points, found.centers) * points[0].sum() * BINS)
    np.testing.assert_array_equal(found.labels, steps.argmin(axis=1))
    labels, _ = assign(points, found.centers)
    np.testing.assert_array_equal(labels, found.labels)


@given(st.data(), histograms(max_rows=30) | vectors(max_rows=30), seeds)
def test_the_cost_never_rises(data, points, seed):
    weights = data.draw(weights_for(points))
    k = data.draw(st.integers(1, len(points)))
    found = cluster(points, k, distance=kind_of(points), weights=weights, seed=seed)
    assert (np.diff(found.inertia) <= 0).all()
    assert found.converged or found.n_iterations == 30


@given(st.data(), histograms(), seeds)
def test_centers_are_histograms_of_medians(data, points, seed):
    weights = data.draw(weights_for(points))
    k = data.draw(st.integers(1, len(points)))
    found = cluster(points, k, weights=weights, seed=seed)
    assert (found.centers >= 0).all()
    np.testing.assert_allclose(found.centers.sum(axis=1), 1.0)
    if not found.converged:
        return
    for c in np.unique(found.labels):
        mine = found.labels == c
        repeated = np.sort(points[mine].cumsum(axis=1).repeat(weights[mine], axis=0), axis=0)
        median = repeated[(len(repeated) - 1) // 2] / points[0].sum()
        np.testing.assert_allclose(found.centers[c].cumsum(), median, atol=1e-12)


@given(st.data(), histograms(), seeds)
def test_a_weight_is_as_good_as_repetition(data, points, seed):
    weights = data.draw(weights_for(points))
    assume(weights.sum() <= 256)  # of more points the seeds are chosen among a sample
    k = data.draw(st.integers(1, len(points)))
    weighted = cluster(points, k, weights=weights, seed=seed)
    repeated = cluster(points.repeat(weights, axis=0), k, seed=seed)
    np.testing.assert_array_equal(weighted.labels.repeat(weights), repeated.labels)
    np.testing.assert_array_equal(weighted.inertia, repeated.inertia)
    np.testing.assert_array_equal(weighted.centers, repeated.centers)


@given(st.data(), arrays.arrays(np.uint16, st.integers(1, 30), elements=st.integers(0, 6)))
def test_renumbering_keeps_the_partition_and_sorts_it(data, labels):
    n = labels.size
    strength = data.draw(arrays.arrays(np.float64, n, elements=st.floats(0, 1)))
    weights = data.draw(arrays.arrays(np.uint8, n, elements=st.integers(1, 24)))
    new = renumber(labels, strength, weights)
    pairs = set(zip(labels.tolist(), new.tolist(), strict=True))
    assert len(pairs) == len(set(labels.tolist())) == len(set(new.tolist())) == new.max() + 1
    totals = np.bincount(new, weights)
    means = np.bincount(new, weights * strength) / totals
    assert (np.diff(means) >= -1e-12).all()
