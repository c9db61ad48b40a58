"""Pairs of bucket sequences, one of either seat: how often they meet, and who wins at showdown.

With perfect recall these tables are all that a game needs to know of its cards. They come from the
joint tables of a card abstraction, or from a list of all deals of a small variant. A sequence is
numbered by its buckets, that of the first street counting most: those of the next street that go on
from sequence ``s`` are ``s * n`` to ``s * n + n - 1``, also where no deal has them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.joint_tables import Joint
from counterfold.cards.streets import STREETS
from counterfold.errors import AbstractionError
from counterfold.public.card_maps import Buckets
from counterfold.public.deals import Deals

Matrix = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class PairTables:
    """The tables by street. Shape: ``S`` sequences of the street."""

    n_buckets: tuple[int, ...]  # of each street, by which sequences grow
    joint: tuple[Matrix, ...]  # [S, S] probability of each pair, seat 0 first; sums to one
    net: Matrix  # [S, S] on the last street: P(pair and seat 0 wins) - P(pair and seat 1 wins)

    def __post_init__(self) -> None:
        if len(self.joint) != len(self.n_buckets):
            raise AbstractionError(
                f"{len(self.joint)} tables of pairs for {len(self.n_buckets)} streets of buckets"
            )
        last = (self.n_sequences[-1], self.net)
        for n, table in (*zip(self.n_sequences, self.joint, strict=True), last):
            if table.shape != (n, n):
                raise AbstractionError(
                    f"buckets {self.n_buckets} need tables of {n} by {n}, not {table.shape}"
                )

    @property
    def n_sequences(self) -> tuple[int, ...]:
        """Bucket sequences of a seat up to each street."""
        return tuple(prod(self.n_buckets[: k + 1]) for k in range(len(self.n_buckets)))


def pairs_of_joint(joint: Joint) -> PairTables:
    """The tables of a card abstraction of hold'em."""
    tables = tuple(joint.probabilities[street].values for street in STREETS)
    return PairTables(joint.n_buckets, tables, joint.net.values)


def pairs_of_deals(deals: Deals, sequences: Buckets, n_buckets: Sequence[int]) -> PairTables:
    """The tables of listed deals of a variant without draws, whose `sequences` are numbered."""
    signs = np.sign(deals.strengths[:, 0, 0] - deals.strengths[:, 1, 0])

    def add_up(k: int, weights: NDArray[np.float64]) -> Matrix:
        n = prod(n_buckets[: k + 1])
        pairs = sequences[:, 0, k].astype(np.int64) * n + sequences[:, 1, k]
        sums: Matrix = np.bincount(pairs, weights, n * n).astype(np.float64)
        return sums.reshape(n, n)

    tables = tuple(add_up(k, deals.weights) for k in range(len(n_buckets)))
    return PairTables(tuple(n_buckets), tables, add_up(len(n_buckets) - 1, deals.weights * signs))


def number_sequences(labels: Buckets) -> tuple[Buckets, tuple[int, ...]]:
    """Sequences, and the buckets of each street, of `labels` that tell the earlier ones.

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
                f"{names.size} labels do not tell the {np.unique(before).size} of the street "
                "before; pairs of sequences need perfect recall"
            )
        order = np.argsort(parents, kind="stable")
        starts = np.searchsorted(parents[order], parents[order])
        place = np.empty(names.size, np.int64)
        place[order] = np.arange(names.size) - starts
        n_buckets.append(int(place.max()) + 1)
        sequences.append((parents * n_buckets[-1] + place)[of].reshape(street.shape))
    return np.stack(sequences, axis=2).astype(np.int32), tuple(n_buckets)
