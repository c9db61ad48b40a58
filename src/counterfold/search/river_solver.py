"""CFR for two ranges on a whole board with NumPy alone, as `ranges.range_solver` does by kernels.

For machines without Numba: the same iterations, a hundred times slower for a hand than a kernel,
but all hands of a line at once. Vectors lie as ``[line, hand]``.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.pairs import N_PAIRS
from counterfold.errors import CardError
from counterfold.games.holdem import Variant
from counterfold.games.holdem.situation import Situation
from counterfold.ranges.betting_growth import TreeMenu
from counterfold.ranges.betting_tree import BettingTree
from counterfold.ranges.kept.kept_bettings import Betting, BettingKey, KeptBettings
from counterfold.ranges.line_tree import NONE, LineTree, SeatLines
from counterfold.ranges.regret_arrays import fade_regrets, match_columns
from counterfold.ranges.root_gadgets import RootGadget
from counterfold.ranges.spot_discounting import SPOT_DISCOUNTING, find_fading
from counterfold.search.river_cards import Places, Removal, SeatHands, Values, order_hands
from counterfold.search.spot_solver import LaterBoards

Ranker = Callable[[tuple[int, ...]], NDArray[np.int64]]  # strengths of all pairs on a board


class RootBoard(NamedTuple):
    """The one board of a spot."""

    street: int
    parent: int
    board: tuple[int, ...]


class _Ends(NamedTuple):
    """The ends of a seat's lines: its own lines, those of the other, and the chips."""

    folds: Places
    fold_others: Places
    fold_stakes: Values  # [., 1]
    shows: Places
    show_others: Places
    show_stakes: Values  # [., 1]


