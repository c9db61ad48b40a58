"""`counterfold export`: a trained run as a bot for a contest."""

import sys
from dataclasses import asdict
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
from counterfold.contest.export.bot_figures import Figures
from counterfold.contest.export.package import Package, export_run
from counterfold.contest.export.targets import TARGETS, Target
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
    With --resolve it searches the last street, where pots are large enough for the time it has.

    Example: counterfold export runs/blood --out bot.zip
    """
    with table_progress() as progress:
        run = load_trained(folder, progress)
    search = read_search(
        resolve, resolve_iterations, resolve_seconds, resolve_bets, DEFAULT_STREETS
    )
    package = export_run(run, to, out, game=game, search=search, overwrite=overwrite, say=announce)
    if json:
        print_json({**asdict(package), "folder": str(package.folder), "archive": str(out)})
        return
    _print(package)


def _print(package: Package) -> None:
    target, figures = TARGETS[package.target], package.figures
    searched = figures.searched + figures.unsearched > 0
    print_rows(
        [
            ("contest", package.target),
            ("archive", str(package.archive)),
            ("folder", str(package.folder)),
            ("zipped", _share(package.zip_bytes / 1e6, target.zip_bytes / 1e6, "MB")),
            ("unpacked", _share(package.unpacked_bytes / 1e6, target.unpacked_bytes / 1e6, "MB")),
            ("time to connect", _share(figures.load_seconds, target.connect_seconds, "s")),
            ("memory", _share(figures.peak_bytes / 1e6, target.memory_bytes / 1e6, "MB")),
            ("per decision", f"{_share(figures.mean_ms, 1000 * target.mean_seconds, 'ms')}, "
             f"{figures.max_ms:.3g} ms at most, {figures.decisions:,} decisions"),
            *([("searched", _tell_search(figures, target))] if searched else []),
            ("measured with", f"Python {sys.version.split()[0]} on this machine, "
             f"{figures.hands} hands against random actions"),
        ]
    )  # fmt: skip


def _tell_search(figures: Figures, target: Target) -> str:
    """How much of the clock a searching bot is expected to use."""
    per_hand = figures.hand_seconds
    if target.hand_seconds is None:
        use = _share(1000 * per_hand, target.game_seconds, "s") + " in 1000 hands"
    else:
        use = _share(per_hand, target.hand_seconds, "s") + " per hand"
    total = figures.searched + figures.unsearched
    return f"{figures.searched:,} of {total:,} decisions on the last street, {use}"


def _share(figure: float, limit: float, unit: str) -> str:
    return f"{figure:,.3g} {unit} of {limit:,.5g} {unit}"
