"""Pictures of a decision: the 13 × 13 grid with mixed cells, as PNG or SVG."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterfold.artifacts import save_figure
from counterfold.cards.text import N_RANKS, format_cards
from counterfold.ranges.spot_node import SpotNode
from counterfold.spots.strategy_grid import Color, GridCell, action_colors, find_cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_EMPTY = "#e8e8e8"


def plot_strategy(node: SpotNode, path: Path, kind: str) -> None:
    """Draw the grid of `node`; the height of a bar is how frequent the hands of its class are.

    `kind` is the format: png or svg.
    """
    from matplotlib.figure import Figure  # slow to import, and few commands plot

    figure = Figure(figsize=(8.5, 9.4), layout="constrained")
    axes = figure.subplots()
    colors = action_colors(node.labels)
    for row, cells in enumerate(find_cells(node)):
        for column, cell in enumerate(cells):
            _draw_cell(axes, row, column, cell, colors)
    axes.set_xlim(0, N_RANKS)
    axes.set_ylim(N_RANKS, 0)
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_title(_title(node))
    _draw_legend(axes, node, colors)
    save_figure(figure, path, kind)


def _draw_cell(
    axes: "Axes", row: int, column: int, cell: GridCell, colors: Sequence[Color]
) -> None:
    from matplotlib.patches import Rectangle

    frame: dict[str, Any] = {"edgecolor": "white", "linewidth": 1}
    axes.add_patch(Rectangle((column, row), 1, 1, facecolor=_EMPTY, **frame))
    left = float(column)
    for share, color in zip(cell.shares, colors, strict=False):
        place = (left, row + 1 - cell.weight)
        axes.add_patch(Rectangle(place, share, cell.weight, facecolor=_hex(color), linewidth=0))
        left += share
    axes.add_patch(Rectangle((column, row), 1, 1, facecolor="none", **frame))
    gray = "black" if cell.shares else "#a0a0a0"
    axes.text(column + 0.06, row + 0.08, cell.name, ha="left", va="top", fontsize=8, color=gray)
    if cell.shares:
        axes.text(column + 0.94, row + 0.92, f"{cell.ev:.4g}", ha="right", va="bottom", fontsize=6)


def _draw_legend(axes: "Axes", node: SpotNode, colors: Sequence[Color]) -> None:
    from matplotlib.patches import Patch

    shares = node.totals()["strategy"]
    patches = [
        Patch(facecolor=_hex(color), label=f"{label} {shares[label]:.1%}")
        for label, color in zip(node.labels, colors, strict=True)
    ]
    axes.legend(
        handles=patches, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=4, frameon=False
    )


def _title(node: SpotNode) -> str:
    totals = node.totals()
    name = node.position
    return (
        f"{node.position} on {format_cards(node.board)} after {node.line or 'no action'}, "
        f"pot {node.pot:,.0f}\nEV {totals['ev'][name]:.4g} chips, "
        f"equity {totals['equity'][name]:.1%}; small figures: EV of a class"
    )


def _hex(color: Color) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
