"""A trained bot that searches: the bot and how it does, before a match begins."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from counterfold.bots.played_run import policy_of
from counterfold.bots.tracking.range_tracking import LabeledHands
from counterfold.bots.trained_bot import TrainedBot
from counterfold.games.holdem import Variant
from counterfold.ranges.betting_growth import TreeMenu
from counterfold.ranges.kept.kept_solvers import KeptSolvers
from counterfold.search.blueprint_menu import BlueprintMenu
from counterfold.search.hand_ranges import HandRanges
from counterfold.search.search_bot import SearchBot, check_searchable
from counterfold.search.search_options import (
    DEFAULT_ITERATIONS,
    DEFAULT_MODE,
    DEFAULT_STREETS,
    SearchOptions,
)
from counterfold.search.street_solver import StreetSolver
from counterfold.training.train_folder import TrainedRun


@dataclass(frozen=True, eq=False)
class SearchingBot:
    """A trained run and how it searches."""

    run: TrainedRun
    options: SearchOptions

    def __post_init__(self) -> None:
        check_searchable(self.variant)

    def __repr__(self) -> str:
        return f"<SearchingBot {self.name}: {self.variant.name}>"

    @property
    def name(self) -> str:
        """That of the run, with the mode."""
        return f"{self.run.name}+{self.options.mode}"

    @property
    def variant(self) -> Variant:
        """The rules that it was trained for."""
        return self.run.plan.variant

    @property
    def blueprint_menu(self) -> TreeMenu | None:
        """The bets of its strategy; those of fixed limits need no menu."""
        if self.variant.betting == "limit":
            return None
        return BlueprintMenu(self.run.blueprint.game.graph.menu)

    def player(
        self, seed: int = 0, player: int = 0, now: Callable[[], float] = time.perf_counter
    ) -> SearchBot:
        """A bot that plays from views; for `seed` and `player` see `StrategyBot`."""
        dealer, cards, policy = self.run.plan.dealer, self.run.cards, policy_of(self.run)
        ranges = HandRanges(LabeledHands(dealer, cards), max(cards.n_buckets), policy)
        menu = self.blueprint_menu
        if menu is not None:
            menu = self.options.spot_menu() or menu
        solver = StreetSolver(self.options, KeptSolvers(threads=1), menu)
        return SearchBot(
            self.variant,
            policy,
            cards,
            dealer.order,
            ranges,
            solver,
            seed=seed,
            player=player,
            now=now,
        )


def with_search(
    bot: TrainedBot,
    mode: str = DEFAULT_MODE,
    *,
    iterations: int = DEFAULT_ITERATIONS,
    seconds: float | None = None,
    bets: str | None = None,
    streets: int = DEFAULT_STREETS,
    hand_seconds: float | None = None,
) -> SearchingBot:
    """The bot, searching its decisions on the last streets; see `match` for how to play it.

    Parameters
    ----------
    mode
        ``unsafe`` solves between both ranges; ``cfr-d`` and ``maxmargin`` leave no hand of the
        opponent better off than the bot's own strategy does; ``combined`` mixes the first two.
    iterations, seconds
        For each spot: as many iterations, but no longer than this. Without a time, the same seed
        plays the same hands.
    bets
        Sizes to consider, as in `spot`; by default those that the bot was trained with.
    streets
        How many of the last streets may be searched: 1 for the river, 2 for the turn, too, 3 for
        the flop. Turns are solved to the end of the hand. Flops are where that fits the time and a
        gigabyte of memory; else nobody bets on their rivers, except in the modes ``cfr-d`` and
        ``maxmargin``, which then play the strategy.
    hand_seconds
        The mean time of a hand, for engines that tell of no clock: 7 in the contests of the ACPC.
    """
    options = SearchOptions(mode, iterations, seconds, bets, streets, hand_seconds)
    return SearchingBot(bot.run, options)
