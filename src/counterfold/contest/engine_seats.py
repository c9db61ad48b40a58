"""The two seats of a match that we host: who sits there, its clock, and its faults. The seat may
hold one of our bots or a program at the end of a connection. The clock is for the whole match. Once
it has run out, or the program has disconnected, the seat is not asked again: it keeps and checks,
or else folds, until the end of the match.
"""

import logging
import re
import time
import traceback
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from counterfold.bots.hand import Hand
from counterfold.bots.interface import Bot, HandResult, MatchInfo, decide
from counterfold.contest.connection import Connection, SilenceError
from counterfold.contest.wire.base import EngineSession, Lines
from counterfold.errors import BudgetError, IllegalActionError, PeerError, ProtocolError

_MOST_SECONDS = 1e8  # what a clock on the wire can show

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """The times of a contest, in seconds; the defaults are those of MIT Pokerbots."""

    game_seconds: float = 30.0  # of thought for the whole match
    action_seconds: float = 10.0  # for one answer
    connect_seconds: float = 10.0
    build_seconds: float = 10.0
    quit_seconds: float = 10.0

    def __post_init__(self) -> None:
        for name, seconds in vars(self).items():
            if not 0.0 < seconds <= _MOST_SECONDS:
                raise BudgetError(
                    f"{name} must be a time of at most {_MOST_SECONDS:g} s, not {seconds!r}"
                )


@dataclass
class Pace:
    """How long a player took for its decisions."""

    n_decisions: int = 0
    seconds: float = 0.0
    slowest_seconds: float = 0.0

    def add(self, seconds: float) -> None:
        """Count a decision."""
        self.n_decisions += 1
        self.seconds += seconds
        self.slowest_seconds = max(self.slowest_seconds, seconds)


class EngineSeat(ABC):
    """A seat at our engine for one player: its clock, and its faults."""

    def __init__(self, name: str, limits: Limits) -> None:
        self.name = name
        self.limits = limits
        self.seconds_left = limits.game_seconds
        self.n_faults = 0
        self.n_answers = 0  # that were legal and came in time
        self.pace = Pace()
        self.forfeit = ""  # why it is no longer asked
        self._kinds: Counter[str] = Counter()  # of faults
        self._examples: dict[str, str] = {}  # the first fault of each kind

    @property
    def is_asked(self) -> bool:
        """Whether the player has not forfeited the rest of the match."""
        return self.seconds_left > 0.0

    def dismiss(self, why: str) -> None:
        """Stop asking the player."""
        self.seconds_left = 0.0
        self.forfeit = self.forfeit or why

    @abstractmethod
    def begin_match(self, match: MatchInfo) -> None:
        """Tell the player what is played."""

    @abstractmethod
    def begin_hand(self, hand: Hand, seat: int) -> None:
        """Tell the player its cards."""

    def watch(self, hand: Hand, seat: int) -> None:
        """Tell the player the state of the hand, even if the other one acts."""
        return

    @abstractmethod
    def act(self, hand: Hand, seat: int) -> str:
        """A legal action; faults are noted in the hand."""

    @abstractmethod
    def end_hand(self, hand: Hand, seat: int) -> None:
        """Tell the player how the hand ended."""

    @abstractmethod
    def end_match(self) -> None:
        """Say goodbye."""

    def report_faults(self) -> None:
        """Log one line for each kind of fault: how many, and the first."""
        for kind, n in self._kinds.items():
            times = "" if n == 1 else f" ({n:,} times, this first)"
            _log.warning("%s %s%s", self.name, self._examples[kind], times)

    def _fault(self, hand: Hand, seat: int, text: str, *, forfeits: bool = False) -> None:
        self.n_faults += 1
        hand.fault(seat, text)
        kind = text.partition(":")[0]
        self._kinds[kind] += 1
        self._examples.setdefault(kind, f"{text} in hand {hand.number + 1}")
        if forfeits:
            self.dismiss(f"{text} in hand {hand.number + 1}")


class BotSeat(EngineSeat):
    """One of our bots. It cannot be interrupted: a slow decision is noticed when it ends."""

    def __init__(self, name: str, bot: Bot, limits: Limits) -> None:
        super().__init__(name, limits)
        self.bot = bot

    def begin_match(self, match: MatchInfo) -> None:
        """Tell the bot; its errors are passed to the caller."""
        self.bot.begin_match(match)

    def begin_hand(self, hand: Hand, seat: int) -> None:
        """Show the bot its cards."""
        view = hand.view(seat, self.seconds_left)
        self._tell(lambda: self.bot.begin_hand(view), hand, seat)

    def act(self, hand: Hand, seat: int) -> str:
        """The bot's action, if it is legal and came in time."""
        if hand.forced or not self.is_asked:
            return hand.passive_action
        begin = time.perf_counter()
        action, fault = decide(self.bot, hand.view(seat, self.seconds_left))
        taken = time.perf_counter() - begin
        self.seconds_left -= taken
        self.pace.add(taken)
        if not self.is_asked or taken > self.limits.action_seconds:
            self._fault(hand, seat, "ran out of time", forfeits=True)
            return hand.passive_action
        if fault:
            self._fault(hand, seat, last_line(fault))
            self._log_traceback(fault)
        else:
            self.n_answers += 1
        return action

    def end_hand(self, hand: Hand, seat: int) -> None:
        """Show the bot the result."""
        view = hand.view(seat, self.seconds_left)
        shown = tuple(hand.holes[1 - seat]) if hand.showdown else ()
        result = HandResult(view, hand.chips[seat], shown)
        self._tell(lambda: self.bot.end_hand(result), hand, seat)

    def end_match(self) -> None:
        """Nothing to do."""
        return

    def _tell(self, call: Callable[[], None], hand: Hand, seat: int) -> None:
        try:
            call()
        except Exception as error:
            self._fault(hand, seat, last_line(f"failed: {error!r}"))
            self._log_traceback(traceback.format_exc())

    def _log_traceback(self, text: str) -> None:
        """Log the first failure in full."""
        _log.log(logging.WARNING if self.n_faults == 1 else logging.DEBUG, "%s", text)


