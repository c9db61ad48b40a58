"""The game log of MIT Pokerbots 2017, in the words of that year's engine.

A check in a drawing round keeps the hand. Uncalled chips of a bet go back before the pot is won;
blinds do not. Two logs of the real engine are known; how it wrote what they do not have (lost
connections, lines that it could not read) is our guess.
"""

import re
from collections.abc import Iterable

from counterfold.bots.hand import Hand
from counterfold.bots.hand_events import ActionTaken, BoardDealt, CardDrawn, End, Event, Fault
from counterfold.cards import format_card, format_cards
from counterfold.games.holdem import Variant
from counterfold.games.holdem.action_words import CHECK, DISCARD, KEEP, RAISE, tell_action

_STREETS = {3: "FLOP", 4: "TURN", 5: "RIVER"}
_ILLEGAL = re.compile("attempted illegal ([A-Z]+)(?::([0-9]+))?")


def format_begin(names: tuple[str, str], variant: Variant) -> list[str]:
    """The first line of a log."""
    chips = f"stack={variant.stack}, bb={variant.big_blind}"
    return [f"6.S912 MIT Pokerbots - {names[0]} vs {names[1]} ({chips})"]


def format_hand(hand: Hand) -> list[str]:
    """The lines of one hand that is over, and an empty one."""
    names = hand.names
    banks = (f"{name} ({bank})" for name, bank in zip(names, hand.banks, strict=True))
    lines = [", ".join([f"Hand #{hand.number + 1}", *banks])]
    for name, blind in zip(names, hand.variant.blinds, strict=True):
        lines.append(f"{name} posts the blind of {blind}")
    for name, hole in zip(names, hand.deal.holes, strict=True):
        lines.append(f"Dealt to {name} {_cards(hole)}")
    for event in hand.events:
        lines += _tell(event, hand)
    return [*lines, ""]


def format_end(names: tuple[str, str], banks: tuple[int, int], n_hands: int) -> list[str]:
    """The last line of a log, and its end."""
    return [f"FINAL: {names[0]} ({banks[0]}) {names[1]} ({banks[1]})", ""]


def list_hole(hand: Hand, seat: int) -> list[int]:
    """The hole cards of a seat in the order of that engine: a drawn card comes last."""
    hole = [*hand.deal.holes[seat]]
    for event in hand.events:
        if isinstance(event, CardDrawn) and event.seat == seat:
            hole.remove(event.old)
            hole.append(event.new)
    return hole


def uncalled_chips(hand: Hand) -> int:
    """Chips of the last bet of a hand that is over which nobody called; they are not won."""
    acts = [event for event in hand.events if isinstance(event, ActionTaken)]
    betted = len(acts) > 1 and acts[-2].action[0] == RAISE
    return abs(hand.state.spent[0] - hand.state.spent[1]) if betted else 0


def _tell(event: Event, hand: Hand) -> list[str]:
    if isinstance(event, BoardDealt):
        old, new = event.board[: -event.n_new], event.board[-event.n_new :]
        boards = [_cards(cards) for cards in (old, new) if cards]
        return [f"*** {_STREETS[len(event.board)]} *** ({sum(event.spent)}) {' '.join(boards)}"]
    if isinstance(event, End):
        return _tell_end(event, hand)
    name = hand.names[event.seat] if isinstance(event, ActionTaken | CardDrawn | Fault) else ""
    if isinstance(event, CardDrawn):
        return [f"{name} discards {format_card(event.old)} for {format_card(event.new)}"]
    if isinstance(event, Fault):
        return [_tell_fault(name, event.text)]
    if isinstance(event, ActionTaken) and event.action[0] != DISCARD:
        action = CHECK if event.action == KEEP else event.action
        return [f"{name} {tell_action(action, opens=event.opens)}"]
    return []


def _tell_fault(name: str, text: str) -> str:
    if match := _ILLEGAL.fullmatch(text):
        amount = f"[amount={match[2]}]" if match[2] else ""
        return f"### ILLEGAL ACTION: {match[1].capitalize()} [player={name}]{amount}"
    return f"{name} {text}"


def _tell_end(end: End, hand: Hand) -> list[str]:
    spent, refund = hand.state.spent, uncalled_chips(hand)
    pot = sum(spent) - refund
    lines = []
    if refund:
        ahead = 0 if spent[0] > spent[1] else 1
        lines.append(f"Uncalled bet of {refund} returned to {hand.names[ahead]}")
    if end.showdown:
        for seat, name in enumerate(hand.names):
            lines.append(f"{name} shows {_cards(list_hole(hand, seat))}")
    if end.chips[0] == 0:
        return [*lines, *(f"{name} ties for the pot ({pot // 2})" for name in hand.names)]
    return [*lines, f"{hand.names[0 if end.chips[0] > 0 else 1]} wins the pot ({pot})"]


def _cards(cards: Iterable[int]) -> str:
    return f"[{format_cards(cards, ' ')}]"