class RiverSolver:
    """Tables of one run."""

    def __init__(
        self, lines: LineTree, board: tuple[int, ...], hands: tuple[SeatHands, SeatHands]
    ) -> None:
        self.lines, self.hands = lines, hands
        self.boards: Sequence[RootBoard] = (RootBoard(0, NONE, board),)
        self.gadget: RootGadget | None = None
        self.iterations = 0
        self.n_all_hands = N_PAIRS
        self._removal = Removal(hands[0], hands[1]), Removal(hands[1], hands[0])
        self._root = [each.weights.copy() for each in hands]
        self._ends = [_list_ends(seat) for seat in lines.seats]
        shapes = [(int(lines.n_rows[0, seat]), len(hands[seat].numbers)) for seat in (0, 1)]
        self._regrets, self._averages = ([np.zeros(shape) for shape in shapes] for _ in (0, 1))

    @property
    def decisions(self) -> NDArray[np.int32]:
        """[nodes] the number of a decision among those of its actor."""
        return self.lines.decisions

    def run(self, iterations: int) -> None:
        """Run `iterations` more; a gadget chooses the hands of its seat before each."""
        last = self.iterations + iterations
        factors = find_fading(SPOT_DISCOUNTING, max(1000, 2 * last))
        for t in range(self.iterations, last):
            if self.gadget is not None:
                self._root[self.gadget.seat] = self.gadget.weights()
            followed = self._follow(0), self._follow(1)
            first = self._learn(0, *followed[0], followed[1][0], factors[t])
            second = self._learn(1, *followed[1], self._follow(0)[0], factors[t])
            if self.gadget is not None:
                self.gadget.learn((first, second)[self.gadget.seat], factors[t])
        self.iterations = last

    def _learn(
        self, seat: int, own: Values, shares: Values, other: Values, factors: Values
    ) -> Values:
        """One pass for a seat, with how often both come along their lines, and what it does.

        Returns what its hands win at the root.
        """
        values = self._end(seat, other)
        lines, regrets, averages = self.lines.seats[seat], self._regrets[seat], self._averages[seat]
        for j in range(len(lines.first) - 1, -1, -1):
            at, rows = _actions(lines, j)
            node = (shares[rows] * values[at]).sum(axis=0)
            values[lines.parent[j]] += node
            values[at] -= node
        fade_regrets(regrets, factors)
        averages *= factors[2]
        for j in range(len(lines.first)):
            at, rows = _actions(lines, j)
            regrets[rows] += values[at]
            averages[rows] += own[at]
        return np.asarray(values[0])

    def _follow(self, seat: int, weights: Values | None = None) -> tuple[Values, Values]:
        """How often hands come along each line, and what they do, by regrets or other weights."""
        lines = self.lines.seats[seat]
        weights = self._regrets[seat] if weights is None else weights
        shares = np.maximum(weights, 0.0)
        reach = np.empty((int(lines.starts[-1]), weights.shape[1]))
        reach[0] = self._root[seat]
        for j in range(len(lines.first)):
            at, rows = _actions(lines, j)
            match_columns(shares[rows])
            np.multiply(reach[lines.parent[j]], shares[rows], out=reach[at])
        return reach, shares

    def _end(self, seat: int, other: Values) -> Values:
        """What lines come to where hands end."""
        ends, removal = self._ends[seat], self._removal[seat]
        values = np.zeros((int(self.lines.seats[seat].starts[-1]), len(self.hands[seat].numbers)))
        values[ends.shows] += ends.show_stakes * removal.win(other[ends.show_others])
        values[ends.folds] += ends.fold_stakes * removal.meet(other[ends.fold_others])
        return values

    def exploitability(self) -> float:
        """What a best response gains, in chips, on average over both seats."""
        pairs = float(self.hands[0].weights @ self.met_at_root(0))
        self._root = [each.weights for each in self.hands]
        best = [self.best_values(seat) @ self.hands[seat].weights / pairs for seat in (0, 1)]
        return float(sum(best)) / 2

    def best_values(self, seat: int) -> Values:
        """What the hands of a seat at the root win, at best, from the other's average strategy."""
        other, _ = self._follow(1 - seat, self._averages[1 - seat])
        values, lines = self._end(seat, other), self.lines.seats[seat]
        for j in range(len(lines.first) - 1, -1, -1):
            at, _ = _actions(lines, j)
            values[lines.parent[j]] += values[at].max(axis=0)
        return np.asarray(values[0])

    def met_at_root(self, seat: int) -> Values:
        """The weight of the hands of the other that each hand of a seat can meet at the root."""
        met = self._removal[seat].meet(self.hands[1 - seat].weights[None])[0]
        return np.asarray(np.maximum(met, 0.0))

    def hands_on(self, board: int, seat: int) -> Places:
        """Numbers of the hands of a seat, in their order, among all hands."""
        return self.hands[seat].numbers

    def later_boards(self, tree: BettingTree) -> LaterBoards | None:
        """None: the board is whole."""
        return None

    def average(self, seat: int, board: int, decision: int) -> Values:
        """[actions, hands] probabilities at a decision of a seat."""
        _, rows = _actions(self.lines.seats[seat], decision)
        shares = np.maximum(self._averages[seat][rows], 0.0)
        totals = shares.sum(axis=0)
        even = 1.0 / len(shares)
        return np.asarray(np.where(totals > 0, shares / np.where(totals > 0, totals, 1.0), even))

    def set_average(self, seat: int, board: int, decision: int, shares: Values) -> None:
        """Overwrite what hands do at a decision, [actions, hands]."""
        _, rows = _actions(self.lines.seats[seat], decision)
        self._averages[seat][rows] = shares


class RiverSolvers:
    """Makes solvers of spots on whole boards; `rank` tells the strengths of all pairs."""

    def __init__(self, rank: Ranker) -> None:
        self._rank, self._bettings = rank, KeptBettings()

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
        weights: tuple[Values, Values],
        *,
        dead: int = 0,
        added: tuple[int, ...] = (),
    ) -> tuple[BettingTree, RiverSolver]:
        """A solver that has not begun; `weights` are those of all pairs, by seat."""
        tree, lines = self.betting(variant, root, menu, dead=dead, added=added)
        ranks = self._rank(board)
        hands = order_hands(board, ranks, weights[0]), order_hands(board, ranks, weights[1])
        solver = RiverSolver(lines, board, hands)
        if not (solver.met_at_root(0) @ hands[0].weights > 0):
            raise CardError("no two hands of the ranges can be held at once")
        return tree, solver


def _actions(lines: SeatLines, j: int) -> tuple[slice, slice]:
    """Where the lines of a decision lie, and its rows in the tables."""
    first, row, n = int(lines.first[j]), int(lines.row[j]), int(lines.n_actions[j])
    return slice(first, first + n), slice(row, row + n)


def _list_ends(lines: SeatLines) -> _Ends:
    folds, shows = np.flatnonzero(lines.fold != NONE), np.flatnonzero(lines.show != NONE)
    return _Ends(
        folds,
        lines.fold[folds].astype(np.intp),
        lines.fold_stake[folds][:, None],
        shows,
        lines.show[shows].astype(np.intp),
        lines.show_stake[shows][:, None],
    )
