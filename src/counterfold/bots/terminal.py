"""A table for one person and one bot, in lines of text. The caller decides where lines are read
from and written to, so that a terminal and a test can both play.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from counterfold.bets.menu_kernels import total_of_size
from counterfold.bots.hand import Act, BoardDealt, CardDrawn, Deal, End, Event, Hand
from counterfold.bots.interface import Bot, HandResult, MatchInfo, decide
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.bots.view import View
from counterfold.cards import hand_category, rank
from counterfold.cards.text import RANKS, SUIT_SIGNS
from counterfold.errors import IllegalActionError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import (
    BET,
    CALL,
    DISCARD,
    KEEP,
    RAISE,
    WORDS,
    tell_action,
)
from counterfold.games.holdem.notation import format_action, read_line

LEAVE, ASK = "q", "?"

_SHARES = {"h": ("half pot", 500), "p": ("pot", 1000)}  # per mille of the pot after the call
_EXACT = np.array([1000, 0], np.int64)  # a size becomes all-in only where it equals the stack
_STREETS = {3: "flop", 4: "turn", 5: "river"}


class LeaveError(Exception):
    """The person has left the table."""


@dataclass(frozen=True)
class Choice:
    """A key, what it says, and the action behind it."""

    key: str
    text: str
    action: str


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
        """Chips so far, and thousandths of a big blind per hand."""
        if not self.hands:
            return "no hand played"
        rate = 1000 * self.chips / self.variant.big_blind / self.hands
        hands = "1 hand" if self.hands == 1 else f"{self.hands} hands"
        return f"{self.chips:+,} chips in {hands}, {rate:+,.0f} mb/g"

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
            line = _describe(event, hand, seat)
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
            if answer == ASK:
                self.write("the bot explains itself when the hand is over")
            else:
                self.write(f"{answer!r} is not one of the keys above; q leaves the table")

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


def choices(view: View) -> list[Choice]:
    """The keys of a person to act."""
    if view.phase == betting.DRAW:
        cards = [action for action in view.plain_actions() if action != KEEP]
        drawn = [
            Choice(str(place + 1), f"{WORDS[DISCARD]} {_show_text(action[1:])}", action)
            for place, action in enumerate(cards)
        ]
        return [Choice(KEEP, WORDS[KEEP], KEEP), *drawn]
    prices = {CALL: f" {view.to_call}"}
    found = [Choice(a, WORDS[a] + prices.get(a, ""), a) for a in view.plain_actions()]
    bounds = view.raise_bounds()
    if bounds is None:
        return found
    low, high = bounds
    verb = WORDS[RAISE] if view.situation[betting.N_BETS] else BET
    if low == high:
        return [*found, Choice("r", f"{verb} {low}", f"{RAISE}{low}")]
    base = view.situation[betting.BASE]
    for key, (name, share) in _SHARES.items():
        total = total_of_size(view.variant.rules, _EXACT, view.situation, share) - base
        if low <= total < high:
            found.append(Choice(key, f"{name}: {verb} {total}", f"{RAISE}{total}"))
    most = "all-in" if high + base == view.variant.stack else "most"
    found.append(Choice("a", f"{most}: {verb} {high}", f"{RAISE}{high}"))
    found.append(Choice(f"r {low}-{high}", f"{verb} any amount", ""))
    return found


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


def show_cards(cards: tuple[int, ...] | list[int]) -> str:
    """Cards with suit symbols."""
    return " ".join(f"{RANKS[card >> 2]}{SUIT_SIGNS[card & 3]}" for card in cards)


def _show_text(card: str) -> str:
    return card[0] + SUIT_SIGNS["cdhs".index(card[1])]


def _describe(event: Event, hand: Hand, seat: int) -> str:
    """An event as the person at `seat` sees it; nothing for what it did itself."""
    if isinstance(event, BoardDealt):
        street = _STREETS.get(len(event.board), "card")
        return f"{street}: {show_cards(event.board)}"
    if isinstance(event, CardDrawn) and event.seat == seat:
        return f"you get {show_cards([event.new])} for {show_cards([event.old])}"
    if isinstance(event, Act) and event.seat != seat:
        if event.action == KEEP:
            return "the bot keeps its cards"
        if event.action[0] == DISCARD:
            return "the bot discards a card"
        return f"the bot {tell_action(event.action, opens=event.opens)}"
    if isinstance(event, End):
        return _describe_end(event, hand, seat)
    return ""


def _describe_end(end: End, hand: Hand, seat: int) -> str:
    won = end.chips[seat]
    result = f"you win {won}" if won > 0 else f"the bot wins {-won}" if won < 0 else "a tie"
    if not end.showdown:
        return result
    theirs, mine = (_name_hand(hand, each) for each in (1 - seat, seat))
    return f"the bot shows {theirs}; you have {mine}: {result}"


def _name_hand(hand: Hand, seat: int) -> str:
    cards = [*hand.holes[seat], *hand.board]
    shown = show_cards(hand.holes[seat])
    if len(cards) < 5:
        return shown
    first_flush_suit_only = hand.variant.first_flush_suit_only
    return f"{shown} ({hand_category(rank(cards, first_flush_suit_only=first_flush_suit_only))})"
