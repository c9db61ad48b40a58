"""A decision of a bot or of a spot as the page draws it: the way there, actions, cells, hands."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.blueprints import betting_line
from counterfold.blueprints.action_values import ActionValues
from counterfold.blueprints.blueprint_grid import find_table_cells, find_totals
from counterfold.blueprints.strategy_table import StrategyTable
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards.pairs import PAIR_HAND_CLASSES, index_pairs, parse_hand_class
from counterfold.cards.text import format_card, format_cards
from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.line_steps import NOBODY, LineStep, extend_line, write_line
from counterfold.ranges import tree_lines
from counterfold.ranges.made_hands import filter_hands
from counterfold.ranges.spot import POSITIONS
from counterfold.ranges.spot_node import SpotNode
from counterfold.spots.solved_spot import SolvedSpot
from counterfold.spots.strategy_grid import Color, Grid, action_colors, find_cells, select_hands
from counterfold.web.runouts import SEATS, write_color

_CHANGING = "how often hands come here is not known where hands change: all count the same"


class Looked:
    """A table of a bot, and how likely each of its rows is."""

    def __init__(self, table: StrategyTable, reach: NDArray[np.float64] | None) -> None:
        self.table, self.reach = table, reach


def look_at_bot(bot: TrainedBot, line: str) -> dict[str, Any]:
    """Where a line of a bot leads, and the steps to it."""
    graph = bot.run.blueprint.game.graph
    found = betting_line.find_end(graph, line)
    steps = betting_line.list_steps(graph, found)
    situation = graph.situations[found.node].tolist()
    return _describe(bot.variant, situation, steps, found.board, SEATS)


def look_up_hands(bot: TrainedBot, line: str, hands: str) -> Looked:
    """All hands at a decision of a bot, or those that `hands` names."""
    table = bot.strategy(history=line)
    if hands:
        kept = filter_hands(table.board, hands)
        rows = [row for row in table.rows if kept[_number(row.hand)]]
        table = StrategyTable(table.blueprint, table.line, table.board, tuple(rows), table.history)
    return Looked(table, bot.reach(table))


def describe_bot_decision(
    bot: TrainedBot, looked: Looked, line: str, values: ActionValues | None = None
) -> dict[str, Any]:
    """The actions and cells of a decision of a bot; `line` is written as its steps are."""
    table = looked.table
    labels = [offer.label for offer in table.offered]
    paired = bot.variant.hole_cards == 2
    return {
        "to_call": int(table.situation.to_call),
        "about": table.features,
        "note": _CHANGING if looked.reach is None and paired else "",
        "actions": _list_actions(
            [(offer.text, offer.word) for offer in table.offered],
            find_totals(table, looked.reach),
            action_colors(labels),
            line,
        ),
        "cells": _list_cells(find_table_cells(table, looked.reach, values)) if paired else None,
    }


def look_at_spot(solved: SolvedSpot, line: str) -> dict[str, Any]:
    """Where a line of a spot leads, and the steps to it."""
    spot, tree = solved.spot, solved.spot.tree
    at, dealt = tree_lines.follow_line(tree, line)
    steps = tree_lines.list_steps(tree, at, dealt)
    board = (*spot.cards_on_board, *(card for cards in dealt for card in cards))
    names = tuple(POSITIONS[spot.positions.index(seat)] for seat in (0, 1))
    place = _describe(spot.variant, tree.situations[at].tolist(), steps, board, names)
    place["pot"] += tree.dead
    return place


def find_spot_node(solved: SolvedSpot, line: str, hands: str, exploit: str = "") -> SpotNode:
    """A decision of a spot, with all hands or those that `hands` names."""
    node = solved.at(line, exploit=exploit)
    return select_hands(node, hands) if hands else node


def describe_spot_decision(
    solved: SolvedSpot, node: SpotNode, line: str, exploit: str = ""
) -> dict[str, Any]:
    """The actions, cells and totals of a decision of a spot."""
    tree = solved.spot.tree
    at, _ = tree_lines.follow_line(tree, line)
    totals = node.totals()
    shares = [totals["strategy"][label] for label in node.labels]
    paired = solved.spot.variant.hole_cards == 2
    figures = {
        name: {key: totals[key][name] for key in ("hands", "ev", "equity")} for name in POSITIONS
    }
    return {
        "about": "",
        "note": f"{exploit} plays its best response from here on" if exploit else "",
        "positions": list(POSITIONS),
        "totals": figures,
        "actions": _list_actions(
            tree_lines.list_offers(tree, at), shares, action_colors(node.labels), line
        ),
        "cells": _list_cells(find_cells(node)) if paired else None,
    }


def _describe(
    variant: Variant,
    situation: Sequence[int],
    steps: Sequence[LineStep],
    board: tuple[int, ...],
    names: tuple[str, ...],
) -> dict[str, Any]:
    """Where a line ends, and the way there."""
    phase = situation[betting.PHASE]
    ends = {betting.DEAL: "deal", betting.FOLDED: "over", betting.SHOWDOWN: "over"}
    end = ends.get(phase, "decision")
    street = min(situation[betting.STREET] + 1, len(variant.streets) - 1)
    return {
        "game": variant.name,
        "line": write_line(steps),
        "steps": [_write_step(step, names) for step in steps],
        "end": end,
        "actor": names[situation[betting.ACTOR]] if end == "decision" else "",
        "pot": situation[betting.SPENT_0] + situation[betting.SPENT_1],
        "board": format_cards(board),
        "due": variant.streets[street].cards if end == "deal" else 0,
        "deck": format_cards(variant.deck.cards.tolist()[::-1]),
    }


def _write_step(step: LineStep, names: tuple[str, ...]) -> dict[str, Any]:
    if step.seat == NOBODY:
        return {"line": step.line, "cards": format_cards(step.cards)}
    return {
        "line": step.line,
        "actor": names[step.seat],
        "offered": [
            {"label": label, "line": extend_line(step.line, word)} for label, word in step.offered
        ],
        "taken": step.taken,
    }


def _list_actions(
    offers: Sequence[tuple[str, str]], shares: Sequence[float], colors: Sequence[Color], line: str
) -> list[dict[str, Any]]:
    return [
        {
            "label": label,
            "line": extend_line(line, word),
            "word": word,
            "share": share,
            "color": write_color(color),
        }
        for (label, word), share, color in zip(offers, shares, colors, strict=True)
    ]


def _list_cells(grid: Grid) -> list[list[Any]]:
    """Each class as its name, weight, shares, EV and equity."""
    return [
        [cell.name, cell.weight, cell.shares, cell.ev, cell.equity] for row in grid for cell in row
    ]


def list_bot_hands(
    bot: TrainedBot, looked: Looked, cell: str, values: ActionValues | None = None
) -> dict[str, Any]:
    """The hands of a class at a decision of a bot, with equity; or all, without."""
    table, wanted = looked.table, parse_hand_class(cell) if cell else None
    kept = [
        (at, row)
        for at, row in enumerate(table.rows)
        if wanted is None or PAIR_HAND_CLASSES[_number(row.hand)] == wanted
    ]
    equities = bot.equities(table, [row.hand for _, row in kept]) if cell else None
    rows = []
    for k, (at, row) in enumerate(kept):
        rows.append(
            {
                "equity": None if equities is None else equities[k],
                "hand": format_cards(row.hand),
                "weight": None if looked.reach is None else float(looked.reach[at]),
                "shares": None if row.probabilities is None else row.probabilities.tolist(),
                "visits": row.visits,
                "few": row.is_hardly_reached,
                "buckets": list(row.buckets),
                "discards": [format_card(card) for card in row.discards],
                **({} if values is None else values.of(row.hand)),
            }
        )
    return {"hands": rows, "buckets": table.n_buckets}


def list_spot_hands(node: SpotNode, cell: str) -> dict[str, Any]:
    """The hands of a class at a decision of a spot, or all."""
    hands, wanted = node.actor, parse_hand_class(cell) if cell else None
    kept = [
        h
        for h, number in enumerate(hands.numbers.tolist())
        if wanted is None or PAIR_HAND_CLASSES[number] == wanted
    ]
    texts = hands.texts
    return {
        "hands": [
            {
                "hand": texts[h],
                "weight": float(hands.weight[h]),
                "shares": node.strategy[:, h].tolist(),
                "evs": node.action_ev[:, h].tolist(),
                "ev": float(hands.ev[h]),
                "equity": float(hands.equity[h]),
            }
            for h in kept
        ]
    }


def _number(hand: tuple[int, ...]) -> int:
    if len(hand) != 2:
        raise UnsupportedGameError("classes and filters of hands need two hole cards")
    return int(index_pairs(np.array([hand]))[0])
