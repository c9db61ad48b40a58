"""A table for one person and one bot, in lines of text. The caller decides where lines are read
from and written to, so that a terminal and a test can both play.
"""

from collections.abc import Callable

from counterfold.bots.explain import DecisionTrace
from counterfold.bots.play.play_session import PlaySession
from counterfold.bots.play.session_score import write_score
from counterfold.bots.play.table_words import Choice, choices, describe_event, show_cards
from counterfold.bots.view import NO_BOUNTY, View
from counterfold.cards.text import RANKS
from counterfold.errors import IllegalActionError
from counterfold.games.holdem.action_words import CALL, RAISE, name_action
from counterfold.games.holdem.notation import format_action, read_line

LEAVE, HINT, UNDO, EXPLAIN = "q", "h", "u", "e"
HELPS = ("?", "help")
_WORDS = {"hint": HINT, "undo": UNDO, "explain": EXPLAIN, "quit": LEAVE, "leave": LEAVE}

_HELP = (
    "Type the key in brackets, or an action in words: raise to 12 or r12 (chips on this street),",
    "b50% (of the pot), min, allin, call, check, fold. h is a hint: what the bot would do in your",
    "place. Before an all-in goes to the bot, or with --confirm any action, u takes it back, and a",
    "fold also when the hand is over. Then e explains what the bot did. q leaves the table.",
)


class LeaveError(Exception):
    """The person has left the table."""


