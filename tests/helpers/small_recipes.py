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


def as_toml(keys):
    """A recipe of texts, numbers and one level of tables as a file has it."""
    tables = {key: value for key, value in keys.items() if isinstance(value, dict)}
    lines = [f"{key} = {_literal(value)}" for key, value in keys.items() if key not in tables]
    for name, table in tables.items():
        lines += [f"[{name}]", *(f"{key} = {_literal(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _literal(value):
    return f'"{value}"' if isinstance(value, str) else repr(value)
