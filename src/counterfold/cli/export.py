"""`counterfold export`: a trained run as a bot for a contest."""

from pathlib import Path
from typing import Annotated

import typer

from counterfold.cli.match_options import (
    Resolve,
    ResolveBets,
    ResolveIterations,
    ResolveSeconds,
    read_search,
)
from counterfold.cli.output import Json, announce, print_json, print_rows, table_progress
from counterfold.contest.export.package import export_run
from counterfold.contest.export.targets import TARGETS
from counterfold.search.search_options import DEFAULT_ITERATIONS, DEFAULT_STREETS
from counterfold.training.train_folder import load_trained


def export_command(
    folder: Annotated[Path, typer.Argument(help="The --out folder of counterfold train.")],
    out: Annotated[
        Path,
        typer.Option(help="Zip file to write; a folder of the same name is written next to it."),
    ],
    to: Annotated[
        str | None,
        typer.Option(
            help=f"Contest to export for: {', '.join(TARGETS)}.  "
            "\\[default: the contest that plays the variant]"
        ),
    ] = None,
    game: Annotated[
        Path | None,
        typer.Option(help="Game definition of an ACPC dealer (.game) that the bot must fit."),
    ] = None,
    resolve: Resolve = None,
    resolve_iterations: ResolveIterations = DEFAULT_ITERATIONS,
    resolve_seconds: ResolveSeconds = None,
    resolve_bets: ResolveBets = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a bot exported earlier.")
    ] = False,
    json: Json = False,
) -> None:
    """Write a bot that a contest machine can run with Python and NumPy alone.

    The bot plays exactly like the run. A bot that would break a limit of the contest is refused.
    With --resolve it searches the last street when the pot is large enough for the time it has.

    Example: counterfold export runs/blood --out bot.zip
    """
    with table_progress() as progress:
        run = load_trained(folder, progress)
    search = read_search(
        resolve, resolve_iterations, resolve_seconds, resolve_bets, DEFAULT_STREETS
    )
    package = export_run(run, to, out, game=game, search=search, overwrite=overwrite, say=announce)
    if json:
        print_json(package.to_dict())
        return
    print_rows(package.rows())
