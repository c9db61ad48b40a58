"""Random blueprints of small games, and the same with every last street searched, as strategies."""

import re
from dataclasses import dataclass

from counterfold.blueprints.blueprint import quantize
from counterfold.bots.played_run import policy_of
from counterfold.bots.policy import make_policy
from counterfold.cards import parse_cards
from counterfold.cards.pairs import index_pair
from counterfold.errors import CardError
from counterfold.search.hand_ranges import HandRanges
from counterfold.search.search_options import SearchOptions
from counterfold.search.street_solver import Deadline, StreetSolver, StreetSpot
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
        return HandRanges(self.plan.dealer, self.cards, self.policy)

    def strategy(self):
        """As a strategy of the tree of histories."""
        compiled = compile_game(self.plan.variant)
        return lift(self.blueprint, self.cards, self.plan.exact[0], self.plan.dealer, compiled)


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


def search_all(found, mode, iterations):
    """The blueprint with the last street of every betting line searched by both seats.

    Returns it with the largest gain of any hand of an opponent over its alternative.
    """
    strategy = found.strategy()
    compiled, variant = strategy.game, found.plan.variant
    probabilities = strategy.probabilities.copy()
    ranges = found.ranges
    solver = StreetSolver(SearchOptions(mode, iterations), None)
    last = len(variant.streets) - 1
    solved, worst = {}, 0.0
    for i, infoset in enumerate(compiled.tree.infosets):
        facts = dict(infoset.facts)
        if facts["board"].count("/") != last - 1 or not facts["board"]:
            continue
        streets = [parse_cards(text) for text in facts["board"].split("/")]
        history = facts["history"]
        start = history[: re.search("[/!][^/!]*$", history).start() + 1]
        key = infoset.player, facts["board"], start
        if key not in solved:
            try:
                solved[key] = search_start(solver, ranges, variant, streets, start, infoset.player)
            except CardError:  # no two hands of the ranges can be held at once: nobody comes here
                solved[key] = None
            else:
                worst = max(worst, -(solved[key].margin or 0.0))
        if solved[key] is None:
            continue
        acts = ranges.follow(variant, streets, history, infoset.player).acts
        solution = solved[key]
        node = solution.find(acts).node
        hand = parse_cards(facts["cards"])
        number = hand[0] if len(hand) == 1 else index_pair(*hand)
        shares = solution.strategies[node][:, number]
        slots = slice(compiled.offsets[i], compiled.offsets[i + 1])
        probabilities[slots] = shares if shares.sum() > 0 else 1.0 / shares.size
    return Strategy(compiled, probabilities), worst


def search_start(solver, ranges, variant, streets, history, seat):
    """The solution of the street that begins after `history`."""
    start = ranges.follow(variant, streets, history, seat)
    spot = StreetSpot(
        variant,
        start.root,
        start.board,
        tuple(ranges.weights(held) for held in start.held),
        seat,
        (),
        lambda tree: ranges.strategies(tree, start.board, start.held[seat], seat),
    )
    return solver.solve(spot, Deadline(solver.options.iterations))
