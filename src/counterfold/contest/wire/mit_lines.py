"""The line protocol of MIT Pokerbots since 2020: its plain engine, and River of Blood of 2023.

A message is one line of clauses: the clock, then all that happened since the player's previous
message, its own actions included. A client answers every line with one action, even with a check
when a hand is over. Raises are to a total of the street. Seat 0 is the dealer. When the stacks are
in, the engine still asks both players for a check on every street.
"""

from collections.abc import Iterable
from typing import NamedTuple

from counterfold.bots.hand import Act, BoardDealt, End, Event, Hand
from counterfold.bots.interface import Bot, MatchInfo
from counterfold.bots.view import View, first_view
from counterfold.cards import format_cards
from counterfold.contest import gamelog
from counterfold.contest.wire.base import (
    ClientSession,
    EngineSession,
    Lines,
    LogFormat,
    WireProtocol,
)
from counterfold.contest.wire.fields import (
    parse_seconds,
    parse_signed,
    parse_whole,
    parse_wire_cards,
)
from counterfold.errors import GameError, IllegalActionError, ProtocolError
from counterfold.games.holdem import VARIANTS, Variant
from counterfold.games.holdem.action_words import CHECK

CLOCK, SEAT, HOLE, BOARD, SHOWN, DELTA, QUIT = "TPHBODQ"
RAISE = "R"
ACTIONS = "FCKR"

_CLAUSES = "a clause T, P, H, F, C, K, R, B, O, D or Q"


class Clause(NamedTuple):
    """A letter and its value."""

    letter: str
    value: int | float | tuple[int, ...] | None = None


def parse_message(line: str) -> tuple[Clause, ...]:
    """The clauses of a line of the engine."""
    if line == QUIT:
        return (Clause(QUIT),)
    clauses = tuple(_parse_clause(text, line) for text in line.split(" "))
    if clauses[0].letter != CLOCK:
        raise ProtocolError(line, "the clock first, such as T30.000")
    return clauses


def format_message(clauses: Iterable[Clause]) -> str:
    """The line that says `clauses`."""
    return " ".join(_format_clause(clause) for clause in clauses)


def parse_answer(line: str) -> str:
    """The action that a client answers."""
    clause = _parse_clause(line.strip(), line)
    if clause.letter not in ACTIONS:
        raise ProtocolError(line, "F, C, K or R and a number")
    return _format_clause(clause).lower()


def format_answer(action: str) -> str:
    """The line that answers with an action."""
    return action.upper()


def _parse_clause(text: str, line: str) -> Clause:
    letter, rest = text[:1], text[1:]
    if letter in ("F", "C", "K") and not rest:
        return Clause(letter)
    if letter == RAISE:
        return Clause(letter, parse_whole(rest, line, "a raise"))
    if letter == CLOCK:
        return Clause(letter, parse_seconds(rest, line))
    if letter == SEAT and rest in ("0", "1"):
        return Clause(letter, int(rest))
    if letter in (HOLE, BOARD, SHOWN):
        return Clause(letter, parse_wire_cards(rest.split(","), line, "cards"))
    if letter == DELTA:
        return Clause(letter, parse_signed(rest, line, "chips won"))
    raise ProtocolError(line, f"{_CLAUSES}, not {text[:40]!r}")


def _format_clause(clause: Clause) -> str:
    letter, value = clause
    if isinstance(value, tuple):
        return letter + format_cards(value, ",")
    if letter == CLOCK:
        return f"{letter}{value:.3f}"
    return letter if value is None else f"{letter}{value}"


