"""`counterfold train`: a recipe becomes a strategy on disk."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn

from counterfold.blueprints.blueprint import check_bits
from counterfold.cli import INTERRUPTED
from counterfold.cli.cluster_options import ClusterAddress, WorkerCount, open_workers
from counterfold.cli.estimate import (
    DeviceName,
    Overrides,
    RecipeName,
    estimate_as_json,
    estimate_rows,
    override_keys,
)
from counterfold.cli.output import (
    Json,
    announce,
    format_rate,
    messages,
    print_json,
    print_rows,
    say,
    table_progress,
)
from counterfold.runs.budget import Budget, parse_seconds
from counterfold.runs.run_folder import check_claim
from counterfold.training.cost import check_estimate, estimate_plan
from counterfold.training.epochs.epoch_solver import Exchange
from counterfold.training.plan import make_plan
from counterfold.training.train_folder import KIND, identify
from counterfold.training.train_metrics import Metrics
from counterfold.training.train_run import TrainResult, find_budget, train

_BAR_WIDTH = 12  # with the spaces around it
_SHORTEST_TIMED = 0.1  # seconds after which a rate means something


def train_command(
    recipe: RecipeName,
    out: Annotated[Path, typer.Option(help="Folder for the strategy and its checkpoints.")],
    time: Annotated[
        str | None,
        typer.Option(help="Training time, such as 30s, 10m or 1.5h.  \\[default: the recipe's]"),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            help="Stop after this many iterations, including those before a --resume.", min=1
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            help="Number of threads to train with; one gives the same bits every time."
            "  \\[default: the recipe's, $COUNTERFOLD_THREADS, or all cores]",
            min=1,
        ),
    ] = None,
    device: DeviceName = None,
    cluster: ClusterAddress = None,
    workers: WorkerCount = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the run in --out.")] = False,
    bits: Annotated[int, typer.Option(help="Bits per probability of the strategy: 8 or 16.")] = 8,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            help="Time between checkpoints; a killed run loses at most this much."
            "  \\[default: 30s; an epoch on a cluster]"
        ),
    ] = None,
    set_: Overrides = None,
    json: Json = False,
) -> None:
    """Train a recipe: print an estimate, build card tables, run CFR until time is up.

    Ctrl-C saves and stops; --resume continues.

    Example: counterfold train discard-quick --out runs/discard --time 2m --threads 2
    """
    overrides = [*(set_ or ()), *override_keys(threads=threads, device=device)]
    plan = make_plan(recipe, overrides)
    seconds = None if time is None else parse_seconds(time)
    interval = None if checkpoint is None else parse_seconds(checkpoint)
    check_bits(bits)
    budget = find_budget(plan.recipe, seconds, iterations)
    check_claim(out, KIND, identify(plan.recipe), resume=resume)  # before anything takes long
    estimate = estimate_plan(plan, bits)
    for label, text in estimate_rows(estimate):
        announce(f"{label}: {text}")
    check_estimate(plan.recipe, estimate)
    try:
        with (
            open_workers(cluster, workers) as crew,
            table_progress() as tables,
            training_bar(plan.name, plan.unit, budget) as observe,
        ):
            result = train(
                plan,
                out,
                seconds=budget.seconds,
                iterations=budget.iterations,
                resume=resume,
                bits=bits,
                checkpoint_seconds=interval,
                observe=observe,
                progress=tables,
                workers=crew,
                fixed_epoch=any(key.startswith("solver.epoch=") for key in overrides),
                tried=partial(_tell_trial, plan.unit),
            )
    except KeyboardInterrupt:
        say("interrupted; finished card tables are kept; run the same command to resume")
        raise typer.Exit(INTERRUPTED) from None
    if json:
        print_json({**estimate_as_json(plan.name, estimate), **_as_json(result, out)})
    else:
        _print(result, plan.unit, out)
    if result.interrupted:
        say(f"interrupted after {result.metrics.iterations:,} {plan.unit}; continue with --resume")
        raise typer.Exit(INTERRUPTED)


def _tell_trial(unit: str, epoch: int, exchange: Exchange) -> None:
    announce(f"epoch of {epoch:,} {unit}: {exchange_text(exchange)}")


def exchange_text(exchange: Exchange) -> str:
    """What the exchange of tables between workers takes."""
    return (
        f"exchange {100 * exchange.share:.1f}% of the time, "
        f"{exchange.bytes_per_epoch / 1e6:,.1f} MB and "
        f"{exchange.seconds / max(exchange.epochs, 1):,.1f} s per epoch"
    )


@contextmanager
def training_bar(name: str, unit: str, budget: Budget) -> Iterator[Callable[[Metrics], None]]:
    """A line with rate, coverage, regret, memory and the time left."""
    columns = (BarColumn(10), TextColumn("{task.fields[note]}"))
    quiet = not messages.is_terminal
    with Progress(*columns, console=messages, transient=True, disable=quiet) as bar:
        task = bar.add_task("", total=None, note="", visible=False)
        started: list[float] = []

        def show(metrics: Metrics) -> None:
            started.append(metrics.seconds)
            spent = metrics.seconds - started[0]
            if budget.seconds is not None:
                total, done = budget.seconds, spent
                left = budget.seconds - spent
            else:
                total, done = float(budget.iterations or 1), float(metrics.iterations)
                left = (total - done) / metrics.iterations_per_second
            note = training_line(metrics, unit, left, messages.width - _BAR_WIDTH, name)
            bar.update(task, total=total, completed=done, note=note, visible=True)

        yield show


def training_line(
    metrics: Metrics, unit: str, seconds_left: float, width: int, name: str = ""
) -> str:
    """Progress, rate, regret and time left; more figures, and the name, as far as `width` goes."""
    parts = [
        f"{metrics.iterations:,} {unit}",
        f"{format_rate(metrics.iterations_per_second)}/s",
        f"regret {metrics.mean_positive_regret:.1e} chips",
        f"{max(0.0, seconds_left):,.0f} s left",
    ]
    more = [
        f"trained {100 * metrics.trained_infosets:.1f}%",
        f"visited {100 * metrics.visited_infosets:.1f}%",
        f"{metrics.memory_bytes / 1e6:,.0f} MB",
        name,
    ]
    for part in more:
        if part and len("  ".join([*parts, part])) <= width:
            parts.append(part)
    return "  ".join(parts)


def rate_text(metrics: Metrics, unit: str) -> str:
    """How fast a run was; the first iteration is not timed, so a moment tells nothing."""
    if metrics.seconds < _SHORTEST_TIMED:
        return f"not measured: fewer than {_SHORTEST_TIMED:g} s were timed"
    return (
        f"{format_rate(metrics.iterations / metrics.seconds)} {unit}/s; "
        f"at the end {metrics.nodes_per_second / 1e6:,.1f} million nodes/s"
    )


def _as_json(result: TrainResult, out: Path) -> dict[str, Any]:
    return {
        "folder": str(out),
        **vars(result.metrics),
        "infosets": result.blueprint.game.n_infosets,
        "trained": result.blueprint.n_trained,
        "rounding": vars(result.loss),
        "interrupted": result.interrupted,
        "exchange": None if result.exchange is None else vars(result.exchange),
    }


def _print(result: TrainResult, unit: str, out: Path) -> None:
    metrics, blueprint = result.metrics, result.blueprint
    exchange = [] if result.exchange is None else [("cluster", exchange_text(result.exchange))]
    print_rows(
        [
            ("trained", f"{metrics.iterations:,} {unit} in {metrics.seconds:,.1f} s"),
            ("rate", rate_text(metrics, unit)),
            *exchange,
            ("information sets", f"{blueprint.n_trained:,} of {blueprint.game.n_infosets:,} "
             f"trained ({100 * blueprint.coverage:.1f}%), "
             f"{100 * metrics.visited_infosets:.1f}% visited"),
            ("memory", f"{metrics.memory_bytes / 1e6:,.0f} MB"),
            ("rounding", f"{result.loss.mean:.1e} of probability on average, "
             f"{result.loss.largest:.1e} at most"),
            ("strategy", f"counterfold show {shlex.quote(str(out))}"),
            ("measure", f"counterfold evaluate {shlex.quote(str(out))}"),
        ]
    )  # fmt: skip
