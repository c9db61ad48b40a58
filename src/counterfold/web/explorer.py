"""The explorer: a run at one line, as the page draws it; and its hands, a class at a time."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from counterfold.blueprints import betting_line
from counterfold.blueprints.blueprint_grid import find_table_cells, find_totals
from counterfold.blueprints.strategy_table import StrategyTable
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards.pairs import (
    PAIR_HAND_CLASSES,
    index_pairs,
    parse_hand_class,
)
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
from counterfold.tree.profile_table import find_rows
from counterfold.tree.solve_folder import SolvedRun
from counterfold.web.answers import Operation, Parameters
from counterfold.web.opened_runs import OpenedRun, OpenedRuns

_MOST_TABLES = 64  # that are kept for the next question about them
_SEATS = ("dealer", "other seat")
_CHANGING = "how often hands come here is not known where hands change: all count the same"


class LookParameters(Parameters):
    """A run, a line in it, and which hands to look at."""

    run: str
    line: str = ""
    hands: str = Field("", max_length=200)


class HandsParameters(LookParameters):
    """The same for the hands of one class."""

    cell: str = Field("", max_length=3)


class InfosetsParameters(Parameters):
    """Which information sets of a solved game to list."""

    run: str
    player: int | None = Field(None, ge=0, le=100)
    match: str = Field("", max_length=200)
    limit: int = Field(200, ge=1, le=2000)


class Explorer:
    """Answers questions about strategies."""

    def __init__(self, runs: OpenedRuns) -> None:
        self.runs = runs
        self._tables: OrderedDict[tuple[OpenedRun, str, str], _Looked] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def operations(self) -> list[Operation[Any]]:
        """What can be asked."""
        return [
            Operation("GET", "look", LookParameters, self.look),
            Operation("GET", "hands", HandsParameters, self.hands),
            Operation("GET", "infosets", InfosetsParameters, self.infosets),
        ]

    def look(self, given: LookParameters) -> dict[str, Any]:
        """Where a line leads: the steps to it, and the grid of the decision there."""
        opened = self.runs.open(given.run)
        with opened.lock:
            if isinstance(opened.content, TrainedBot):
                return self._look_at_bot(opened, opened.content, given)
            if isinstance(opened.content, SolvedSpot):
                return self._look_at_spot(opened, opened.content, given)
        raise _no_lines(given.run)

    def hands(self, given: HandsParameters) -> dict[str, Any]:
        """The hands of a class, or all if none is named, with what each does."""
        opened = self.runs.open(given.run)
        with opened.lock:
            if isinstance(opened.content, TrainedBot):
                return _list_bot_hands(self._table(opened, opened.content, given), given.cell)
            if isinstance(opened.content, SolvedSpot):
                return _list_spot_hands(_spot_node(opened.content, given), given.cell)
        raise _no_lines(given.run)

    def infosets(self, given: InfosetsParameters) -> dict[str, Any]:
        """The information sets of a solved game, those reached most often first."""
        opened = self.runs.open(given.run)
        if not isinstance(opened.content, SolvedRun):
            raise UnsupportedGameError(f"{given.run!r} is not a solved game; look at a line of it")
        rows = find_rows(opened.content.strategy, given.player, given.match)
        return {
            "game": opened.content.identity.game,
            "players": opened.content.strategy.game.game.n_players,
            "rows": [vars(row) for row in rows[: given.limit]],
            "rows_in_all": len(rows),
        }

    def _look_at_bot(
        self, opened: OpenedRun, bot: TrainedBot, given: LookParameters
    ) -> dict[str, Any]:
        graph = bot.run.blueprint.game.graph
        line = betting_line.find_end(graph, given.line)
        steps = betting_line.list_steps(graph, line)
        situation = graph.situations[line.node].tolist()
        place = _describe(bot.variant, situation, steps, line.board, _SEATS)
        if place["end"] != "decision":
            return place
        looked = self._table(opened, bot, given)
        table = looked.table
        labels = [offer.label for offer in table.offered]
        paired = bot.variant.hole_cards == 2
        return place | {
            "to_call": int(table.situation.to_call),
            "about": table.features,
            "note": _CHANGING if looked.reach is None and paired else "",
            "actions": _list_actions(
                [(offer.text, offer.word) for offer in table.offered],
                find_totals(table, looked.reach),
                action_colors(labels),
                place["line"],
            ),
            "cells": _list_cells(find_table_cells(table, looked.reach)) if paired else None,
        }

    def _table(self, opened: OpenedRun, bot: TrainedBot, given: LookParameters) -> "_Looked":
        """The table of all hands at a decision; the last ones are kept."""
        key = opened, given.line, given.hands
        looked = self._tables.get(key)
        if looked is None:
            table = bot.strategy(history=given.line)
            if given.hands:
                kept = filter_hands(table.board, given.hands)
                rows = [row for row in table.rows if kept[_number(row.hand)]]
                table = StrategyTable(
                    table.blueprint, table.line, table.board, tuple(rows), table.history
                )
            looked = _Looked(table, bot.reach(table))
            with self._lock:  # of runs that others look at meanwhile
                self._tables[key] = looked
                if len(self._tables) > _MOST_TABLES:
                    self._tables.popitem(last=False)
        return looked

    def _look_at_spot(
        self, opened: OpenedRun, solved: SolvedSpot, given: LookParameters
    ) -> dict[str, Any]:
        spot, tree = solved.spot, solved.spot.tree
        at, dealt = tree_lines.follow_line(tree, given.line)
        steps = tree_lines.list_steps(tree, at, dealt)
        board = (*spot.cards_on_board, *(card for cards in dealt for card in cards))
        names = tuple(POSITIONS[spot.positions.index(seat)] for seat in (0, 1))
        place = _describe(spot.variant, tree.situations[at].tolist(), steps, board, names)
        place["pot"] += tree.dead
        if place["end"] != "decision":
            return place
        node = _spot_node(solved, given)
        totals = node.totals()
        shares = [totals["strategy"][label] for label in node.labels]
        offers = tree_lines.list_offers(tree, at)
        paired = spot.variant.hole_cards == 2
        figures = {
            name: {key: totals[key][name] for key in ("hands", "ev", "equity")}
            for name in POSITIONS
        }
        return place | {
            "about": "",
            "note": "",
            "totals": figures,
            "actions": _list_actions(offers, shares, action_colors(node.labels), place["line"]),
            "cells": _list_cells(find_cells(node)) if paired else None,
        }


class _Looked:
    """A table of a bot, and how likely each of its rows is."""

    def __init__(self, table: StrategyTable, reach: NDArray[np.float64] | None) -> None:
        self.table, self.reach = table, reach


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
            "share": share,
            "color": "#{:02x}{:02x}{:02x}".format(*color),
        }
        for (label, word), share, color in zip(offers, shares, colors, strict=True)
    ]


def _list_cells(grid: Grid) -> list[list[Any]]:
    """Each class as its name, weight, shares, EV and equity."""
    return [
        [cell.name, cell.weight, cell.shares, cell.ev, cell.equity] for row in grid for cell in row
    ]


def _list_bot_hands(looked: _Looked, cell: str) -> dict[str, Any]:
    table, wanted = looked.table, parse_hand_class(cell) if cell else None
    rows = []
    for at, row in enumerate(table.rows):
        if wanted is not None and PAIR_HAND_CLASSES[_number(row.hand)] != wanted:
            continue
        rows.append(
            {
                "hand": format_cards(row.hand),
                "weight": None if looked.reach is None else float(looked.reach[at]),
                "shares": None if row.probabilities is None else row.probabilities.tolist(),
                "visits": row.visits,
                "few": row.is_hardly_reached,
                "buckets": list(row.buckets),
                "discards": [format_card(card) for card in row.discards],
            }
        )
    return {"hands": rows, "buckets": table.n_buckets}


def _list_spot_hands(node: SpotNode, cell: str) -> dict[str, Any]:
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


def _spot_node(solved: SolvedSpot, given: LookParameters) -> SpotNode:
    node = solved.at(given.line)
    return select_hands(node, given.hands) if given.hands else node


def _number(hand: tuple[int, ...]) -> int:
    if len(hand) != 2:
        raise UnsupportedGameError("classes and filters of hands need two hole cards")
    return int(index_pairs(np.array([hand]))[0])


def _no_lines(run: str) -> UnsupportedGameError:
    return UnsupportedGameError(f"{run!r} is a solved game; list its information sets instead")
