"""A table for one person and one bot, in lines of text. The caller decides where lines are read
from and written to, so that a terminal and a test can both play.
"""

from collections.abc import Callable

from counterfold.bots.hand import Deal, Hand
from counterfold.bots.interface import Bot, HandResult, MatchInfo, decide
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.bots.table_words import Choice, choices, describe_event, show_cards
from counterfold.bots.view import View
from counterfold.errors import IllegalActionError
from counterfold.games.holdem import Variant
from counterfold.games.holdem.notation import format_action, read_line

LEAVE, ASK = "q", "?"
HELPS = (ASK, "h", "help")

_HELP = """type the key in brackets, or an action in words: raise to 12 or r12 (chips on this
street), b50% (of the pot), min, allin, call, check, fold; ? or h is this help, q leaves the table,
and the bot explains itself when the hand is over"""


class LeaveError(Exception):
    """The person has left the table."""


class TerminalTable:
    """Plays hand after hand; `read` gets a prompt and gives a line, `write` shows one."""

    def __init__(
        self,
        variant: Variant,
        bot: Bot,
        read: Callable[[str], str],
        write: Callable[[str], None],
        *,
        explains: bool = False,
    ) -> None:
        self.variant, self.bot, self.read, self.write = variant, bot, read, write
        self.explains = explains  # after every hand, without being asked
        self.hands = 0
        self.chips = 0  # won by the person
        bot.begin_match(MatchInfo(variant, ("bot", "you")))

    @property
    def score(self) -> str:
        """Chips so far, thousandths of a big blind per hand, and big blinds per hundred hands."""
        if not self.hands:
            return "no hand played"
        rate = 1000 * self.chips / self.variant.big_blind / self.hands
        hands = "1 hand" if self.hands == 1 else f"{self.hands} hands"
        return f"{self.chips:+,} chips in {hands}, {rate:+,.0f} mb/g, {rate / 10:+,.0f} bb/100"

    def play(self, deal: Deal) -> None:
        """Play one hand; seats alternate. Raises `LeaveError`."""
        seat = self.hands % 2
        hand = Hand(self.variant, deal, self.hands)
        place = "you deal" if seat == 0 else "the bot deals"
        self.write(f"\nhand {self.hands + 1}: {place}; {self.score}")
        self.bot.begin_hand(hand.view(1 - seat))
        told = 0
        while hand.waits_for is not None:
            told = self._tell(hand, seat, told)
            if hand.waits_for == seat:
                hand.act(self._ask(hand.view(seat), hand.board))
            else:
                action, fault = decide(self.bot, hand.view(1 - seat))
                if fault:
                    self.write(f"the bot failed: {fault}")
                hand.act(action)
        self._tell(hand, seat, told)
        self.hands += 1
        self.chips += hand.chips[seat]
        shown = tuple(hand.holes[seat]) if hand.showdown else ()
        self.bot.end_hand(HandResult(hand.view(1 - seat), hand.chips[1 - seat], shown))
        self._afterwards()

    def _tell(self, hand: Hand, seat: int, told: int) -> int:
        """Write the events that the person has not seen; return how many there are."""
        for event in hand.events[told:]:
            line = describe_event(event, hand, seat)
            if line:
                self.write(line)
        return len(hand.events)

    def _ask(self, view: View, board: list[int]) -> str:
        """The person's action; asks until it is legal."""
        left = [self.variant.stack - spent for spent in view.spent]
        self.write(
            f"you hold {show_cards(view.hole)}   board {show_cards(board) or '-'}   "
            f"pot {view.pot}   behind: you {left[view.seat]}, bot {left[1 - view.seat]}"
        )
        options = choices(view)
        self.write("  ".join(f"[{choice.key}] {choice.text}" for choice in options))
        while True:
            answer = self.read("> ").strip()
            if answer.lower() == LEAVE:
                raise LeaveError
            action = read_answer(answer, view, options)
            if action is not None:
                return action
            if answer.lower() in HELPS:
                self.write(_HELP)
            else:
                self.write(
                    f"{answer!r} is not one of the keys above; ? is help, q leaves the table"
                )

    def _afterwards(self) -> None:
        """Explain what the bot did, always or if asked."""
        thinker = self.bot if isinstance(self.bot, StrategyBot) else None
        if self.explains and thinker is not None:
            self._explain(thinker)
            return
        while True:
            answer = self.read("Enter for the next hand, ? for the bot's reasons, q to leave > ")
            if answer.strip().lower() == LEAVE:
                raise LeaveError
            if answer.strip() != ASK:
                return
            if thinker is None:
                self.write("this bot does not explain itself")
            else:
                self._explain(thinker)

    def _explain(self, bot: StrategyBot) -> None:
        if not bot.traces:
            self.write("the bot had nothing to decide")
        for trace in bot.traces:
            view = trace.view
            board = show_cards(view.board_cards)
            first, *rest = trace.lines()
            self.write(f"with {show_cards(view.hole)}{' on ' + board if board else ''}: {first}")
            for line in rest:
                self.write(f"    {line}")


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
