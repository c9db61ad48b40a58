"""Spots by plain recursion over nodes, cards and pairs of hands, for comparison.

Nothing here knows of lines, vectors, orders of strength or renamed suits.
"""

from collections import defaultdict
from collections.abc import Callable
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, csr_matrix, hstack

from counterfold.cards.ranking import showdown_strength
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.betting_tree import BettingTree
from counterfold.ranges.board_cards import BoardCards
from counterfold.ranges.line_tree import Rake

Vector = NDArray[np.float64]
Latest = tuple[NDArray[np.int64], NDArray[np.int64]]  # sequence of each hand, by seat
# Probabilities [actions, hands of the actor at the root] at a node with these board cards.
Strategy = Callable[[int, tuple[int, ...]], NDArray[np.float64]]


class NaiveSpot:
    """What both seats win with given strategies or best responses."""

    def __init__(self, tree: BettingTree, cards: BoardCards, rake: Rake | None = None) -> None:
        self.tree, self.cards, self.rake = tree, cards, rake or Rake()
        self.holes = [[tuple(row) for row in cards.holes[hands].tolist()] for hands in cards.hands]
        self.deck = cards.variant.deck.cards.tolist()
        self._known: dict[tuple[int, ...], NDArray[np.float64]] = {}

    def value(self, seat: int, strategy: Strategy, *, best: bool = False) -> float:
        """The mean of what `seat` wins over all pairs of hands."""
        own, other = self.cards.root_weights[seat], self.cards.root_weights[1 - seat]
        totals = self._at(0, self.cards.board, seat, other, strategy, best)
        pairs = sum(
            a * b
            for a, hole in zip(own, self.holes[seat], strict=True)
            for b, theirs in zip(other, self.holes[1 - seat], strict=True)
            if not set(hole) & set(theirs)
        )
        return float(own @ totals / pairs)

    def _at(
        self,
        node: int,
        board: tuple[int, ...],
        seat: int,
        other: Vector,
        strategy: Strategy,
        best: bool,
    ) -> Vector:
        """What each hand of `seat` wins below a node, weighted by how often the other is there."""
        phase = self.tree.situations[node, betting.PHASE]
        children = self.tree.children[self.tree.starts[node] : self.tree.starts[node + 1]]
        if phase == betting.DEAL:
            return self._dealt(int(children[0]), board, seat, other, strategy, best)
        if phase != betting.BET:
            return self._end(node, board, seat, other)
        actor = self.tree.situations[node, betting.ACTOR]
        shares = strategy(node, board)
        if actor != seat:
            below = [
                self._at(int(child), board, seat, other * share, strategy, best)
                for child, share in zip(children, shares, strict=True)
            ]
            return np.sum(below, axis=0)
        values = np.array(
            [self._at(int(child), board, seat, other, strategy, best) for child in children]
        )
        return self._best(node, board, values) if best else (values * shares).sum(axis=0)

    def _best(self, node: int, board: tuple[int, ...], values: NDArray[np.float64]) -> Vector:
        """What each hand makes of the values of its actions."""
        return np.asarray(values.max(axis=0))

    def _dealt(
        self,
        child: int,
        board: tuple[int, ...],
        seat: int,
        other: Vector,
        strategy: Strategy,
        best: bool,
    ) -> Vector:
        street = self.tree.situations[child, betting.STREET]
        n = self.cards.variant.streets[street].cards
        left = [card for card in self.deck if card not in board]
        total = np.zeros(len(self.holes[seat]))
        for cards in combinations(left, n):
            theirs = other * self._free(1 - seat, cards)
            below = self._at(child, board + cards, seat, theirs, strategy, best)
            total += below * self._free(seat, cards)
        return total / comb(len(left) - 2 * self.cards.variant.hole_cards, n)

    def _free(self, seat: int, cards: tuple[int, ...]) -> Vector:
        return np.array([float(not set(hole) & set(cards)) for hole in self.holes[seat]])

    def _end(self, node: int, board: tuple[int, ...], seat: int, other: Vector) -> Vector:
        return np.asarray((self.meets(seat, board) * self.results(node, board, seat)) @ other)

    def results(
        self, node: int, board: tuple[int, ...], seat: int = 0
    ) -> float | NDArray[np.float64]:
        """Chips to a seat at an end of the hand, [its hands, the other's] or the same for all."""
        situation = self.tree.situations[node]
        spent = situation[betting.SPENT_0 : betting.SPENT_1 + 1] + self.tree.dead / 2
        if situation[betting.PHASE] == betting.FOLDED:
            lost = float(spent[situation[betting.ACTOR]])
            folded = situation[betting.ACTOR] == seat
            return -lost if folded else lost - self.rake.of(2 * lost)
        pot = float(spent.sum())
        shares = self._shares(board) if seat == 0 else 1 - self._shares(board).T
        return np.asarray(shares * (pot - self.rake.of(pot)) - float(spent[seat]))

    def meets(self, seat: int, board: tuple[int, ...]) -> NDArray[np.float64]:
        """1 for hands that share no card with each other or the board."""
        return np.array(
            [
                [float(len({*hole, *theirs, *board}) == len(hole + theirs + board)) for theirs in
                 self.holes[1 - seat]]
                for hole in self.holes[seat]
            ]
        )  # fmt: skip

    def _shares(self, board: tuple[int, ...]) -> NDArray[np.float64]:
        """The mean share of the pot that a hand of the first seat wins of each of the second."""
        if board not in self._known:
            meets = self.meets(0, board)
            self._known[board] = np.array(
                [
                    [self._share(board, *pair) if meets[h, k] else 0.5 for k, pair in
                     enumerate((hole, theirs) for theirs in self.holes[1])]
                    for h, hole in enumerate(self.holes[0])
                ]
            )  # fmt: skip
        return self._known[board]

    def _share(
        self, board: tuple[int, ...], hole: tuple[int, ...], theirs: tuple[int, ...]
    ) -> float:
        missing = self.cards.variant.board_cards() - len(board)
        left = [c for c in self.deck if c not in {*board, *hole, *theirs}]
        shares = []
        for run in combinations(left, missing):
            a, b = (showdown_strength((*cards, *board, *run)) for cards in (hole, theirs))
            shares.append(1.0 if a > b else 0.5 if a == b else 0.0)
        return float(np.mean(shares))


class SpotProgram:
    """The sequence-form linear program of a spot without a rake.

    A sequence is a hand with a betting line and the cards seen on the way.
    """

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
