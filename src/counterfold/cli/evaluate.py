"""`counterfold evaluate`: exact figures of a solved game."""

from pathlib import Path
from typing import Annotated

import typer

from counterfold.cli.output import Json, figures, guarantee, print_json, results
from counterfold.evaluation import Evaluation, evaluate
from counterfold.runs import load_run

Folder = Annotated[Path, typer.Argument(help="The --out folder of counterfold solve.")]


def evaluate_command(folder: Folder, json: Json = False) -> None:
    """Print value, best responses and exploitability of a strategy.

    A strategy that was found under an abstraction is measured inside it and in the exact game.

    Example: counterfold evaluate runs/leduc
    """
    run = load_run(folder)
    game = run.strategy.game
    inside = evaluate(run.strategy)
    lifted = None if game.is_exact else evaluate(run.strategy.lift())
    if json:
        content = {
            "game": game.game.name,
            "abstraction": game.abstraction.name,
            "algorithm": run.identity.algorithm,
            "iterations": run.progress.iterations,
            "unit": game.game.unit,
            "infosets": game.n_infosets,
            "guarantee": guarantee(game),
            **figures(inside),
        }
        if lifted is not None:
            content["exact"] = figures(lifted)
        print_json(content)
        return
    unit = game.game.unit
    rows = [
        ("game", game.name),
        ("algorithm", f"{run.identity.algorithm}, {run.progress.iterations:,} iterations"),
        ("information sets", f"{game.n_infosets:,}"),
        *_lines(inside, unit),
    ]
    if lifted is not None:
        rows += [(f"exact game: {name}", text) for name, text in _lines(lifted, unit)]
    rows.append(("guarantee", guarantee(game)))
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        results.print(f"{name:<{width}}  {text}", markup=False, soft_wrap=True)


def _lines(evaluation: Evaluation, unit: str) -> list[tuple[str, str]]:
    at_most = "at most " if evaluation.bound else ""
    lines = []
    for player, (value, best) in enumerate(
        zip(evaluation.values, evaluation.responses, strict=True)
    ):
        lines.append((f"value to player {player}", f"{value:+.6f} {unit}"))
        lines.append((f"best response of {player}", f"{at_most}{best:+.6f} {unit}"))
    lines.append(("NashConv", f"{at_most}{evaluation.nash_conv:.3e} {unit}"))
    if evaluation.exploitability is not None:
        lines.append(("exploitability", f"{at_most}{evaluation.exploitability:.3e} {unit}"))
    return lines
