"""Small trained runs, made in moments, and bots that were never trained."""

import numpy as np

from counterfold.abstraction import parse_menu
from counterfold.abstraction.public import parse_public_abstraction
from counterfold.bots.strategy import StrategyBot
from counterfold.compiled.agents import make_agent
from counterfold.compiled.card_maps import ExactCards
from counterfold.compiled.classes import classify
from counterfold.compiled.deals import Dealer
from counterfold.compiled.public import build_graph
from counterfold.runs.budget import Budget
from counterfold.runs.plan import Plan
from counterfold.runs.recipe import parse_recipe
from counterfold.runs.training import load_training, train

# Reduced decks, so that every private history is a bucket of its own.
RECIPES = {
    "discard": {
        "variant": "discard(stack=20, deck='JQKA/cd', board=(1, 1))",
        "cards": "exact",
        "bets": "50%, 100%, allin; cap 3",
        "features": "pot * to_call * raises * opponent_discarded * cards",
    },
    "discard-history": {
        "variant": "discard(stack=12, deck='QKA/cdh', board=(1, 1))",
        "cards": "exact",
        "bets": "100%, allin; cap 2",
        "play": {"translation": "nearest", "threshold": 0.1},
    },
    "river-of-blood": {
        "variant": "river-of-blood(stack=20, deck='QKA/cd', board=(1,))",
        "cards": "exact",
        "bets": "50%, 100%, allin; cap 4",
        "features": "run * pot * to_call * raises * cards",
    },
    "nolimit": {
        "variant": "nolimit(stack=40, deck='JQKA/cd', board=(1, 1))",
        "cards": "exact",
        "bets": "50%, 100%, allin; cap 3",
    },
    "limit": {
        "variant": "limit(deck='JQKA/cd', board=(1, 1))",
        "cards": "exact",
        "bets": "limit-4",
        "play": {"purify": True},
    },
}


def train_small(name, folder, iterations=2000, **changes):
    """The run of a recipe of `RECIPES`, in `folder`."""
    recipe = parse_recipe({**RECIPES[name], "seed": 1, **changes}, f"the recipe {name!r}")
    train(name, Plan(recipe), folder, Budget(iterations=iterations))
    return load_training(folder)


class OneBucket(ExactCards):
    """A card map that looks at nothing."""

    def __init__(self, dealer):
        self.dealer = dealer
        self.knowledge = [np.zeros(0, np.int64) for _ in dealer.stages]

    @property
    def n_buckets(self):
        return (1,) * len(self.knowledge)


def random_bot(variant, bets="50%, 100%, allin; cap 4", seed=0):
    """A bot of a real variant with a strategy of random numbers, and its card map."""
    cards = OneBucket(Dealer(variant))
    graph = build_graph(variant, parse_menu(bets), merge=True)
    abstraction = parse_public_abstraction("pot * to_call * raises * cards")
    game = classify(graph, abstraction, cards.n_buckets)
    steps = np.random.default_rng(seed).integers(0, 50, game.n_slots).astype(np.uint8)
    return StrategyBot(
        variant, make_agent(game, cards.dealer, steps, cards.n_buckets), cards
    ), cards
