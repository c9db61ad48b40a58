"""Solvers that are kept for other spots with the same betting, as search in play asks for them."""

from collections import OrderedDict
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import Situation
from counterfold.ranges.betting_growth import TreeMenu
from counterfold.ranges.betting_tree import BettingTree, build_betting_tree
from counterfold.ranges.board_cards import BoardCards
from counterfold.ranges.line_tree import find_lines
from counterfold.ranges.range_pass import RangePass
from counterfold.ranges.range_solver import RangeSolver

_Betting = tuple[Variant, Situation, TreeMenu | None, int, tuple[int, ...]]


class KeptSolver(NamedTuple):
    """A solver, and the betting that it solves."""

    tree: BettingTree
    solver: RangeSolver


class KeptSolvers:
    """At most `most` solvers, by their betting; those that were not asked for longest go first."""

    def __init__(
        self, most: int = 32, *, threads: int | None = None, dtype: DTypeLike = np.float32
    ) -> None:
        self.most, self.threads, self.dtype = most, threads, dtype
        self._kept: OrderedDict[_Betting, KeptSolver] = OrderedDict()

    def solver(
        self,
        variant: Variant,
        root: Situation,
        menu: TreeMenu | None,
        board: tuple[int, ...],
        weights: tuple[NDArray[np.float64], NDArray[np.float64]],
        *,
        dead: int = 0,
        added: tuple[int, ...] = (),
    ) -> KeptSolver:
        """A solver that has not begun; the last one with the same betting is begun anew.

        `weights` are those of all hands of 52 cards, by seat; `dead` chips in the pot are nobody's,
        and raises to the totals `added` are offered at `root` beside those of the menu.
        """
        key = (variant, tuple(int(field) for field in root), menu, dead, added)
        if key in self._kept:
            self._kept.move_to_end(key)
            self._kept[key].solver.restart(board, weights)
        else:
            self._kept[key] = self._make(*key, board, weights)
        if len(self._kept) > self.most:
            self._kept.popitem(last=False)
        return self._kept[key]

    def _make(
        self,
        variant: Variant,
        root: Situation,
        menu: TreeMenu | None,
        dead: int,
        added: tuple[int, ...],
        board: tuple[int, ...],
        weights: tuple[NDArray[np.float64], NDArray[np.float64]],
    ) -> KeptSolver:
        tree = build_betting_tree(variant, root, menu, dead=dead, added=added)
        lines = find_lines(tree, dead=dead)
        cards = BoardCards(variant, board, weights, tuple(lines.shows.tolist()))
        cards.check_hands()
        pot = root[betting.SPENT_0] + root[betting.SPENT_1] + dead
        return KeptSolver(tree, RangeSolver(RangePass(lines, cards, self.dtype, self.threads), pot))
