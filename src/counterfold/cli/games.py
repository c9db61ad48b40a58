"""`counterfold games`: what can be solved, and how large it is."""

import dataclasses
import inspect
from typing import Any

from rich.table import Table

from counterfold.cli.output import Json, print_json, results
from counterfold.compiled import estimate_size
from counterfold.games import GAMES, Game


def games_command(json: Json = False) -> None:
    """List the games with their parameters and sizes.

    Example: counterfold games
    """
    rows = [_describe(word, kind) for word, kind in GAMES.items()]
    if json:
        print_json({"games": rows})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("game", no_wrap=True)
    table.add_column("parameters")
    table.add_column("nodes", justify="right", no_wrap=True)
    table.add_column("what it is", ratio=1)
    for row in rows:
        parameters = ", ".join(
            name if value is None else f"{name}={value}"
            for name, value in row["parameters"].items()
        )
        nodes = _size(row["nodes"], row["nodes_standard_error"])
        table.add_row(row["game"], parameters, nodes, row["summary"])
    results.print(table)
    results.print(
        "\nParameters go in parentheses: counterfold solve 'leduc(ranks=4)'", markup=False
    )


def _size(nodes: float | None, error: float | None) -> str:
    if nodes is None:
        return ""
    return f"{nodes:,.0f}" if not error else f"{nodes:,.0f} ± {error:,.0f}"


def _describe(word: str, kind: type[Game]) -> dict[str, Any]:
    parameters = {
        field.name: None if field.default is dataclasses.MISSING else field.default
        for field in dataclasses.fields(kind)  # type: ignore[arg-type]
        if field.init
    }
    row: dict[str, Any] = {"game": word, "parameters": parameters, "summary": _summary(kind)}
    try:
        game = kind()
    except TypeError:  # it has no default size
        sizes = dict.fromkeys(("players", "zero_sum", "unit", "nodes", "nodes_standard_error"))
        return row | sizes
    size = estimate_size(game)
    return row | {
        "players": game.n_players,
        "zero_sum": game.zero_sum,
        "unit": game.unit,
        "nodes": size.nodes,
        "nodes_standard_error": size.standard_error,
    }


def _summary(kind: type[Game]) -> str:
    return (inspect.getdoc(kind) or "").splitlines()[0].rstrip(".")
