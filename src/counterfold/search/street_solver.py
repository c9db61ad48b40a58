"""Solves what is left of a street: between two ranges, or against alternatives of the opponent.

The spot begins where a street does, or later where the opponent has bet what an earlier solution
does not offer. That bet is added to what it may do at the root. In the safe modes every hand of the
opponent has an alternative: what it wins at best if the bot plays on as before, by its strategy or
by the earlier solution.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import Situation
from counterfold.ranges.betting_growth import TreeMenu
from counterfold.ranges.betting_tree import BettingTree
from counterfold.ranges.kept_solvers import KeptSolver, KeptSolvers
from counterfold.ranges.range_pass import met_weights
from counterfold.ranges.range_solver import RangeSolver
from counterfold.ranges.root_gadgets import MarginGadget, ResolveGadget, RootGadget
from counterfold.search.hand_ranges import Values
from counterfold.search.search_options import CFR_D, COMBINED, MAXMARGIN, SearchOptions
from counterfold.search.street_solution import StreetSolution, read_strategies

ALWAYS_SHARE = 0.5  # of the opponent's hands that enter without a choice, in the combined mode

Strategies = Callable[[BettingTree], dict[int, Values]]


class StreetSpot(NamedTuple):
    """What is to be solved."""

    variant: Variant
    root: Situation
    board: tuple[int, ...]
    weights: tuple[Values, Values]  # of all hands of 52 cards, by seat
    seat: int  # who searches
    added: tuple[int, ...]  # raises to these totals are offered at the root, too
    before: Strategies  # what the seat does below the root if nothing is solved
    answered: tuple[int, ...] = ()  # of `added`, those for which `before` has an answer


@dataclass
class Deadline:
    """When to stop: after `iterations`, or when the clock shows `at`."""

    iterations: int
    at: float = float("inf")
    now: Callable[[], float] = time.perf_counter

    def run(self, solver: RangeSolver) -> None:
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


class StreetSolver:
    """Solves spots of the last street, one after another."""

    def __init__(
        self, options: SearchOptions, menu: TreeMenu | None, *, dtype: DTypeLike = np.float32
    ) -> None:
        self.options, self.menu = options, menu
        self._kept = KeptSolvers(threads=1, dtype=dtype)

    def solve(self, spot: StreetSpot, deadline: Deadline) -> StreetSolution:
        """The strategies of both seats for a spot."""
        started = deadline.now()
        alternatives, met = np.zeros(0), np.zeros(0)
        weights = scaled(spot.weights)
        if not self.options.is_safe:
            tree, solver = self._solver(spot, weights, spot.added)
        else:
            entering = self._let_all_enter(spot, weights)
            alternatives = self._alternatives(spot, entering)
            tree, solver = self._solver(spot, entering, spot.added)
            met = met_weights(solver.passes.boards, 0, 1 - spot.seat, _root(solver, spot.seat))
            solver.gadget = self._gadget(spot, solver, alternatives, met, weights)
        deadline.run(solver)
        exploitability = margin = None
        if self.options.is_safe:
            values = solver.best_values(1 - spot.seat)
            gains = (values - alternatives)[met > 0] / met[met > 0]
            margin = -float(gains.max(initial=-np.inf))
        else:
            exploitability = solver.exploitability()
        return StreetSolution(
            tree,
            spot.board,
            weights,
            read_strategies(tree, solver),
            solver.iterations,
            deadline.now() - started,
            exploitability,
            margin,
        )

    def _solver(
        self, spot: StreetSpot, weights: tuple[Values, Values], added: tuple[int, ...]
    ) -> KeptSolver:
        return self._kept.solver(
            spot.variant, spot.root, self.menu, spot.board, weights, added=added
        )

    def _let_all_enter(
        self, spot: StreetSpot, weights: tuple[Values, Values]
    ) -> tuple[Values, Values]:
        """The bot's range against every hand that the opponent may hold."""
        every = np.ones_like(weights[0])
        return (weights[0], every) if spot.seat == 0 else (every, weights[1])

    def _alternatives(self, spot: StreetSpot, weights: tuple[Values, Values]) -> Values:
        """What every hand of the opponent wins at best if the bot plays on as before."""
        tree, solver = self._solver(spot, weights, spot.answered)
        hands = solver.root_hands(spot.seat)
        decisions = solver.passes.lines.decisions
        for node, shares in spot.before(tree).items():
            if tree.situations[node, betting.ACTOR] == spot.seat:
                solver.set_average(spot.seat, int(decisions[node]), shares[:, hands])
        return solver.best_values(1 - spot.seat)

    def _gadget(
        self,
        spot: StreetSpot,
        solver: RangeSolver,
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
        always = weights[seat][solver.root_hands(seat)]
        always = always * (always.size / max(always.sum(), 1e-300))
        return ResolveGadget(seat, alternatives, always, ALWAYS_SHARE)


def _root(solver: RangeSolver, seat: int) -> Values:
    """The range of a seat at the root, in the order of its hands there."""
    return solver.passes.root_weights[seat]


def scaled(weights: tuple[Values, Values]) -> tuple[Values, Values]:
    """The weights with 1 for the largest of each seat."""
    first, second = (each / max(float(each.max(initial=0.0)), 1e-300) for each in weights)
    return first, second
