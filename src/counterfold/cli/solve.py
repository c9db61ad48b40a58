"""`counterfold solve`: an equilibrium of a small game, with its exploitability."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from counterfold.cli import INTERRUPTED
from counterfold.cli.output import (
    Json,
    announce,
    distance_column,
    guarantee,
    messages,
    print_json,
    print_table,
    results,
    say,
    value_columns,
)
from counterfold.errors import BudgetError
from counterfold.games.files import find_game, python_file
from counterfold.runs.budget import Budget, parse_seconds
from counterfold.tree.algorithms import ALGORITHMS, find_algorithm
from counterfold.tree.compiled_game import CompiledGame, compile_game
from counterfold.tree.convergence_figure import check_figure, plot_convergence
from counterfold.tree.exact_evaluation import evaluate_lifted
from counterfold.tree.linear_program import check_linear_program
from counterfold.tree.solve_run import DEFAULT_ALGORITHM, SolveResult, solve


def solve_command(
    game: Annotated[
        str, typer.Argument(help="Game to solve: leduc, 'goofspiel(4)', or a .toml or .py file.")
    ],
    algorithm: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithm",
            "-a",
            help=f"Algorithm: {', '.join(ALGORITHMS)}. To compare several, repeat the option or "
            f"separate them by commas.  \\[default: {DEFAULT_ALGORITHM}]",
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(help="Stop after this many iterations, including those before a --resume."),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(help="Stop at this exploitability (NashConv / 2), in the game's unit."),
    ] = None,
    time: Annotated[
        str | None, typer.Option(help="Stop after this much solving time: 30s, 10m, 1.5h.")
    ] = None,
    abstraction: Annotated[
        str,
        typer.Option(help="What players can tell apart, such as 'rank * board_rank * history'."),
    ] = "everything",
    seed: Annotated[
        int,
        typer.Option(help="Random seed for the sampling algorithms.", min=-(2**63), max=2**63 - 1),
    ] = 0,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the strategy and the checkpoints.")
    ] = None,
    resume: Annotated[bool, typer.Option(help="Continue the run in --out.")] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Plot the convergence to this file (.png, .svg, .pdf).")
    ] = None,
    json: Json = False,
) -> None:
    """Solve a game and report how exploitable the result is.

    Example: counterfold solve leduc -a dcfr,cfr+ --iterations 1000 --plot leduc.png
    """
    if resume and out is None:
        raise BudgetError("--resume continues the run in a folder; name it with --out")
    names = [name.strip() for text in algorithm or [DEFAULT_ALGORITHM] for name in text.split(",")]
    for name in names:
        find_algorithm(name)
        if names.count(name) > 1:
            raise BudgetError(
                f"algorithm {name!r} is given twice; a comparison needs different algorithms"
            )
    seconds = None if time is None else parse_seconds(time)
    limits = (iterations, until, seconds)
    budget = Budget(*limits) if any(limit is not None for limit in limits) else None
    rules = find_game(game)
    if plot is not None:
        check_figure(plot)
    with _compiling() as progress:
        compiled = compile_game(rules, abstraction, progress)
    if "lp" in names:
        check_linear_program(compiled)  # before the others have run for nothing
    if not json:
        _print_game(compiled)
    found = []
    for name in names:
        folder = None if out is None else out / name if len(names) > 1 else out
        with _progress(name, budget) as observe:
            found.append(
                solve(
                    compiled,
                    name,
                    budget,
                    seed=seed,
                    folder=folder,
                    resume=resume,
                    observe=observe,
                    game_file=python_file(game),
                )
            )
        if found[-1].interrupted:
            break
    if plot is not None:
        plot_convergence(found, plot)
    if json:
        runs = [_as_json(result, seed) for result in found]
        print_json(runs[0] if len(names) == 1 else {"game": compiled.game.name, "runs": runs})
    else:
        _print_results(found)
        if plot is not None:
            results.print(f"figure: {plot}", markup=False, soft_wrap=True)
        if out is not None:
            where = out / names[0] if len(names) > 1 else out
            shown = ["counterfold", "show", str(where)]
            if (made_by := python_file(game)) is not None:
                shown += ["--game", str(made_by)]
            results.print(f"strategy: {shlex.join(shown)}", markup=False, soft_wrap=True)
    if found[-1].interrupted:
        done = found[-1].iterations
        hint = "; continue with --resume" if out is not None else ""
        say(f"interrupted after iteration {done:,}{hint}")
        raise typer.Exit(INTERRUPTED)


@contextmanager
def _compiling() -> Iterator[Callable[[int, float], None]]:
    """A bar for trees that take a while to enumerate."""
    columns = (TextColumn("enumerating"), BarColumn(), TextColumn("{task.fields[note]}"))
    with Progress(*columns, console=messages, transient=True, disable=_quiet()) as bar:
        task = bar.add_task("", total=None, note="", visible=False)

        def show(nodes: int, expected: float) -> None:
            note = f"{nodes:,} of about {expected:,.0f} nodes"
            total = max(expected, nodes)
            bar.update(task, completed=nodes, total=total, note=note, visible=nodes > 0)

        yield show


@contextmanager
def _progress(name: str, budget: Budget | None) -> Iterator[Callable[[int, float, float], None]]:
    """A line with rate, NashConv and, if known, the time left."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=messages, transient=True, disable=_quiet()) as bar:
        task = bar.add_task(name, total=None, note="")

        def show(iterations: int, seconds: float, nash_conv: float) -> None:
            rate = iterations / seconds if seconds > 0 else 0.0
            note = f"{iterations:,} iterations  {rate:,.0f}/s  NashConv {nash_conv:.2e}"
            if budget is not None and budget.iterations is not None and rate > 0:
                left = (budget.iterations - iterations) / rate
                bar.update(task, total=budget.iterations, completed=iterations)
                note += f"  {left:,.0f} s left"
            elif budget is not None and budget.seconds is not None:
                bar.update(task, total=budget.seconds, completed=seconds)
                note += f"  {max(0.0, budget.seconds - seconds):,.0f} s left"
            bar.update(task, note=note)

        yield show


