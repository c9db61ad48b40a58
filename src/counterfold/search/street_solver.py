"""Solves what is left of a hand: between two ranges, or against alternatives of the opponent.

The spot begins where a street does, or later where the opponent has bet what an earlier solution
does not offer. That bet is added to what it may do at the root. In the safe modes every hand of the
opponent has an alternative: what it wins at best if the bot plays on as before, by its strategy or
by the earlier solution.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from counterfold.cards.pairs import PAIR_CARDS
from counterfold.cards.text import N_CARDS
from counterfold.errors import TooLargeError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import Situation
from counterfold.ranges.betting_growth import CheckedDown, TreeMenu
from counterfold.ranges.betting_tree import BettingTree
from counterfold.ranges.root_gadgets import MarginGadget, ResolveGadget, RootGadget, meets_enough
from counterfold.search.hand_ranges import BoardShares, Values
from counterfold.search.search_options import CFR_D, COMBINED, MAXMARGIN, SearchOptions
from counterfold.search.search_speed import (
    SearchSpeed,
    count_boards,
    measure_slots,
    measure_work,
)
from counterfold.search.smaller_menu import SmallerMenu
from counterfold.search.spot_solver import ListedBoard, SpotSolver, SpotSolvers
from counterfold.search.street_solution import StreetSolution, read_strategies

LEAST_ITERATIONS = 10  # fewer say nothing
ENOUGH_ITERATIONS = 30  # for which a menu is left as large as it is
ALWAYS_SHARE = 0.5  # of the opponent's hands that enter without a choice, in the combined mode

Strategies = Callable[[BettingTree, Sequence[ListedBoard]], Iterator[BoardShares]]


class StreetSpot(NamedTuple):
    """What is to be solved."""

    variant: Variant
    root: Situation
    board: tuple[int, ...]
    weights: tuple[Values, Values]  # of all hands of 52 cards, by seat
    seat: int  # who searches
    bet: int | None  # the total of a raise at the root that must be offered
    before: Strategies  # what the seat does below the root if nothing is solved
    earlier: StreetSolution | None = None  # that `before` is of; None for the strategy

    def added(self, menu: TreeMenu | None) -> tuple[int, ...]:
        """The raise at the root that `menu` does not offer."""
        if self.bet is None or menu is None or self.bet in menu.totals(self.variant, self.root):
            return ()
        return (self.bet,)

    @property
    def n_streets(self) -> int:
        """How many streets there are from the root on."""
        boards = [self.variant.board_cards(k) for k in range(len(self.variant.streets))]
        return len(boards) - boards.index(len(self.board))


class SearchPlan(NamedTuple):
    """A menu to solve a spot with, and how much work an iteration is."""

    menu: TreeMenu | None
    work: float
    is_smaller: bool  # than the bot's own

    @property
    def least(self) -> int:
        """Iterations without which a solution is not played: more where a street has no bets."""
        return ENOUGH_ITERATIONS if isinstance(self.menu, CheckedDown) else LEAST_ITERATIONS

    @property
    def notes(self) -> tuple[str, ...]:
        """What is left out of the spot."""
        if not self.is_smaller:
            return ()
        told = "solved with fewer bets, since time or memory is short"
        if isinstance(self.menu, CheckedDown):
            return (told, "nobody bets on the last street of the solution")
        return (told,)


@dataclass
class Deadline:
    """When to stop: after `iterations`, or when the clock shows `at`."""

    iterations: int
    at: float = float("inf")
    now: Callable[[], float] = time.perf_counter

    def run(self, solver: SpotSolver) -> None:
        """Run as many iterations as there is time for, but one at least."""
        chunk, slowest = 1, 0.0
        while solver.iterations < self.iterations:
            begin = self.now()
            if solver.iterations and begin + chunk * slowest > self.at:
                if chunk == 1:
                    return
                chunk = 1
                continue
            solver.run(min(chunk, self.iterations - solver.iterations))
            slowest = max(slowest, (self.now() - begin) / chunk)
            chunk = min(2 * chunk, _MOST_AT_ONCE)


_MOST_AT_ONCE = 16
_MOST_WORK = 1e7  # of a spot with several streets and fewer bets to choose, if nobody waits
_LEAST_ROWS = 4  # actions of each seat on a street of the smallest spot
_SLOT_BYTES = 8  # regrets and averages
_MOST_BYTES = 1 << 30  # of a solver


class StreetSolver:
    """Solves spots, one after another; `menu` is what may be bet, None for fixed limits."""

    def __init__(self, options: SearchOptions, solvers: SpotSolvers, menu: TreeMenu | None) -> None:
        self.options, self.menu = options, menu
        self.speed = SearchSpeed()
        self._solvers = solvers

    def tree(
        self, variant: Variant, root: Situation, menu: TreeMenu | None, bet: int | None = None
    ) -> BettingTree:
        """The betting of a spot with any menu; `bet` is offered at its root."""
        offered = None if menu is None else menu.totals(variant, root)
        added = () if bet is None or offered is None or bet in offered else (bet,)
        return self._solvers.betting(variant, root, menu, added=added).tree

    def plan(self, spot: StreetSpot, seconds: float) -> SearchPlan | None:
        """The largest menu with which a spot can be solved in `seconds`; None if there is none.

        Raises `TooLargeError` if even the smallest one takes too much memory.
        """
        n, n_boards = spot.n_streets, count_boards(spot.variant, spot.board)
        n_hands = self._count_hands(spot)
        least = _LEAST_ROWS * float(sum(n_boards)) * sum(n_hands)
        if self.speed.expect(n, least, LEAST_ITERATIONS) > seconds:
            return None
        menus, nobody_waits = self._menus(spot), seconds == float("inf")
        for menu, smaller in pairwise((*menus, None)):
            is_last = menu is menus[-1]
            try:
                lines = self._solvers.betting(
                    spot.variant, spot.root, menu, added=spot.added(menu)
                ).lines
                _check_size(measure_slots(lines, n_boards, n_hands))
                work = measure_work(lines, n_boards, n_hands)
            except TooLargeError:
                if is_last:
                    raise
                continue
            may_be_smaller = not is_last and not isinstance(smaller, CheckedDown)
            if nobody_waits and work > _MOST_WORK and may_be_smaller:
                continue  # to let nobody bet on a street would be worse than to wait
            plan = SearchPlan(menu, work, menu is not menus[0])
            enough = plan.least if is_last else ENOUGH_ITERATIONS
            if self.speed.expect(n, work, enough) <= seconds:
                return plan
        return None

    def _menus(self, spot: StreetSpot) -> tuple[TreeMenu | None, ...]:
        """The menu, then those with fewer bets: on later streets, everywhere, none on the last.

        The last two streets are solved to the end of the hand; more only if that can be. A promise
        about a hand without bets on its last street would be none, so it is not offered there.
        """
        menus: tuple[TreeMenu | None, ...] = (self.menu,)
        if self.menu is not None:
            if spot.n_streets > 1:
                menus += (SmallerMenu(self.menu, spot.root[betting.STREET] + 1),)
            menus += (SmallerMenu(self.menu),)
        if spot.n_streets > 2 and not self.options.has_promise:
            menus += (CheckedDown(menus[-1], len(spot.variant.streets) - 1),)
        return menus

    def _count_hands(self, spot: StreetSpot) -> tuple[int, int]:
        """Hands of each seat at the root."""
        free = np.zeros(N_CARDS, bool)
        free[spot.variant.deck.cards] = True
        free[list(spot.board)] = False
        possible = free if spot.weights[0].size == N_CARDS else free[PAIR_CARDS].all(axis=1)
        first, second = (np.count_nonzero(each[possible]) for each in self._entering(spot))
        return int(first), int(second)

    def solve(self, spot: StreetSpot, plan: SearchPlan, deadline: Deadline) -> StreetSolution:
        """The strategies of both seats for a spot."""
        started, menu = deadline.now(), plan.menu
        alternatives = met = np.zeros(0)
        weights = scaled(spot.weights)
        if self.options.is_safe:
            entering = self._entering(spot)
            alternatives = self._alternatives(spot, menu, entering)
            tree, solver = self._solver(spot, menu, entering, spot.added(menu))
            met = solver.met_at_root(1 - spot.seat)
            solver.gadget = self._gadget(spot, solver, alternatives, met, weights)
        else:
            tree, solver = self._solver(spot, menu, weights, spot.added(menu))
        ready = deadline.now()
        rest = plan.work * self.speed.rates_for(spot.n_streets).rest
        replace(deadline, at=deadline.at - rest).run(solver)
        ended = deadline.now()
        exploitability = margin = None
        if self.options.is_safe:
            values = solver.best_values(1 - spot.seat)
            able = meets_enough(met)
            gains = (values - alternatives)[able] / met[able]
            margin = -float(gains.max(initial=-np.inf))
        else:
            exploitability = solver.exploitability()
        strategies = read_strategies(tree, solver)
        done = deadline.now()
        self.speed.note(
            spot.n_streets, plan.work, ready - started,
            (ended - ready) / solver.iterations, done - ended,
        )  # fmt: skip
        return StreetSolution(
            tree,
            menu,
            spot.board,
            weights,
            strategies,
            solver.iterations,
            done - started,
            exploitability,
            margin,
            solver.later_boards(tree),
        )

    def _solver(
        self,
        spot: StreetSpot,
        menu: TreeMenu | None,
        weights: tuple[Values, Values],
        added: tuple[int, ...],
    ) -> tuple[BettingTree, SpotSolver]:
        return self._solvers.solver(spot.variant, spot.root, menu, spot.board, weights, added=added)

    def _entering(self, spot: StreetSpot) -> tuple[Values, Values]:
        """Both ranges; in the safe modes the opponent may hold every hand."""
        first, second = scaled(spot.weights)
        if not self.options.is_safe:
            return first, second
        every = np.ones_like(first)
        return (first, every) if spot.seat == 0 else (every, second)

    def _alternatives(
        self, spot: StreetSpot, menu: TreeMenu | None, weights: tuple[Values, Values]
    ) -> Values:
        """What every hand of the opponent wins at best if the bot plays on as before.

        An earlier solution has an answer to its own bets alone, so that no other is considered.
        """
        added = spot.added(menu)
        if spot.earlier is not None:
            menu, added = spot.earlier.menu, ()
        tree, solver = self._solver(spot, menu, weights, added)
        hands = [solver.hands_on(b, spot.seat) for b in range(len(solver.boards))]
        for board, node, shares in spot.before(tree, solver.boards):
            if tree.situations[node, betting.ACTOR] == spot.seat:
                decision = int(solver.decisions[node])
                solver.set_average(spot.seat, board, decision, shares[:, hands[board]])
        return solver.best_values(1 - spot.seat)

    def _gadget(
        self,
        spot: StreetSpot,
        solver: SpotSolver,
        alternatives: Values,
        met: Values,
        weights: tuple[Values, Values],
    ) -> RootGadget:
        seat = 1 - spot.seat
        if self.options.mode == MAXMARGIN:
            return MarginGadget(seat, alternatives, met)
        if self.options.mode == CFR_D:
            return ResolveGadget(seat, alternatives)
        assert self.options.mode == COMBINED
        always = weights[seat][solver.hands_on(0, seat)]
        always = always * (always.size / max(always.sum(), 1e-300))
        return ResolveGadget(seat, alternatives, always, ALWAYS_SHARE)


def _check_size(slots: float) -> None:
    """Raise `TooLargeError` if a solver would take too much memory."""
    if _SLOT_BYTES * slots > _MOST_BYTES:
        raise TooLargeError(
            f"the spot needs {_SLOT_BYTES * slots / 1e9:,.1f} GB, and the limit is "
            f"{_MOST_BYTES / 1e9:,.1f} GB; search fewer streets, or with fewer bets"
        )


def scaled(weights: tuple[Values, Values]) -> tuple[Values, Values]:
    """The weights with 1 for the largest of each seat."""
    first, second = (each / max(float(each.max(initial=0.0)), 1e-300) for each in weights)
    return first, second
