"""`counterfold spot`: a board, two ranges, a pot and stacks, solved exactly."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import log
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn

from counterfold.bots.bot_spot import begin_after, describe_spot
from counterfold.bots.trained_bot import load_bot
from counterfold.cli import INTERRUPTED
from counterfold.cli.cluster_options import ClusterAddress, WorkerCount
from counterfold.cli.output import (
    Json,
    announce,
    messages,
    print_json,
    print_rows,
    say,
    table_progress,
    thread_words,
)
from counterfold.cli.views.spot_many import ManySpots, solve_many
from counterfold.devices import read_device
from counterfold.errors import BudgetError
from counterfold.ranges.spot_node import format_shares
from counterfold.runs.budget import Budget
from counterfold.runs.run_folder import check_claim
from counterfold.spots.solved_spot import SolvedSpot, SpotProgress
from counterfold.spots.spot_cost import MEASURED_ON, SpotCost, check_cost, estimate_spot
from counterfold.spots.spot_folder import KIND, identify
from counterfold.spots.spot_list import list_spots
from counterfold.spots.spot_options import SpotOptions, load_spot_file, read_spot_options
from counterfold.spots.spot_run import solve_spot
from counterfold.threads import thread_count


def spot_command(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="TOML file whose keys are these options, which override it; or a folder of such "
            "files, to solve them all."
        ),
    ] = None,
    boards: Annotated[
        Path | None,
        typer.Option(help="Text file with one board per line; the spot is solved on each."),
    ] = None,
    board: Annotated[str | None, typer.Option(help="Cards on the board, such as Td9d6hQc.")] = None,
    ranges: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Ranges of both seats, such as 'TT+,AKs:0.5'; first to act first."),
    ] = None,
    pot: Annotated[int | None, typer.Option(help="Chips in the middle.")] = None,
    stack: Annotated[int | None, typer.Option(help="Chips that each seat has left.")] = None,
    bets: Annotated[
        str | None,
        typer.Option(help="Bet menu by street and seat.  \\[default: 50%, 100%, allin]"),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            help="Variant, such as 'nolimit(blinds=(5, 10))', or a TOML file.  \\[default: nolimit]"
        ),
    ] = None,
    rake: Annotated[
        str | None, typer.Option(help="Share of every pot that the house takes, such as 5%.")
    ] = None,
    rake_cap: Annotated[
        float | None, typer.Option(help="Largest rake taken from one pot, in chips.")
    ] = None,
    remove: Annotated[
        list[str] | None,
        typer.Option(help="Remove the last action of a line, such as 'k b50%'; repeatable."),
    ] = None,
    lock: Annotated[
        list[str] | None,
        typer.Option(
            help="Fix a strategy, such as 'k b50% : c=1' or 'k : AKs : b50%=1'; repeatable."
        ),
    ] = None,
    from_: Annotated[
        Path | None,
        typer.Option("--from", help="Folder of a trained bot to take ranges, pot and stacks from."),
    ] = None,
    history: Annotated[
        str, typer.Option(help="Betting up to the spot, with --from, such as 'r6 c | Qd7c2s | k'.")
    ] = "",
    target: Annotated[
        str | None,
        typer.Option(help="Stop at this exploitability, in percent of the pot.  \\[default: 0.3%]"),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(help="Stop after this many iterations, including those before a --resume."),
    ] = None,
    time: Annotated[
        str | None, typer.Option(help="Stop after this much solving time: 30s, 10m, 1.5h.")
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(help="Number of threads, or of spots solved at a time.", min=1),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(
            help="Device to solve on: cpu, gpu, or auto for the GPU if there is one, from the flop "
            "on.  \\[default: auto]"
        ),
    ] = None,
    cluster: ClusterAddress = None,
    workers: WorkerCount = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the strategy and checkpoints, or for the rows of many spots."
        ),
    ] = None,
    strategies: Annotated[
        bool, typer.Option("--strategies", help="Also keep the strategies of many spots in --out.")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the run in --out.")] = False,
    json: Json = False,
) -> None:
    """Solve a spot: two ranges on a board, with a pot, stacks and bet sizes.

    Prints what it will take, then solves until a best response gains less than --target. Ctrl-C
    saves and stops; --resume continues.

    With a folder of files or with --boards many spots are solved, each with one thread, here or by
    the workers of a cluster.

    Example: counterfold spot --board Td9d6hQc7s --ranges "TT+,AJs+" "99-22,KQs" --pot 200
    --stack 900 --bets "50%, 100%, allin" --out runs/river
    """
    if resume and out is None:
        raise BudgetError("--resume continues the run in a folder; name it with --out")
    options = {
        "board": board, "ranges": None if ranges is None else list(ranges), "pot": pot,
        "stack": stack, "bets": bets, "game": game, "rake": rake, "rake_cap": rake_cap,
        "remove": remove, "lock": lock, "target": target, "iterations": iterations, "time": time,
    }  # fmt: skip
    given = {key: value for key, value in options.items() if value is not None}
    if boards is not None or (file is not None and file.is_dir()):
        if from_ is not None or history:
            raise BudgetError("--from takes one spot from a bot; leave it out with many spots")
        if device is not None:
            raise BudgetError("--device is for one spot; many are solved on processors")
        many = ManySpots(out, resume, strategies, threads, cluster, workers, json)
        solve_many(list_spots(file, boards, given), many)
        return
    if strategies or cluster is not None or workers is not None:
        raise BudgetError(
            "--cluster, --workers and --strategies are for many spots; name a folder of files, or "
            "boards with --boards"
        )
    content = {} if file is None else load_spot_file(file)
    content |= given
    read, line = _read(content, from_, history)
    if out is not None:
        check_claim(out, KIND, identify(read.spot), resume=resume)  # before anything takes long
    place = read_device(device or "auto")
    cost = estimate_spot(read.spot, threads, device=place)
    for label, text in cost_rows(cost, read.budget, thread_count(threads)):
        announce(f"{label}: {text}")
    check_cost(cost)
    with _live(read.budget, read.spot.pot, read.spot.variant.big_blind) as observe:
        result = solve_spot(
            read.spot,
            read.budget,
            folder=out,
            resume=resume,
            threads=threads,
            packed=cost.packed,
            device=place if cost.device_bytes else "cpu",
            observe=observe,
        )
    if json:
        print_json({**cost.to_dict(), **result.to_dict()})
    else:
        rows = [] if out is None else [("strategy", f"counterfold show {shlex.quote(str(out))}")]
        print_rows(spot_rows(result, line) + rows)
    if result.interrupted:
        hint = "; continue with --resume" if out is not None else ""
        say(f"interrupted after iteration {result.progress.iterations:,}{hint}")
        raise typer.Exit(INTERRUPTED)
    if read.budget.until is not None and result.evaluation.exploitability > read.budget.until:
        say("the run ended above its target; continue with --resume and a higher limit")


def _read(content: dict[str, Any], bot: Path | None, history: str) -> tuple[SpotOptions, str]:
    """The spot, and the line in it at which it begins."""
    if bot is None:
        if history:
            raise BudgetError("--history is the betting of a bot; name its folder with --from")
        return read_spot_options(content), ""
    with table_progress() as progress:
        trained = load_bot(bot, progress)
    found = describe_spot(trained, history, content)
    read = read_spot_options(found.content)
    return replace(read, spot=begin_after(read.spot, found.words)), " ".join(found.words)


def cost_rows(cost: SpotCost, budget: Budget, n_threads: int) -> list[tuple[str, str]]:
    """A cost in words."""
    hands = " × ".join(f"{n:,}" for n in cost.hands)
    seconds = cost.expected_seconds(budget)
    about = f"about {seconds:,.2g} s" if seconds < 100 else f"about {seconds:,.0f} s"
    where = f"on {MEASURED_ON}" if cost.device_bytes else f"with {thread_words(n_threads)}"
    packed = ", with tables of 16 bits, since those of 32 bits do not fit" * cost.packed
    return [
        ("betting", f"{cost.nodes:,} nodes, {cost.actions:,} actions"),
        ("cards", f"{cost.boards:,} board{'s' * (cost.boards > 1)} up to suits, {hands} hands"),
        ("memory", f"{cost.total_bytes / 1e6:,.1f} MB besides the program{packed}"),
        *_device_rows(cost),
        ("time", f"{about} {where}"),
    ]


def _device_rows(cost: SpotCost) -> list[tuple[str, str]]:
    """The GPU that solves a spot, if one does."""
    memory = f"{cost.device_bytes / 1e6:,.1f} MB of its memory"
    return [("device", f"{cost.device}, {memory}")] if cost.device_bytes else []


@contextmanager
def _live(budget: Budget, pot: int, big_blind: int) -> Iterator[Callable[[SpotProgress], None]]:
    """A line with the exploitability so far."""
    columns = (BarColumn(10), TextColumn("{task.fields[note]}"))
    quiet = not messages.is_terminal
    with Progress(*columns, console=messages, transient=True, disable=quiet) as bar:
        task = bar.add_task("", total=1.0, note="", visible=False)

        def show(progress: SpotProgress) -> None:
            note = progress_line(progress, pot, big_blind)
            bar.update(task, completed=share_done(progress, budget), note=note, visible=True)

        yield show


def progress_line(progress: SpotProgress, pot: int, big_blind: int) -> str:
    """Iterations, time and the latest exploitability, in percent of the pot and in mb."""
    parts = [f"{progress.iterations:,} iterations", f"{progress.seconds:,.1f} s"]
    if progress.points:
        chips = progress.points[-1].exploitability
        parts.append(f"{100 * chips / pot:.3g}% of the pot")
        parts.append(f"{1000 * chips / big_blind:,.3g} mb")
    return "  ".join(parts)


def share_done(progress: SpotProgress, budget: Budget) -> float:
    """How much of the nearest limit is spent; exploitability falls by factors."""
    shares = [0.0]
    if budget.seconds is not None:
        shares.append(progress.seconds / budget.seconds)
    if budget.iterations is not None:
        shares.append(progress.iterations / budget.iterations)
    if budget.until is not None and len(progress.points) > 1:
        first, last = (progress.points[at].exploitability for at in (0, -1))
        if first > budget.until:
            shares.append(log(first / max(last, budget.until)) / log(first / budget.until))
    return max(shares)


def spot_rows(result: SolvedSpot, line: str = "") -> list[tuple[str, str]]:
    """A solved spot in words, and what is done after `line`."""
    spot, evaluation, progress = result.spot, result.evaluation, result.progress
    root = result.at(line)
    totals = root.totals()
    after = f" after {line}" if line else ""
    solved = f"{progress.iterations:,} iterations in {progress.seconds:.3g} s"
    distance = (
        f"{evaluation.exploitability_percent:.3g}% of the pot, "
        f"{evaluation.exploitability:.3g} chips, {result.exploitability_mb:,.3g} mb"
    )
    positions = [
        (name, f"EV {ev:.4f} chips, {ev / spot.pot:.2%} of the pot; equity {equity:.2%}")
        for (name, ev), equity in zip(result.evs.items(), totals["equity"].values(), strict=True)
    ]
    return [
        ("spot", f"{spot.board or 'preflop'}, pot {spot.pot:,}, {spot.stack:,} behind"),
        ("solved", solved),
        ("exploitability", distance),
        *positions,
        (f"{root.position} plays", format_shares(totals["strategy"]) + after),
    ]
