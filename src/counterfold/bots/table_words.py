"""What a person at a table is told and offered: keys with real sizes, events in words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from counterfold.bets.menu_kernels import total_of_size
from counterfold.bots.hand import Act, BoardDealt, CardDrawn, End, Event, Hand, HandsSwapped
from counterfold.bots.view import View
from counterfold.cards.text import RANKS, SUIT_SIGNS
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
from counterfold.games.holdem.hand_names import name_hand

_SHARES = {"1": ("half pot", 500), "2": ("pot", 1000)}  # per mille of the pot after the call
_EXACT = np.array([1000, 0], np.int64)  # a size becomes all-in only where it equals the stack
_STREETS = {3: "flop", 4: "turn", 5: "river"}


@dataclass(frozen=True)
class Choice:
    """A key, what it says, and the action behind it."""

    key: str
    text: str
    action: str


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


def show_cards(cards: Sequence[int]) -> str:
    """Cards with suit symbols."""
    return " ".join(f"{RANKS[card >> 2]}{SUIT_SIGNS[card & 3]}" for card in cards)


def _show_text(card: str) -> str:
    return card[0] + SUIT_SIGNS["cdhs".index(card[1])]


def describe_event(event: Event, hand: Hand, seat: int) -> str:
    """An event as the person at `seat` sees it; nothing for what it did itself."""
    if isinstance(event, BoardDealt):
        street = _STREETS.get(len(event.board), "card")
        return f"{street}: {show_cards(event.board)}"
    if isinstance(event, CardDrawn) and event.seat == seat:
        return f"you get {show_cards([event.new])} for {show_cards([event.old])}"
    if isinstance(event, HandsSwapped):
        pairs = zip(event.before[seat], event.after[seat], strict=True)
        told = [f"{show_cards([a])} is swapped for {show_cards([b])}" for a, b in pairs if a != b]
        return f"your {' and your '.join(told)}" if told else ""
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
    theirs, mine = (name_held(hand, each) for each in (1 - seat, seat))
    return f"the bot shows {theirs}; you have {mine}: {result}"


def name_held(hand: Hand, seat: int) -> str:
    """The hole cards of a seat, and what they make on the board."""
    hole = hand.state.holes[seat]
    cards, shown = [*hole, *hand.board], show_cards(hole)
    if len(cards) < 5:
        return shown
    first_flush_suit_only = hand.variant.first_flush_suit_only
    return f"{shown} ({name_hand(cards, first_flush_suit_only=first_flush_suit_only)})"
