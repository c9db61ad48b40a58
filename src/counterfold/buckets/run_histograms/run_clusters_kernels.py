"""The nearest center of each hand's histogram of final strength; see `run_strength`."""

import numpy as np

from counterfold.buckets.run_histograms.run_strength_kernels import cumulate_run, deal_run_outs
from counterfold.jit.compiler import kernel


@kernel
def nearest_center(cumulative, centers):
    """The center [n, bins - 1] at the least earth mover's distance, of equally near ones the first.

    Of cumulative shares [bins] the last is the same for all.
    """
    best, nearest = np.int64(-1), 0
    for c in range(centers.shape[0]):
        distance = np.int64(0)
        for k in range(centers.shape[1]):
            distance += abs(np.int64(cumulative[k]) - np.int64(centers[c, k]))
        if best < 0 or distance < best:
            best, nearest = distance, c
    return nearest


@kernel
def label_runs(boards, holes, deck, centers, first_flush_suit_only, tables, scratch, shares, out):
    """Overwrite `out` [boards, hands] with the nearest centers of `holes` [boards, hands, 2].

    `shares` [bins] is work space.
    """
    for i in range(boards.shape[0]):
        n = deal_run_outs(boards[i], deck, 0, first_flush_suit_only, tables, scratch)
        for h in range(holes.shape[1]):
            a, b = holes[i, h, 0], holes[i, h, 1]
            cumulate_run(a, b, n, first_flush_suit_only, tables.by_mask, scratch, shares)
            out[i, h] = nearest_center(shares, centers)
