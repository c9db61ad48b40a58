"""Run-outs: what is done after each card that may come next."""

from collections.abc import Sequence
from typing import Any

from counterfold.blueprints.blueprint_grid import find_totals
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards.text import parse_card
from counterfold.games.holdem.line_steps import extend_by_deal
from counterfold.spots.solved_spot import SolvedSpot
from counterfold.spots.strategy_grid import Color, action_colors, select_hands

SEATS = ("dealer", "other seat")  # as the page calls them


def compare_bot_cards(bot: TrainedBot, line: str) -> dict[str, Any]:
    """A row for each next card, with how often each action is taken."""
    labels: list[str] = []
    colors: list[str] = []
    rows = []
    for card, table in bot.runouts(line):
        labels = labels or [offer.text for offer in table.offered]
        colors = colors or _write_colors([offer.label for offer in table.offered])
        shares = dict(
            zip(
                (offer.text for offer in table.offered),
                find_totals(table, bot.reach(table)),
                strict=True,
            )
        )
        rows.append(_row(line, card, SEATS[table.seat], [shares.get(name, 0.0) for name in labels]))
    return {"actions": _name_actions(labels, colors), "rows": rows}


def compare_spot_cards(solved: SolvedSpot, line: str, hands: str) -> dict[str, Any]:
    """The same with EV and equity of both positions; of `hands` alone if any are named."""
    labels: tuple[str, ...] = ()
    rows = []
    for card, node in solved.view.runouts(line):
        labels = node.labels
        totals = (select_hands(node, hands) if hands else node).totals()
        figures = {
            f"{name} {what}": totals[key][name]
            for key, what in (("ev", "EV"), ("equity", "equity"))
            for name in node.hands
        }
        shares = [totals["strategy"][label] for label in labels]
        rows.append(_row(line, card, node.position, shares) | {"figures": figures})
    return {"actions": _name_actions(labels, _write_colors(labels)), "rows": rows}


def write_color(color: Color) -> str:
    """A color as style sheets have it."""
    return "#{:02x}{:02x}{:02x}".format(*color)


def _row(line: str, card: str, actor: str, shares: list[float]) -> dict[str, Any]:
    after = extend_by_deal(line, (parse_card(card),))
    return {"card": card, "line": after, "actor": actor, "shares": shares, "figures": {}}


def _write_colors(labels: Sequence[str]) -> list[str]:
    return [write_color(color) for color in action_colors(labels)]


def _name_actions(labels: Sequence[str], colors: Sequence[str]) -> list[dict[str, Any]]:
    pairs = zip(labels, colors, strict=True)
    return [{"label": label, "color": color} for label, color in pairs]
