"""The boards of a solver that is done, asked by the cards that were dealt."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.suits import rename_cards, rename_pairs
from counterfold.cards.text import N_CARDS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.betting_tree import BettingTree
from counterfold.ranges.board_cards import BoardCards, FoundBoard

Values = NDArray[np.float64]
Dealt = tuple[tuple[int, ...], ...]  # cards, street by street


class BoardSolver(Protocol):
    """What is asked of a solver."""

    @property
    def decisions(self) -> NDArray[np.int32]:
        """[nodes] the number of a decision among those of its actor."""

    def hands_on(self, board: int, seat: int) -> NDArray[np.intp]:
        """Numbers of the hands of a seat on a board, in their order there, among all hands."""

    def average(self, seat: int, board: int, decision: int) -> Values:
        """[actions, hands of the board] probabilities at a decision of a seat."""


class SolvedBoards:
    """Average strategies on all boards, over all hands of 52 cards.

    They change if the solver is begun anew, which nobody does before the hand is over.
    """

    def __init__(self, tree: BettingTree, cards: BoardCards, solver: BoardSolver) -> None:
        self._tree, self._cards, self._solver = tree, cards, solver
        self._found: dict[Dealt, FoundBoard] = {}

    def read(self, node: int, dealt: Dealt) -> Values:
        """[actions, hands of 52 cards] what hands do at a decision."""
        place = self._find(dealt)
        actor = int(self._tree.situations[node, betting.ACTOR])
        decision = int(self._solver.decisions[node])
        shares = self._solver.average(actor, place.number, decision)
        by_hand = np.zeros((len(shares), len(self._cards.holes)))
        hands = self._solver.hands_on(place.number, actor)
        by_hand[:, self._renamed(place)[hands]] = shares
        return by_hand

    def read_street(self, first: int, dealt: Dealt) -> dict[int, Values]:
        """The same by node, for all decisions from `first` on before the next deal."""
        found, waiting = {}, [first]
        while waiting:
            node = waiting.pop()
            if self._tree.phase[node] == betting.BET:
                found[node] = self.read(node, dealt)
                starts = self._tree.starts
                waiting += self._tree.children[starts[node] : starts[node + 1]].tolist()
        return found

    def possible_hands(self, dealt: Dealt) -> NDArray[np.bool_]:
        """[hands of 52 cards] whether a hand has none of the cards."""
        taken = np.zeros(N_CARDS, bool)
        taken[[card for cards in dealt for card in cards]] = True
        return np.asarray(~taken[self._cards.holes].any(axis=1))

    def _find(self, dealt: Dealt) -> FoundBoard:
        if dealt not in self._found:
            self._found[dealt] = self._cards.find_board(dealt)
        return self._found[dealt]

    def _renamed(self, place: FoundBoard) -> NDArray[np.int64]:
        """The hands of 52 cards under the new names of suits."""
        single = self._cards.variant.hole_cards == 1
        return rename_cards(place.renaming) if single else rename_pairs(place.renaming)
