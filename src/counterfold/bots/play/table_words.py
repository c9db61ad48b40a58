"""What a table shows a person: keys with real sizes, events in words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from counterfold.bets.menu_kernels import total_of_size
from counterfold.bots.hand import Hand
from counterfold.bots.hand_events import (
    ActionTaken,
    AuctionEnded,
    BoardDealt,
    CardAdded,
    CardDrawn,
    CardSeen,
    End,
    Event,
    HandsSwapped,
)
from counterfold.bots.view import View
from counterfold.cards.ranking import MIN_CARDS
from counterfold.cards.text import RANKS, SUIT_SIGNS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import (
    BET,
    BID,
    CALL,
    DISCARD,
    KEEP,
    RAISE,
    WORDS,
    tell_action,
)
from counterfold.games.holdem.hand_names import name_hand
from counterfold.games.holdem.situation import choice_of
from counterfold.games.holdem.street import Auction, Discard

_SHARES = {"1": ("half pot", 500), "2": ("pot", 1000)}  # per mille of the pot after the call
_EXACT = np.array([1000, 0], np.int64)  # a size becomes all-in only where it equals the stack
_STREETS = ("flop", "turn", "river")


@dataclass(frozen=True)
class Choice:
    """A key, what it says, and the action behind it."""

    key: str
    text: str
    action: str


def choices(view: View) -> list[Choice]:
    """The keys of a person to act."""
    if view.phase == betting.DRAW:
        return _list_discards(view)
    if view.phase == betting.AUCTION:
        return _list_bids(view)
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


def _list_discards(view: View) -> list[Choice]:
    names, step = view.plain_actions(), choice_of(view.variant, view.situation)
    verb = "lay down" if isinstance(step, Discard) and step.to_board else WORDS[DISCARD]
    cards = [action for action in names if action != KEEP]
    found = [
        Choice(str(place + 1), f"{verb} {_show_text(action[1:])}", action)
        for place, action in enumerate(cards)
    ]
    return [Choice(KEEP, WORDS[KEEP], KEEP), *found] if KEEP in names else found


def _list_bids(view: View) -> list[Choice]:
    most = view.most_bid
    if most == 0:
        return [Choice("0", f"{WORDS[BID]} 0", f"{BID}0")]
    amounts = {"0": 0, "1": view.pot // 2, "2": view.pot, "a": most}
    bids = {key: bid for key, bid in amounts.items() if key in "0a" or 0 < bid < most}
    found = [Choice(key, f"{WORDS[BID]} {bid}", f"{BID}{bid}") for key, bid in bids.items()]
    return [*found, Choice(f"{BID} 0-{most}", f"{WORDS[BID]} any amount", "")]


def show_cards(cards: Sequence[int]) -> str:
    """Cards with suit symbols."""
    return " ".join(f"{RANKS[card >> 2]}{SUIT_SIGNS[card & 3]}" for card in cards)


def _show_text(card: str) -> str:
    return card[0] + SUIT_SIGNS["cdhs".index(card[1])]


def describe_event(event: Event, hand: Hand, seat: int) -> str:
    """An event as the person at `seat` sees it; nothing for what it did itself."""
    if isinstance(event, BoardDealt):
        return f"{_name_street(hand, event)}: {show_cards(event.board)}"
    if isinstance(event, CardDrawn) and event.seat == seat:
        return f"you get {show_cards([event.new])} for {show_cards([event.old])}"
    if isinstance(event, HandsSwapped):
        pairs = zip(event.before[seat], event.after[seat], strict=True)
        told = [f"{show_cards([a])} is swapped for {show_cards([b])}" for a, b in pairs if a != b]
        return f"your {' and your '.join(told)}" if told else ""
    if isinstance(event, CardAdded):
        return (
            f"you get {show_cards([event.card])}" if event.seat == seat else "the bot gets a card"
        )
    if isinstance(event, CardSeen):
        card = show_cards([event.card])
        return f"you see the bot's {card}" if event.seat == seat else f"the bot sees your {card}"
    if isinstance(event, AuctionEnded):
        return f"bids: you {event.bids[seat]}, the bot {event.bids[1 - seat]}"
    if isinstance(event, ActionTaken) and event.seat != seat:
        return f"the bot {_describe_act(event, hand)}"
    if isinstance(event, End):
        return _describe_end(event, hand, seat)
    return ""


def _name_street(hand: Hand, event: BoardDealt) -> str:
    """The street that was dealt, or that a card came to the board along the way."""
    variant, n_before = hand.variant, len(event.board) - event.n_new
    for at, name in enumerate(_STREETS[: len(variant.streets) - 1]):
        if n_before == variant.board_cards(at) and event.n_new == variant.streets[at + 1].cards:
            return name
    return "board" if n_before < variant.board_cards() else "card"


def _describe_act(act: ActionTaken, hand: Hand) -> str:
    """What the bot did, as far as the person may see it."""
    if act.action == KEEP:
        return "keeps its cards"
    if act.action[0] not in (DISCARD, BID):
        return tell_action(act.action, opens=act.opens)
    step = choice_of(hand.variant, act.before)
    if isinstance(step, Auction):
        hidden = step.sealed and act.before[betting.FIRST_BID] == 0
        return "has bid" if hidden else tell_action(act.action)
    if step.to_board:
        return f"lays down {_show_text(act.action[1:])}"
    return f"discards {_show_text(act.action[1:]) if step.shown else 'a card'}"


def _describe_end(end: End, hand: Hand, seat: int) -> str:
    won = end.chips[seat]
    result = f"you win {won}" if won > 0 else f"the bot wins {-won}" if won < 0 else "a tie"
    if won and hand.variant.bounty is not None:
        winner, owner = (seat, "your") if won > 0 else (1 - seat, "its")
        result += f" with {owner} bounty" if hand.state.hits_bounty(winner) else ""
    if not end.showdown:
        return result
    theirs, mine = (name_held(hand, each) for each in (1 - seat, seat))
    return f"the bot shows {theirs}; you have {mine}: {result}"


def name_held(hand: Hand, seat: int) -> str:
    """The hole cards of a seat, and what they make on the board."""
    hole = hand.state.holes[seat]
    cards, shown, variant = [*hole, *hand.board], show_cards(hole), hand.variant
    if len(cards) < MIN_CARDS:
        return shown
    # In short deck, a straight from the ace continues with a six.
    lowest = 0 if variant.ranking == "standard" else variant.deck.ranks[0]
    name = name_hand(cards, strength=variant.strength, counts_as=variant.counts_as, lowest=lowest)
    return f"{shown} ({name})"
