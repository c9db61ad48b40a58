"""The explorer: a run at one line, as the page draws it; and its hands, a class at a time."""

import contextlib
import threading
from collections import OrderedDict
from typing import Any, Literal

from pydantic import Field

from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import UnsupportedGameError
from counterfold.spots.solved_spot import SolvedSpot
from counterfold.tree.profile_table import find_rows
from counterfold.tree.solve_folder import SolvedRun
from counterfold.web.answers import Operation, Parameters
from counterfold.web.decision_answers import (
    Looked,
    describe_bot_decision,
    describe_spot_decision,
    find_spot_node,
    list_bot_hands,
    list_spot_hands,
    look_at_bot,
    look_at_spot,
    look_up_hands,
)
from counterfold.web.opened_runs import OpenedRun, OpenedRuns
from counterfold.web.runouts import compare_bot_cards, compare_spot_cards
from counterfold.web.value_room import ValueRoom

_MOST_TABLES = 64  # that are kept for the next question about them


class LookParameters(Parameters):
    """A run, a line in it, and which hands to look at."""

    run: str
    line: str = ""
    hands: str = Field("", max_length=200)
    exploit: Literal["", "oop", "ip"] = ""  # whose best response to show, in a spot


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

    def __init__(self, runs: OpenedRuns, values: ValueRoom) -> None:
        self.runs, self.values = runs, values
        self._tables: OrderedDict[tuple[OpenedRun, str, str], Looked] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def operations(self) -> list[Operation[Any]]:
        """What can be asked."""
        return [
            Operation("GET", "look", LookParameters, self.look),
            Operation("GET", "hands", HandsParameters, self.hands),
            Operation("GET", "runouts", LookParameters, self.runouts),
            Operation("GET", "infosets", InfosetsParameters, self.infosets),
        ]

    def look(self, given: LookParameters) -> dict[str, Any]:
        """Where a line leads: the steps to it, and the grid of the decision there."""
        opened = self.runs.open(given.run)
        if isinstance(opened.content, TrainedBot):
            return self._look_at_bot(opened, opened.content, given)
        if isinstance(opened.content, SolvedSpot):
            with opened.lock:
                return self._look_at_spot(opened.content, given)
        raise _no_lines(given.run)

    def hands(self, given: HandsParameters) -> dict[str, Any]:
        """The hands of a class, or all if none is named, with what each does."""
        opened = self.runs.open(given.run)
        if isinstance(opened.content, TrainedBot):
            return self._list_hands(opened, opened.content, given)
        if isinstance(opened.content, SolvedSpot):
            with opened.lock:
                node = find_spot_node(opened.content, given.line, given.hands, given.exploit)
                return list_spot_hands(node, given.cell)
        raise _no_lines(given.run)

    def runouts(self, given: LookParameters) -> dict[str, Any]:
        """The next cards one by one, after a line that ends a street: what is done after each."""
        opened = self.runs.open(given.run)
        if isinstance(opened.content, TrainedBot):
            return compare_bot_cards(opened.content, given.line)
        if isinstance(opened.content, SolvedSpot):
            with opened.lock:
                return compare_spot_cards(opened.content, given.line, given.hands)
        raise _no_lines(given.run)

    def infosets(self, given: InfosetsParameters) -> dict[str, Any]:
        """The information sets of a solved game, those reached most often first."""
        opened = self.runs.open(given.run)
        if not isinstance(opened.content, SolvedRun):
            raise UnsupportedGameError(
                f"{given.run!r} is not a solved game; look at one of its lines"
            )
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
        place = look_at_bot(bot, given.line)
        if place["end"] != "decision":
            return place
        looked = self._table(opened, bot, given)
        values = self.values.find(opened, given.line)
        told = self.values.describe(opened, bot, given.line)
        return place | describe_bot_decision(bot, looked, place["line"], values) | {"values": told}

    def _list_hands(
        self, opened: OpenedRun, bot: TrainedBot, given: HandsParameters
    ) -> dict[str, Any]:
        looked = self._table(opened, bot, given)
        with contextlib.suppress(UnsupportedGameError):
            if given.cell:
                self.values.compute_at_once(opened, bot, given.line)
        return list_bot_hands(bot, looked, given.cell, self.values.find(opened, given.line))

    def _table(self, opened: OpenedRun, bot: TrainedBot, given: LookParameters) -> Looked:
        """The table of all hands at a decision; the last ones are kept."""
        key = opened, given.line, given.hands
        looked = self._tables.get(key)
        if looked is None:
            looked = look_up_hands(bot, given.line, given.hands)
            with self._lock:  # others look meanwhile
                self._tables[key] = looked
                if len(self._tables) > _MOST_TABLES:
                    self._tables.popitem(last=False)
        return looked

    def _look_at_spot(self, solved: SolvedSpot, given: LookParameters) -> dict[str, Any]:
        place = look_at_spot(solved, given.line)
        if place["end"] != "decision":
            return place
        node = find_spot_node(solved, given.line, given.hands, given.exploit)
        return place | describe_spot_decision(solved, node, place["line"], given.exploit)


def _no_lines(run: str) -> UnsupportedGameError:
    return UnsupportedGameError(f"{run!r} is a solved game; list its information sets instead")
