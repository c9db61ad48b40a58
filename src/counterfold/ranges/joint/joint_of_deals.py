"""Joint tables from a list of all deals of a small variant, whatever its streets.

With perfect recall these tables are all that a game needs to know about its cards.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.joint_tables import JointTable, JointTables
from counterfold.errors import AbstractionError
from counterfold.public.card_maps import Buckets
from counterfold.public.deals import Deals


def joint_of_deals(deals: Deals, sequences: Buckets, n_buckets: Sequence[int]) -> JointTables:
    """The tables of listed deals of a variant without draws, whose `sequences` are numbered."""
    signs = np.sign(deals.strengths[:, 0, 0] - deals.strengths[:, 1, 0])

    def add_up(k: int, weights: NDArray[np.float64]) -> JointTable:
        n = prod(n_buckets[: k + 1])
        pairs = sequences[:, 0, k].astype(np.int64) * n + sequences[:, 1, k]
        return JointTable(np.bincount(pairs, weights, n * n).astype(np.float64).reshape(n, n))

    tables = tuple(add_up(k, deals.weights) for k in range(len(n_buckets)))
    return JointTables(tuple(n_buckets), tables, add_up(len(n_buckets) - 1, deals.weights * signs))


def number_sequences(labels: Buckets) -> tuple[Buckets, tuple[int, ...]]:
    """Sequences, and the buckets of each street, of `labels` that include the earlier ones.

    `labels` are those of a card map with perfect recall for listed deals, ``[n, 2, streets]``.
    """
    streets = labels.astype(np.int64).transpose(2, 0, 1)
    sequences = [np.unique(streets[0], return_inverse=True)[1].reshape(streets[0].shape)]
    n_buckets = [int(sequences[0].max()) + 1]
    for before, street in pairwise(streets):
        names, first, of = np.unique(street, return_index=True, return_inverse=True)
        parents = sequences[-1].ravel()[first]
        if not np.array_equal(parents[of].ravel(), sequences[-1].ravel()):
            raise AbstractionError(
                f"{names.size} labels do not determine the {np.unique(before).size} of the street "
                "before; joint tables need perfect recall"
            )
        order = np.argsort(parents, kind="stable")
        starts = np.searchsorted(parents[order], parents[order])
        place = np.empty(names.size, np.int64)
        place[order] = np.arange(names.size) - starts
        n_buckets.append(int(place.max()) + 1)
        sequences.append((parents * n_buckets[-1] + place)[of].reshape(street.shape))
    return np.stack(sequences, axis=2).astype(np.int32), tuple(n_buckets)