def _quiet() -> bool:
    return not messages.is_terminal


def _print_game(game: CompiledGame) -> None:
    announce(
        f"{game.name}: {game.n_infosets:,} information sets, {game.tree.n_nodes:,} nodes, "
        f"{game.nbytes / 1e6:,.1f} MB"
    )
    if not game.is_two_player_zero_sum or not game.perfect_recall:
        announce(f"guarantee: {guarantee(game)}")


def _print_results(found: list[SolveResult]) -> None:
    unit = found[0].game.game.unit
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("algorithm")
    for column in ("iterations", "seconds", "per second"):
        table.add_column(column, justify="right")
    rows = [_figures_in_words(result) for result in found]
    for column in rows[0]:
        table.add_column(f"{column} \\[{unit}]", justify="right")
    for result, row in zip(found, rows, strict=True):
        table.add_row(
            result.algorithm,
            f"{result.iterations:,}",
            f"{result.seconds:.3f}",
            f"{result.iterations_per_second:,.0f}",
            *row.values(),
        )
    print_table(table)


def _figures_in_words(result: SolveResult) -> dict[str, str]:
    name, distance = distance_column(result.evaluation)
    columns = value_columns(result.evaluation) | {name: distance}
    if (lifted := evaluate_lifted(result.strategy)) is not None:
        name, distance = distance_column(lifted)
        columns[f"{name} in exact game"] = distance
    return columns


def _as_json(result: SolveResult, seed: int) -> dict[str, Any]:
    game = result.game
    content = {
        "game": game.game.name,
        "abstraction": game.abstraction.name,
        "algorithm": result.algorithm,
        "seed": seed,
        "iterations": result.iterations,
        "seconds": result.seconds,
        "iterations_per_second": result.iterations_per_second,
        "unit": game.game.unit,
        **result.evaluation.to_dict(),
        "infosets": game.n_infosets,
        "nodes": game.tree.n_nodes,
        "guarantee": guarantee(game),
        "interrupted": result.interrupted,
        "convergence": {
            "iterations": [point.iterations for point in result.points],
            "seconds": [point.seconds for point in result.points],
            "nash_conv": [point.nash_conv for point in result.points],
        },
    }
    if (lifted := evaluate_lifted(result.strategy)) is not None:
        content["exact"] = lifted.to_dict()
    return content
