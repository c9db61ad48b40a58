"""k-means through its public functions: results that are known, repetition, refusals."""

import numpy as np
import pytest

from counterfold.buckets.clustering import kmeans
from counterfold.buckets.clustering.kmeans import assign, cluster, histogram_means, renumber
from counterfold.errors import AbstractionError, UnknownNameError

BINS = 20


def make_histograms(rng, n, top=46, dtype=np.uint8):
    """Counts around a strength, wide or narrow, as hands have them."""
    center, width = rng.random((n, 1)), rng.uniform(0.05, 0.3, (n, 1))
    middles = (np.arange(BINS) + 0.5) / BINS
    density = np.exp(-(((middles - center) / width) ** 2))
    return rng.multinomial(top, density / density.sum(axis=1, keepdims=True)).astype(dtype)


def same(a, b):
    np.testing.assert_array_equal(a.labels, b.labels)
    np.testing.assert_array_equal(a.centers, b.centers)
    np.testing.assert_array_equal(a.inertia, b.inertia)
    return a.converged == b.converged and a.n_distances == b.n_distances


# A block is 2**14 points: these are several, and the last is not full.
SPACES = {
    "turn": lambda rng: (make_histograms(rng, 40_000), "emd"),
    "flop": lambda rng: (make_histograms(rng, 20_000, 1081, np.uint16), "emd"),
    "ochs": lambda rng: (rng.random((40_000, 8), np.float32), "euclidean"),
}


@pytest.mark.parametrize("space", SPACES)
def test_the_result_is_the_same_on_one_and_two_threads_and_again(rng, space):
    points, distance = SPACES[space](rng)
    weights = rng.choice([4, 12, 24], len(points)).astype(np.uint8)
    options = {"distance": distance, "weights": weights, "seed": 5, "iterations": 6}
    one = cluster(points, 30, threads=1, **options)
    assert same(one, cluster(points, 30, threads=2, **options))
    assert same(one, cluster(points, 30, threads=3, **options))
    assert one.inertia[0] != cluster(points, 30, **{**options, "seed": 6}).inertia[0]


@pytest.mark.parametrize("space", SPACES)
def test_labels_are_nearest_and_the_cost_falls(rng, space):
    points, distance = SPACES[space](rng)
    found = cluster(points, 30, distance=distance, iterations=8, threads=2)
    assert found.labels.dtype == np.uint16
    assert found.centers.shape == (30, points.shape[1])
    assert (np.diff(found.inertia) < 0).all()
    some = rng.choice(len(points), 2000, replace=False)
    if distance == "emd":
        top = points[0].sum()
        whole = np.rint(found.centers.cumsum(axis=1) * top)
        table = np.abs(points[some].cumsum(axis=1)[:, None] - whole).sum(axis=2) / top / BINS
    else:
        table = ((points[some, None].astype(float) - found.centers) ** 2).sum(axis=2)
    np.testing.assert_array_equal(found.labels[some], table.argmin(axis=1))
    assert found.mean_distance == pytest.approx(table.min(axis=1).mean(), rel=0.1)
    assert found.n_distances < len(points) * 30 * 9  # brute force, seeds and eight iterations


