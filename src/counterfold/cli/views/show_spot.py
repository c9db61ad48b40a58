"""`counterfold show` of a solved spot: one grid of what all hands do after a line, and tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.style import Style
from rich.table import Table
from rich.text import Text

from counterfold.cards.text import format_cards
from counterfold.cli.output import announce, print_json, print_rows, print_table, results
from counterfold.errors import StrategyError
from counterfold.games.holdem.action_words import CALL, FOLD, WORDS
from counterfold.ranges.spot_node import SpotNode, format_shares
from counterfold.spots.row_files import (
    check_file,
    write_csv,
    write_csv_parts,
    write_parquet,
    write_parquet_parts,
)
from counterfold.spots.solved_spot import SolvedSpot
from counterfold.spots.strategy_figure import plot_strategy
from counterfold.spots.strategy_grid import (
    Color,
    Grid,
    GridCell,
    action_colors,
    find_cells,
    select_hands,
    split_width,
)

_CELL = 6  # columns of a cell, so thirteen fit into a terminal
_DIM = 0.35  # brightness of the classes that are hardly there, where a terminal has shades
_FEW_COLORS = "standard"
# Of the sixteen colors of such a terminal: blue, green, and from yellow to purple. The nearest of
# the sixteen to the blue of folds and to the green of calls is the same.
_FOLD, _CALL = (0, 0, 170), (0, 170, 0)
_BETS = ((255, 255, 85), (170, 85, 0), (170, 0, 0), (170, 0, 170), (255, 85, 255))
_NO_HANDS = "-"
_MOST_PERCENTS = 3  # actions whose shares are written in percent, the first one's left out


@dataclass(frozen=True)
class SpotRequest:
    """What to show of a spot, and where to write it."""

    line: str = ""
    hands: str = ""
    runouts: bool = False
    all_lines: bool = False
    exploit: str = ""
    png: Path | None = None
    svg: Path | None = None
    csv: Path | None = None
    parquet: Path | None = None

    def check(self) -> None:
        """Raise an error if a file could not be written, or if options do not go together."""
        if self.all_lines and self.runouts:
            raise StrategyError("--all-lines and --runouts exclude each other; choose one")
        if self.all_lines and (self.png or self.svg):
            raise StrategyError("--png and --svg draw one decision; leave out --all-lines")
        for path in (self.png, self.svg, self.csv, self.parquet):
            if path is not None:
                check_file(path)


def show_spot(run: SolvedSpot, request: SpotRequest, limit: int, json: bool) -> None:
    """Print one decision of a spot, or what every next card makes of it."""
    request.check()
    if request.runouts:
        _show_runouts(run, request, json)
        return
    if request.all_lines:
        _show_street(run, request, json)
        return
    node = run.at(request.line, exploit=request.exploit)
    if request.hands:
        node = select_hands(node, request.hands)
    _write(request, list(node.rows()), node)
    if json:
        print_json(node.to_dict())
        return
    print_rows(_place(node))
    single = node.actor.cards.shape[1] == 1
    if not single:
        print_grid(find_cells(node), node.labels)
    _print_actions(node)
    if single or request.hands:
        _print_hands(node, limit)


def _show_street(run: SolvedSpot, request: SpotRequest, json: bool) -> None:
    """Write all decisions of a street, one after another, or print a row for each."""

    def nodes() -> Iterator[SpotNode]:
        for node in run.street(request.line, exploit=request.exploit):
            yield select_hands(node, request.hands) if request.hands else node

    for path, write in ((request.csv, write_csv_parts), (request.parquet, write_parquet_parts)):
        if path is not None:
            write(path, (node.columns() for node in nodes()))
            announce(f"wrote {path}")
    if json:
        print_json({"lines": [node.to_dict() for node in nodes()]})
    elif not (request.csv or request.parquet):
        _print_street(nodes())


def _print_street(nodes: Iterator[SpotNode]) -> None:
    """A row for each decision."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("line", "to act", "strategy"):
        table.add_column(name)
    for name in ("hands", "EV"):
        table.add_column(name, justify="right")
    for node in nodes:
        totals = node.totals()
        hands, ev = totals["hands"][node.position], totals["ev"][node.position]
        shares = format_shares(totals["strategy"]) if hands else _NO_HANDS
        chips = _NO_HANDS if ev != ev else f"{ev:.2f}"
        table.add_row(node.line or "none yet", node.position, shares, f"{hands:.4g}", chips)
    print_table(table)