class ProgramSeat(EngineSeat):
    """A program that speaks a protocol; without a connection it never came."""

    def __init__(
        self, name: str, connection: Connection | None, session: EngineSession, limits: Limits
    ) -> None:
        super().__init__(name, limits)
        self.session = session
        self.connection = connection
        if connection is None:
            self.dismiss("never connected")

    def begin_match(self, match: MatchInfo) -> None:
        """Read the greeting, and send the rules of the match."""
        if self.connection is None:
            return
        try:
            if self.session.greets:
                self.session.check_greeting(self.connection.read(self.limits.connect_seconds))
            self._write(self.session.begin_match(match))
        except (PeerError, ProtocolError) as error:
            self.n_faults += 1
            self.dismiss(f"did not begin the match properly: {error}")
            _log.warning("%s: %s", self.name, error)

    def begin_hand(self, hand: Hand, seat: int) -> None:
        """Tell the program its cards, if the protocol does that here."""
        self._tell(self.session.begin_hand(hand, seat, self.seconds_left), hand, seat)

    def watch(self, hand: Hand, seat: int) -> None:
        """Tell the program the state of the hand, if the protocol does that."""
        self._tell(self.session.watch(hand, seat), hand, seat)

    def act(self, hand: Hand, seat: int) -> str:
        """The program's answer, if it is legal and came in time."""
        if not self.is_asked:
            return hand.passive_action
        begin = time.perf_counter()
        answer = self._ask(self.session.prompt(hand, seat, self.seconds_left), hand, seat)
        if not hand.forced:
            self.pace.add(time.perf_counter() - begin)
        if answer is None:
            return hand.passive_action
        self.n_answers += 1
        return answer

    def end_hand(self, hand: Hand, seat: int) -> None:
        """Tell the program the result, and wait for its acknowledgment if the protocol has one."""
        if not self.is_asked:
            return
        lines = self.session.end_hand(hand, seat, self.seconds_left)
        if self.session.acknowledges:
            self._ask(lines, hand, seat)
        else:
            self._tell(lines, hand, seat)

    def end_match(self) -> None:
        """Say goodbye and close the connection."""
        if self.connection is None:
            return
        try:
            self._write(self.session.end_match())
            deadline = time.monotonic() + self.limits.quit_seconds
            while self.is_asked and self.session.last_word:
                line = self.connection.read(max(deadline - time.monotonic(), 0.0))
                if line.strip() == self.session.last_word:
                    break
        except (PeerError, ProtocolError) as error:
            _log.info("%s: %s", self.name, error)
        finally:
            self.connection.close()

    def _ask(self, lines: Lines, hand: Hand, seat: int) -> str | None:
        """The legal action that answers `lines`, or None after a fault."""
        assert self.connection is not None
        begin = time.perf_counter()
        allowed = min(self.limits.action_seconds, self.seconds_left)
        action = None
        try:
            self._write(lines)
            while action is None:
                left = allowed - (time.perf_counter() - begin)
                line = self.connection.read(max(left, 0.0))
                action = self.session.read(line, hand, seat)
        except SilenceError:
            self._fault(hand, seat, "ran out of time", forfeits=True)
        except PeerError:
            self._fault(hand, seat, "disconnected", forfeits=True)
        except IllegalActionError as error:
            self._fault(hand, seat, f"attempted illegal {error}")
        except ProtocolError as error:
            self._fault(hand, seat, f"response misformatted: {last_line(error.text)}")
        if self.is_asked:
            self.seconds_left -= time.perf_counter() - begin
            if not self.is_asked:
                self._fault(hand, seat, "ran out of time", forfeits=True)
                return None
        return action

    def _tell(self, lines: Lines, hand: Hand, seat: int) -> None:
        if not self.is_asked:
            return
        try:
            self._write(lines)
        except SilenceError:
            self._fault(hand, seat, "ran out of time", forfeits=True)
        except PeerError:
            self._fault(hand, seat, "disconnected", forfeits=True)

    def _write(self, lines: Lines) -> None:
        assert self.connection is not None
        for line in lines:
            self.connection.write(line, min(self.limits.action_seconds, self.seconds_left))


def last_line(text: str) -> str:
    """The last line of a text, short and in printable ASCII, for a log."""
    lines = text.strip().splitlines() or [""]
    return re.sub("[^ -~]", "?", lines[-1][:200])
