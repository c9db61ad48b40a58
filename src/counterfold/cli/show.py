"""`counterfold show`: a solved game as a table, a spot or a trained strategy in one situation."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from counterfold.bots.trained_bot import TrainedBot
from counterfold.cli.output import (
    GameOption,
    Json,
    announce,
    print_json,
    print_table,
    table_progress,
)
from counterfold.cli.views.show_spot import SpotRequest, show_spot
from counterfold.cli.views.show_trained import show_runouts, show_trained
from counterfold.cli.views.show_values import compute_values
from counterfold.errors import StrategyError
from counterfold.spots.solved_spot import SolvedSpot
from counterfold.training.any_run import load_any_run
from counterfold.training.train_folder import TrainedRun
from counterfold.tree.profile_table import Row, find_rows
from counterfold.tree.solve_folder import SolvedRun
from counterfold.web.html_page import write_html

_USUAL_ROWS = 40


def show_command(
    folder: Annotated[
        Path, typer.Argument(help="The --out folder of counterfold solve, spot or train.")
    ],
    player: Annotated[
        int | None, typer.Option(help="Show only this player, counting from 0.")
    ] = None,
    match: Annotated[
        str, typer.Option(help="Show only information sets whose text contains this.")
    ] = "",
    limit: Annotated[
        int | None,
        typer.Option(
            help=f"Show at most this many rows; 0 shows all.  \\[default: {_USUAL_ROWS}; all with "
            "--json]",
            min=0,
        ),
    ] = None,
    hand: Annotated[
        str, typer.Option(help="Hole cards to look up in a trained strategy, such as AhKs.")
    ] = "",
    board: Annotated[str, typer.Option(help="Cards on the board, such as Qd7c2s.")] = "",
    history: Annotated[
        str,
        typer.Option(
            help="Betting so far, such as 'r6 c | Qd7c2s | k b50%': f fold, k check, c call, "
            "r4 bet to 4 chips, b50%, allin, s keep, d discard; cards may be written where they "
            "are dealt."
        ),
    ] = "",
    seen: Annotated[
        str,
        typer.Option(help="Cards of the other hand that the player saw at auctions for a look."),
    ] = "",
    line: Annotated[
        str,
        typer.Option(help="Line of a spot, such as 'k b50% c | 7h | k', with the cards dealt."),
    ] = "",
    hands: Annotated[
        str,
        typer.Option(
            help="Show only these hands of a spot, such as 'set, top pair+ with flush draw' or "
            "AhKs."
        ),
    ] = "",
    runouts: Annotated[
        bool,
        typer.Option(
            "--runouts",
            help="Compare the next cards, after a --line or --history that ends a street.",
        ),
    ] = False,
    all_lines: Annotated[
        bool,
        typer.Option(
            "--all-lines",
            help="Show every decision of a street, from --line on; files get a row for each hand "
            "and action.",
        ),
    ] = False,
    exploit: Annotated[
        str, typer.Option(help="Show the best response of this position of a spot: oop or ip.")
    ] = "",
    png: Annotated[
        Path | None, typer.Option(help="Draw the grid of a spot to this PNG file.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(help="Draw the grid of a spot to this SVG file.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(help="Write the hands of a spot to this CSV file.")
    ] = None,
    parquet: Annotated[
        Path | None,
        typer.Option(help="Write the hands of a spot as Parquet; needs pyarrow or polars."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(help="Write the grid of a spot or a bot, with all hands, to this HTML file."),
    ] = None,
    ev: Annotated[
        bool,
        typer.Option(
            "--ev",
            help="Compute how much of the pot each action of a trained strategy wins: exactly from "
            "the turn on, and from random run-outs, with intervals, on earlier streets.",
        ),
    ] = False,
    ev_runouts: Annotated[
        int | None,
        typer.Option(help="Number of random run-outs for --ev.", min=2),
    ] = None,
    game: GameOption = None,
    json: Json = False,
) -> None:
    """Print a strategy: all of a solved game, one decision of a spot or of a trained bot.

    A solved game has one row per information set, those reached most often first. A spot is shown
    as a grid of hands after --line. A trained strategy is looked up for --hand, or for all hands,
    on --board after the betting --history.

    Example: counterfold show runs/leduc --player 0 --match card=Q

    Example: counterfold show runs/river --line "k b50%" --hands "top pair+" --png river.png

    Example: counterfold show runs/discard --hand AhKs --board Qd7c2s --history "c k / s s k r4"
    """
    if limit is None:
        limit = 0 if json else _USUAL_ROWS
    asked = SpotRequest(line, hands, runouts, all_lines, exploit, png, svg, csv, parquet)
    with table_progress() as progress:
        run = load_any_run(folder, game, progress)
    usual = SpotRequest(runouts=runouts and isinstance(run, TrainedRun))
    if asked != usual and not isinstance(run, SolvedSpot):
        raise StrategyError(
            "--line, --hands, --all-lines, --exploit and files are for spots, --runouts for spots "
            "and trained strategies; use --match or --history here"
        )
    if isinstance(run, TrainedRun):
        if player is not None or match:
            raise StrategyError(
                "--player and --match are for solved games; use --hand and --history here"
            )
        bot = TrainedBot(run)
        if runouts:
            if hand or seen or html is not None:
                raise StrategyError(
                    "--runouts covers all hands; leave out --hand, --seen and --html"
                )
            show_runouts(bot, board, history, json)
            return
        table = bot.strategy(hand or None, board, history, seen)
        values = compute_values(bot, table, ev_runouts) if ev or ev_runouts else None
        show_trained(bot, table, values, limit, json)
        if html is not None:
            line = bot.write_line(board, history)
            write_html(html, folder.resolve().name, bot, line, values=values)
            announce(f"page: {html}")
        return
    if ev or ev_runouts:
        raise StrategyError(
            "--ev is for trained strategies: a spot is shown with its EV, a solved game has none"
        )
    if hand or board or history or seen:
        raise StrategyError(
            "--hand, --board, --history and --seen are for trained strategies; use --match for a "
            "solved game, --line and --hands for a spot"
        )
    if isinstance(run, SolvedSpot):
        if player is not None or match:
            raise StrategyError("--player and --match are for solved games; use --line here")
        show_spot(run, asked, limit, json)
        if html is not None:
            write_html(html, folder.resolve().name, run, line, hands, exploit)
            announce(f"page: {html}")
        return
    if html is not None:
        raise StrategyError("--html draws a grid of hands, which a solved game does not have")
    _show_solved(run, find_rows(run.strategy, player, match), limit, json)


def _show_solved(run: SolvedRun, rows: list[Row], limit: int, json: bool) -> None:
    shown = rows[:limit] if limit else rows
    if json:
        print_json(
            {
                "game": run.identity.game,
                "abstraction": run.identity.abstraction,
                "rows": [asdict(row) for row in shown],
                "rows_in_all": len(rows),
            }
        )
        return
    _print_rows(shown)
    if len(shown) < len(rows):
        announce(f"{len(rows) - len(shown):,} more rows; show all with --limit 0")


def _print_rows(rows: list[Row]) -> None:
    """One column per action if all rows fit side by side, else the actions in words."""
    names = list(dict.fromkeys(action for row in rows for action in row.actions))
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("player", justify="right")
    table.add_column("knows")
    table.add_column("reached", justify="right")
    wide = len(names) > 6
    for name in ["plays"] if wide else names:
        table.add_column(name, justify="left" if wide else "right")
    for row in rows:
        if wide:
            cells = ["  ".join(f"{a} {p:.1%}" for a, p in row.actions.items() if p >= 0.0005)]
        else:
            cells = [f"{row.actions[a]:.1%}" if a in row.actions else "" for a in names]
        table.add_row(str(row.player), row.knows or "-", f"{row.reached:.2%}", *cells)
    print_table(table)
