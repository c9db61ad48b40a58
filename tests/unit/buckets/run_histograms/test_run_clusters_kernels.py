"""The nearest center by plain NumPy."""

import numpy as np

from counterfold.buckets.run_histograms.run_clusters_kernels import nearest_center


def test_of_equally_near_centers_the_first(rng):
    centers = rng.integers(0, 9, (30, 7)).astype(np.uint16)
    centers[20] = centers[3]
    for _ in range(200):
        shares = rng.integers(0, 9, 8).astype(np.uint16)
        gaps = np.abs(centers.astype(int) - shares[:-1].astype(int)).sum(axis=1)
        assert nearest_center(shares, centers) == gaps.argmin()
    assert nearest_center(np.append(centers[20], 9).astype(np.uint16), centers) == 3
