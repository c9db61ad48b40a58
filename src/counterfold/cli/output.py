"""How commands print: results to stdout, everything else to stderr."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.measure import Measurement
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from counterfold.web.plain_json import as_plain

if TYPE_CHECKING:  # a command that solves nothing has no use for the solvers
    from counterfold.tree.compiled_game import CompiledGame
    from counterfold.tree.exact_evaluation import Evaluation

_ANY_WIDTH = 10_000
results = Console(highlight=False, soft_wrap=False)
messages = Console(stderr=True, highlight=False)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object to stdout.")]
GameOption = Annotated[
    str | None,
    typer.Option(
        "--game", help="Python file that makes the game of a solved run; the file is executed."
    ),
]


def say(text: str) -> None:
    """Print a sentence for the user to stderr."""
    messages.print(text, markup=False, soft_wrap=True)


def announce(text: str) -> None:
    """Print a dimmed sentence about what is happening to stderr."""
    messages.print(text, markup=False, style="dim", soft_wrap=True)


def print_json(content: dict[str, Any]) -> None:
    """Print one JSON object to stdout; numbers that JSON cannot express become null."""
    typer.echo(json.dumps(as_plain(content), allow_nan=False))


def format_rate(per_second: float) -> str:
    """A rate with its meaningful digits."""
    return f"{per_second:,.0f}" if per_second >= 100 else f"{per_second:.3g}"


def thread_words(n: int) -> str:
    """How many threads, in words."""
    return "1 thread" if n == 1 else f"{n} threads"


def print_rows(rows: Sequence[tuple[str, str]]) -> None:
    """Print names and values in two columns."""
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        results.print(f"{name:<{width}}  {text}", markup=False, soft_wrap=True)


def print_table(table: Table) -> None:
    """Print a table that loses neither headers nor values.

    In a terminal cells wrap between words; elsewhere every row is one line, however long.
    """
    least, most = Measurement.get(results, results.options.update(max_width=_ANY_WIDTH), table)
    before = results.width
    results.width = max(before, least) if results.is_terminal else most
    try:
        results.print(table, crop=False)
    finally:
        results.width = before


def guarantee(game: "CompiledGame") -> str:
    """What theory promises for an average strategy in this game."""
    if not game.is_two_player_zero_sum:
        return "none: convergence to equilibrium is proved for two-player zero-sum games only"
    if not game.perfect_recall:
        return "none: the abstraction has imperfect recall"
    if not game.is_exact:
        return (
            "an equilibrium of the abstract game; none in the exact game, where it is only measured"
        )
    return "an equilibrium of the game (two-player zero-sum, perfect recall)"


def value_columns(evaluation: "Evaluation") -> dict[str, str]:
    """The value to each player, or only to the first if the other's is its negative."""
    if evaluation.exploitability is not None:
        return {"value": f"{evaluation.values[0]:+.6f}"}
    return {f"value to {p}": f"{value:+.6f}" for p, value in enumerate(evaluation.values)}


def distance_column(evaluation: "Evaluation") -> tuple[str, str]:
    """How far from equilibrium: exploitability where it is defined, else NashConv."""
    at_most = "≤ " if evaluation.bound else ""
    if evaluation.exploitability is not None:
        return "exploitability", f"{at_most}{evaluation.exploitability:.3e}"
    return "NashConv", f"{at_most}{evaluation.nash_conv:.3e}"


@contextmanager
def table_progress(unit: str = "boards") -> Iterator[Callable[[str, int, int], None]]:
    """A bar for each table that is being built, with the time left."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn(f"{{task.completed:,}}/{{task.total:,}} {unit}"),
        TimeRemainingColumn(),
    )
    quiet = not messages.is_terminal
    with Progress(*columns, console=messages, transient=True, disable=quiet) as bar:
        tasks: dict[str, object] = {}

        def show(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = bar.add_task(name, total=total)
            bar.update(tasks[name], completed=done)  # type: ignore[arg-type]

        yield show
