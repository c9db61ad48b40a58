"""What `match` and `tournament` share: their options, bars, and how they end when interrupted."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from counterfold.cli import INTERRUPTED
from counterfold.cli.output import messages, say
from counterfold.contest.wire import PROTOCOLS
from counterfold.runs.interrupts import interrupting
from counterfold.search.search_options import MOST_STREETS, SearchOptions

VariantName = Annotated[
    str | None,
    typer.Option(help="Variant to play.  \\[default: the one the runs were trained for]"),
]
Seed = Annotated[int, typer.Option(help="Random seed for cards and decisions.", min=0, max=2**62)]
Threads = Annotated[int | None, typer.Option(help="Number of threads to play with.", min=1)]
Duplicate = Annotated[
    bool, typer.Option("--duplicate/--single", help="Play every deal in both seats.")
]
ProtocolName = Annotated[
    str | None,
    typer.Option(
        help=f"Protocol of programs: {', '.join(PROTOCOLS)}.  "
        "\\[default: that of exported bots, else chosen by variant]"
    ),
]
Clock = Annotated[
    float | None,
    typer.Option(
        help="Seconds a program may think per 1000 hands.  \\[default: as in the contest]",
        min=0.001,
    ),
]
ActionClock = Annotated[
    float, typer.Option(help="Seconds a program may think about one action.", min=0.001)
]
Adjust = Annotated[
    bool,
    typer.Option(help="Count all-in hands at their expected value over the remaining board cards."),
]
Resolve = Annotated[
    str | None,
    typer.Option(
        help="Search on the last streets: unsafe, cfr-d, maxmargin or combined.  "
        "\\[default: no search]"
    ),
]
ResolveIterations = Annotated[
    int, typer.Option(help="Number of iterations for each spot that is searched.", min=1)
]
ResolveSeconds = Annotated[
    float | None,
    typer.Option(help="Time limit for each spot, in seconds.  \\[default: no limit]", min=0.0001),
]
ResolveBets = Annotated[
    str | None,
    typer.Option(
        help="Bets that the search considers, such as '50%, allin'.  \\[default: those of the run]"
    ),
]
ResolveStreets = Annotated[
    int,
    typer.Option(
        help="How many of the last streets to search: 1 for the river, 2 for turn and river, 3 for "
        "the flop, too, which takes half a minute or more.",
        min=1,
        max=MOST_STREETS,
    ),
]
Aivat = Annotated[
    bool,
    typer.Option(
        "--aivat",
        help="Also report the result adjusted for luck, of cards and known decisions (AIVAT).",
    ),
]


def read_search(
    mode: str | None, iterations: int, seconds: float | None, bets: str | None, streets: int
) -> SearchOptions | None:
    """How to search, or None."""
    return None if mode is None else SearchOptions(mode, iterations, seconds, bets, streets)


@contextmanager
def stoppable() -> Iterator[Callable[[], None]]:
    """End the command at Ctrl-C and SIGTERM, so that no program and no file is left behind.

    Yield a function that notices a signal which was lost elsewhere.
    """
    try:
        with interrupting() as check:
            yield check
    except KeyboardInterrupt:
        say("interrupted; a match cannot be resumed, but the same seed plays the same hands again")
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def playing(check: Callable[[], None]) -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that shows the progress of a match and calls `check`."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed:,}/{task.total:,} deals"),
        TimeRemainingColumn(),
    )
    quiet = not messages.is_terminal
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=messages, transient=True, disable=quiet) as bars:

        def show(title: str, done: int, total: int) -> None:
            check()
            if title not in tasks:
                tasks[title] = bars.add_task(title, total=total)
            bars.update(tasks[title], completed=done, total=total, visible=done < total)

        yield show