def _write(request: SpotRequest, rows: list[dict[str, Any]], node: SpotNode | None) -> None:
    """Write the files asked for, and say so."""
    writers: list[tuple[Path | None, Callable[[Path], None]]] = [
        (request.csv, lambda path: write_csv(path, rows)),
        (request.parquet, lambda path: write_parquet(path, rows)),
    ]
    if node is not None:
        writers.append((request.png, lambda path: plot_strategy(node, path, "png")))
        writers.append((request.svg, lambda path: plot_strategy(node, path, "svg")))
    for path, write in writers:
        if path is not None:
            write(path)
            announce(f"wrote {path}")


def _place(node: SpotNode) -> list[tuple[str, str]]:
    """The decision in words."""
    totals = node.totals()
    positions = [
        (
            name,
            f"{totals['hands'][name]:.4g} hands, EV {totals['ev'][name]:.4f} chips, "
            f"equity {totals['equity'][name]:.2%}",
        )
        for name in node.hands
    ]
    return [
        ("line", node.line or "none yet"),
        ("board", f"{format_cards(node.board) or 'none'}, pot {node.pot:,.0f}"),
        ("to act", node.position),
        *positions,
    ]


def print_grid(grid: Grid, labels: Sequence[str]) -> None:
    """One grid of what all classes of hands do, in colors if the terminal has them."""
    if results.color_system is not None:
        colors, shaded = terminal_colors(labels), results.color_system != _FEW_COLORS
        for cells in grid:
            line = Text()
            for cell in cells:
                line.append_text(color_cell(cell, colors, shaded=shaded))
            results.print(line, soft_wrap=True)
        return
    table = Table(box=None, padding=(0, 0, 0, 1), pad_edge=False)
    ranks = [cells[row].name[0] for row, cells in enumerate(grid)]  # those of the pairs
    for rank in ("", *ranks):
        table.add_column(rank, justify="right")
    for rank, cells in zip(ranks, grid, strict=True):
        table.add_row(rank, *map(number_cell, cells))
    print_table(table)
    announce(f"{describe_cells(labels)}; suited hands right of the pairs")


def terminal_colors(labels: Sequence[str]) -> list[Color]:
    """The color of each action, one that the terminal can tell from the others."""
    colors = action_colors(labels)
    if results.color_system != _FEW_COLORS:
        return colors
    few_by_word = {WORDS[FOLD]: _FOLD, WORDS[CALL]: _CALL}
    passive = {action_colors([word])[0]: few for word, few in few_by_word.items()}
    n_bets = sum(color not in passive for color in colors)
    first, last = (0, len(_BETS) - 1) if n_bets > 1 else (2, 2)
    places = iter(np.linspace(first, last, n_bets).round().astype(int).tolist())
    return [passive.get(color) or _BETS[next(places)] for color in colors]


def describe_cells(labels: Sequence[str]) -> str:
    """What `number_cell` writes."""
    if len(labels) > _MOST_PERCENTS:
        return f"cells have a digit for each of {', '.join(labels)}, in tenths; X is all"
    first, *others = labels
    if not others:
        return f"cells are {first} in percent"
    return f"cells are {' / '.join(others)} in percent, and the rest is {first}"


