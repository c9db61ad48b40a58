"""`counterfold spot` of a folder of files, or with `--boards`: many spots, a row for each."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

from counterfold.cli import BAD_INPUT, INTERRUPTED
from counterfold.cli.cluster_options import open_processes
from counterfold.cli.output import (
    announce,
    format_rate,
    messages,
    print_json,
    print_table,
    results,
    say,
)
from counterfold.errors import BudgetError
from counterfold.ranges.spot import POSITIONS
from counterfold.ranges.spot_node import format_shares
from counterfold.runs.run_folder import check_claim
from counterfold.spots.bulk_run import (
    KIND,
    STRATEGIES,
    TABLE,
    BulkProgress,
    SolvedSpots,
    solve_spots,
)
from counterfold.spots.spot_job import PLAYS
from counterfold.spots.spot_list import ListedSpot


@dataclass(frozen=True)
class ManySpots:
    """How many spots are solved, and what is kept of them."""

    out: Path | None
    resume: bool
    strategies: bool
    threads: int | None
    cluster: str | None
    workers: int | None
    json: bool


def solve_many(spots: Sequence[ListedSpot], how: ManySpots) -> None:
    """Solve, and print a row for each; what failed is named at the end."""
    if how.strategies and how.out is None:
        raise BudgetError("--strategies keeps them in a folder; name it with --out")
    if how.out is not None:
        check_claim(how.out, KIND, {}, resume=how.resume)
    announce(f"{len(spots):,} spots")
    opened = open_processes(how.cluster, how.workers, how.threads, len(spots))
    with opened as workers, _live() as observe:
        found = solve_spots(
            spots,
            folder=how.out,
            resume=how.resume,
            strategies=how.strategies,
            workers=workers,
            observe=observe,
        )
    if how.json:
        print_json(found.to_dict())
    else:
        _print(found, how)
    for name, why in found.failures.items():
        say(f"{name} was not solved: {why}")
    if found.interrupted:
        hint = f"; continue with --out {shlex.quote(str(how.out))} --resume" if how.out else ""
        say(f"interrupted after {len(found.rows):,} of {len(spots):,} spots{hint}")
        raise typer.Exit(INTERRUPTED)
    if found.failures:
        raise typer.Exit(BAD_INPUT)


def _print(found: SolvedSpots, how: ManySpots) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    columns = ("spot", "iterations", "% of the pot", "EV oop", "EV ip", "equity oop", "first plays")
    for column in columns:
        table.add_column(column, justify="left" if column in ("spot", "first plays") else "right")
    for row in found.rows:
        shares = {k.removeprefix(PLAYS): v for k, v in row.items() if k.startswith(PLAYS)}
        table.add_row(
            row["name"],
            f"{row['iterations']:,}",
            f"{row['exploitability_percent']:.3g}",
            *(f"{row[f'ev_{name}']:,.3f}" for name in POSITIONS),
            f"{row['equity_oop']:.2%}",
            f"{row['position']}: {format_shares(shares)}",
        )
    print_table(table)
    if how.out is None or not found.rows:
        return
    results.print(f"rows: {how.out / TABLE}", markup=False, soft_wrap=True)
    if how.strategies:
        place = shlex.quote(str(how.out / STRATEGIES / found.rows[0]["name"]))
        results.print(f"strategies: counterfold show {place}", markup=False, soft_wrap=True)


@contextmanager
def _live() -> Iterator[Callable[[BulkProgress], None]]:
    """A line with how many are done, the rate and the time left."""
    columns = (BarColumn(10), TextColumn("{task.fields[note]}"))
    quiet = not messages.is_terminal
    with Progress(*columns, console=messages, transient=True, disable=quiet) as bar:
        task = bar.add_task("", total=1.0, note="", visible=False)

        def show(progress: BulkProgress) -> None:
            share = progress.done / progress.total
            bar.update(task, completed=share, note=progress_line(progress), visible=True)

        yield show


def progress_line(progress: BulkProgress) -> str:
    """How many of how many, the rate, the time left, the last one."""
    parts = [f"{progress.done:,} of {progress.total:,} spots"]
    if progress.failed:
        parts.append(f"{progress.failed:,} failed")
    parts.append(f"{format_rate(progress.per_second)}/s")
    parts.append(f"{progress.seconds_left:,.0f} s left")
    return "  ".join([*parts, progress.name])
