"""The two sides of a wire protocol, without the wire.

A `ClientSession` follows a match line by line, asks a bot, and says what to answer. An
`EngineSession` says what one player is told about a hand, and reads its answers. Neither touches a
socket or a clock, so recorded traffic can be played through.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from counterfold.bots.hand import Hand
from counterfold.bots.interface import Bot, HandResult, MatchInfo, decide
from counterfold.bots.view import View
from counterfold.errors import CardError, IllegalActionError, ProtocolError
from counterfold.games.holdem import Variant

Lines = tuple[str, ...]

MAX_FAULTS = 1000  # invalid messages of an engine that a session tolerates before giving up

_log = logging.getLogger(__name__)


class ClientSession(ABC):
    """A bot's side of one match.

    A message that the session cannot follow is a fault, which is logged and counted. The session
    then loses track of the hand and answers passively until the next one begins: one odd line is no
    reason to give up a contest.
    """

    def __init__(
        self, bot: Bot, variant: Variant, n_hands: int | None = None, peer: str = "engine"
    ) -> None:
        self.bot = bot
        self.variant = variant
        self.n_hands = n_hands
        self.peer = peer
        self.over = False
        self.n_hands_ended = 0
        self.chips = 0  # won so far
        self.n_faults = 0  # of the engine, or of our tracking of it
        self.n_refused = 0  # answers that the engine replaced by another action
        self.n_bot_faults = 0
        self.last_fault = ""
        self.last_answer = ""  # the bot's last, until the engine says what it made of it

    @property
    def greeting(self) -> Lines:
        """What a client writes first."""
        return ()

    @property
    def ends_with_connection(self) -> bool:
        """Whether the engine may end the match by closing the connection here."""
        return self.over

    def receive(self, line: str) -> Lines:
        """What to answer to `line`; raises `ProtocolError` only after `MAX_FAULTS` faults."""
        try:
            return self.follow(line)
        except ProtocolError as error:
            return self.forgive(error)
        except (IllegalActionError, CardError) as error:
            return self.forgive(ProtocolError(line, f"what the game allows: {error}"))

    def forgive(self, error: ProtocolError) -> Lines:
        """Record a fault of the engine's, and say what to answer."""
        error.peer = self.peer
        self.note_fault(str(error))
        if self.n_faults > MAX_FAULTS:
            raise error
        return self.recover(error.text)

    def note_fault(self, text: str) -> None:
        """Count a fault of the engine's; the first is printed at once, all go to the debug log."""
        _log.log(logging.DEBUG if self.n_faults else logging.WARNING, "%s", text)
        self.n_faults += 1
        self.last_fault = text

    @abstractmethod
    def follow(self, line: str) -> Lines:
        """What to answer to `line`; raises a `CounterfoldError` if it makes no sense."""

    @abstractmethod
    def recover(self, line: str) -> Lines:
        """What to answer to a line that makes no sense."""

    def ask(self, view: View) -> str:
        """A legal action of the bot's, or a passive one if it fails."""
        action, fault = decide(self.bot, view)
        if fault:
            self.n_bot_faults += 1
            self.last_fault = fault
            _log.error("the bot failed: %s", fault)
        self.last_answer = action
        return action

    def compare(self, action: str) -> None:
        """Count a fault if our last answer came back as another `action`."""
        if self.last_answer and action != self.last_answer:
            self.n_refused += 1
            self.note_fault(f"{self.peer} took our {self.last_answer} as {action}")
        self.last_answer = ""

    def tell(self, method: Callable[..., None], fact: MatchInfo | View | HandResult) -> None:
        """Tell the bot `fact`; if it fails, the match continues."""
        try:
            method(fact)
        except Exception:
            self.n_bot_faults += 1
            _log.exception("the bot failed in %s", method.__name__)

    def count_hand(self, chips: int) -> None:
        """Count a hand that ended, even one that was given up."""
        self.n_hands_ended += 1
        self.chips += chips

    def end_hand(self, view: View, chips: int, opponent_hole: tuple[int, ...]) -> None:
        """Note that a hand ended, and tell the bot."""
        self.count_hand(chips)
        self.tell(self.bot.end_hand, HandResult(view, chips, opponent_hole))


class EngineSession(ABC):
    """An engine's side of one match, for one player."""

    greets = False  # whether a client writes first
    acknowledges = False  # whether a client answers the end of a hand
    last_word = ""  # what a client writes at the end of a match, if anything

    def check_greeting(self, line: str) -> None:
        """Raise `ProtocolError` if a client may not begin like this."""
        return

    def begin_match(self, match: MatchInfo) -> Lines:
        """What a player is told before the first hand."""
        return ()

    @abstractmethod
    def begin_hand(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """What a player is told when a hand begins; nothing to answer."""

    def watch(self, hand: Hand, seat: int) -> Lines:
        """What a player is told when someone is about to act."""
        return ()

    @abstractmethod
    def prompt(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """What asks a player for an action."""

    @abstractmethod
    def read(self, line: str, hand: Hand, seat: int) -> str | None:
        """The action that `line` answers, or None for a line to be ignored.

        Raises `ProtocolError` or `IllegalActionError`; the action is legal.
        """

    @abstractmethod
    def end_hand(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """What a player is told when a hand is over."""

    def end_match(self) -> Lines:
        """What a player is told after the last hand."""
        return ()


@dataclass(frozen=True)
class LogFormat:
    """How an engine logs a match, as lines."""

    begin: Callable[[tuple[str, str], Variant], list[str]]  # names by player
    hand: Callable[[Hand], list[str]]
    end: Callable[[tuple[str, str], tuple[int, int], int], list[str]]  # and chips; hands played


@dataclass(frozen=True)
class WireProtocol:
    """A protocol: the sessions of both sides, and the customs of its engine."""

    name: str
    client_session: Callable[[Bot, Variant, int | None, str], ClientSession]
    engine_session: Callable[[], EngineSession]
    log: LogFormat
    variant: Callable[[], Variant]  # played by default
    line_end: str = "\n"
    first_dealer: int = 0  # player that deals the first hand
    game_seconds: float = 30.0  # that a player may think in a match of 1000 hands
    checks_when_all_in: bool = False
    tells_ranks: bool = True  # whether players know the order of the ranks
    # Both raise `GameError`: for a game that cannot be told, and for one that is not the contest's.
    check_variant: Callable[[Variant], None] = lambda variant: None
    check_contest: Callable[[Variant], None] = lambda variant: None
