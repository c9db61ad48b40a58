"""The tables: a person sits down against a bot, acts, asks for a hint, and may come back later."""

import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import Field

from counterfold.bots.explain import HOWS, DecisionTrace
from counterfold.bots.hand import Act, End
from counterfold.bots.play_session import PlaySession
from counterfold.bots.table_words import choices, describe_event, name_held
from counterfold.bots.trained_bot import TrainedBot
from counterfold.bots.view import View
from counterfold.cards.text import format_cards
from counterfold.errors import GameError, UnknownNameError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BET, RAISE, WORDS, name_action
from counterfold.games.holdem.narration import narrate
from counterfold.games.holdem.notation import parse_state
from counterfold.matches.session_folder import (
    SessionFolder,
    SessionRecord,
    begin_session,
    find_sessions,
    is_session_name,
    rate_of,
    resume_session,
)
from counterfold.web.answers import Operation, Parameters
from counterfold.web.opened_runs import OpenedRuns

_MOST_TABLES = 200  # in memory; others are read back when somebody returns
_MOST_LISTED = 50


class SitParameters(Parameters):
    """Which bot to sit down against."""

    run: str
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


class TableRoom:
    """Answers those who play; sessions are kept under `folder`."""

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
        record = SessionRecord(str(opened.found.path), seed, time.time())
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
            return _write_trace(table.play.hint())

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
        """Keep a table in memory; if somebody was faster, that one."""
        with self._lock:
            kept = self._tables.setdefault(table.name, table)
            if len(self._tables) > _MOST_TABLES:
                self._tables.popitem(last=False)
            return kept


def _check_bot(run: str, content: object) -> TrainedBot:
    if not isinstance(content, TrainedBot):
        raise GameError(f"{run!r} is not a trained bot, so that nobody can play against it")
    return content


def _save(table: _Table) -> None:
    play, record = table.play, table.record
    if play.over:
        table.folder.add_hand(play)
    record.number, record.actions = play.number, list(play.actions)
    table.folder.save(record)


def _describe(table: _Table) -> dict[str, Any]:
    """A table as the person sees it: cards of the bot only once the hand is over."""
    play = table.play
    view, variant = play.view, play.variant
    me = play.seat
    base = view.situation[betting.BASE]
    seats = [
        {
            "behind": variant.stack - view.spent[seat],
            "bet": 0 if play.over else max(0, view.spent[seat] - base),
            "dealer": seat == 0,
        }
        for seat in (me, 1 - me)
    ]
    return {
        "session": table.name,
        "run": table.run,
        "variant": variant.name,
        "hand": play.number,
        "step": len(play.actions),
        "over": play.over,
        "cards": format_cards(view.hole),
        "bot_cards": format_cards(play.hand.holes[1 - me]) if play.over else "",
        "n_cards": variant.hole_cards,
        "board": format_cards(play.hand.board),
        "pot": view.pot,
        "you": seats[0],
        "bot": seats[1],
        "turn": _list_choices(view) if not play.over else None,
        "log": _list_events(play),
        "result": _tell_result(play) if play.over else None,
        "review": _review(play) if play.over else None,
        "score": _score(table),
    }


def _list_choices(view: View) -> dict[str, Any]:
    """Buttons with their keys, and the bounds of a bet of any size."""
    bounds = view.raise_bounds()
    found = [
        {"key": choice.key, "text": choice.text, "action": choice.action}
        for choice in choices(view)
        if choice.action
    ]
    verb = WORDS[RAISE] if view.situation[betting.N_BETS] else BET
    spread = None
    if bounds is not None and bounds[0] < bounds[1]:
        spread = {"low": bounds[0], "high": bounds[1], "verb": verb}
    return {"choices": found, "raise": spread, "to_call": view.to_call}


def _list_events(play: PlaySession) -> list[str]:
    told = []
    for event in play.hand.events:
        if isinstance(event, Act) and event.seat == play.seat:
            told.append(f"you {name_action(event.action, opens=event.opens)}")
        elif line := describe_event(event, play.hand, play.seat):
            told.append(line)
    return told


def _tell_result(play: PlaySession) -> dict[str, Any]:
    end = next(event for event in play.hand.events if isinstance(event, End))
    held = [name_held(play.hand, seat) for seat in (play.seat, 1 - play.seat)]
    return {"chips": play.chips, "showdown": end.showdown, "you": held[0], "bot": held[1]}


def _review(play: PlaySession) -> dict[str, Any]:
    """What the bot thought, and what it would have done in the person's place."""
    mine = [
        event for event in play.hand.events if isinstance(event, Act) and event.seat == play.seat
    ]
    return {
        "bot": [_write_trace(trace) for trace in play.bot.traces],
        "you": [
            _write_trace(trace)
            | {"action": name_action(act.action), "share": trace.share_of(act.action)}
            for trace, act in zip(play.advice, mine, strict=False)
        ],
    }


def _write_trace(trace: DecisionTrace) -> dict[str, Any]:
    return {
        "cards": format_cards(trace.view.hole),
        "board": format_cards(trace.view.board_cards),
        "action": name_action(trace.action),
        "how": HOWS[trace.how],
        "shares": [[name, share] for name, share in trace.probabilities],
        "readings": list(trace.readings),
    }


def _score(table: _Table) -> dict[str, Any]:
    """Chips, mb/hand and bb/100 of the hands that are over, with intervals."""
    mine = [hand.chips[hand.players.index("you")] for hand in table.folder.hands]
    rate = rate_of(mine, table.play.variant.big_blind)
    return {
        "hands": len(mine),
        "chips": sum(mine),
        "mb": None if rate is None else rate.to_dict(),
        "bb100": None if rate is None else rate.times(0.1).to_dict(),
    }
