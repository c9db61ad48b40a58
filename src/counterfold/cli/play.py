"""`counterfold play`: a person against a trained run."""

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from counterfold.bots.play.play_session import PlaySession
from counterfold.bots.play.session_score import write_rate
from counterfold.bots.play.terminal import LeaveError, TerminalTable
from counterfold.bots.trained_bot import load_bot
from counterfold.cli.match_options import (
    Aivat,
    Resolve,
    ResolveBets,
    ResolveIterations,
    ResolveSeconds,
    ResolveStreets,
    read_search,
)
from counterfold.cli.output import announce, results, table_progress
from counterfold.intervals import Estimate
from counterfold.matches.session_luck import SessionLuck
from counterfold.search.search_options import DEFAULT_ITERATIONS, DEFAULT_STREETS
from counterfold.search.searching_bot import SearchingBot

_COLORS = {"♣": "green", "♦": "bright_blue", "♥": "bright_red", "♠": "bold"}


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
    confirm: Annotated[
        bool,
        typer.Option(
            "--confirm", help="Ask before every action goes to the bot, not only before all-ins."
        ),
    ] = False,
    aivat: Aivat = False,
    resolve: Resolve = None,
    resolve_iterations: ResolveIterations = DEFAULT_ITERATIONS,
    resolve_seconds: ResolveSeconds = None,
    resolve_bets: ResolveBets = None,
    resolve_streets: ResolveStreets = DEFAULT_STREETS,
) -> None:
    """Play against a trained bot in the terminal.

    Keys are shown with every decision; ? is help, h a hint, and q, Ctrl-D or Ctrl-C leaves the
    table.

    Example: counterfold play runs/blood --hands 20
    """
    if seed is None:
        seed = int.from_bytes(os.urandom(7), "big")
    search = read_search(
        resolve, resolve_iterations, resolve_seconds, resolve_bets, resolve_streets
    )
    with table_progress() as progress:
        bot = load_bot(folder, progress)
    announce(f"{bot.name}: {bot.variant.name}; replay these hands with --seed {seed}")
    player = (bot if search is None else SearchingBot(bot.run, search)).player
    session = PlaySession(bot.variant, player(seed + 1), player(seed + 2), seed)
    table = TerminalTable(
        session, input, _show, explains=explain, confirms=confirm, width=results.width
    )
    luck = SessionLuck(bot, seed, searches=search is not None) if aivat else None
    try:
        while hands is None or table.hands < hands:
            table.play()
            if luck is not None:
                luck.add(session.hand)
    except (LeaveError, EOFError, KeyboardInterrupt):
        typer.echo("")
        if luck is not None and luck.n_hands < table.hands:
            luck.add(session.hand)
    typer.echo(f"you leave with {table.score}")
    if luck is not None:
        _tell_luck(luck)


def _show(line: str) -> None:
    """Print a line; cards have the colors of a deck of four."""
    text = Text(line)
    for sign, color in _COLORS.items():
        text.highlight_regex(rf"[2-9TJQKA]{sign}", color)
    results.print(text, soft_wrap=True)


def _tell_luck(luck: SessionLuck) -> None:
    rates = luck.rates()
    if rates is not None:
        rate = Estimate(rates.mb, rates.mb_interval)
        of_bot = " and the choices of the bot" if rates.known else ""
        typer.echo(f"adjusted for the luck of the cards{of_bot} (AIVAT): {write_rate(rate)}")
