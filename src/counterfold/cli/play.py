"""`counterfold play`: a person against a trained run."""

import os
from pathlib import Path
from typing import Annotated

import typer

from counterfold.bots.hand import shuffle
from counterfold.bots.played_run import bot_of
from counterfold.bots.terminal import LeaveError, TerminalTable
from counterfold.cli.output import announce, table_progress
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
) -> None:
    """Play against a trained bot in the terminal.

    Keys are shown with every decision; q, Ctrl-D or Ctrl-C leaves the table.

    Example: counterfold play runs/blood --hands 20
    """
    if seed is None:
        seed = int.from_bytes(os.urandom(7), "big")
    with table_progress() as progress:
        run = load_trained(folder, progress)
    variant = run.plan.variant
    announce(f"{run.name}: {variant.name}; replay these hands with --seed {seed}")
    table = TerminalTable(variant, bot_of(run, seed), input, typer.echo, explains=explain)
    try:
        while hands is None or table.hands < hands:
            table.play(shuffle(variant, seed, table.hands))
    except (LeaveError, EOFError, KeyboardInterrupt):
        typer.echo("")
    typer.echo(f"you leave with {table.score}")
