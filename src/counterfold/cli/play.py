"""`counterfold play`: a person against a trained run."""

import os
from pathlib import Path
from typing import Annotated

import typer

from counterfold.bots.hand import shuffle
from counterfold.bots.played_run import bot_of
from counterfold.bots.terminal import LeaveError, TerminalTable
from counterfold.cli.match_options import (
    Resolve,
    ResolveBets,
    ResolveIterations,
    ResolveSeconds,
    read_search,
)
from counterfold.cli.output import announce, table_progress
from counterfold.search.search_options import DEFAULT_ITERATIONS
from counterfold.search.searching_bot import SearchingBot
from counterfold.training.train_folder import load_trained


def play_command(
    folder: Annotated[Path, typer.Argument(help="The --out folder of counterfold train.")],
    hands: Annotated[
        int | None,
        typer.Option(help="Number of hands to play.  \\[default: until you leave]", min=1),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            help="Random seed for cards and decisions.  \\[default: new every time]",
            min=0,
            max=2**62,
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="After each hand, explain what the bot did.")
    ] = False,
    resolve: Resolve = None,
    resolve_iterations: ResolveIterations = DEFAULT_ITERATIONS,
    resolve_seconds: ResolveSeconds = None,
    resolve_bets: ResolveBets = None,
) -> None:
    """Play against a trained bot in the terminal.

    Keys are shown with every decision; q, Ctrl-D or Ctrl-C leaves the table.

    Example: counterfold play runs/blood --hands 20
    """
    if seed is None:
        seed = int.from_bytes(os.urandom(7), "big")
    search = read_search(resolve, resolve_iterations, resolve_seconds, resolve_bets)
    with table_progress() as progress:
        run = load_trained(folder, progress)
    variant = run.plan.variant
    announce(f"{run.name}: {variant.name}; replay these hands with --seed {seed}")
    bot = bot_of(run, seed) if search is None else SearchingBot(run, search).player(seed)
    table = TerminalTable(variant, bot, input, typer.echo, explains=explain)
    try:
        while hands is None or table.hands < hands:
            table.play(shuffle(variant, seed, table.hands))
    except (LeaveError, EOFError, KeyboardInterrupt):
        typer.echo("")
    typer.echo(f"you leave with {table.score}")
