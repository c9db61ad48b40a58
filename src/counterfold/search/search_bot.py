"""A bot that plays a trained strategy and searches its decisions on the last streets.

Before those streets it plays as a `StrategyBot` does. At its first decision there it solves what is
left of the hand, with the real pot, stacks and bets, between the range of its own strategy and that
of an opponent who plays likewise, and plays the solution to the end of the street. The next street
begins with the ranges of that solution, and is solved again if there is time; else the solution is
played on. A bet that is not in a solution is solved from where it was made. Where the bot cannot
search it plays its strategy, and its trace says why.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from counterfold.bots.choices import write_action
from counterfold.bots.explain import SEARCHED as BY_SEARCH
from counterfold.bots.interface import MatchInfo
from counterfold.bots.policy_kernels import LOST, Policy
from counterfold.bots.strategy_bot import CardLookUp, StrategyBot
from counterfold.bots.view import View
from counterfold.errors import CounterfoldError, UnsupportedGameError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.stages import DiscardOrder
from counterfold.search.blueprint_strategies import BlueprintStrategies
from counterfold.search.hand_ranges import (
    Act,
    HandRanges,
    StreetRanges,
    Values,
    describe_act,
    number_hands,
)
from counterfold.search.played_shares import draw_action
from counterfold.search.rehearsal import rehearse
from counterfold.search.search_clock import SearchClock
from counterfold.search.search_trace import SearchTrace, describe_shares
from counterfold.search.street_solution import StreetSolution
from counterfold.search.street_solver import StreetSolver, StreetSpot

SEARCHED = ""  # among the reasons why decisions were not searched
NO_TIME = "no time was left to search"
_LEAST_WEIGHT = 1e-6  # of the hand that it holds, in its own range
_KEPT = 0.9  # of what was measured before, if it took less


class Foreseen(NamedTuple):
    """A solution that a bot would play, and the node of a decision in it."""

    solution: StreetSolution
    node: int


class SearchBot(StrategyBot):
    """Plays `policy`, and searches as `solver` does, whose options it takes.

    `ranges` follows `policy`, too, and `now` is a clock in seconds. For the others see
    `StrategyBot`.
    """

    def __init__(
        self,
        variant: Variant,
        policy: Policy,
        cards: CardLookUp,
        order: DiscardOrder | None,
        ranges: HandRanges,
        solver: StreetSolver,
        *,
        seed: int = 0,
        player: int = 0,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        check_searchable(variant)
        super().__init__(variant, policy, cards, order, seed=seed, player=player)
        self.ranges, self.solver, self.options = ranges, solver, solver.options
        self.clock = SearchClock(self.options.seconds, now, self.options.hand_seconds)
        self.searched: Counter[str] = Counter()  # decisions, by why they were not
        self._solution: StreetSolution | None = None
        self._acts: tuple[Act, ...] = ()  # of the street, before the solution begins
        self._at = 0  # node of the solution
        self._since: tuple[Act, ...] = ()  # from its root to that node
        self._notes: list[str] = []
        self._begun = 0.0  # time on the clock when a search began
        self._follow_seconds = 0.0  # that it takes to find both ranges

    def begin_match(self, match: MatchInfo) -> None:
        """Refuse a game that it was not trained for, and look at the clock."""
        super().begin_match(match)
        self.ranges.policy = self.policy
        self.clock.begin_match(match)
        if self.clock.longest < float("inf"):
            rehearse(self.variant, self.ranges, self.solver, self.first_street, self.clock)

    def begin_hand(self, view: View) -> None:
        """Forget the last hand."""
        super().begin_hand(view)
        self.clock.begin_hand()
        self._solution = None

    def act(self, view: View) -> str:
        """What the search finds on the last streets, else what the strategy does."""
        started = self.clock.now()
        try:
            return self._act(view)
        finally:
            self.clock.spend(self.clock.now() - started)

    def _act(self, view: View) -> str:
        if view.street < self.first_street:
            return super().act(view)
        self._catch_up(view)
        started = self.clock.now()
        why = self._try(view)
        self.clock.search(self.clock.now() - started)
        if not why:
            self.searched[SEARCHED] += 1
            return self._choose(view)
        self._solution = None
        self.searched[why.partition(":")[0]] += 1
        action = super().act(view)
        last = self.traces[-1]
        self.traces[-1] = replace(last, readings=(*last.readings, f"not searched: {why}"))
        return action

    def foresee(self, view: View) -> Foreseen | None:
        """What its hands would do from a decision on to the end of the street.

        None where it would play its strategy. It goes on from here as if it had not been asked.
        """
        with self.supposing(view) as found:
            return found

    @contextmanager
    def supposing(self, view: View) -> Iterator[Foreseen | None]:
        """The same, but until the context ends the bot goes on from that decision."""
        kept = self._solution, self._acts, self._at, self._since, [*self._notes]
        try:
            yield self._foresee(view)
        finally:
            self._solution, self._acts, self._at, self._since, self._notes = kept

    def _foresee(self, view: View) -> Foreseen | None:
        if self._try(view):
            self._solution = None
            return None
        assert self._solution is not None
        return Foreseen(self._solution, self._at)

    @property
    def first_street(self) -> int:
        """The first street that may be searched, never the one before any board."""
        return max(len(self.variant.streets) - self.options.streets, 1)

    def _try(self, view: View) -> str:
        """The same as `_search`, but nothing stops it: a bot that stops forfeits its match."""
        try:
            return self._search(view)
        except CounterfoldError as error:
            return f"the search failed: {error}"
        except Exception as error:
            return f"the search failed: {error!r}"

    def _search(self, view: View) -> str:
        """Find a solution that leads to this decision; returns why there is none."""
        self._begun = self.clock.now()
        if self._solution is None and not self._can_follow(view):
            return NO_TIME
        street = self.ranges.follow(self.variant, view.board, view.history, view.seat)
        self._follow_seconds = max(self.clock.now() - self._begun, _KEPT * self._follow_seconds)
        ended = self._deal(view, street)
        if self._solution is None:
            self._acts, self._notes = (), [*street.notes, *ended]
            if why := self._solve(view, self._first_spot(view, street)):
                return why
        while True:
            solution = self._solution
            assert solution is not None
            since = street.acts[len(self._acts) :]
            found = solution.find(since)
            if not found.left:
                self._at, self._since = found.node, since
                return ""
            known = since[: len(since) - len(found.left)]
            if solution.tree.situations[found.node, betting.ACTOR] == view.seat:
                return "the solution does not offer what the bot did"
            if why := self._solve(view, self._later_spot(view, solution, known, found.left[0])):
                return why
            self._acts = (*self._acts, *known)

    def _can_follow(self, view: View) -> bool:
        """Whether there is time to find both ranges, and more than that for the search."""
        pot = 2 * view.situation[betting.BASE] / self.variant.big_blind
        if self.clock.allow(view.clock_seconds, pot) >= 2.0 * self._follow_seconds:
            return True
        self.clock.meet(pot)
        self._follow_seconds *= _KEPT
        return False

    def _deal(self, view: View, street: StreetRanges) -> tuple[str, ...]:
        """Take the solution of an earlier street to this one, and solve it again if possible.

        Where it ends before, it is forgotten; returns a note that says so.
        """
        solution = self._solution
        if solution is None or solution.street == view.street:
            return ()
        dealt = None
        if solution.street == view.street - 1:
            done = street.earlier[-1][len(self._acts) :]
            dealt = solution.deal(done, tuple(view.board[-1]))
        self._solution, self._acts = dealt, ()
        if dealt is None:
            return ("the solution of the street before ends there: ranges of the strategy",)
        self._notes = ["ranges from the solution of the street before"]
        spot = self._dealt_spot(view, street, dealt)
        if why := self._solve(view, spot):
            self._notes.append(f"that solution is played on: {why}")
        return ()

    def _dealt_spot(self, view: View, street: StreetRanges, dealt: StreetSolution) -> StreetSpot:
        """The start of a street, with the ranges of the solution of the one before."""
        weights = list(dealt.weights)
        self._check_possible(view, weights)
        return StreetSpot(
            self.variant,
            street.root,
            dealt.board,
            self._with_own_hand(view, weights),
            view.seat,
            self._first_bet(view, street),
            lambda tree, boards: dealt.below(tree, boards, ()),
            dealt,
        )

    def _first_bet(self, view: View, street: StreetRanges) -> int | None:
        """The total of the opponent's bet, if the street began with one."""
        if not street.acts or street.root[betting.ACTOR] == view.seat:
            return None
        return street.acts[0].total if street.acts[0].is_raise else None

    def _first_spot(self, view: View, street: StreetRanges) -> StreetSpot:
        """What is left of the hand from the start of the street on."""
        weights = [self.ranges.weights(held) for held in street.held]
        self._check_possible(view, weights)
        return StreetSpot(
            self.variant,
            street.root,
            street.board,
            self._with_own_hand(view, weights),
            view.seat,
            self._first_bet(view, street),
            BlueprintStrategies(self.ranges, street.held[view.seat], view.seat),
        )

    def _later_spot(
        self, view: View, solution: StreetSolution, known: tuple[Act, ...], act: Act
    ) -> StreetSpot:
        """What is left of the hand from where the opponent did what the solution does not offer."""
        node = solution.find(known).node
        root = tuple(solution.tree.situations[node].tolist())
        weights = list(solution.reach(known))
        self._check_possible(view, weights)
        self._notes.append(f"solved again with {describe_act(root, act)}")
        return StreetSpot(
            self.variant,
            root,
            solution.board,
            self._with_own_hand(view, weights),
            view.seat,
            act.total,
            lambda tree, boards: solution.below(tree, boards, known),
            solution,
        )

    def _check_possible(self, view: View, weights: list[Values]) -> None:
        """Take every hand of the opponent for possible if none is that has its weight."""
        every = self.ranges.possible_hands((*view.hole, *view.board_cards))
        if not weights[1 - view.seat][every > 0].any():
            weights[1 - view.seat] = every
            self._notes.append("no hand of the opponent would come here: taken for any")

    def _with_own_hand(self, view: View, weights: list[Values]) -> tuple[Values, Values]:
        """The weights, with the hand that the bot holds in its own range."""
        own = weights[view.seat]
        at = hand_number_of(view)
        own[at] = max(own[at], _LEAST_WEIGHT * max(float(own.max(initial=0.0)), 1.0))
        return weights[0], weights[1]

    def _solve(self, view: View, spot: StreetSpot) -> str:
        """Solve a spot in the time that there is; returns why it was not."""
        pot = (spot.root[betting.SPENT_0] + spot.root[betting.SPENT_1]) / self.variant.big_blind
        self.clock.meet(pot)
        allowed = self.clock.allow(view.clock_seconds, pot)
        started, self._begun = self._begun, self.clock.now()
        plan = self.solver.plan(spot, allowed - (self._begun - started))
        if plan is None:
            self.solver.speed.fade(spot.n_streets)
            return NO_TIME
        deadline = self.clock.deadline(started, allowed, self.options.iterations)
        solution = self.solver.solve(spot, plan, deadline)
        if solution.iterations < min(plan.least, self.options.iterations):
            return f"{NO_TIME}: it ended after {solution.iterations} iterations"
        self._notes += plan.notes
        self._solution = solution
        return ""

    def _choose(self, view: View) -> str:
        """Draw an action of the solution at this decision."""
        solution = self._solution
        assert solution is not None
        shares = solution.strategies[self._at][:, hand_number_of(view)]
        number = self.numbers.draw()
        k = draw_action(shares, number, self.policy.threshold, self.policy.purify)
        acts = solution.acts(self._at)
        action = write_action(view, acts[k].kind, acts[k].total, view.hole)
        names = [describe_act(view.situation, act) for act in acts]
        self.traces.append(
            SearchTrace(
                view,
                action,
                BY_SEARCH,
                0,
                0,
                LOST,
                None,
                describe_shares(names, shares),
                number,
                tuple(self._readings),
                self.options.mode,
                solution,
                tuple(self._notes),
                self._since,
            )
        )
        return action


def check_searchable(variant: Variant) -> None:
    """Raise `UnsupportedGameError` where hands change, boards run on, or wins are not the pot."""
    if variant.bounty is not None or variant.rank_order:
        raise UnsupportedGameError(
            f"{variant.name} has bounties or another order of ranks; search in play is for "
            "variants without them; leave out --resolve"
        )
    if not variant.has_small_hands or variant.max_runs:
        raise UnsupportedGameError(
            f"{variant.name} has draws, swaps, auctions, runs or more than two hole cards; "
            "search in play needs two hole cards that never change and boards of a fixed length; "
            "leave out --resolve"
        )


def hand_number_of(view: View) -> int:
    """The number of the bot's hand among all hands of 52 cards."""
    return int(number_hands(np.array([view.hole], np.uint8))[0])
