"""A session of a person against a bot on disk, so that nothing that happens in between loses it.

::

    session.json   which run, how it searches, the seed, and the actions of the hand in play
    hands.jsonl    the hands that are over, as `counterfold replay` reads them
    grades.jsonl   the grades of the person's decisions in them

A hand is added to the second file before the first one says so: after a death in between, the
hand is there, and the first file is behind it. Its grades are written before both.
"""

import contextlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from counterfold.artifacts import append_line, write_json
from counterfold.bots.explain import DecisionTrace
from counterfold.bots.hand_events import ActionTaken
from counterfold.bots.play.decision_values import find_decision_values
from counterfold.bots.play.grading import Grade, grade
from counterfold.bots.play.play_session import PlaySession
from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import ArtifactError, CounterfoldError, HistoryError
from counterfold.matches.hand_histories import HandHistory, format_history, parse_history
from counterfold.search.search_options import MODES
from counterfold.search.searching_bot import with_search

SESSION, HANDS, GRADES = "session.json", "hands.jsonl", "grades.jsonl"
FORMAT = 2
_NAME = re.compile(r"[0-9a-z]{1,32}")
_MOST_ACTIONS = 1000
_MOST_SEED = 2**62


@dataclass
class SessionRecord:
    """What is kept of a session."""

    run: str  # the folder of its bot
    seed: int
    begun: float  # seconds since 1970
    number: int = 0  # of the hand in play, from 0
    actions: list[str] = field(default_factory=list)  # of that hand
    search: str = ""  # mode in which the bot searches; empty if it does not


class SessionFolder:
    """The folder of a session."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> SessionRecord:
        """What was saved; raises `ArtifactError`."""
        try:
            content = json.loads((self.path / SESSION).read_text(encoding="utf-8"))
            record = _parse_record(content)
        except FileNotFoundError:
            raise ArtifactError(f"there is no session in {str(self.path)!r}") from None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise ArtifactError(f"{str(self.path)!r} is damaged: {error}") from error
        if len(self.hands) > record.number + 1:
            raise ArtifactError(
                f"{str(self.path)!r} is damaged: it has hands that were not played yet"
            )
        return record

    def save(self, record: SessionRecord) -> None:
        """Replace the record in one step."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            write_json(self.path / SESSION, {"format": FORMAT, **vars(record)})
        except OSError as error:
            raise _unwritten(self.path, error) from error

    def add_hand(self, session: PlaySession) -> None:
        """Add a hand that is over, unless it is there already."""
        if len(self.hands) > session.number:
            return
        hand = session.hand
        history = HandHistory(
            session.number + 1,
            session.number + 1,
            session.variant.name,
            hand.names,
            hand.state.notation,
            hand.chips,
        )
        self.add_grades(history.hand, grade_hand(session))
        try:
            append_line(self.path / HANDS, format_history(history).encode())
        except OSError as error:
            raise _unwritten(self.path, error) from error
        self.hands.append(history)

    def add_grades(self, hand: int, grades: list[Grade]) -> None:
        """Add the grades of a hand, in place of those that it had."""
        content = {"hand": hand, "grades": [each.to_dict() for each in grades]}
        try:
            append_line(self.path / GRADES, json.dumps(content).encode())
        except OSError as error:
            raise _unwritten(self.path, error) from error
        self.grades[hand] = grades

    @cached_property
    def hands(self) -> list[HandHistory]:
        """The hands that are over."""
        try:
            lines = (self.path / HANDS).read_text(encoding="utf-8").split("\n")
            return [parse_history(line) for line in lines[:-1]]  # one that died has no end
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError, HistoryError) as error:
            raise ArtifactError(f"{str(self.path)!r} is damaged: {error}") from error

    @cached_property
    def grades(self) -> dict[int, list[Grade]]:
        """Grades by hand, the last ones written; of a file that cannot be read, none."""
        found = {}
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            for line in (self.path / GRADES).read_text(encoding="utf-8").splitlines():
                content = json.loads(line)
                found[int(content["hand"])] = [Grade(**each) for each in content["grades"]]
        return found


def grade_hand(session: PlaySession) -> list[Grade]:
    """The grades of the person's decisions in the hand, as far as the bot gave advice."""
    return [grade(trace, action) for trace, action in list_decisions(session)]


def list_decisions(session: PlaySession) -> list[tuple[DecisionTrace, str]]:
    """The person's decisions in the hand: what the bot would have done, and what the person did."""
    mine = [
        event.action
        for event in session.hand.events
        if isinstance(event, ActionTaken) and event.seat == session.seat
    ]
    return list(zip(session.advice, mine, strict=False))


def grade_by_value(bot: TrainedBot, decisions: Iterable[tuple[DecisionTrace, str]]) -> list[Grade]:
    """The grades of decisions, with the EV that they lost where it takes about a second."""
    return [grade(trace, action, find_decision_values(bot, trace)) for trace, action in decisions]


def begin_session(bot: TrainedBot, record: SessionRecord) -> PlaySession:
    """The session of a record; raises `CounterfoldError` if its actions do not fit the rules."""
    player = (with_search(bot, record.search) if record.search else bot).player
    # Seeds are those of `matches.aivat`, so that the luck of a session can be computed.
    bots = player(record.seed + 1), player(record.seed + 2)
    return PlaySession(bot.variant, *bots, record.seed, record.number, record.actions)


def resume_session(bot: TrainedBot, folder: SessionFolder, record: SessionRecord) -> PlaySession:
    """The session in `folder`, whose `record` may be behind it or may not fit, and is repaired."""
    try:
        play = begin_session(bot, record)
        if play.over or len(folder.hands) <= record.number:
            return play
        record.number += 1  # the hand was over, but a death came before the record
    except CounterfoldError:
        pass  # the bot has other rules by now: the hand is dealt again
    record.actions = []
    return begin_session(bot, record)


def find_sessions(folder: Path) -> Iterator[tuple[str, SessionRecord]]:
    """The sessions under `folder` with their names, damaged ones left out."""
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if _NAME.fullmatch(path.name) and (path / SESSION).is_file():
            with contextlib.suppress(ArtifactError):
                yield path.name, SessionFolder(path).load()


def is_session_name(name: str) -> bool:
    """Whether a session may be called `name`: letters and digits alone."""
    return _NAME.fullmatch(name) is not None


def _parse_record(content: Any) -> SessionRecord:
    if content["format"] != FORMAT:
        raise ValueError(f"its format is {content['format']!r}, but this version reads {FORMAT}")
    record = SessionRecord(
        content["run"], content["seed"], content["begun"], content["number"], content["actions"]
    )
    record.search = content["search"]
    good = (
        isinstance(record.run, str)
        and isinstance(record.begun, int | float)
        and record.search in ("", *MODES)
        and type(record.seed) is int
        and 0 <= record.seed < _MOST_SEED
        and type(record.number) is int
        and 0 <= record.number < _MOST_SEED
        and isinstance(record.actions, list)
        and len(record.actions) <= _MOST_ACTIONS
        and all(isinstance(action, str) for action in record.actions)
    )
    if not good:
        raise ValueError("its values are not those of a session")
    return record


def _unwritten(path: Path, error: OSError) -> ArtifactError:
    return ArtifactError(f"cannot write to {str(path)!r}: {error.strerror or error}")
