"""`counterfold show` of a solved spot: strategy, EV and equity after a line."""

from counterfold.cards.text import format_cards
from counterfold.cli.output import print_json, print_rows
from counterfold.cli.spot import strategy_line
from counterfold.ranges.spot_view import SpotNode
from counterfold.spots.solved_spot import SolvedSpot


def show_spot(run: SolvedSpot, line: str, json: bool) -> None:
    """Print one decision of a spot."""
    node = run.at(line)
    if json:
        print_json(node.to_dict())
    else:
        print_rows(_place(node))


def _place(node: SpotNode) -> list[tuple[str, str]]:
    """The decision in words."""
    totals = node.totals()
    positions = [
        (name, f"EV {totals['ev'][name]:.4f} chips, equity {totals['equity'][name]:.2%}")
        for name in node.hands
    ]
    return [
        ("line", node.line or "none yet"),
        ("board", format_cards(node.board)),
        ("pot", f"{node.pot:,.0f}"),
        *positions,
        (f"{node.position} plays", strategy_line(totals["strategy"])),
    ]
