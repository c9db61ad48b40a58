"""`counterfold evaluate`: figures of a solved game or of a trained strategy."""

from pathlib import Path
from typing import Annotated

import typer

from counterfold.cli.output import (
    GameOption,
    Json,
    guarantee,
    print_json,
    print_rows,
    table_progress,
)
from counterfold.cli.spot import spot_rows
from counterfold.cli.views.evaluate_trained import evaluate_trained
from counterfold.spots.solved_spot import SolvedSpot
from counterfold.training.any_run import load_any_run
from counterfold.training.evaluate_run import DEFAULT_HANDS
from counterfold.training.train_folder import TrainedRun
from counterfold.tree.exact_evaluation import Evaluation, evaluate, evaluate_lifted
from counterfold.tree.solve_folder import SolvedRun

Folder = Annotated[
    Path, typer.Argument(help="The --out folder of counterfold solve, spot or train.")
]


def evaluate_command(
    folder: Folder,
    hands: Annotated[
        int, typer.Option(help="Number of self-play hands for measuring a trained strategy.", min=1)
    ] = DEFAULT_HANDS,
    joint: Annotated[
        bool,
        typer.Option(
            "--joint",
            help="Measure a bot with perfect recall exactly, by joint tables (built if missing).",
        ),
    ] = False,
    game: GameOption = None,
    json: Json = False,
) -> None:
    """Print the value, best responses and exploitability of a strategy.

    A strategy solved under an abstraction is measured inside it and in the exact game. A trained
    strategy plays against itself, and is measured exactly if all its deals can be listed.

    Example: counterfold evaluate runs/leduc
    """
    with table_progress() as progress:
        run = load_any_run(folder, game, progress)
    if isinstance(run, TrainedRun):
        evaluate_trained(folder, run, hands, joint, json)
    elif isinstance(run, SolvedSpot):
        _evaluate_spot(run, json)
    else:
        _evaluate_solved(run, json)


def _evaluate_spot(run: SolvedSpot, json: bool) -> None:
    if json:
        print_json(run.to_dict())
    else:
        print_rows(spot_rows(run))


def _evaluate_solved(run: SolvedRun, json: bool) -> None:
    game = run.strategy.game
    inside, lifted = evaluate(run.strategy), evaluate_lifted(run.strategy)
    if json:
        content = {
            "game": game.game.name,
            "abstraction": game.abstraction.name,
            "algorithm": run.identity.algorithm,
            "iterations": run.progress.iterations,
            "unit": game.game.unit,
            "infosets": game.n_infosets,
            "guarantee": guarantee(game),
            **inside.to_dict(),
        }
        if lifted is not None:
            content["exact"] = lifted.to_dict()
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
