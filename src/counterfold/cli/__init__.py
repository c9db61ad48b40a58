"""The command line: views of what the other layers do, one file per command."""

import sys

import typer

from counterfold.cli.abstract import abstract_command
from counterfold.cli.equity import equity_command
from counterfold.cli.estimate import estimate_command
from counterfold.cli.evaluate import evaluate_command
from counterfold.cli.export import export_command
from counterfold.cli.games import games_command
from counterfold.cli.match import match_command
from counterfold.cli.output import announce, say
from counterfold.cli.play import play_command
from counterfold.cli.replay import replay_command
from counterfold.cli.show import show_command
from counterfold.cli.solve import solve_command
from counterfold.cli.tables import tables_command
from counterfold.cli.tournament import tournament_command
from counterfold.cli.train import train_command
from counterfold.errors import CounterfoldError
from counterfold.jit.compiler import announce_compilation

app = typer.Typer(
    name="counterfold",
    help="Turn the rules of a game into a near-equilibrium strategy, and measure it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("games")(games_command)
app.command("solve")(solve_command)
app.command("estimate")(estimate_command)
app.command("train")(train_command)
app.command("match")(match_command)
app.command("tournament")(tournament_command)
app.command("replay")(replay_command)
app.command("evaluate")(evaluate_command)
app.command("show")(show_command)
app.command("play")(play_command)
app.command("export")(export_command)
app.command("tables")(tables_command)
app.command("abstract")(abstract_command)
app.command("equity")(equity_command)

BAD_INPUT = 2  # exit code of every deliberate error


def main() -> None:
    """Entry point: deliberate errors become one sentence and exit code 2."""
    announce_compilation(
        lambda: announce("compiling kernels; this happens once and takes a few seconds")
    )
    try:
        app()
    except CounterfoldError as error:
        say(f"counterfold: {error}")
        sys.exit(BAD_INPUT)
