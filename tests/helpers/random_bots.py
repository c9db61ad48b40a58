"""Bots that play at random, for whatever measures bots."""

from counterfold.blueprints.blueprint import quantize
from counterfold.bots.policy import make_policy
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from helpers.small_recipes import content


def random_bot(variant, rng, *, trained=True, bets="min", features="history * cards", rules=""):
    """A plan and a random strategy of its game."""
    keys = {**content(variant, features=features), "bets": bets, "rules": rules}
    found = Plan(parse_recipe(keys, "the recipe"), "test")
    card_map = found.cards()
    game = found.game(card_map.n_buckets)
    averages = rng.exponential(size=game.n_slots)
    if not trained:
        averages[rng.random(game.n_slots) < 0.4] = 0.0
    return found, card_map, quantize(game, averages, 8)[0]


def random_policy(found, card_map, blueprint, **play):
    """What plays it."""
    return make_policy(
        blueprint.game, found.dealer, blueprint.quantized, card_map.n_buckets, **play
    )
