"""Hands looked at pair by pair, in plain NumPy."""

import numpy as np


def meet(hands):
    """Which pairs of hands share no card."""
    return ~(hands[:, None, :, None] == hands[None, :, None, :]).any(axis=(2, 3))


def by_label(matrix, labels, n):
    """A matrix over hands, summed over pairs of labels."""
    of = np.eye(n)[labels]
    return of.T @ matrix.astype(float) @ of
