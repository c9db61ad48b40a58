"""`counterfold respond`: how much a best response wins from a bot in the real game."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from counterfold.bets.menu import STREETS
from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.cli import INTERRUPTED
from counterfold.cli.cluster_options import ClusterAddress, WorkerCount, open_workers
from counterfold.cli.match_options import (
    Resolve,
    ResolveBets,
    ResolveIterations,
    ResolveStreets,
    read_search,
)
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
from counterfold.cli.views.respond_learned import respond_learned
from counterfold.cli.views.respond_local import respond_local
from counterfold.cli.views.respond_search import respond_search
from counterfold.devices import gpu_name, read_device
from counterfold.errors import BudgetError
from counterfold.matches.learned_response import DEFAULT_HANDS as LEARNED_HANDS
from counterfold.responses.device.device_responder import find_library
from counterfold.responses.device.response_cost import MEASURED_ON, estimate_device
from counterfold.responses.exact_response import ExactResponder, ExactResponse
from counterfold.responses.known_responses import add_known
from counterfold.responses.response_run import (
    Measured,
    ResponseProgress,
    identify,
    measure_response,
)
from counterfold.runs.budget import Budget, parse_seconds
from counterfold.search.search_options import DEFAULT_ITERATIONS, DEFAULT_STREETS
from counterfold.threads import thread_count
from counterfold.training.train_folder import load_trained

DEFAULT_BOARDS = 40
DEFAULT_HANDS = 20_000  # with --local
DEFAULT_TIME = "60s"


def respond_command(
    bot: Annotated[Path, typer.Argument(help="Folder of a trained bot.")],
    flops: Annotated[
        int | None,
        typer.Option(
            help="Number of flops to sample, four or more.  \\[default: 40]", min=4, max=10**6
        ),
    ] = None,
    turns: Annotated[
        int | None,
        typer.Option(help="Number of turns to sample; respond only from the turn on.", min=4),
    ] = None,
    rivers: Annotated[
        int | None,
        typer.Option(help="Number of rivers to sample; respond only on the river.", min=4),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Use all flops, for the exact figure.")
    ] = False,
    local: Annotated[
        bool, typer.Option("--local", help="Play hands as a local best response: a lower bound.")
    ] = False,
    learned: Annotated[
        bool,
        typer.Option("--learned", help="Train a responder against the bot: a lower bound."),
    ] = False,
    time: Annotated[
        str | None,
        typer.Option(help="Training time with --learned, such as 10m.  \\[default: 60s]"),
    ] = None,
    deals: Annotated[
        int | None, typer.Option(help="Number of deals to train on with --learned.", min=1)
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(
            help="Number of hands with --local or --learned.  "
            "\\[default: 20000, with --resolve 1000, with --learned 200000]",
            min=4,
        ),
    ] = None,
    bets: Annotated[
        str | None,
        typer.Option(
            help="Bets of the responder if the rules leave them open, written as for spot, or with "
            "--local as in recipes.  \\[default: 100%, allin; cap 3, and more with --local]"
        ),
    ] = None,
    resolve: Resolve = None,
    resolve_iterations: ResolveIterations = DEFAULT_ITERATIONS,
    resolve_bets: ResolveBets = None,
    resolve_streets: ResolveStreets = DEFAULT_STREETS,
    seed: Annotated[
        int, typer.Option(help="Random seed for flops or hands.", min=0, max=2**62)
    ] = 0,
    threads: Annotated[int | None, typer.Option(help="Number of threads.", min=1)] = None,
    device: Annotated[
        str,
        typer.Option(
            help="Device to evaluate boards on: cpu, gpu, or auto for the GPU if there is one."
        ),
    ] = "auto",
    cluster: ClusterAddress = None,
    workers: WorkerCount = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the results of each flop, or for the learned responder."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the measurement in --out.")
    ] = False,
    json: Json = False,
) -> None:
    """Measure how much a best response wins from a bot in the real game.

    The responder sees its exact cards and knows the bot's strategy, and every board that can follow
    a flop is taken into account. A sample of flops gives an interval, all flops the exact figure.
    Where bets are fixed, --turns and --rivers measure a responder that plays like the bot before
    that street: a lower bound, in a fraction of the time. With --local the responder plays hands
    and looks only one action ahead; with --resolve as well, the bot is measured with and without
    search on the last street or the last two, where the responder then plays best responses. With
    --learned, which works for every variant, a responder with the bot's own betting and buckets is
    trained against it; Ctrl-C ends the training, and the responder is measured on other deals.

    Example: counterfold respond runs/limit --flops 40 --threads 2
    """
    place = read_device(device)
    samples = {1: flops, 2: turns, 3: rivers}
    asked = [street for street, n in samples.items() if n is not None]
    if len(asked) + every > 1:
        raise BudgetError("choose one of --flops, --turns, --rivers and --all")
    if local and learned:
        raise BudgetError("choose one of --local and --learned")
    if local and (every or asked or out is not None or cluster is not None):
        raise BudgetError(
            "--local plays hands; use it with --hands, not with boards, --out or --cluster"
        )
    if learned and (every or asked or bets is not None or resume or cluster is not None):
        raise BudgetError(
            "--learned trains a responder with the bets of the bot; use it with --time, --deals, "
            "--hands or --out, not with boards, --bets, --resume or --cluster"
        )
    if place == "gpu" and (local or learned):
        raise BudgetError(
            "--device gpu is for responses over boards; leave it out with --local and --learned"
        )
    if hands is not None and not (local or learned):
        raise BudgetError(
            "--hands goes with --local and --learned; a best response takes --flops or --all"
        )
    if (time is not None or deals is not None) and not learned:
        raise BudgetError("--time and --deals go with --learned")
    search = read_search(resolve, resolve_iterations, None, resolve_bets, resolve_streets)
    if search is not None and not local:
        raise BudgetError("--resolve searches the spots that hands reach; add --local")
    street = asked[0] if asked else 1
    if resume and out is None:
        raise BudgetError("--resume continues in a folder; name it with --out")
    learning = _learning_budget(time, deals)
    with table_progress() as building:
        run = load_trained(bot, building)
    if search is not None:
        respond_search(bot, run, search, hands, bets, seed, json)
        return
    if local:
        respond_local(bot, run, hands or DEFAULT_HANDS, bets, seed, threads, json)
        return
    if learned:
        hands = hands or LEARNED_HANDS
        respond_learned(bot, run, learning, hands, seed, threads, out, json)
        return
    menu = None if bets is None else parse_spot_menu(bets)
    responder = ExactResponder.of_run(run, menu)
    boards = responder.boards
    if not every:
        boards = responder.sample(samples[street] or DEFAULT_BOARDS, seed, street)
    nodes = responder.sides[0].tree.n_nodes
    announce(f"betting: {nodes:,} nodes; {len(set(boards)):,} {STREETS[street]}s")
    if cluster is None and find_library(responder, place) is not None:
        cost = estimate_device(responder, boards)
        announce(f"device: {gpu_name()}, about {cost.total_bytes / 1e9:,.2f} GB of its memory")
        announce(f"time: {_about(cost.seconds)} on {MEASURED_ON}")
    else:
        n_threads = thread_count(threads)
        seconds = responder.expected_seconds(boards, n_threads)
        announce(f"time: {_about(seconds)} with {thread_words(n_threads)}")
    with open_workers(cluster, workers) as crew, _live(len(boards)) as observe:
        found = measure_response(
            responder,
            run,
            boards,
            sampled=not every,
            folder=out,
            resume=resume,
            threads=threads,
            workers=crew,
            device=place,
            observe=observe,
        )
    settings = {
        **identify(responder, run),
        "street": STREETS[street],
        "boards": found.done,
        "seed": None if every else seed,
    }
    if found.result is not None:
        strategy = settings["strategy"]
        add_known(bot, {"strategy": strategy, "settings": settings, **found.result.to_dict()})
    if json:
        figures = found.result.to_dict() if found.result else {}
        print_json({**settings, "seconds": found.seconds, **figures})
    else:
        drawn = "all flops" if every else f"{found.done:,} sampled {STREETS[street]}s"
        print_rows(_rows(found, run.name, drawn))
    if found.done < found.total:
        hint = f"; continue with --out {shlex.quote(str(out))} --resume" if out is not None else ""
        say(f"interrupted after {found.done:,} of {found.total:,} boards{hint}")
        raise typer.Exit(INTERRUPTED)


def _about(seconds: float) -> str:
    if seconds < 120:
        return f"about {seconds:,.0f} s"
    return f"about {seconds / 60:,.0f} min"


def _learning_budget(time: str | None, deals: int | None) -> Budget:
    """How long a responder learns: a minute unless the options say otherwise."""
    if time is None and deals is None:
        time = DEFAULT_TIME
    return Budget(iterations=deals, seconds=None if time is None else parse_seconds(time))


def _rows(found: Measured, name: str, drawn: str) -> list[tuple[str, str]]:
    rows = [("response", f"to {name}, {drawn}, {found.seconds:,.0f} s")]
    result = found.result
    if result is None:
        return [*rows, ("exploitability", "not known yet")]
    for seat, response in enumerate(result.seats):
        own = "" if response.own is None else f"; the bot itself {result.in_mb(response.own)}"
        rows.append((f"seat {seat}", f"{result.in_mb(response.value)} mb/g{own}"))
    at_least = "at least " if result.lower_bound else ""
    rows.append(
        (
            "exploitability",
            f"{at_least}{result.in_mb(result.exploitability)} mb/g{_meaning(result)}",
        )
    )
    losses = (f"{street} {result.in_mb(loss)}" for street, loss in result.by_street.items())
    if told := ", ".join(losses):
        rows.append(("of which", told))
    return rows


def _meaning(result: ExactResponse) -> str:
    if result.chosen_from:
        return " in the real game, a lower bound: the responder chose from a menu"
    if result.first_street:
        street = STREETS[result.first_street]
        return f" in the real game, a lower bound: the responder responds from the {street} on"
    return " in the real game" + (" (95% interval)" if result.sampled else ", exact")


@contextmanager
def _live(total: int) -> Iterator[Callable[[ResponseProgress], None]]:
    """A bar with what is known so far."""
    columns = (
        BarColumn(),
        TextColumn("{task.completed:,}/{task.total:,} boards {task.fields[note]}"),
        TimeRemainingColumn(),
    )
    quiet = not messages.is_terminal
    with Progress(*columns, console=messages, transient=True, disable=quiet) as bar:
        task = bar.add_task("", total=total, note="")

        def show(progress: ResponseProgress) -> None:
            note = "" if progress.result is None else str(progress.result)
            bar.update(task, completed=progress.done, note=note)

        yield show