def test_the_distance_is_that_of_pot_and_of_scipy(rng):
    from scipy.stats import wasserstein_distance  # takes a second to import

    ot = pytest.importorskip("ot")
    points = make_histograms(rng, 50)
    centers = make_histograms(rng, 1) / 46
    middles = (np.arange(BINS) + 0.5) / BINS
    _, distances = assign(points, centers)
    of_pot = [ot.emd2_1d(middles, middles, p / 46, centers[0], metric="euclidean") for p in points]
    of_scipy = [wasserstein_distance(middles, middles, p, centers[0]) for p in points]
    np.testing.assert_allclose(distances, of_pot, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(distances, of_scipy, rtol=1e-6, atol=1e-8)


def test_shares_give_what_their_counts_give_up_to_rounding(rng):
    counts = make_histograms(rng, 3000)
    shares = (counts / 46).astype(np.float32)
    by_counts, by_shares = cluster(counts, 8, seed=1), cluster(shares, 8, seed=1)
    # A distance is off by 1/16383 at most, and clusterings of equal cost need not be the same.
    assert by_shares.mean_distance == pytest.approx(by_counts.mean_distance, rel=0.02)
    _, exact = assign(counts, by_counts.centers)
    _, rounded = assign(shares, by_counts.centers)
    np.testing.assert_allclose(rounded, exact, atol=1 / 16383)


def test_counts_of_any_size_are_taken(rng):
    many = make_histograms(rng, 200, 1_000_000, np.int64)  # too many for 16 bits: as shares
    found = cluster(many, 5)
    np.testing.assert_allclose(found.centers.sum(axis=1), 1.0)
    assert same(found, cluster(many / 1_000_000, 5))


def test_separate_groups_are_found(rng):
    middles = np.array([[0.1, 0.1], [0.9, 0.1], [0.5, 0.9]])
    truth = rng.integers(0, 3, 900)
    points = (middles[truth] + rng.normal(0, 0.02, (900, 2))).astype(np.float32)
    found = cluster(points, 3, distance="euclidean")
    assert found.converged
    assert len(set(zip(truth.tolist(), found.labels.tolist(), strict=True))) == 3
    means = [points[truth == c].mean(axis=0) for c in range(3)]
    np.testing.assert_allclose(np.sort(found.centers, axis=0), np.sort(means, axis=0), atol=1e-6)


def test_medians_cost_less_than_means(rng):
    points = make_histograms(rng, 5000)
    found = cluster(points, 12, iterations=40)
    sums = np.array([points[found.labels == c].sum(axis=0) for c in range(12)])
    _, distances = assign(points, sums / sums.sum(axis=1, keepdims=True))
    assert found.mean_distance < distances.mean()


@pytest.mark.parametrize("distance", ["emd", "euclidean"])
def test_one_cluster_has_everything(rng, distance):
    points = make_histograms(rng, 101)
    found = cluster(points, 1, distance=distance)
    assert not found.labels.any()
    if distance == "emd":
        expected = np.diff(np.median(points.cumsum(axis=1), axis=0) / 46, prepend=0)
    else:
        expected = points.mean(axis=0)
    np.testing.assert_allclose(found.centers[0], expected, atol=1e-12)
    assert found.converged


@pytest.mark.parametrize("distance", ["emd", "euclidean"])
def test_as_many_clusters_as_points_cost_nothing(distance):
    points = np.eye(9, dtype=np.uint8)
    found = cluster(points, 9, distance=distance)
    assert sorted(found.labels) == list(range(9))
    assert found.mean_distance == 0.0
    np.testing.assert_allclose(found.centers[found.labels], points, atol=1e-12)


@pytest.mark.parametrize("distance", ["emd", "euclidean"])
def test_fewer_different_points_than_clusters_leave_some_empty(distance):
    points = np.eye(3, dtype=np.uint8).repeat(10, axis=0)
    found = cluster(points, 5, distance=distance)
    assert found.mean_distance == 0.0
    assert found.converged
    assert len(np.unique(found.labels)) == 3
    new = found.renumbered(histogram_means(points))
    np.testing.assert_array_equal(new.labels, np.arange(3).repeat(10))
    np.testing.assert_allclose(new.centers[:3], np.eye(3), atol=1e-12)


def test_equal_points_are_one_cluster():
    found = cluster(np.full((40, 4), 2, np.uint8), 6)
    assert found.mean_distance == 0.0
    assert not found.labels.any()


@pytest.mark.parametrize("distance", ["emd", "euclidean"])
def test_empty_clusters_move_to_the_farthest_points(rng, distance, monkeypatch):
    points = make_histograms(rng, 500)

    def equal_seeds(space, weights, n_clusters, generator):
        first = space.points[:1].repeat(n_clusters, axis=0)
        return first if space.top else first.astype(np.float64)

    monkeypatch.setattr(kmeans, "_seeds", equal_seeds)
    found = cluster(points, 7, distance=distance, iterations=50)
    assert len(np.unique(found.labels)) == 7
    assert (np.diff(found.inertia) <= 0).all()
    assert found.inertia[-1] < 0.6 * found.inertia[0]
    assert same(found, cluster(points, 7, distance=distance, iterations=50, threads=2))


def test_medians_are_the_same_when_no_counts_are_kept(rng, monkeypatch):
    points = make_histograms(rng, 3000)
    kept = cluster(points, 12)
    monkeypatch.setattr(kmeans, "_MOST_KEPT", 0)
    assert same(kept, cluster(points, 12))


def test_assignment_is_the_same_with_short_lists_of_neighbors(rng, monkeypatch):
    points = make_histograms(rng, 3000)
    found = cluster(points, 40)
    monkeypatch.setattr(kmeans, "_LISTED", 3)
    again = cluster(points, 40)
    np.testing.assert_array_equal(again.labels, found.labels)
    np.testing.assert_array_equal(again.inertia, found.inertia)


def test_points_of_weight_zero_are_labeled_but_do_not_count(rng):
    points = make_histograms(rng, 400)
    weights = np.where(np.arange(400) < 200, 3, 0)
    found = cluster(points, 6, weights=weights, seed=2)
    np.testing.assert_array_equal(found.labels, assign(points, found.centers)[0])
    only = cluster(points[:200], 6, seed=2)
    assert found.mean_distance == pytest.approx(only.mean_distance, rel=1e-12)


def test_large_weights_are_as_good_as_small_ones(rng):
    points = make_histograms(rng, 400)
    weights = rng.integers(1, 20, 400)
    small = cluster(points, 6, weights=weights)
    large = cluster(points, 6, weights=weights * 1_000_000_000)
    np.testing.assert_array_equal(small.labels, large.labels)
    assert large.mean_distance == pytest.approx(small.mean_distance, rel=1e-12)


def test_the_best_of_several_restarts_is_kept(rng):
    points = make_histograms(rng, 800)
    alone = [cluster(points, 15, seed=3, iterations=5, restarts=r).inertia[-1] for r in (1, 2, 6)]
    assert alone[0] >= alone[1] >= alone[2]
    assert alone[0] > alone[2]


def test_a_sample_finds_the_centers_and_all_points_get_labels(rng):
    points = make_histograms(rng, 20_000)
    weights = rng.choice([4, 12, 24], 20_000).astype(np.uint8)
    whole = cluster(points, 10, weights=weights)
    found = cluster(points, 10, weights=weights, sample=3000, threads=2)
    labels, distances = assign(points, found.centers)
    np.testing.assert_array_equal(found.labels, labels)
    assert found.mean_distance == pytest.approx(np.average(distances, weights=weights), rel=1e-5)
    assert whole.mean_distance < found.mean_distance < 1.05 * whole.mean_distance
    assert same(whole, cluster(points, 10, weights=weights, sample=20_000))


def test_memory_mapped_tables_are_taken(rng, tmp_path):
    points = make_histograms(rng, 500)
    np.save(tmp_path / "points.npy", points)
    mapped = np.load(tmp_path / "points.npy", mmap_mode="r")
    for distance in ("emd", "euclidean"):
        assert same(cluster(mapped, 5, distance=distance), cluster(points, 5, distance=distance))


def test_progress_ends_at_the_total(rng):
    seen = []
    points = make_histograms(rng, 300)
    cluster(points, 4, restarts=2, iterations=7, progress=lambda *report: seen.append(report))
    assert seen[-1] == ("clusters", 14, 14)
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)


