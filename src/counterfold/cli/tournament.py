"""`counterfold tournament`: everybody against everybody."""

from collections.abc import Sequence
from itertools import combinations
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from counterfold.cli.hosting import Hosting
from counterfold.cli.match import (
    Adjust,
    Clock,
    Duplicate,
    ProtocolName,
    Seed,
    Threads,
    VariantName,
    play,
    rate,
    seat,
)
from counterfold.cli.output import Json, print_json, results, say
from counterfold.errors import MatchError
from counterfold.matches import MatchResult


def tournament_command(
    players: Annotated[list[str], typer.Argument(help="Folders of runs and programs, baselines.")],
    variant: VariantName = None,
    hands: Annotated[
        int | None,
        typer.Option(help="Of each match.  \\[default: 100000; 2000 with a program]", min=2),
    ] = None,
    duplicate: Duplicate = True,
    adjust: Adjust = True,
    seed: Seed = 0,
    threads: Threads = None,
    protocol: ProtocolName = None,
    clock: Clock = 30.0,
    json: Json = False,
) -> None:
    """Let everybody play everybody and print what rows win from columns.

    Example: counterfold tournament runs/discard random always-call pot-odds --hands 20000
    """
    if len(set(players)) != len(players) or len(players) < 2:
        raise MatchError("a tournament has at least two players, each named once")
    game, seated = seat(players, variant)
    hosting = Hosting(protocol, clock)
    hosting.check(game)
    found: dict[tuple[int, int], MatchResult] = {}
    for i, j in combinations(range(len(seated)), 2):
        pair = seated[i], seated[j]
        found[i, j] = play(game, pair, hands, seed, duplicate, threads, hosting, adjust)
    if json:
        rows = [
            {
                "first": players[i],
                "second": players[j],
                "mb_per_hand": result.mb,
                "mb_interval": result.mb_interval,
                "hands": result.hands,
                "forfeits": [side.forfeits for side in result.sides],
            }
            for (i, j), result in found.items()
        ]
        print_json({"variant": game.name, "seed": seed, "matches": rows})
        return
    _print_cross_table([each.name for each in seated], found)
    for result in found.values():
        for side, other in zip(result.sides, result.sides[::-1], strict=True):
            for why in side.forfeits:
                say(f"{side.name} forfeited against {other.name}, {why}")


def _print_cross_table(names: Sequence[str], found: dict[tuple[int, int], MatchResult]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("mb/hand ± 95 %", no_wrap=True)
    for name in names:
        table.add_column(Text(name), justify="right", no_wrap=True)
    for i, name in enumerate(names):
        cells = []
        for j in range(len(names)):
            if i == j:
                cells.append("")
            else:
                result = found[min(i, j), max(i, j)]
                cells.append(rate(result, 1 if i < j else -1))
        table.add_row(Text(name), *cells)
    # As wide as it must be: a row that is broken up cannot be read.
    results.print(table, width=max(results.width, results.measure(table).maximum), crop=False)
