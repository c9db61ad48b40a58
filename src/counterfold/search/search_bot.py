"""A bot that plays a trained strategy and searches its decisions on the last street.

Before that street it plays as a `StrategyBot` does. At its first decision there it solves what is
left of the hand, with the real pot, stacks and bets, between the range of its own strategy and that
of an opponent who plays likewise, and plays the solution to the end of the street. A bet that is
not in the solution is solved from where it was made. Where it cannot search it plays its strategy,
and its trace says why.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from counterfold.bots.choices import write_action
from counterfold.bots.explain import SEARCHED as BY_SEARCH
from counterfold.bots.interface import MatchInfo
from counterfold.bots.policy_kernels import LOST, Policy
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.bots.view import View
from counterfold.errors import CounterfoldError, UnsupportedGameError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.card_maps import CardMap
from counterfold.public.deals import Dealer
from counterfold.ranges.betting_growth import TreeMenu
from counterfold.ranges.betting_tree import spot_root
from counterfold.search.hand_ranges import (
    Act,
    HandRanges,
    StreetRanges,
    Values,
    describe_act,
    number_hands,
)
from counterfold.search.search_clock import LEAST_ITERATIONS, SearchClock
from counterfold.search.search_options import SearchOptions
from counterfold.search.search_trace import SearchTrace, describe_shares
from counterfold.search.street_solution import StreetSolution
from counterfold.search.street_solver import Deadline, StreetSolver, StreetSpot

SEARCHED = ""  # among the reasons why decisions were not searched
NO_TIME = "no time was left to search"
_LEAST_WEIGHT = 1e-6  # of the hand that it holds, in its own range


class SearchBot(StrategyBot):
    """Plays `policy`, and searches; `menu` says which bets it considers.

    `dealer` is the one that the strategy was trained with, and `now` a clock in seconds. For `seed`
    and `player` see `StrategyBot`.
    """

    def __init__(
        self,
        dealer: Dealer,
        policy: Policy,
        cards: CardMap,
        menu: TreeMenu | None,
        options: SearchOptions,
        *,
        seed: int = 0,
        player: int = 0,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        check_searchable(dealer.variant)
        super().__init__(dealer.variant, policy, cards, dealer.order, seed=seed, player=player)
        self.options = options
        self.ranges = HandRanges(dealer, cards, policy)
        self.solver = StreetSolver(options, menu)
        self.clock = SearchClock(options.seconds, now)
        self.searched: Counter[str] = Counter()  # decisions, by why they were not
        self._solution: StreetSolution | None = None
        self._acts: tuple[Act, ...] = ()  # of the street, before the solution begins
        self._at = 0  # node of the solution
        self._since: tuple[Act, ...] = ()  # from its root to that node
        self._notes: list[str] = []

    def begin_match(self, match: MatchInfo) -> None:
        """Refuse a game that it was not trained for, and look at the clock."""
        super().begin_match(match)
        self.ranges.policy = self.policy
        self.clock.begin_match(match)
        if self.clock.is_limited:
            self._rehearse()

    def begin_hand(self, view: View) -> None:
        """Forget the last hand."""
        super().begin_hand(view)
        self.clock.begin_hand()
        self._solution = None

    def act(self, view: View) -> str:
        """What the search finds on the last street, else what the strategy does."""
        if view.street < len(view.variant.streets) - 1:
            return super().act(view)
        self._catch_up(view)
        try:
            why = self._search(view)
        except CounterfoldError as error:
            why = f"the search failed: {error}"
        if not why:
            self.searched[SEARCHED] += 1
            return self._choose(view)
        self._solution = None
        self.searched[why.partition(":")[0]] += 1
        action = super().act(view)
        last = self.traces[-1]
        self.traces[-1] = replace(last, readings=(*last.readings, f"not searched: {why}"))
        return action

    def _rehearse(self) -> None:
        """Measure how long a search takes here; the first one loads or compiles kernels."""
        variant = self.variant
        board = tuple(variant.deck.cards[: variant.board_cards()].tolist())
        blind = variant.big_blind
        _, root, _ = spot_root(variant, len(board), 2 * blind, variant.stack - blind)
        every = self.ranges.possible_hands(board)
        spot = StreetSpot(variant, root, board, (every, every), 0, (), lambda tree: {})
        for _ in range(2):
            found = self.solver.solve(spot, Deadline(LEAST_ITERATIONS, now=self.clock.now))
            self.clock.measure(found.seconds, found.iterations)

    def _search(self, view: View) -> str:
        """Find a solution that leads to this decision; returns why there is none."""
        street = self.ranges.follow(self.variant, view.board, view.history, view.seat)
        if self._solution is None:
            self._acts, self._notes = (), [*street.notes]
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
                return "the dealer took another action than the bot's"
            if why := self._solve(view, self._later_spot(view, solution, known, found.left[0])):
                return why
            self._acts = (*self._acts, *known)

    def _first_spot(self, view: View, street: StreetRanges) -> StreetSpot:
        """What is left of the hand from the start of the street on."""
        ranges, seat = self.ranges, view.seat
        weights = [ranges.weights(held) for held in street.held]
        self._check_possible(view, weights)
        added: tuple[int, ...] = ()
        if street.acts and street.root[betting.ACTOR] != seat and street.acts[0].is_raise:
            added = self._find_added(street.root, street.acts[0])
        return StreetSpot(
            self.variant,
            street.root,
            street.board,
            self._with_own_hand(view, weights),
            seat,
            added,
            lambda tree: ranges.strategies(tree, street.board, street.held[seat], seat),
            added,
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
            self._find_added(root, act),
            lambda tree: solution.below(tree, known),
        )

    def _find_added(self, root: tuple[int, ...], act: Act) -> tuple[int, ...]:
        """The raise that must be added to what is offered at `root`."""
        menu = self.solver.menu
        if menu is None or act.total in menu.totals(self.variant, root):
            return ()
        return (act.total,)

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
        started = self.clock.now()
        allowed = self.clock.allow(view.clock_seconds)
        if allowed is None:
            return NO_TIME
        deadline = self.clock.deadline(started, allowed, self.options.iterations)
        self._solution = self.solver.solve(spot, deadline)
        self.clock.note(self.clock.now() - started, self._solution.iterations)
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
            "variants without them: leave out --resolve"
        )
    if variant.hands_change or variant.max_runs:
        raise UnsupportedGameError(
            f"{variant.name} has draws, swaps or runs; search in play is for variants whose hole "
            "cards stay the same: leave out --resolve"
        )


def hand_number_of(view: View) -> int:
    """The number of the bot's hand among all hands of 52 cards."""
    return int(number_hands(np.array([view.hole], np.uint8))[0])


def draw_action(shares: Values, number: float, threshold: float, purify: bool) -> int:
    """Which action `number`, from 0 to 1, stands for; rare ones are not played.

    An action below the threshold is never played, unless all are; with `purify` the likeliest is.
    """
    kept = np.where(shares > threshold * shares.sum(), shares, 0.0)
    if purify or kept.sum() <= 0:
        return int(shares.argmax())
    limits = np.cumsum(kept) / kept.sum()
    return int(min(np.searchsorted(limits, number, "right"), np.flatnonzero(kept)[-1]))
