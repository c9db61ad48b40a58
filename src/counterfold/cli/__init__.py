"""The command line: views of what the other rooms do, one file per command.

A command's module is imported when the command runs, so help and completion, which only need
the names, answer at once. `counterfold.cli.NAME` defines `NAME_command`.
"""

import inspect
import sys
from importlib import import_module
from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

from counterfold.cli.streams import accept_any_encoding, drop_output, is_full_output
from counterfold.errors import CounterfoldError

# What each command does, in the order in which a bot is made. A test compares this with their help.
COMMANDS = {
    "games": "List the games with their parameters and sizes, or check one.",
    "solve": "Solve a game and report how exploitable the result is.",
    "spot": "Solve a spot: two ranges on a board, with a pot, stacks and bet sizes.",
    "recipes": "List the shipped recipes: what they train, and for how long.",
    "estimate": "Estimate the size of a recipe's game and the cost of training and playing it.",
    "tables": "List the tables of exact hand strength; build, estimate or verify them.",
    "abstract": "Put hands into buckets, street by street, and report how good the buckets are.",
    "train": "Train a recipe: print an estimate, build card tables, run CFR until time is up.",
    "evaluate": "Print the value, best responses and exploitability of a strategy.",
    "respond": "Measure how much a best response wins from a bot in the real game.",
    "show": "Print a strategy: all of a solved game, one decision of a spot or of a trained bot.",
    "match": "Play a match and report what the first player wins per hand, with a 95% interval.",
    "tournament": "Match every pair of players and print what each wins from the others.",
    "replay": "Replay a match hand by hand and check every action and every chip.",
    "play": "Play against a trained bot in the terminal.",
    "serve": "Show runs in the browser: explore strategies, play against bots, solve spots, train.",
    "export": "Write a bot that a contest machine can run with Python and NumPy alone.",
    "compile": "Compile the kernels beforehand, so that the first command does not have to.",
    "equity": "Print the exact equity of a hand or range against another.",
}

_UsageError = cast(type[Exception], typer.BadParameter.__mro__[1])  # typer does not export it
BAD_INPUT = 2  # exit code of every deliberate error
INTERRUPTED = 130  # exit code, as the shell has it for Ctrl-C


def _without_types(params: list[Any]) -> list[Any]:
    """Parameters for help, in which a flag takes no value and shows no type."""
    for param in params:
        if getattr(param, "is_flag", False):
            param.metavar = ""
    return params


class _Command(TyperCommand):
    """A command whose flags show no type."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types(super().get_params(ctx))


class _LazyCommand(TyperCommand):
    """A name and a line of help; the command itself is imported when it is called."""

    def make_context(self, *args: Any, **extra: Any) -> Any:
        return load_command(str(self.name)).make_context(*args, **extra)


class _Commands(TyperGroup):
    """All commands, none of them imported yet."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, about in COMMANDS.items():
            self.add_command(_LazyCommand(name, help=about))

    def invoke(self, ctx: Any) -> Any:
        """Run a command; one that is interrupted before it can handle that ends in one sentence."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)


def load_command(name: str) -> Any:
    """The command itself; from here on, kernel compilation is announced."""
    from counterfold.cli.compile_times import COMPILE_SECONDS
    from counterfold.cli.output import announce
    from counterfold.jit.compiler import announce_compilation

    hint = "" if name == "compile" else "; counterfold compile does it beforehand"
    announce_compilation(announce, COMPILE_SECONDS, hint)
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    command = getattr(import_module(f"counterfold.cli.{name}"), f"{name}_command")
    alone.command(name, cls=_Command, help=_unwrap(inspect.getdoc(command) or ""))(command)
    return typer.main.get_command(alone)


def _unwrap(text: str) -> str:
    """Paragraphs as one line each, for help to wrap where the terminal ends."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def _print_version(wanted: bool) -> None:
    if wanted:
        import counterfold

        typer.echo(f"counterfold {counterfold.__version__}")
        raise typer.Exit


app = typer.Typer(
    name="counterfold",
    cls=_Commands,
    help="Turn the rules of a poker variant into a near-equilibrium bot, and measure it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Options before the command."""


def main() -> None:
    """Entry point: deliberate errors become one sentence and exit code 2."""
    accept_any_encoding()
    try:
        try:
            code = app(prog_name="counterfold", standalone_mode=False)
        finally:
            sys.stdout.flush()
        sys.exit(code if isinstance(code, int) else 0)
    except _UsageError as error:
        _refuse_usage(error)
    except typer.Abort:  # the input has ended
        sys.exit(1)
    except CounterfoldError as error:
        _refuse(str(error))
    except OSError as error:
        if not is_full_output(error):
            raise
        drop_output()
        _refuse(f"cannot write the output: {error.strerror}")


def _refuse_usage(error: Any) -> None:
    """A wrong option in the words of other errors; no command at all is answered with help."""
    message, path = error.format_message(), "counterfold"
    if error.ctx is not None:
        path = error.ctx.command_path
    if not message:
        sys.exit(BAD_INPUT)  # help has been printed
    sentence = (message[0].lower() + message[1:]).rstrip(".?").replace(". Did you", "; did you")
    _refuse(f"{sentence}; see {path} --help")


def _refuse(sentence: str) -> None:
    from counterfold.cli.output import say

    say(f"counterfold: {sentence}")
    sys.exit(BAD_INPUT)
