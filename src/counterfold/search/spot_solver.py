"""What search asks of solvers of spots: one kind runs kernels, another NumPy alone."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import Variant
from counterfold.games.holdem.situation import Situation
from counterfold.ranges.betting_growth import TreeMenu
from counterfold.ranges.betting_tree import BettingTree
from counterfold.ranges.kept.kept_bettings import Betting
from counterfold.ranges.root_gadgets import RootGadget

Values = NDArray[np.float64]
Dealt = tuple[tuple[int, ...], ...]  # cards, street by street


class ListedBoard(Protocol):
    """A board of a spot."""

    @property
    def street(self) -> int:
        """0 for the root."""

    @property
    def parent(self) -> int:
        """The number of the board above."""

    @property
    def board(self) -> tuple[int, ...]:
        """All of its cards."""


class LaterBoards(Protocol):
    """A solver that is done, asked by the cards that were dealt after the root."""

    def read(self, node: int, dealt: Dealt) -> Values:
        """[actions, hands of 52 cards] what hands do at a decision."""

    def read_street(self, first: int, dealt: Dealt) -> dict[int, Values]:
        """The same by node, for all decisions from `first` on before the next deal."""

    def possible_hands(self, dealt: Dealt) -> NDArray[np.bool_]:
        """[hands of 52 cards] whether a hand has none of the cards."""


class SpotSolver(Protocol):
    """Learns both strategies of a spot; seats, boards, decisions and hands are numbers."""

    gadget: RootGadget | None
    iterations: int

    @property
    def decisions(self) -> NDArray[np.int32]:
        """[nodes] the number of a decision among those of its actor."""

    @property
    def boards(self) -> Sequence[ListedBoard]:
        """The boards in their order, the root's first."""

    @property
    def n_all_hands(self) -> int:
        """Of 52 cards."""

    def run(self, iterations: int) -> None:
        """Learn some more."""

    def exploitability(self) -> float:
        """In chips."""

    def hands_on(self, board: int, seat: int) -> NDArray[np.intp]:
        """Numbers of the hands of a seat on a board, in their order there, among all hands."""

    def later_boards(self, tree: BettingTree) -> LaterBoards | None:
        """The boards below the root, if there are any; `tree` is the one that is solved."""

    def met_at_root(self, seat: int) -> Values:
        """The weight of the hands of the other that each hand of a seat can meet at the root."""

    def best_values(self, seat: int) -> Values:
        """What the hands of a seat at the root win, at best, from the other's average strategy."""

    def average(self, seat: int, board: int, decision: int) -> Values:
        """[actions, hands of the board] probabilities at a decision of a seat."""

    def set_average(self, seat: int, board: int, decision: int, shares: Values) -> None:
        """Overwrite what hands do at a decision on a board, [actions, hands there]."""


class SpotSolvers(Protocol):
    """Makes solvers, or begins old ones anew."""

    def betting(
        self,
        variant: Variant,
        root: Situation,
        menu: TreeMenu | None,
        *,
        dead: int = 0,
        added: tuple[int, ...] = (),
    ) -> Betting:
        """The betting below `root`; raises to the totals `added` are offered there, too."""

    def solver(
        self,
        variant: Variant,
        root: Situation,
        menu: TreeMenu | None,
        board: tuple[int, ...],
        weights: tuple[Values, Values],
        *,
        dead: int = 0,
        added: tuple[int, ...] = (),
    ) -> tuple[BettingTree, SpotSolver]:
        """A solver that has not begun; `weights` are those of all hands of 52 cards, by seat."""
