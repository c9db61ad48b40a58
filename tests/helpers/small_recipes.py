"""Recipes on reduced decks, which train in moments."""

from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe

DISCARD = "discard(stack=6, deck='JQKA/cd', board=(1,1))"
RIVER_OF_BLOOD = "river-of-blood(stack=6, deck='JQKA/cd', board=(1,))"


def content(variant="leduc-variant", cards="exact", features="history * cards", **solver):
    """The keys of a recipe."""
    return {
        "variant": variant,
        "cards": cards,
        "bets": "min" if variant == "leduc-variant" else "100%, allin",
        "features": features,
        "seed": 3,
        "solver": {"algorithm": "external", "epoch": 500, **solver},
    }


def recipe(**keys):
    return parse_recipe(content(**keys), "the recipe of a test")


def plan(**keys):
    return Plan(recipe(**keys), "test")
