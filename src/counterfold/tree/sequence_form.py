"""The sequence form: what remains of a tree for algorithms that visit all of it.

A player's *sequence* is the list of its own information sets and actions on the way to a history
(von Stengel 1996); whatever else happened, the player contributed the same factor to the
probability of that history. So the walk over all histories becomes one sum over terminals, weighted
by the probability of one sequence per player, and one small tree per player, whose *decision
points* are the distinct pairs (sequence, information set). This holds for any number of players,
and without perfect recall too: then several points share one information set.

Shapes: ``P`` players, ``J`` decision points, ``S`` sequences, ``Z`` terminals. All sequences live
in one index space: sequence ``p`` is the empty one of player ``p``, and point ``j`` owns the
sequences ``first[j]:first[j + 1]``, one per action. Points of one player are neighbors, parents
first.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.tree.histories import TERMINAL, Tree


class Sequences(NamedTuple):
    """Decision points of all players, and the terminals that join them."""

    points: NDArray[np.int32]  # [P+1] player p decides at points[p]:points[p+1]
    parent: NDArray[np.int32]  # [J] sequence that leads to the point
    first: NDArray[np.int32]  # [J+1]
    slot: NDArray[np.int32]  # [J] first slot of the point's infoset in a strategy table
    terminals: NDArray[np.int32]  # [P, Z] sequence of each player at the terminal
    weights: NDArray[np.float64]  # [P, Z] utility of each player times probability of chance

    @property
    def n_sequences(self) -> int:
        """Sequences of all players, including the empty ones."""
        return int(self.first[-1])

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self)


def build_sequences(
    tree: Tree, infoset_of: NDArray[np.int32], offsets: NDArray[np.int32]
) -> Sequences:
    """The sequence form of `tree` whose information set ``i`` is played as ``infoset_of[i]``.

    `offsets` gives the slots of the merged information sets.
    """
    n_players = tree.utilities.shape[1]
    builder = _Points(n_players, offsets)
    rows, weights = [], []
    reach = np.ones(1)
    sequence = np.arange(n_players, dtype=np.int64)[None, :]  # of the nodes of one level
    for start, stop in zip(tree.levels[:-1], tree.levels[1:], strict=True):
        player = tree.player[start:stop]
        terminal = player == TERMINAL
        rows.append(sequence[terminal])
        weights.append(tree.utilities[tree.infoset[start:stop][terminal]] * reach[terminal, None])
        deciding = np.flatnonzero(player >= 0)
        actor = player[deciding].astype(np.int64)
        merged = infoset_of[tree.infoset[start:stop][deciding]]
        first = builder.find(sequence[deciding, actor], merged, actor)

        below = slice(tree.first_child[start], tree.first_child[stop])
        parent = tree.parent[below] - start
        reach = reach[parent] * tree.chance[below]
        sequence = sequence[parent]
        first_of = np.full(stop - start, -1)
        first_of[deciding] = first
        moved = np.flatnonzero(first_of[parent] >= 0)
        action = np.arange(below.start, below.stop) - tree.first_child[start:stop][parent]
        sequence[moved, player[parent[moved]]] = (first_of[parent] + action)[moved]
    return builder.finish(np.concatenate(rows), np.concatenate(weights))


class _Points:
    """Decision points in the order in which they are met, with provisional sequence numbers."""

    def __init__(self, n_players: int, offsets: NDArray[np.int32]) -> None:
        self.offsets = offsets
        self.known: dict[int, int] = {}  # (sequence, infoset) as one number → first sequence
        self.parents: list[int] = []
        self.infosets: list[int] = []
        self.owners: list[int] = []
        self.n_players = self.n_sequences = n_players

    def find(
        self, sequence: NDArray[np.int64], infoset: NDArray[np.int32], owner: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """First sequence of each (sequence, infoset), numbering those not met before."""
        keys, where, inverse = np.unique(
            sequence * self.offsets.size + infoset, return_index=True, return_inverse=True
        )
        found = np.empty(keys.size, np.int64)
        for k, key in enumerate(keys.tolist()):
            first = self.known.get(key)
            if first is None:
                first = self.known[key] = self.n_sequences
                i = int(infoset[where[k]])
                self.parents.append(int(sequence[where[k]]))
                self.infosets.append(i)
                self.owners.append(int(owner[where[k]]))
                self.n_sequences += int(self.offsets[i + 1] - self.offsets[i])
            found[k] = first
        return found[inverse]

    def finish(self, rows: NDArray[np.int64], weights: NDArray[np.float64]) -> Sequences:
        """Number the points by player and merge the terminals that no player can distinguish."""
        infosets = np.array(self.infosets, np.int64)
        widths = (self.offsets[infosets + 1] - self.offsets[infosets]).astype(np.int64)
        old_first = self.n_players + np.concatenate(([0], np.cumsum(widths)[:-1]))
        order = np.argsort(self.owners, kind="stable")
        first = self.n_players + np.concatenate(([0], np.cumsum(widths[order])))
        renumbered = np.arange(self.n_sequences)
        for old, new, width in zip(old_first[order], first, widths[order], strict=False):
            renumbered[old : old + width] = np.arange(new, new + width)
        terminals, merged = _merge_rows(renumbered[rows], weights)
        return Sequences(
            points=_starts(np.array(self.owners, np.int64), self.n_players),
            parent=renumbered[np.array(self.parents, np.int64)[order]].astype(np.int32),
            first=first.astype(np.int32),
            slot=self.offsets[infosets[order]].astype(np.int32),
            terminals=np.ascontiguousarray(terminals.T, np.int32),
            weights=np.ascontiguousarray(merged.T, np.float64),
        )


def _starts(owners: NDArray[np.int64], n_owners: int) -> NDArray[np.int32]:
    return np.concatenate(([0], np.cumsum(np.bincount(owners, minlength=n_owners)))).astype(
        np.int32
    )


def _merge_rows(
    rows: NDArray[np.int64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Sort `rows`, add the weights of equal ones, drop those that pay nobody anything."""
    order = np.lexsort(rows.T[::-1])
    rows, weights = rows[order], weights[order]
    new = np.ones(len(rows), bool)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    weights = np.add.reduceat(weights, starts, axis=0)
    pays = (weights != 0.0).any(axis=1)
    return rows[starts][pays], weights[pays]
