"""`counterfold estimate`: what a recipe will take, before anything is built."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from counterfold.cli.output import Json, format_rate, print_json, print_rows, thread_words
from counterfold.training.cost import TrainingEstimate, estimate_plan
from counterfold.training.plan import make_plan

RecipeName = Annotated[
    str, typer.Argument(help="A shipped recipe, such as discard-quick, or a TOML file.")
]
DeviceName = Annotated[
    str | None,
    typer.Option(
        help="Device to train on: cpu, gpu (joint-tables, public-chance and cfr-br), or auto, the "
        "GPU if there is one."
        "  \\[default: the recipe's]"
    ),
]
Overrides = Annotated[
    list[str] | None,
    typer.Option("--set", help="Override a key of the recipe, such as solver.threads=2."),
]


def estimate_command(
    recipe: RecipeName, device: DeviceName = None, set_: Overrides = None, json: Json = False
) -> None:
    """Estimate the size of a recipe's game and the cost of training and playing it.

    Example: counterfold estimate discard-quick
    """
    plan = make_plan(recipe, [*(set_ or ()), *override_keys(device=device)])
    estimate = estimate_plan(plan)
    if json:
        print_json(estimate_as_json(plan.name, estimate))
    else:
        name = ": ".join(filter(None, (plan.name, plan.recipe.about)))
        print_rows([("recipe", name), *estimate_rows(estimate)])


def override_keys(**keys: int | str | None) -> list[str]:
    """Overrides for those keys of the solver that an option gives."""
    return [f"solver.{name}={value}" for name, value in keys.items() if value is not None]


def estimate_as_json(name: str, estimate: TrainingEstimate) -> dict[str, Any]:
    """An estimate for JSON."""
    return {"recipe": name, **asdict(estimate)}


def estimate_rows(estimate: TrainingEstimate) -> list[tuple[str, str]]:
    """An estimate in words."""
    tables = estimate.tables
    rate = estimate.iterations_per_second
    build = (
        f"{tables.seconds:,.0f} s to build, {tables.memory_bytes / 1e6:,.0f} MB of memory, "
        f"{tables.disk_bytes / 1e6:,.0f} MB on disk"
    )
    card_tables = build if tables.disk_bytes else "already built"
    if estimate.tables_bytes == 0:
        card_tables = "none needed"
    else:
        card_tables += f"; {estimate.tables_bytes / 1e6:,.0f} MB read while training"
    held = f"more than {estimate.device_bytes / 1e6:,.1f} MB, for tables alone"
    return [
        ("device", f"{estimate.device}, {thread_words(estimate.threads)}"),
        ("public graph", f"{estimate.nodes:,} nodes in {estimate.classes:,} classes"),
        ("information sets", f"{estimate.infosets:,}, {estimate.slots:,} actions"),
        ("card tables", card_tables),
        ("training memory", f"{estimate.training_bytes / 1e6:,.1f} MB"),
        *([("GPU memory", held)] if estimate.device_bytes else []),
        ("bot", f"{estimate.bot_bytes / 1e6:,.1f} MB of strategy before compression"),
        ("rate", f"about {format_rate(rate)} {estimate.unit}/s" if rate == rate else "not timed"),
    ]
