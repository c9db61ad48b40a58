"""The value of a small spot by its sequence-form linear program, from all pairs of hands.

A sequence is a hand with a betting line and the cards seen on the way; nothing is shared between
hands, suits or boards.
"""

from collections import defaultdict
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, csr_matrix, hstack

from counterfold.games.holdem import betting_kernels as betting
from helpers.naive_spots import NaiveSpot

Latest = tuple[NDArray[np.int64], NDArray[np.int64]]  # sequence of each hand, by seat


class SpotProgram:
    """Sequences and payoffs of a spot without a rake."""

    def __init__(self, naive: NaiveSpot) -> None:
        self.naive = naive
        self.n_sequences = [1, 1]  # the first is that without an action
        self.points: list[list[tuple[int, range]]] = [[], []]  # sequence above, those below
        self.payoffs: defaultdict[tuple[int, int], float] = defaultdict(float)  # to the first seat
        none = [np.zeros(len(holes), np.int64) for holes in naive.holes]
        first, second = naive.cards.root_weights
        weights = np.outer(first, second) * naive.meets(0, naive.cards.board)
        self.n_pairs = float(weights.sum())
        self._walk(0, naive.cards.board, (none[0], none[1]), weights)

    def solve(self) -> float:
        """The value to the first seat, in chips."""
        plan, start = self._plan(0)
        other, other_start = self._plan(1)
        rows, columns = np.array(list(self.payoffs)).T
        payoffs = coo_matrix(
            (list(self.payoffs.values()), (columns, rows)), self.n_sequences[::-1]
        ).tocsr()
        n_own, n_bounds = plan.shape[1], other.shape[0]
        found = linprog(
            np.concatenate((np.zeros(n_own), -other_start)),
            A_ub=hstack((-payoffs, other.T), format="csr"),
            b_ub=np.zeros(payoffs.shape[0]),
            A_eq=hstack((plan, csr_matrix((plan.shape[0], n_bounds))), format="csr"),
            b_eq=start,
            bounds=[(0, None)] * n_own + [(None, None)] * n_bounds,
            method="highs",
        )
        assert found.success, found.message
        return float(-found.fun / self.n_pairs)

    def _plan(self, seat: int) -> tuple[csr_matrix, NDArray[np.float64]]:
        """Rows that make the weights of what follows a sequence add up to its own."""
        plan = np.zeros((len(self.points[seat]) + 1, self.n_sequences[seat]))
        plan[0, 0] = 1
        for row, (above, below) in enumerate(self.points[seat], 1):
            plan[row, below] = 1
            plan[row, above] -= 1
        start = np.zeros(len(plan))
        start[0] = 1
        return csr_matrix(plan), start

    def _walk(
        self, node: int, board: tuple[int, ...], latest: Latest, weights: NDArray[np.float64]
    ) -> None:
        """`weights` are those of pairs of hands, with the chance of the cards dealt."""
        tree = self.naive.tree
        phase = tree.situations[node, betting.PHASE]
        children = tree.children[tree.starts[node] : tree.starts[node + 1]].tolist()
        if phase == betting.DEAL:
            self._deal(children[0], board, latest, weights)
        elif phase == betting.BET:
            actor = int(tree.situations[node, betting.ACTOR])
            for child, after in zip(
                children, self._decide(actor, len(children), latest), strict=True
            ):
                self._walk(child, board, after, weights)
        else:
            pays = weights * self.naive.results(node, board)
            for h, k in np.argwhere(pays).tolist():
                self.payoffs[int(latest[0][h]), int(latest[1][k])] += pays[h, k]

    def _decide(self, actor: int, n_actions: int, latest: Latest) -> list[Latest]:
        """The sequences after each action."""
        n = latest[actor].size
        first = self.n_sequences[actor]
        self.n_sequences[actor] += n * n_actions
        below = first + np.arange(n * n_actions).reshape(n, n_actions)
        self.points[actor] += [
            (above, range(row[0], row[-1] + 1))
            for above, row in zip(latest[actor].tolist(), below.tolist(), strict=True)
        ]
        pair = list(latest)
        found: list[Latest] = []
        for column in below.T:
            pair[actor] = column
            found.append((pair[0], pair[1]))
        return found

    def _deal(
        self, child: int, board: tuple[int, ...], latest: Latest, weights: NDArray[np.float64]
    ) -> None:
        cards = self.naive.cards
        n = cards.variant.streets[self.naive.tree.situations[child, betting.STREET]].cards
        left = [card for card in self.naive.deck if card not in board]
        chance = 1 / comb(len(left) - 2 * cards.variant.hole_cards, n)
        for dealt in combinations(left, n):
            free = self.naive.meets(0, board + dealt)
            self._walk(child, board + dealt, latest, weights * free * chance)