def test_buckets_are_renumbered_by_weighted_mean_strength():
    labels = np.array([5, 5, 0, 2, 2, 0])
    strength = [0.1, 0.9, 0.3, 0.2, 0.3, 0.3]
    np.testing.assert_array_equal(renumber(labels, strength), [2, 2, 1, 0, 0, 1])
    weighted = renumber(labels, strength, [9, 1, 1, 1, 1, 1])  # 0.18 instead of 0.5
    np.testing.assert_array_equal(weighted, [0, 0, 2, 1, 1, 2])
    assert weighted.dtype == np.uint16


def test_a_renumbered_clustering_still_has_its_centers(rng):
    points = make_histograms(rng, 2000)
    found = cluster(points, 15)
    new = found.renumbered(histogram_means(points))
    means = histogram_means(new.centers)
    assert np.corrcoef(np.arange(15), means)[0, 1] > 0.95
    np.testing.assert_array_equal(found.centers[found.labels], new.centers[new.labels])
    np.testing.assert_array_equal(new.labels, renumber(found.labels, histogram_means(points)))


def test_histogram_means_take_bins_at_their_middles():
    histograms = np.array([[4, 0], [0, 2], [1, 1]], np.uint8)
    np.testing.assert_allclose(histogram_means(histograms), [0.25, 0.75, 0.5])


