"""`counterfold recipes`: the shipped recipes, ready to train."""

from typing import Any

from rich.table import Table

from counterfold.cli.output import Json, print_json, print_table, results
from counterfold.training.recipe import load_recipe, shipped_recipes


def recipes_command(json: Json = False) -> None:
    """List the shipped recipes: what they train, and for how long.

    Example: counterfold recipes
    """
    rows = [_describe(name) for name in shipped_recipes()]
    if json:
        print_json({"recipes": rows})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("recipe", no_wrap=True)
    table.add_column("time", justify="right")
    table.add_column("what it is", ratio=1)
    for row in rows:
        table.add_row(row["recipe"], row["time"], row["about"])
    print_table(table)
    results.print(
        "\nTrain one: counterfold train discard-quick --out runs/discard\n"
        "To write your own, copy a shipped file; counterfold recipes --json tells all of them",
        markup=False,
        soft_wrap=True,
    )


def _describe(name: str) -> dict[str, Any]:
    _, recipe = load_recipe(name)
    return {
        "recipe": name,
        "variant": recipe.variant,
        "algorithm": recipe.solver.algorithm,
        "time": recipe.budget.time,
        "cards": recipe.cards,
        "bets": recipe.bets,
        "features": recipe.features,
        "about": recipe.about,
        "file": str(shipped_recipes()[name]),
    }