class LineClientSession(ClientSession):
    """Follows the lines of an engine."""

    def __init__(
        self, bot: Bot, variant: Variant, n_hands: int | None = None, peer: str = "engine"
    ) -> None:
        super().__init__(bot, variant, n_hands, peer)
        self.view: View | None = None  # None between hands and after a fault
        self._board: tuple[int, ...] = ()  # in the order dealt
        self._shown: tuple[int, ...] = ()
        self._n_checks = 0  # still to come on a street on which no one can bet
        self._begun = False

    def follow(self, line: str) -> Lines:
        """The answer to a line: an action, or a check."""
        clauses = parse_message(line)
        if clauses[0].letter == QUIT:
            self.over = True
            return ()
        seconds = clauses[0].value
        assert isinstance(seconds, float)
        if not self._begun:
            self._begun = True
            match = MatchInfo(self.variant, n_hands=self.n_hands, clock_seconds=seconds)
            self.bot.begin_match(match)
        letters = "".join(clause.letter for clause in clauses[1:])
        if letters.startswith(SEAT + HOLE):
            self._begin(clauses)
            clauses = clauses[2:]
        elif self.view is None:  # lost track of this hand
            return (format_answer(CHECK),)
        for clause in clauses[1:]:
            self._follow(clause, line)
        if self.view is None:
            return (format_answer(CHECK),)
        self.view = self.view.with_clock(seconds)
        return (self._answer(line),)

    def recover(self, line: str) -> Lines:
        """A check: the engine folds where that is not legal."""
        self.view = None
        return (format_answer(CHECK),)

    def _begin(self, clauses: tuple[Clause, ...]) -> None:
        seat, hole = clauses[1].value, clauses[2].value
        assert isinstance(seat, int)
        assert isinstance(hole, tuple)
        self._board, self._shown, self._n_checks, self.last_answer = (), (), 0, ""
        self.view = first_view(self.variant, seat, hole)
        self.tell(self.bot.begin_hand, self.view)

    def _follow(self, clause: Clause, line: str) -> None:
        letter, value = clause
        view = self.view
        if view is None:
            raise ProtocolError(line, "nothing after the chips won")
        if letter in ACTIONS:
            action = _format_clause(clause).lower()
            if self._n_checks and action == CHECK:
                self._n_checks -= 1
            else:
                self.view = view.after(action)
                if view.my_turn:
                    self.compare(action)
        elif letter == BOARD and isinstance(value, tuple):
            n_old = len(self._board)
            if value[:n_old] != self._board or self._n_checks:
                raise ProtocolError(line, "a board that continues the one before")
            self.view = view.after_board(value[n_old:])
            self._board = value
            self._n_checks = 2 if self.view.all_in else 0
        elif letter == SHOWN and isinstance(value, tuple):
            self._shown = value
        elif letter == DELTA and isinstance(value, int):
            self._end(view, value, line)
        else:
            raise ProtocolError(line, f"an action, a board or an end of the hand, not {letter}")

    def _end(self, view: View, chips: int, line: str) -> None:
        if not view.over or self._n_checks:
            raise ProtocolError(line, f"more actions before the chips won in {view}")
        expected = view.winnings(self._shown)
        self.view = None
        self.end_hand(view, chips, self._shown)
        if chips != expected:
            raise ProtocolError(line, f"D{expected} after {view}")

    def _answer(self, line: str) -> str:
        view = self.view
        assert view is not None
        if self._n_checks:
            first = view.variant.streets[-1].first
            if view.seat == (first if self._n_checks == 2 else 1 - first):
                return format_answer(CHECK)
        elif view.my_turn:
            return format_answer(self.ask(view))
        raise ProtocolError(line, f"no message before it is this seat's turn in {view}")


class LineEngineSession(EngineSession):
    """Says what happened since the player's last message."""

    acknowledges = True

    def __init__(self) -> None:
        self._n_told = 0  # events of this hand
        self._introduced = False  # whether the player has its cards

    def begin_hand(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """Nothing: cards come with the first question."""
        self._n_told, self._introduced = 0, False
        return ()

    def prompt(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """One line."""
        clauses = [Clause(CLOCK, seconds)]
        if not self._introduced:
            clauses += [Clause(SEAT, seat), Clause(HOLE, hand.deal.holes[seat])]
            self._introduced = True
        for event in hand.events[self._n_told :]:
            clauses += _say(event, hand, seat)
        self._n_told = len(hand.events)
        return (format_message(clauses),)

    def read(self, line: str, hand: Hand, seat: int) -> str:
        """The action, if it is legal."""
        action = parse_answer(line)
        over = hand.waits_for is None
        if action == CHECK if over or hand.forced else hand.view(seat).is_legal(action):
            return action
        raise IllegalActionError(gamelog.ACTION_NAMES[action[0]])

    def end_hand(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """One line, which a client answers with a check."""
        return self.prompt(hand, seat, seconds)

    def end_match(self) -> Lines:
        """The quit line."""
        return (QUIT,)


def _say(event: Event, hand: Hand, seat: int) -> list[Clause]:
    if isinstance(event, Act):
        return [_parse_clause(event.action.upper(), event.action)]
    if isinstance(event, BoardDealt):
        return [Clause(BOARD, event.board)]
    if isinstance(event, End):
        shown = [Clause(SHOWN, tuple(hand.holes[1 - seat]))] if event.showdown else []
        return [*shown, Clause(DELTA, event.chips[seat])]
    return []


def _check_variant(variant: Variant) -> None:
    if variant.hands_change or variant.ante:
        raise GameError(f"{variant.name}: the line protocol does not support draws, swaps or antes")


_LOG = LogFormat(gamelog.format_begin, gamelog.format_hand, gamelog.format_end)

MIT_PLAIN = WireProtocol(
    "mit-plain",
    LineClientSession,
    LineEngineSession,
    _LOG,
    VARIANTS["nolimit"],
    checks_when_all_in=True,
    check_variant=_check_variant,
)
MIT_2023 = WireProtocol(
    "mit-2023",
    LineClientSession,
    LineEngineSession,
    _LOG,
    VARIANTS["river-of-blood"],
    checks_when_all_in=True,
    check_variant=_check_variant,
)
