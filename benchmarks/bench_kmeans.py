"""k-means of strength histograms against scikit-learn's, at equal clusters and iterations.

Run `python benchmarks/bench_kmeans.py`, with `--json` for one JSON object on standard output. The
histograms are those of the flop, or of the turn, from the tables of `--folder`, built if need be;
`--synthetic` takes random ones instead. Both sides get the same weights and threads and take turns;
the median run counts. Ours includes its seeding. scikit-learn's `KMeans` clusters the cumulative
histograms in single precision, with tolerance 0, from seeds that cost it nothing, or with
`--seeding` from its own k-means++. Its centers are judged by the mean earth mover's distance, too,
each point with the center that is nearest by it.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from counterfold.buckets.clustering import kmeans_kernels
from counterfold.buckets.clustering.kmeans import assign, cluster
from counterfold.cards.strength import StrengthTables
from timing.measure import medians

BINS = 50
TOPS = {"flop": 1081, "turn": 46}  # run-outs that a histogram counts


def synthetic(street, n, rng):
    """Bell curves around a random strength, sampled as often as there are run-outs."""
    n = n or 200_000
    center, width = rng.random((n, 1)), rng.uniform(0.02, 0.25, (n, 1))
    density = np.exp(-((((np.arange(BINS) + 0.5) / BINS - center) / width) ** 2))
    counts = rng.multinomial(TOPS[street], density / density.sum(axis=1, keepdims=True))
    weights = rng.choice([4, 12, 24], n).astype(np.uint8)
    return counts.astype(np.uint8 if street == "turn" else np.uint16), weights


def real(street, n, folder, threads):
    """The table, or as many of its classes, drawn at random."""
    tables = StrengthTables(bins=BINS, **({"folder": folder} if folder else {}))
    strength = tables.street(street, threads=threads)
    weights = strength.isomorphism.weights()
    if n is None or n >= len(weights):
        return np.asarray(strength.histograms), weights
    rows = np.sort(np.random.default_rng(0).choice(len(weights), n, replace=False))
    return strength.histograms[rows], weights[rows]


def brute_force_rate(histograms, n_centers):
    """Bin differences per second on one thread, without pruning."""
    columns = BINS - 1
    top = int(histograms[0].sum())
    points = np.cumsum(histograms[:20_000], axis=1)[:, :-1].astype(histograms.dtype)
    centers = np.ascontiguousarray(points[:: len(points) // n_centers][:n_centers])
    neighbors, gaps = np.arange(n_centers, dtype=np.uint16)[:, None], np.zeros((n_centers, 1))
    labels, distances = np.zeros(len(points), np.uint16), np.zeros(len(points), np.float32)
    weights = np.ones(len(points), np.uint16)
    assert top <= np.iinfo(points.dtype).max

    def once():
        start = time.perf_counter()
        kmeans_kernels.assign_points(
            points, weights, 0, len(points), centers, neighbors, gaps, labels, distances
        )
        return time.perf_counter() - start

    once()
    return len(points) * n_centers * columns / min(once() for _ in range(5))


def compare(histograms, weights, options):
    k, threads = options.clusters, options.threads
    cumulative = np.cumsum(histograms, axis=1, dtype=np.float32)[:, :-1] / histograms[0].sum()
    cluster(histograms[: 10 * k], k, weights=weights[: 10 * k], threads=threads)  # compiles
    seeds = cumulative[cluster_seeds(histograms, k)]
    runs = {}

    busy = {}  # processor seconds of the last run

    def ours():
        start, working = time.perf_counter(), time.process_time()
        found = cluster(
            histograms, k, weights=weights, iterations=options.iterations, threads=threads
        )
        seconds = time.perf_counter() - start
        busy["ours"] = time.process_time() - working
        runs["ours"] = found
        return seconds

    def theirs():
        start, working = time.perf_counter(), time.process_time()
        with threadpool_limits(threads):
            model = KMeans(
                k,
                init="k-means++" if options.seeding else seeds,
                n_init=1,
                max_iter=options.iterations,
                tol=0.0,
                random_state=0,
            ).fit(cumulative, sample_weight=weights)
        seconds = time.perf_counter() - start
        busy["theirs"] = time.process_time() - working
        runs["theirs"] = model
        return seconds

    ours_seconds, their_seconds = medians(ours, theirs, repetitions=options.runs)
    found, model = runs["ours"], runs["theirs"]
    shares = np.diff(model.cluster_centers_.astype(float), axis=1, prepend=0.0, append=1.0)
    _, distances = assign(histograms, shares, threads=threads)
    n_brute = len(histograms) * k * (found.n_iterations + 1)
    return {
        "ours": {
            "seconds": ours_seconds,
            "processor_seconds": busy["ours"],
            "iterations": found.n_iterations,
            "converged": found.converged,
            "mean_emd": found.mean_distance,
            "mean_emd_of_seeds": found.inertia[0] / int(weights.sum(dtype=np.int64)),
            "distances_computed": found.n_distances,
            "distances_pruned": n_brute - found.n_distances,
            "share_computed": found.n_distances / n_brute,
        },
        "scikit-learn": {
            "seconds": their_seconds,
            "processor_seconds": busy["theirs"],
            "iterations": int(model.n_iter_),
            "mean_emd": float(np.average(distances, weights=weights)),
            "seeding": "k-means++" if options.seeding else "given",
        },
        "seconds_by_theirs": ours_seconds / their_seconds,
        "processor_seconds_by_theirs": busy["ours"] / busy["theirs"],
        "mean_emd_by_theirs": found.mean_distance / float(np.average(distances, weights=weights)),
    }


def cluster_seeds(histograms, k):
    """Rows from which scikit-learn starts: points spread by our k-means++."""
    rows = np.sort(np.random.default_rng(0).choice(len(histograms), min(len(histograms), 256 * k)))
    points = np.cumsum(histograms[rows], axis=1)[:, :-1].astype(np.float64)
    n = len(rows)
    chosen = np.empty(k, np.int64)
    draws = np.random.default_rng(1).random((k, 2 + int(np.log(k))))
    scratch = (np.empty(n), np.empty(n, np.int64), np.empty(n), np.empty(k))
    kmeans_kernels.choose_seeds(points, np.ones(n), draws, *scratch, chosen)
    return rows[chosen]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--street", choices=TOPS, default="flop")
    parser.add_argument("--synthetic", action="store_true", help="random histograms, no tables")
    parser.add_argument("--folder", type=Path, help="of the tables; the user's cache if not given")
    parser.add_argument("--points", type=int, help="so many histograms instead of all")
    parser.add_argument("--clusters", type=int, default=200)
    parser.add_argument("--iterations", type=int, default=30)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--runs", type=int, default=1, help="timed runs, of which the median counts"
    )
    parser.add_argument("--seeding", action="store_true", help="scikit-learn finds its own seeds")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()

    if options.synthetic:
        rng = np.random.default_rng(0)
        histograms, weights = synthetic(options.street, options.points, rng)
    else:
        histograms, weights = real(options.street, options.points, options.folder, options.threads)
    result = compare(histograms, weights, options)
    result["bin_differences_per_second"] = brute_force_rate(histograms, options.clusters)
    setting = {
        "street": options.street,
        "histograms": "synthetic" if options.synthetic else "real",
        "points": len(histograms),
        "clusters": options.clusters,
        "threads": options.threads,
        "runs": options.runs,
    }
    if options.json:
        print(json.dumps({**setting, **result}))
        return
    print(", ".join(f"{name} {value}" for name, value in setting.items()))
    for name in ("ours", "scikit-learn"):
        row = result[name]
        print(
            f"{name:13} {row['seconds']:8.2f} s  {row['iterations']:4} iterations  "
            f"mean EMD {row['mean_emd']:.6f}"
        )
    print(f"ours / scikit-learn: time {result['seconds_by_theirs']:.2f}, ", end="")
    print(f"mean EMD {result['mean_emd_by_theirs']:.4f}")
    print(f"distances computed: {result['ours']['share_computed']:.2%} of brute force; ", end="")
    rate = result["bin_differences_per_second"]
    print(f"{rate / 1e9:.1f}e9 bin differences per second and core")


if __name__ == "__main__":
    main()
