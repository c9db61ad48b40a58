"""`counterfold match`: who wins how much, with an interval."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from counterfold.bots.baselines import BASELINES
from counterfold.cards.table_files import Progress as TableProgress
from counterfold.cli.hosting import Hosting, describe_side, terminable
from counterfold.cli.output import (
    INTERRUPTED,
    Json,
    messages,
    print_json,
    print_rows,
    say,
    table_progress,
)
from counterfold.errors import MatchError, UnknownNameError
from counterfold.games.files import find_game
from counterfold.games.holdem import Variant
from counterfold.matches import HandHistory, MatchResult, play_match, writing_histories
from counterfold.matches.run_players import load_player
from counterfold.matches.seats import Seated, is_program, seat_baseline, seat_program, seat_run
from counterfold.training.train_folder import TrainedRun

_DEFAULT_HANDS = 100_000
_HOSTED_HANDS = 2_000  # programs play some hundreds of hands a second

VariantName = Annotated[
    str | None, typer.Option(help="What is played.  \\[default: what the runs were trained for]")
]
Hands = Annotated[
    int | None,
    typer.Option(
        help="In all; a deal played twice is two.  \\[default: 100000; 2000 with a program]",
        min=2,
        max=10**9,
    ),
]
Seed = Annotated[int, typer.Option(help="Of cards and choices.", min=0, max=2**62)]
Threads = Annotated[int | None, typer.Option(help="To play with.", min=1)]
Duplicate = Annotated[
    bool, typer.Option("--duplicate/--single", help="Play every deal in both seats.")
]
ProtocolName = Annotated[
    str | None,
    typer.Option(
        help="Of programs: mit-2017, mit-2020, mit-2023 or acpc.  \\[default: by the variant]"
    ),
]
Clock = Annotated[
    float, typer.Option(help="Seconds of thought that a program has for 1000 hands.", min=0.001)
]
Adjust = Annotated[
    bool,
    typer.Option(help="Count all-in hands by their expectation over the board cards to come."),
]


def match_command(
    first: Annotated[
        str, typer.Argument(help="A run's folder, a program's with commands.json, or a baseline.")
    ],
    second: Annotated[str, typer.Argument(help="The other one.")],
    variant: VariantName = None,
    hands: Hands = None,
    duplicate: Duplicate = True,
    adjust: Adjust = True,
    histories: Annotated[
        Path | None, typer.Option(help="Write all hands to this new file; see counterfold replay.")
    ] = None,
    seed: Seed = 0,
    threads: Threads = None,
    protocol: ProtocolName = None,
    clock: Clock = 30.0,
    json: Json = False,
) -> None:
    """Play a match and say what the first player wins a hand, with a 95 % interval.

    Baselines: random, always-call, check-fold, all-in, pot-odds, hand-rank, outs.

    Example: counterfold match runs/discard pot-odds --hands 100000
    """
    game, seated = seat([first, second], variant)
    hosting = Hosting(protocol, clock)
    hosting.check(game)
    is_hosted = any(each.player is None for each in seated)
    if is_hosted and histories:
        raise MatchError(
            f"no hands can be written to {str(histories)!r}: a program plays; leave --histories out"
        )
    started = perf_counter()
    with writing_histories(histories) if histories else nullcontext() as write:
        pair = seated[0], seated[1]
        result = play(game, pair, hands, seed, duplicate, threads, hosting, adjust, write)
    seconds = perf_counter() - started
    if json:
        print_json(
            {
                "variant": game.name,
                "seed": seed,
                **asdict(result),
                "mb_per_hand": result.mb,
                "mb_interval": result.mb_interval,
                "decision_microseconds": result.decision_microseconds,
                "seconds": seconds,
                "hands_per_second": result.hands / seconds,
            }
        )
        return
    kind = "duplicate hands" if duplicate else "hands"
    rows = [
        ("match", f"{first} against {second}, {game.name}, {result.hands:,} {kind}, seed {seed}"),
        ("result", f"{rate(result)} mb/hand (95 % interval)"),
        ("in chips", f"{result.chips:+.4f} ± {result.chips_interval:.4f} chips/hand"),
    ]
    if result.adjusted:
        rows.append(("adjusted", _adjusted(result)))
    for side in result.sides:
        rows.append((side.name, describe_side(side)))
        rows += [("", f"forfeited, {why}") for why in side.forfeits]
    if not is_hosted:
        rows.append(("time", f"{result.decision_microseconds:.2f} µs per decision"))
    rows.append(("rate", f"{result.hands / seconds:,.0f} hands/s"))
    print_rows(rows)


def seat(names: Sequence[str], variant: str | None) -> tuple[Variant, list[Seated]]:
    """The game and its players; runs must be trained for the same variant."""
    game: Variant | None = None
    if variant is not None:
        named = find_game(variant)
        if not isinstance(named, Variant):
            raise MatchError(f"{named.name} is no variant of hold'em")
        game = named
    loaded: dict[str, Seated] = {}
    for name in names:
        if name in BASELINES:
            continue
        if not _is_there(Path(name)):
            raise UnknownNameError("baseline or folder", name, BASELINES)
        if is_program(Path(name)):
            loaded[name] = seat_program(Path(name))
            continue
        with table_progress() as show:
            run, loaded[name] = _seat_run(Path(name), show)
        if game is not None and run.plan.variant != game:
            other = run.plan.variant.name
            rules = "other rules of the same name" if other == game.name else game.name
            raise MatchError(f"{name!r} was trained for {other}, not for {rules}")
        game = run.plan.variant
    if game is None:
        raise MatchError("no run says what is played; pass --variant discard, for example")
    return game, [loaded[name] if name in loaded else seat_baseline(name, game) for name in names]


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that is too long, for example
        return False


def _seat_run(folder: Path, progress: TableProgress) -> tuple[TrainedRun, Seated]:
    run, player = load_player(folder, progress)
    return run, seat_run(run, player)


def play(
    game: Variant,
    pair: tuple[Seated, Seated],
    hands: int | None,
    seed: int,
    duplicate: bool,
    threads: int | None,
    hosting: Hosting,
    adjust: bool,
    histories: Callable[[list[HandHistory]], None] | None = None,
) -> MatchResult:
    """Play a match, hosted if a program takes part, with a bar that shows how far it is."""
    first, second = pair
    try:
        with terminable(), _bar(f"{first.name} – {second.name}") as show:
            if first.player is None or second.player is None:
                return hosting.play(game, pair, hands or _HOSTED_HANDS, seed, duplicate, show)
            return play_match(
                game,
                (first.player, second.player),
                hands or _DEFAULT_HANDS,
                seed=seed,
                duplicate=duplicate,
                adjust=adjust,
                threads=threads,
                progress=show,
                histories=histories,
            )
    except KeyboardInterrupt:
        say("interrupted; a match cannot be resumed, the same seed plays the same hands again")
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def _bar(title: str) -> Iterator[Callable[[int, int], None]]:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed:,}/{task.total:,} deals"),
        TimeRemainingColumn(),
    )
    quiet = not messages.is_terminal
    with Progress(*columns, console=messages, transient=True, disable=quiet) as bar:
        task = bar.add_task(title, total=1)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield show


def rate(result: MatchResult, sign: int = 1) -> str:
    """What the first player wins in mb/hand with its interval; the second with a sign of -1."""
    return f"{sign * result.mb + 0.0:+,.1f} ± {result.mb_interval:,.1f}"


def _adjusted(result: MatchResult) -> str:
    share = 100.0 * result.adjusted / result.hands
    to_mb = 1000.0 / result.big_blind
    plain = f"{to_mb * result.plain_chips:+,.1f} ± {to_mb * result.plain_interval:,.1f}"
    return (
        f"{result.adjusted:,} hands ({share:.2f} %) count by their expectation once all-in; "
        f"as the cards fell {plain} mb/hand"
    )
