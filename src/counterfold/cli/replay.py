"""`counterfold replay`: hand histories by the exact rules, all of them or one in words."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress, TextColumn

from counterfold.bots.trained_bot import load_bot
from counterfold.cli import INTERRUPTED
from counterfold.cli.output import Json, messages, print_json, print_rows, say, table_progress
from counterfold.errors import HistoryError
from counterfold.games.files import find_game
from counterfold.games.holdem import Variant, narrate
from counterfold.matches import ReplayResult, replay_histories
from counterfold.matches.match_result import AivatRates
from counterfold.matches.replay import find_hand
from counterfold.matches.session_folder import SessionFolder
from counterfold.matches.session_luck import SessionLuck


def replay_command(
    file: Annotated[
        Path, typer.Argument(help="File written by match --histories, or an MIT engine's game log.")
    ],
    hand: Annotated[
        int | None, typer.Option(help="Print this hand in words instead.", min=1)
    ] = None,
    variant: Annotated[
        str | None,
        typer.Option(help="Variant that was played, if the file does not say it."),
    ] = None,
    aivat: Annotated[
        bool,
        typer.Option(
            "--aivat",
            help="Also report your luck-adjusted result (AIVAT), for a session of serve.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Replay a match hand by hand and check every action and every chip.

    Example: counterfold replay hands.jsonl --hand 12
    """
    game = None if variant is None else find_game(variant)
    if game is not None and not isinstance(game, Variant):
        raise HistoryError(f"{game.name} is not a hold'em variant")
    if hand is not None:
        _tell(file, hand, game, json)
        return
    try:
        with _counter() as show:
            result = replay_histories(file, game, show)
    except KeyboardInterrupt:
        say("interrupted; nothing was changed")
        raise typer.Exit(INTERRUPTED) from None
    luck = _find_luck(file) if aivat else None
    if json:
        print_json(result.to_dict() | ({} if luck is None else {"aivat": luck.to_dict()}))
        return
    rows = _rows(result)
    if luck is not None:
        rows.append(("aivat", f"{luck.rate()} mb/hand for you, luck-adjusted"))
    print_rows(rows)


def _find_luck(file: Path) -> AivatRates:
    """AIVAT of the session that `file` has the hands of: its record, beside it, has the seed."""
    folder = SessionFolder(file.parent)
    record = folder.load()
    with table_progress() as progress:
        bot = load_bot(record.run, progress)
    luck = SessionLuck(bot, record.seed, searches=bool(record.search))
    luck.add_histories(folder.hands)
    rates = luck.rates()
    assert rates is not None  # a file without hands was refused before
    return rates


def _rows(result: ReplayResult) -> list[tuple[str, str]]:
    one, two = result.players
    rows = [
        (
            "replayed",
            f"{result.hands:,} hands of {result.deals:,} deals, {result.variant}: "
            "every action is legal and every chip is right",
        )
    ]
    for name, sign in ((one, 1), (two, -1)):
        rows.append(
            (
                name,
                f"{result.rate(sign)} mb/hand, "
                f"{sign * result.chips:+.4f} ± {result.chips_interval:.4f} chips/hand",
            )
        )
    if result.adjusted:
        rows.append(
            (
                "adjusted",
                f"{result.adjusted:,} hands counted at their all-in expectation, as recorded in "
                f"the file; as the cards fell, {one} has {result.plain_rate} mb/hand",
            )
        )
    return rows


def _tell(file: Path, number: int, variant: Variant | None, json: bool) -> None:
    """One hand in words."""
    history, state = find_hand(file, number, variant)
    lines = narrate(state)
    if json:
        print_json({**asdict(history), "words": lines})
        return
    one, two = history.players
    typer.echo(f"hand {history.hand}, deal {history.deal}, {history.variant}")
    typer.echo(f"seat 0 is {one}, seat 1 is {two}")
    for line in lines:
        typer.echo(line)
    if history.adjusted is not None:
        expected = history.adjusted[0]
        typer.echo(f"once all-in, seat 0 could expect {expected:+.2f} chips")


@contextmanager
def _counter() -> Iterator[Callable[[int], None]]:
    quiet = not messages.is_terminal
    column = TextColumn("{task.completed:,} hands")
    with Progress(column, console=messages, transient=True, disable=quiet) as bar:
        task = bar.add_task("replay", total=None)
        yield lambda done: bar.update(task, completed=done)