class TerminalTable:
    """Plays hand after hand of `session`; `read` gets a prompt and gives a line, `write` shows one.

    With `explains`, the bot explains itself after every hand; with `confirms`, every action can be
    taken back before the bot answers. Keys are laid out in `width` columns.
    """

    def __init__(
        self,
        session: PlaySession,
        read: Callable[[str], str],
        write: Callable[[str], None],
        *,
        explains: bool = False,
        confirms: bool = False,
        width: int = 80,
    ) -> None:
        self.session, self.read, self.write = session, read, write
        self.explains, self.confirms, self.width = explains, confirms, width
        self.chips: list[int] = []  # won by the person, hand by hand
        self._told = self._n_faults = 0  # events and faults of the hand that were written

    @property
    def hands(self) -> int:
        """How many hands are over."""
        return len(self.chips)

    @property
    def score(self) -> str:
        """What the person has won, in words."""
        return write_score(self.chips, self.session.variant.big_blind)

    def play(self) -> None:
        """Play one hand to its end. Raises `LeaveError`."""
        session = self.session
        if self.hands:
            session.next_hand()
        place = "you deal" if session.seat == 0 else "the bot deals"
        self.write(f"\nhand {session.number + 1}: {place}; {self.score}")
        self._told = self._n_faults = 0
        while True:
            self._play_on()
            self._tell()
            self.chips.append(session.chips)
            if not self._asks_afterwards():
                return
            self.chips.pop()  # the fold is taken back
            session.undo()
            self._told = len(session.hand.events)

    def _play_on(self) -> None:
        """Let the person act until the hand is over."""
        while not self.session.over:
            self._tell()
            self.session.act(self._ask())

    def _tell(self) -> None:
        """Write what the person has not seen."""
        session = self.session
        for fault in session.faults[self._n_faults :]:
            self.write(f"the bot failed: {fault}")
        for event in session.hand.events[self._told :]:
            if line := describe_event(event, session.hand, session.seat):
                self.write(line)
        self._told, self._n_faults = len(session.hand.events), len(session.faults)

    def _ask(self) -> str:
        """The person's action; asks until it is legal, and not taken back."""
        view = self.session.view
        behind = ""
        if view.variant.has_stacks:
            left = [view.variant.stack - spent for spent in view.spent]
            behind = f"   behind: you {left[view.seat]}, bot {left[1 - view.seat]}"
        board = show_cards(self.session.hand.board) or "-"
        bounty = "" if view.bounty == NO_BOUNTY else f"bounty {RANKS[view.bounty]}   "
        options = choices(view)
        while True:
            self.write(
                f"you hold {show_cards(view.hole)}   {bounty}board {board}   pot {view.pot}{behind}"
            )
            for line in lay_out_keys(options, self.width):
                self.write(line)
            action = self._read_action(view, options)
            if not self._takes_back(view, action):
                return action

    def _read_action(self, view: View, options: list[Choice]) -> str:
        while True:
            answer = self._read("> ")
            action = read_answer(answer, view, options)
            if action is not None:
                return action
            if answer in HELPS:
                for line in _HELP:
                    self.write(line)
            elif answer == HINT:
                self._hint()
            else:
                self.write(
                    f"{answer!r} is not one of the keys above; ? is help, q leaves the table"
                )

    def _takes_back(self, view: View, action: str) -> bool:
        """Whether the person takes the action back; asked before an all-in, or always."""
        if not (self.confirms or is_all_in(view, action)):
            return False
        all_in = ", all-in" if is_all_in(view, action) else ""
        return self._read(f"{name_action(action)}{all_in}? Enter, or u takes it back > ") == UNDO

    def _hint(self) -> None:
        trace = self.session.hint()
        if trace is None:
            self.write("this bot gives no hints")
            return
        shown = ", ".join(f"{name} {share:.0%}" for name, share in trace.probabilities)
        self.write(f"in your place the bot would {shown or name_action(trace.action)}")

    def _asks_afterwards(self) -> bool:
        """Explain what the bot did, always or if asked; return whether a fold is taken back."""
        if self.explains:
            self._explain()
            return False
        undo = ", u takes the fold back" if self.session.can_undo else ""
        while True:
            keys = f"Enter for the next hand, e for the bot's reasons{undo}, q leaves"
            answer = self._read(f"{keys} > ")
            if answer == UNDO and undo:
                return True
            if answer == EXPLAIN:
                self._explain()
                undo = ""  # its cards have been seen
            elif answer in HELPS:
                for line in _HELP:
                    self.write(line)
            else:
                return False

    def _read(self, prompt: str) -> str:
        answer = self.read(prompt).strip().lower()
        answer = _WORDS.get(answer, answer)
        if answer == LEAVE:
            raise LeaveError
        return answer

    def _explain(self) -> None:
        traces = self.session.traces
        if traces is None:
            self.write("this bot does not explain itself")
        elif not traces:
            self.write("the bot had nothing to decide")
        for trace in traces or ():
            for line in _tell_trace(trace):
                self.write(line)


def _tell_trace(trace: DecisionTrace) -> list[str]:
    board = show_cards(trace.view.board_cards)
    first, *rest = trace.lines()
    head = f"with {show_cards(trace.view.hole)}{' on ' + board if board else ''}: {first}"
    return [head, *(f"    {line}" for line in rest)]


def is_all_in(view: View, action: str) -> bool:
    """Whether `action` puts in all the chips that the person has."""
    return action[0] in (CALL, RAISE) and view.after(action).spent[view.seat] == view.variant.stack


def lay_out_keys(options: list[Choice], width: int) -> list[str]:
    """Keys with what they do, as many on a line as fit; none is split."""
    lines: list[str] = []
    for choice in options:
        text = f"[{choice.key}] {choice.text}"
        if lines and len(lines[-1]) + 2 + len(text) <= width:
            lines[-1] += f"  {text}"
        else:
            lines.append(text)
    return lines


def read_answer(answer: str, view: View, options: list[Choice]) -> str | None:
    """The legal action that a person typed, a key or a word such as ``b50%``; None if none is."""
    text = answer.lower().replace(" ", "")
    for choice in options:
        if choice.action and text == choice.key:
            return choice.action
    try:
        words = read_line(text)
    except IllegalActionError:
        return None
    action = format_action(view.variant, view.situation, words[0]) if len(words) == 1 else ""
    return action if view.is_legal(action) else None
