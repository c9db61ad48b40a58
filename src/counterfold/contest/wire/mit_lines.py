"""The line protocol of MIT Pokerbots since 2020: both sides, in the dialect of any year.

A message is one line of clauses: the clock, then all that happened since the player's previous
message, its own actions included. A client answers every line with one action, even with a check
when a hand is over. Raises are to a total of the street. Seat 0 is the dealer. When the stacks are
in, the engine still asks both players for a check on every street.
"""

from counterfold.bots.hand import Act, BoardDealt, End, Event, Hand, HandsSwapped
from counterfold.bots.interface import Bot, MatchInfo
from counterfold.bots.view import View, first_view
from counterfold.contest import gamelog
from counterfold.contest.wire import mit_clauses as clauses
from counterfold.contest.wire.base import ClientSession, EngineSession, Lines
from counterfold.contest.wire.mit_clauses import (
    PLAIN,
    QUIT,
    Clause,
    Dialect,
    format_message,
    parse_answer,
    parse_message,
)
from counterfold.errors import IllegalActionError, ProtocolError
from counterfold.games.holdem import Variant
from counterfold.games.holdem.action_words import CALL, CHECK, FOLD, RAISE

_ACTIONS = {
    clauses.FOLD: FOLD,
    clauses.CALL: CALL,
    clauses.CHECK: CHECK,
    clauses.RAISE: RAISE,
}
_KINDS = {letter: kind for kind, letter in _ACTIONS.items()}


def read_action(clause: Clause) -> str:
    """The action that a clause says."""
    return _ACTIONS[clause.kind] + ("" if clause.value is None else str(clause.value))


def say_action(action: str) -> Clause:
    """The clause that says an action."""
    return Clause(_KINDS[action[0]], int(action[1:]) if action[1:] else None)


class LineClientSession(ClientSession):
    """Follows the lines of an engine."""

    def __init__(
        self,
        bot: Bot,
        variant: Variant,
        n_hands: int | None = None,
        peer: str = "engine",
        dialect: Dialect = PLAIN,
    ) -> None:
        super().__init__(bot, variant, n_hands, peer)
        self.dialect = dialect
        self.view: View | None = None  # None between hands and after a fault
        self._hand: tuple[int, ...] = ()  # in the order dealt
        self._board: tuple[int, ...] = ()  # in the order dealt
        self._shown: tuple[int, ...] = ()
        self._n_checks = 0  # still to come on a street on which no one can bet
        self._begun = False
        self._ignored: set[str] = set()  # letters of clauses

    def follow(self, line: str) -> Lines:
        """The answer to a line: an action, or a check."""
        said = parse_message(line, self.dialect)
        if not said:
            self.over = True
            return ()
        seconds = said[0].value
        if not self._begun:
            self._begun = True
            match = MatchInfo(self.variant, n_hands=self.n_hands, clock_seconds=seconds)
            self.bot.begin_match(match)
        if [clause.kind for clause in said[1:3]] == [clauses.SEAT, clauses.HOLE]:
            self._begin(said[1].value, said[2].value)
            said = said[2:]
        elif self.view is None:  # lost track of this hand
            return self._write(CHECK)
        for clause in said[1:]:
            self._follow(clause, line)
        if self.view is None:
            return self._write(CHECK)
        self.view = self.view.with_clock(seconds)
        return self._write(self._answer(line))

    def recover(self, line: str) -> Lines:
        """A check: the engine folds where that is not legal."""
        self.view = None
        return self._write(CHECK)

    def _write(self, action: str) -> Lines:
        return (format_message([say_action(action)], self.dialect),)

    def _begin(self, seat: int, hole: tuple[int, ...]) -> None:
        self._hand = hole
        self._board, self._shown, self._n_checks, self.last_answer = (), (), 0, ""
        self.view = first_view(self.variant, seat, hole)
        self.tell(self.bot.begin_hand, self.view)

    def _follow(self, clause: Clause, line: str) -> None:
        kind, value = clause
        view = self.view
        if kind == clauses.UNKNOWN:
            self._ignore(value)
            return
        if view is None:
            raise ProtocolError(line, "nothing after the chips won")
        if kind in _ACTIONS:
            self._follow_action(read_action(clause), view)
        elif kind == clauses.BOARD:
            self._follow_board(value, view, line)
        elif kind == clauses.HAND:
            self._follow_swaps(value, view, line)
        elif kind == clauses.SHOWN:
            self._shown = value
        elif kind == clauses.WON:
            self._end(view, value, line)
        else:
            raise ProtocolError(line, f"an action, cards or the chips won, not another {kind}")

    def _ignore(self, text: str) -> None:
        """Count each letter once: an engine of another year may write it in every hand."""
        if text[0] not in self._ignored:
            self._ignored.add(text[0])
            self.note_fault(f"{self.peer} wrote {text!r}, which is ignored: it is of another year")

    def _follow_action(self, action: str, view: View) -> None:
        if self._n_checks and action == CHECK:
            self._n_checks -= 1
            return
        self.view = view.after(action)
        if view.my_turn:
            self.compare(action)

    def _follow_board(self, board: tuple[int, ...], view: View, line: str) -> None:
        n_old = len(self._board)
        if board[:n_old] != self._board or self._n_checks:
            raise ProtocolError(line, "a board that continues the one before")
        self.view = view.after_board(board[n_old:])
        self._board = board
        self._n_checks = 2 if self.view.all_in else 0

    def _follow_swaps(self, hand: tuple[int, ...], view: View, line: str) -> None:
        """The hand of now, place by place; a view has its cards in another order."""
        if len(hand) != len(self._hand):
            raise ProtocolError(line, f"a hand of {len(self._hand)} cards")
        now = dict(zip(self._hand, hand, strict=True))
        self.view = view.after_swaps([now[card] for card in view.hole])
        self._hand = hand

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
                return CHECK
        elif view.my_turn:
            return self.ask(view)
        raise ProtocolError(line, f"no message before it is this seat's turn in {view}")


class LineEngineSession(EngineSession):
    """Says what happened since the player's last message."""

    acknowledges = True

    def __init__(self, dialect: Dialect = PLAIN) -> None:
        self.dialect = dialect
        self._n_told = 0  # events of this hand
        self._introduced = False  # whether the player has its cards

    def begin_hand(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """Nothing: cards come with the first question."""
        self._n_told, self._introduced = 0, False
        return ()

    def prompt(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """One line."""
        said = [Clause(clauses.CLOCK, seconds)]
        if not self._introduced:
            said += [Clause(clauses.SEAT, seat), Clause(clauses.HOLE, hand.deal.holes[seat])]
            self._introduced = True
        for event in hand.events[self._n_told :]:
            said += _say(event, hand, seat)
        self._n_told = len(hand.events)
        return (format_message(said, self.dialect),)

    def read(self, line: str, hand: Hand, seat: int) -> str:
        """The action, if it is legal."""
        action = read_action(parse_answer(line, self.dialect))
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
        return [say_action(event.action)]
    if isinstance(event, BoardDealt):
        return [Clause(clauses.BOARD, event.board)]
    if isinstance(event, HandsSwapped):
        return [Clause(clauses.HAND, event.after[seat])]
    if isinstance(event, End):
        shown = [Clause(clauses.SHOWN, hand.holes[1 - seat])] if event.showdown else []
        return [*shown, Clause(clauses.WON, event.chips[seat])]
    return []