def color_cell(cell: GridCell, colors: Sequence[Color], *, shaded: bool = True) -> Text:
    """The name of a class on as much of each color as the action has share.

    Where it is `shaded`, classes that are seldom here are darker.
    """
    name = f" {cell.name}".ljust(_CELL)
    if not cell.shares:
        return Text(name, Style(dim=True))
    text = Text()
    at = 0
    light = _DIM + (1 - _DIM) * cell.weight if shaded else 1.0
    for width, color in zip(split_width(cell.shares, _CELL), colors, strict=True):
        red, green, blue = (round(light * part) for part in color)
        bright = 299 * red + 587 * green + 114 * blue > 128_000
        front = "black" if bright else "white"
        text.append(name[at : at + width], f"{front} on rgb({red},{green},{blue})")
        at += width
    return text


def number_cell(cell: GridCell) -> str:
    """Shares of the actions in few columns, as `describe_cells` explains: ``34/16`` or ``07300``.

    Thirteen cells fit into a hundred columns.
    """
    if not cell.shares:
        return _NO_HANDS
    if len(cell.shares) > _MOST_PERCENTS:
        return "".join("X" if n == 10 else str(n) for n in split_width(cell.shares, 10))
    return "/".join(f"{100 * share:.0f}" for share in cell.shares[1:] or cell.shares)


def _print_actions(node: SpotNode) -> None:
    """A row for each action: how often, by how many hands, and what it would win."""
    shares, hands = node.totals()["strategy"], node.actor
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("action")
    for name in ("share", "hands", "EV of its hands"):
        table.add_column(name, justify="right")
    for k, (label, color) in enumerate(zip(node.labels, terminal_colors(node.labels), strict=True)):
        weights = node.strategy[k] * hands.matchups
        total = weights.sum()
        ev = (weights @ _known(node.action_ev[k])) / total if total else float("nan")
        count = float(node.strategy[k] @ hands.weight)
        swatch = Text("■ ", "rgb({},{},{})".format(*color)) if results.color_system else Text()
        cells = f"{shares[label]:.2%}", f"{count:.4g}", f"{ev:.4f}" if total else _NO_HANDS
        table.add_row(swatch + Text(label), *cells)
    print_table(table)


def _known(figures: Any) -> Any:
    return [0.0 if figure != figure else figure for figure in figures.tolist()]


def _print_hands(node: SpotNode, limit: int) -> None:
    """A row for each hand of the seat that acts, those that are held most often first."""
    rows = [row for row in node.rows() if row["position"] == node.position]
    rows.sort(key=lambda row: -row["weight"])
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("hand")
    for name in ("weight", "equity", "EV", *node.labels):
        table.add_column(name, justify="right")
    for row in rows[: limit or None]:
        equity = _NO_HANDS if row["equity"] is None else f"{row['equity']:.1%}"
        ev = _NO_HANDS if row["ev"] is None else f"{row['ev']:.2f}"
        shares = [f"{row[label]:.1%}" for label in node.labels]
        table.add_row(row["hand"], f"{row['weight']:.3g}", equity, ev, *shares)
    print_table(table)
    if limit and len(rows) > limit:
        announce(f"{len(rows) - limit:,} more rows; show all with --limit 0")


def _show_runouts(run: SolvedSpot, request: SpotRequest, json: bool) -> None:
    """A row for each next card."""
    rows = []
    for card, node in run.view.runouts(request.line):
        totals = node.totals()
        figures = {
            f"{name} {what}": totals[name][what] for name in ("ev", "equity") for what in node.hands
        }
        rows.append({"card": card, "to_act": node.position, **figures, **totals["strategy"]})
    _write(request, rows, None)
    if json:
        print_json({"line": request.line, "runouts": rows})
        return
    print_table(make_runouts_table(rows))


def make_runouts_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """A row for each next card; an action that is not offered after it is blank."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    names = list(dict.fromkeys(name for row in rows for name in row))
    for name in names:
        table.add_column(name.replace("_", " "), justify="right")
    for row in rows:
        table.add_row(*(_runout_text(name, row.get(name, "")) for name in names))
    return table


def _runout_text(name: str, value: Any) -> str:
    if isinstance(value, str | int):
        return str(value)
    if value != value:
        return _NO_HANDS
    return f"{value:.2f}" if name.startswith("ev ") else f"{value:.1%}"
