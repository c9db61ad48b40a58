"""Solvers that are kept for other spots with the same betting, as search in play asks for them."""

from collections import OrderedDict
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import Situation
from counterfold.ranges.betting_growth import TreeMenu
from counterfold.ranges.betting_tree import BettingTree
from counterfold.ranges.board_cards import BoardCards
from counterfold.ranges.kept.kept_bettings import Betting, BettingKey, KeptBettings
from counterfold.ranges.range_pass import RangePass
from counterfold.ranges.range_solver import RangeSolver

_MOST_BYTES = 1 << 29  # of the tables of all solvers that are kept


class KeptSolver(NamedTuple):
    """A solver, and the betting that it solves."""

    tree: BettingTree
    solver: RangeSolver


class KeptSolvers:
    """At most `most` solvers, by their betting; those that were not asked for longest go first.

    Fewer are kept where their tables are large.
    """

    def __init__(
        self, most: int = 32, *, threads: int | None = None, dtype: DTypeLike = np.float32
    ) -> None:
        self.most, self.threads, self.dtype = most, threads, dtype
        self._bettings = KeptBettings()
        self._kept: OrderedDict[BettingKey, KeptSolver] = OrderedDict()

    def betting(
        self,
        variant: Variant,
        root: Situation,
        menu: TreeMenu | None,
        *,
        dead: int = 0,
        added: tuple[int, ...] = (),
    ) -> Betting:
        """The betting of a solver that may be asked for."""
        return self._bettings.find(BettingKey(variant, root, menu, dead, added))

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
        key = BettingKey(variant, tuple(int(field) for field in root), menu, dead, added)
        if key in self._kept:
            self._kept.move_to_end(key)
            self._kept[key].solver.restart(board, weights)
        else:
            self._kept[key] = self._make(key, board, weights)
        while len(self._kept) > min(self.most, self._most_by_memory()):
            self._kept.popitem(last=False)
        return self._kept[key]

    def _most_by_memory(self) -> int:
        """How many of the solvers asked for last fit, two at least: one may answer another."""
        total = 0
        for n, kept in enumerate(reversed(self._kept.values())):
            total += sum(table.nbytes for table in kept.solver.tables.values())
            if total > _MOST_BYTES:
                return max(n, 2)
        return self.most

    def _make(
        self,
        key: BettingKey,
        board: tuple[int, ...],
        weights: tuple[NDArray[np.float64], NDArray[np.float64]],
    ) -> KeptSolver:
        tree, lines = self._bettings.find(key)
        cards = BoardCards(key.variant, board, weights, tuple(lines.shows.tolist()))
        cards.check_hands()
        pot = key.root[betting.SPENT_0] + key.root[betting.SPENT_1] + key.dead
        return KeptSolver(tree, RangeSolver(RangePass(lines, cards, self.dtype, self.threads), pot))
