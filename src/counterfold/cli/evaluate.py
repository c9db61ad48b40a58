"""`counterfold evaluate`: figures of a solved game or of a trained strategy."""

from pathlib import Path
from typing import Annotated

import typer

from counterfold.cli.evaluate_trained import evaluate_trained
from counterfold.cli.output import Json, figures, guarantee, print_json, print_rows
from counterfold.training.evaluate_run import DEFAULT_HANDS
from counterfold.training.train_folder import is_trained
from counterfold.tree.exact_evaluation import Evaluation, evaluate
from counterfold.tree.solve_folder import load_solved

Folder = Annotated[Path, typer.Argument(help="The --out folder of counterfold solve or train.")]


def evaluate_command(
    folder: Folder,
    hands: Annotated[
        int, typer.Option(help="Of self-play, to measure a trained strategy by.", min=1)
    ] = DEFAULT_HANDS,
    joint: Annotated[
        bool,
        typer.Option(
            "--joint", help="Measure perfect recall exactly by joint tables, counted if need be."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Print value, best responses and exploitability of a strategy.

    A strategy that was found under an abstraction is measured inside it and in the exact game. A
    trained strategy is played against itself, and measured exactly where its deals can be listed.

    Example: counterfold evaluate runs/leduc
    """
    if is_trained(folder):
        evaluate_trained(folder, hands, joint, json)
        return
    run = load_solved(folder)
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
    print_rows(rows)


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
