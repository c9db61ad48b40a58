"""The tables: a person sits down against a bot, acts, asks for a hint, and may come back later."""

import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from counterfold.bots.play.play_session import PlaySession
from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import GameError, UnknownNameError, UnsupportedGameError
from counterfold.games.holdem import Variant
from counterfold.games.holdem.narration import narrate
from counterfold.games.holdem.notation import parse_state
from counterfold.matches.session_folder import (
    SessionFolder,
    SessionRecord,
    begin_session,
    find_sessions,
    grade_by_value,
    is_session_name,
    list_decisions,
    resume_session,
)
from counterfold.matches.session_luck import SessionLuck
from counterfold.search.search_bot import check_searchable
from counterfold.web.answers import Operation, Parameters
from counterfold.web.opened_runs import OpenedRuns
from counterfold.web.table_answers import describe_report, describe_table, write_trace

_MOST_TABLES = 200  # in memory; others are read back when somebody returns
_MOST_LISTED = 50


class SitParameters(Parameters):
    """Which bot to sit down against, and whether it searches."""

    run: str
    search: Literal["", "unsafe", "cfr-d", "maxmargin", "combined"] = ""
    seed: int | None = Field(None, ge=0, lt=2**62)


class TableParameters(Parameters):
    """A session."""

    session: str = Field(max_length=32)


class ActParameters(TableParameters):
    """An action, and how many actions of how many hands the person had seen."""

    action: str = Field(max_length=12)
    hand: int = Field(ge=0)
    step: int = Field(ge=0)


class NextParameters(TableParameters):
    """The hand that the person has seen the end of."""

    hand: int = Field(ge=0)


@dataclass(eq=False)
class _Table:
    name: str
    run: str  # its name among those served
    record: SessionRecord
    folder: SessionFolder
    play: PlaySession
    lock: threading.Lock = field(default_factory=threading.Lock)
    luck: SessionLuck | None = None  # once somebody has asked
    luck_lock: threading.Lock = field(default_factory=threading.Lock)  # it takes seconds


