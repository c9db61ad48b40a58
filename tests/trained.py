"""Small trained runs, made in moments."""

from counterfold.runs.budget import Budget
from counterfold.runs.plan import Plan
from counterfold.runs.recipe import parse_recipe
from counterfold.runs.trained import load_training
from counterfold.runs.training import train

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
