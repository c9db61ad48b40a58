"""Random blueprints of small games, and the same with their last streets searched."""

import re
from dataclasses import dataclass

from counterfold.blueprints.blueprint import quantize
from counterfold.bots.played_run import policy_of
from counterfold.bots.policy import make_policy
from counterfold.bots.tracking.range_tracking import LabeledHands
from counterfold.cards import parse_cards
from counterfold.cards.pairs import index_pair
from counterfold.errors import CardError
from counterfold.ranges.betting_growth import CheckedDown
from counterfold.ranges.kept.kept_solvers import KeptSolvers
from counterfold.search.blueprint_menu import BlueprintMenu
from counterfold.search.blueprint_strategies import BlueprintStrategies
from counterfold.search.hand_ranges import HandRanges
from counterfold.search.search_options import SearchOptions
from counterfold.search.street_solver import Deadline, SearchPlan, StreetSolver, StreetSpot
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from counterfold.tree import Strategy, compile_game
from helpers.lifted_blueprints import lift
from helpers.small_recipes import content


@dataclass
class PlayedBlueprint:
    """A strategy that is trained everywhere, and what plays it."""

    plan: object
    cards: object
    blueprint: object
    policy: object

    @property
    def ranges(self):
        return hand_ranges(self.plan.dealer, self.cards, self.policy)

    @property
    def menu(self):
        if self.plan.variant.betting == "limit":
            return None
        return BlueprintMenu(self.blueprint.game.graph.menu)

    def strategy(self):
        """As a strategy of the tree of histories."""
        compiled = compile_game(self.plan.variant)
        return lift(self.blueprint, self.cards, self.plan.exact[0], self.plan.dealer, compiled)


def hand_ranges(dealer, cards, policy):
    """Follows ranges of a policy whose hands the kernels label."""
    return HandRanges(LabeledHands(dealer, cards), max(cards.n_buckets), policy)


def solve_spot(options, spot, *, menu=None, deadline=None, solvers=None, down=False):
    """The solution of one spot; with `down` nobody bets on the last of three streets or more."""
    solver = StreetSolver(options, solvers or KeptSolvers(threads=1), menu)
    plan = solver.plan(spot, float("inf"))
    if down and spot.n_streets > 2:
        plan = SearchPlan(CheckedDown(menu, len(spot.variant.streets) - 1), plan.work, True)
    return solver.solve(spot, plan, deadline or Deadline(options.iterations))


def no_strategy(tree, boards):
    """A strategy that says nothing: every action is as likely as the others."""
    return iter(())


def blueprint_of(run):
    """That of a trained run."""
    return PlayedBlueprint(run.plan, run.cards, run.blueprint, policy_of(run))


def random_blueprint(variant, rng, *, cards="exact", bets="min", sharpness=1.0, **play):
    """Any strategy; the sharper, the nearer to pure."""
    plan = Plan(parse_recipe({**content(variant, cards), "bets": bets}, "the recipe"), "test")
    card_map = plan.cards()
    game = plan.game(card_map.n_buckets)
    averages = rng.exponential(size=game.n_slots) ** sharpness
    blueprint = quantize(game, averages)[0]
    policy = make_policy(game, plan.dealer, blueprint.quantized, card_map.n_buckets, **play)
    return PlayedBlueprint(plan, card_map, blueprint, policy)


def search_all(found, mode, iterations, *, streets=1, again=True, down=False):
    """The blueprint with the last streets of every betting line searched by both seats.

    Later ones of several streets are solved again, unless `again` is false: then the solution of
    the first is played on. With `down` flops are solved without bets on the river. Returns the
    whole with the largest gain of any hand of an opponent over its alternative, added up over the
    streets.
    """
    strategy = found.strategy()
    compiled, variant = strategy.game, found.plan.variant
    probabilities = strategy.probabilities.copy()
    search = SearchedStreets(found, mode, iterations, len(variant.streets) - streets, again, down)
    for i, infoset in enumerate(compiled.tree.infosets):
        facts = dict(infoset.facts)
        boards = [parse_cards(text) for text in facts["board"].split("/") if text]
        if len(boards) < search.first:
            continue
        solution, acts = search.find(boards, facts["history"], infoset.player)
        if solution is None:
            continue
        node = solution.find(acts).node
        hand = parse_cards(facts["cards"])
        number = hand[0] if len(hand) == 1 else index_pair(*hand)
        shares = solution.strategies[node][:, number]
        slots = slice(compiled.offsets[i], compiled.offsets[i + 1])
        probabilities[slots] = shares if shares.sum() > 0 else 1.0 / shares.size
    return Strategy(compiled, probabilities), sum(search.worst.values())


class SearchedStreets:
    """Solutions of every street from `first` on, each found once."""

    def __init__(self, found, mode, iterations, first, again, down):
        self.ranges, self.variant, self.menu = found.ranges, found.plan.variant, found.menu
        self.first, self.again, self.down = first, again, down
        self.options, self.shared = SearchOptions(mode, iterations), KeptSolvers(threads=1)
        self.solved, self.worst = {}, {}

    def find(self, boards, history, seat):
        """The solution of the street on which `history` ends, and what was done on it."""
        start = history[: re.search("[/!][^/!]*$", history).start() + 1]
        key = seat, tuple(map(tuple, boards)), start
        followed = self.ranges.follow(self.variant, boards, history, seat)
        if key not in self.solved:
            self.solved[key] = self._solve(boards, start, seat)
        return self.solved[key], followed.acts

    def _solve(self, boards, start, seat):
        begun = self.ranges.follow(self.variant, boards, start, seat)
        weights = tuple(self.ranges.weights(held) for held in begun.held)
        before, earlier = BlueprintStrategies(self.ranges, begun.held[seat], seat), None
        if len(boards) > self.first:
            above, acts = self.find(boards[:-1], start[:-1], seat)
            dealt = above and above.deal(acts, tuple(boards[-1]))
            if dealt is None or not self.again:
                return dealt
            weights, earlier = dealt.weights, dealt

            def before(tree, listed):
                return dealt.below(tree, listed, ())

        spot = StreetSpot(
            self.variant, begun.root, begun.board, weights, seat, None, before, earlier
        )
        try:
            # A solution of several streets is read while others are solved: its solver is its own.
            shared = self.shared if spot.n_streets == 1 else None
            found = solve_spot(self.options, spot, menu=self.menu, solvers=shared, down=self.down)
        except CardError:  # no two hands of the ranges can be held at once: nobody comes here
            return None
        worst = self.worst.get(len(boards), 0.0)
        self.worst[len(boards)] = max(worst, -(found.margin or 0.0))
        return found