class TableRoom:
    """Answers requests from people who play; sessions are kept under `folder`."""

    def __init__(self, runs: OpenedRuns, folder: Path) -> None:
        self.runs, self.folder = runs, folder
        self._tables: OrderedDict[str, _Table] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def operations(self) -> list[Operation[Any]]:
        """What can be asked."""
        return [
            Operation("GET", "sessions", Parameters, self.list),
            Operation("POST", "sit", SitParameters, self.sit),
            Operation("GET", "table", TableParameters, self.look),
            Operation("POST", "act", ActParameters, self.act),
            Operation("POST", "next", NextParameters, self.next),
            Operation("GET", "hint", TableParameters, self.hint),
            Operation("GET", "told", TableParameters, self.tell_hands),
            Operation("POST", "value", TableParameters, self.value),
            Operation("GET", "report", TableParameters, self.report),
        ]

    def list(self, given: Parameters) -> dict[str, Any]:
        """The sessions against runs that are served, the latest first."""
        names = {str(run.path): run.name for run in self.runs.list()}
        found = [
            (record.begun, {"session": name, "run": names[record.run], "hands": record.number})
            for name, record in find_sessions(self.folder)
            if record.run in names
        ]
        found.sort(key=lambda pair: -pair[0])
        listed = [session | {"begun": begun} for begun, session in found[:_MOST_LISTED]]
        return {"folder": str(self.folder), "sessions": listed}

    def sit(self, given: SitParameters) -> dict[str, Any]:
        """Begin a session."""
        opened = self.runs.open(given.run)
        bot = _check_bot(given.run, opened.content)
        seed = secrets.randbits(61) if given.seed is None else given.seed
        record = SessionRecord(str(opened.found.path), seed, time.time(), search=given.search)
        name = secrets.token_hex(8)
        folder = SessionFolder(self.folder / name)
        table = _Table(name, given.run, record, folder, begin_session(bot, record))
        _save(table)
        self._keep(table)
        return _describe(table)

    def look(self, given: TableParameters) -> dict[str, Any]:
        """A table as the person sees it."""
        table = self._find(given.session)
        with table.lock:
            return _describe(table)

    def act(self, given: ActParameters) -> dict[str, Any]:
        """Do what the person wants, if it has seen all that happened; a second click does not."""
        table = self._find(given.session)
        with table.lock:
            play = table.play
            if (given.hand, given.step) == (play.number, len(play.actions)):
                play.act(given.action)
                _save(table)
            return _describe(table)

    def next(self, given: NextParameters) -> dict[str, Any]:
        """Deal the next hand."""
        table = self._find(given.session)
        with table.lock:
            if given.hand == table.play.number:
                table.play.next_hand()
                _save(table)
            return _describe(table)

    def hint(self, given: TableParameters) -> dict[str, Any]:
        """What the bot would do in the person's place."""
        table = self._find(given.session)
        with table.lock:
            trace = table.play.hint()
            assert trace is not None  # every bot here has an adviser
            return write_trace(trace)

    def tell_hands(self, given: TableParameters) -> dict[str, Any]:
        """All hands that are over, in words."""
        table = self._find(given.session)
        with table.lock:
            told = []
            for hand in table.folder.hands:
                state = parse_state(table.play.variant, hand.state)
                seats = f"seat 0 is {hand.players[0]}, seat 1 is {hand.players[1]}"
                told.append("\n".join([f"hand {hand.hand}: {seats}", *narrate(state)]))
            return {"text": "\n\n".join(told)}

    def value(self, given: TableParameters) -> dict[str, Any]:
        """The grades of the hand that is over, with the EV that decisions lost, where it is known.

        Computed apart from the play, since it may take seconds.
        """
        table = self._find(given.session)
        opened = self.runs.open(table.run)
        with table.lock:
            play, number = table.play, table.play.number
            decisions = list_decisions(play) if play.over else []
        grades = grade_by_value(_check_bot(table.run, opened.content), decisions)
        with table.lock:
            if grades and grades != table.folder.grades.get(number + 1):
                table.folder.add_grades(number + 1, grades)
        return {"hand": number, "grades": [each.to_dict() for each in grades]}

    def report(self, given: TableParameters) -> dict[str, Any]:
        """What the session came to less luck, and how good the decisions were."""
        table = self._find(given.session)
        with table.lock:
            hands = list(table.folder.hands)
        with table.luck_lock:
            if table.luck is None and hands:
                bot = _check_bot(table.run, self.runs.open(table.run).content)
                searches = bool(table.record.search)
                table.luck = SessionLuck(bot, table.record.seed, searches=searches)
            if table.luck is not None:
                table.luck.add_histories(hands)
            rates = None if table.luck is None else table.luck.rates()
        with table.lock:
            return describe_report(table.folder, rates)

    def _find(self, name: str) -> _Table:
        """A table, read back from disk if need be."""
        with self._lock:
            if name in self._tables:
                self._tables.move_to_end(name)
                return self._tables[name]
        folder = SessionFolder(self.folder / name)
        if not is_session_name(name) or not folder.path.is_dir():
            raise UnknownNameError("session", name, [])
        record = folder.load()
        names = {str(run.path): run.name for run in self.runs.list()}
        if record.run not in names:
            raise UnknownNameError("run", record.run, names.values())
        bot = _check_bot(names[record.run], self.runs.open(names[record.run]).content)
        return self._keep(
            _Table(name, names[record.run], record, folder, resume_session(bot, folder, record))
        )

    def _keep(self, table: _Table) -> _Table:
        """Keep a table in memory; if another request was faster, its table."""
        with self._lock:
            kept = self._tables.setdefault(table.name, table)
            if len(self._tables) > _MOST_TABLES:
                self._tables.popitem(last=False)
            return kept


def _check_bot(run: str, content: object) -> TrainedBot:
    if not isinstance(content, TrainedBot):
        raise GameError(f"{run!r} is not a trained bot, so nobody can play against it")
    return content


def _save(table: _Table) -> None:
    play, record = table.play, table.record
    if play.over:
        table.folder.add_hand(play)
    record.number, record.actions = play.number, list(play.actions)
    table.folder.save(record)


def _describe(table: _Table) -> dict[str, Any]:
    about = {
        "session": table.name,
        "run": table.run,
        "search": table.record.search,
        "can_search": _can_search(table.play.variant),
    }
    return about | describe_table(table.play, table.folder)


def _can_search(variant: Variant) -> bool:
    try:
        check_searchable(variant)
    except UnsupportedGameError:
        return False
    return True
