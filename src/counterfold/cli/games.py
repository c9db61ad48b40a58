"""`counterfold games`: what can be solved and how large it is; whether your own game is sound."""

import inspect
from dataclasses import asdict
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from counterfold.cli.output import Json, print_json, print_table, results
from counterfold.games import GAMES, Game
from counterfold.games.files import find_game
from counterfold.games.holdem import HoldemState, Variant, narrate
from counterfold.games.holdem.action_words import FOLD
from counterfold.games.holdem.limit_size import count_infosets
from counterfold.games.holdem.no_limit_size import count_open_infosets
from counterfold.testing import check_game
from counterfold.tree.tree_size import estimate_size

_CHECKED_NODES = 20_000  # a few seconds of hold'em
_STAYING = 0.9  # how often a random play does not consider folding
_SMALL = 10_000  # information sets of a variant whose nodes are estimated

Check = Annotated[
    str | None,
    typer.Option(
        help="Check this game instead of listing all: a .toml or .py file, or a name.",
        metavar="GAME",
    ),
]


def games_command(
    check: Check = None,
    seed: Annotated[
        int, typer.Option(help="Random seed for the hands that --check plays.", min=0)
    ] = 0,
    json: Json = False,
) -> None:
    """List the games with their parameters and sizes, or check one.

    Example: counterfold games --check my-variant.toml
    """
    if check is not None:
        _check(find_game(check), seed, json)
        return
    rows = [_describe(word) for word in GAMES]
    if json:
        print_json({"games": rows})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("game", no_wrap=True)
    table.add_column("parameters")
    table.add_column("size", justify="right")
    table.add_column("what it is", ratio=1)
    for row in rows:
        parameters = ", ".join(
            name if value is None else f"{name}={value}"
            for name, value in row["parameters"].items()
        )
        table.add_row(row["game"], parameters, _size(row), row["summary"])
    print_table(table)
    results.print(
        "\nParameters go in parentheses: counterfold solve 'leduc(ranks=4)'\n"
        "Infosets are those of the exact rules, every legal bet included; "
        "a recipe's game is far smaller: counterfold estimate",
        markup=False,
        soft_wrap=True,
    )


def _size(row: dict[str, Any]) -> str:
    if row["nodes"] is not None:
        error = row["nodes_standard_error"]
        return f"{row['nodes']:,.0f}" + (f" ± {error:,.0f}" if error else "") + " nodes"
    if row["infosets"] is not None:
        return f"{row['infosets']:.3g} infosets"
    return f"stack {row['stack']:,}" if row["stack"] else ""


def _describe(word: str) -> dict[str, Any]:
    make = GAMES[word]
    parameters = {
        name: None if parameter.default is parameter.empty else parameter.default
        for name, parameter in inspect.signature(make).parameters.items()
    }
    keys = "players", "zero_sum", "unit", "nodes", "nodes_standard_error", "infosets", "stack"
    row: dict[str, Any] = {
        "game": word,
        "parameters": parameters,
        "summary": (inspect.getdoc(make) or "").splitlines()[0].rstrip("."),
        **dict.fromkeys(keys),
    }
    if not _needs_parameters(make):
        row |= _measure(make())
    return row


def _needs_parameters(make: Any) -> bool:
    return any(p.default is p.empty for p in inspect.signature(make).parameters.values())


def _measure(game: Game) -> dict[str, Any]:
    found = {"players": game.n_players, "zero_sum": game.zero_sum, "unit": game.unit}
    if isinstance(game, Variant):
        if game.betting != "limit":
            return found | {"stack": game.stack, "infosets": count_open_infosets(game)}
        infosets = count_infosets(game)
        if infosets is None or infosets > _SMALL:
            return found | {"infosets": infosets}
        found["infosets"] = infosets
    size = estimate_size(game)
    return found | {"nodes": size.nodes, "nodes_standard_error": size.standard_error}


def _check(game: Game, seed: int, json: bool) -> None:
    found = check_game(game, max_nodes=_CHECKED_NODES, seed=seed)
    hand = _play(game, np.random.default_rng(seed))
    if json:
        print_json({"game": game.name, "sound": True, **asdict(found), "seed": seed, "play": hand})
        return
    how = "all of them" if found.complete else "part of the tree, plus random plays"
    lines = [
        f"{game.name} is sound",
        f"states            {found.nodes:,}, {how}",
        f"information sets  {found.infosets:,}",
        f"ends              {found.terminals:,}",
        "checked           probabilities and utilities sum as they should; states do not change;",
        "                  information sets offer the same actions wherever they occur;",
        "                  players have perfect recall; illegal actions are refused",
        "",
        f"one random play, seed {seed}",
        *(f"  {line}" for line in hand),
    ]
    for line in lines:
        results.print(line, markup=False, soft_wrap=True)


def _play(game: Game, rng: np.random.Generator) -> list[str]:
    """A random play in words, with fewer folds and large raises than if all were equally likely."""
    state, lines = game.root(), []
    while state.utilities is None:
        if (chance := state.chance) is not None:
            action: Any = chance.sample(rng)
            lines.append(f"chance: {action}")
        else:
            infoset = state.infoset
            kinds: dict[str, list[str]] = {}
            for word in infoset.actions:
                kinds.setdefault(word[:1], []).append(word)
            if len(kinds) > 1 and rng.random() < _STAYING:
                kinds.pop(FOLD, None)
            kind = list(kinds.values())[rng.integers(len(kinds))]
            action = kind[int(len(kind) * rng.random() ** 2)]
            lines.append(f"player {infoset.player}: {action}")
        state = state.child(action)
    if isinstance(state, HoldemState):
        return narrate(state)
    return [*lines, f"utilities {', '.join(f'{u:g}' for u in state.utilities)} {game.unit}"]
