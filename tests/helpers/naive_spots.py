"""Spots by plain recursion over nodes, cards and pairs of hands, for comparison.

Nothing here knows of lines, vectors, orders of strength or renamed suits.
"""

from collections.abc import Callable
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.ranking import showdown_strength
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.betting_tree import BettingTree
from counterfold.ranges.board_cards import BoardCards
from counterfold.ranges.line_tree import Rake

Vector = NDArray[np.float64]
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
        return values.max(axis=0) if best else (values * shares).sum(axis=0)

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