POINTS = np.array([[3, 1, 0], [2, 2, 0], [0, 1, 3]], np.uint8)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_clusters": 4}, "4 clusters cannot be made from 3 points; ask for 1 to 3"),
        ({"n_clusters": 0}, "0 clusters cannot be made from 3 points"),
        ({"sample": 1}, "2 clusters cannot be made from 1 points"),
        ({"points": POINTS[0]}, r"points must have shape \(n, d\)"),
        ({"points": POINTS[:0]}, r"points must have shape \(n, d\)"),
        ({"points": POINTS[:, :1]}, "d at least 2"),
        ({"points": np.array([[1, 1], [1, 2]])}, "histogram 1 does not have 2 counts"),
        ({"points": np.array([[1, 1], [3, -1]])}, "histogram 1 does not have 2 counts"),
        ({"points": np.zeros((3, 2), np.uint8)}, "histogram 0 has no positive sum"),
        ({"points": np.array([[0.5, 0.5], [1.5, -0.5]])}, "histogram 1 has no positive sum"),
        ({"points": np.array([[0.5, 0.5], [np.nan, 1]])}, "histogram 1 has no positive sum"),
        ({"points": np.array([[0.5], [np.inf]]), "distance": "euclidean"}, "finite numbers"),
        ({"weights": [1, 2]}, "3 points need as many whole weights"),
        ({"weights": [0.5, 1.5, 2.5]}, "whole weights"),
        ({"weights": [1, 2, -1]}, "must not be negative"),
        ({"weights": [0, 0, 0]}, "must add up to 1"),
        ({"iterations": 0}, "iterations must be at least 1"),
        ({"restarts": 0}, "restarts must be at least 1"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, message):
    with pytest.raises(AbstractionError, match=message):
        cluster(**{"points": POINTS, "n_clusters": 2, **arguments})


def test_unknown_distances_and_unfit_centers_are_refused():
    with pytest.raises(UnknownNameError, match="emd"):
        cluster(POINTS, 2, distance="edm")
    with pytest.raises(AbstractionError, match=r"centers of these points must have shape \(k, 3\)"):
        assign(POINTS, np.ones((2, 4)))
    with pytest.raises(AbstractionError, match="1 to 65536 centers"):
        assign(POINTS, np.ones((0, 3)))
    with pytest.raises(AbstractionError, match="need as many strengths"):
        renumber(np.array([0, 1]), [0.5])
    with pytest.raises(AbstractionError, match="labels must be from 0 to 65535"):
        renumber(np.array([0, 65536]), [0.5, 0.5])
