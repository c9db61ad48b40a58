"""The game log of MIT Pokerbots engines since 2020: a match in words, one line per event.

Where a hand of River of Blood went beyond the river, the engine adds what seat 0 won on the run,
counting a tie as if all chips of the river had been won back; we write the same. The engine of 2017
had words of its own; see `contest.gamelog_2017`.
"""

from collections.abc import Iterable

from counterfold.bots.hand import Act, BoardDealt, End, Fault, Hand, HandsSwapped
from counterfold.cards import format_cards
from counterfold.games.holdem import Variant
from counterfold.games.holdem.action_words import CALL, CHECK, FOLD, RAISE, tell_action

# The engine's names for what a player attempted.
ACTION_NAMES = {
    FOLD: "FoldAction",
    CALL: "CallAction",
    CHECK: "CheckAction",
    RAISE: "RaiseAction",
}
_STREETS = {3: "Flop", 4: "Turn", 5: "River"}
_RIVER = 5  # cards


def format_begin(names: tuple[str, str], variant: Variant, course: str = "6.176") -> list[str]:
    """The first line of a log; `course` is the number of the contest among MIT's lectures."""
    return [f"{course} MIT Pokerbots - {names[0]} vs {names[1]}"]


def format_hand(hand: Hand) -> list[str]:
    """The lines of one hand that is over."""
    names = hand.names
    lines = ["", f"Round #{hand.number + 1}{_values(names, hand.banks)}"]
    for name, blind in zip(names, hand.variant.blinds, strict=True):
        lines.append(f"{name} posts the blind of {blind}")
    for name, hole in zip(names, hand.deal.holes, strict=True):
        lines.append(f"{name} dealt {_cards(hole)}")
    for event in hand.events:
        if isinstance(event, Act):
            lines.append(f"{names[event.seat]} {tell_action(event.action, opens=event.opens)}")
        elif isinstance(event, BoardDealt):
            beyond = "Run" if len(event.board) > _RIVER else "Board"
            street = _STREETS.get(len(event.board), beyond)
            lines.append(f"{street} {_cards(event.board)}{_values(names, event.spent)}")
        elif isinstance(event, HandsSwapped):
            for name, cards in zip(names, event.after, strict=True):
                lines.append(f"{name}'s hand: {_cards(cards)}")
        elif isinstance(event, Fault):
            lines.append(f"{names[event.seat]} {event.text}")
        elif isinstance(event, End):
            lines += _end(hand, event)
    return lines


def format_end(names: tuple[str, str], banks: tuple[int, int], n_hands: int) -> list[str]:
    """The last lines of a log; who would deal next comes first."""
    if n_hands % 2:
        names, banks = (names[1], names[0]), (banks[1], banks[0])
    return ["", f"Final{_values(names, banks)}"]


def _end(hand: Hand, end: End) -> list[str]:
    lines = []
    if end.showdown:
        for name, hole in zip(hand.names, hand.holes, strict=True):
            lines.append(f"{name} shows {_cards(hole)}")
    swaps = [event for event in hand.events if isinstance(event, HandsSwapped)]
    for seat, (name, chips) in enumerate(zip(hand.names, end.chips, strict=True)):
        swapped = any(event.before[seat] != event.after[seat] for event in swaps)
        lines.append(f"{name}{' (swapped)' if swapped else ''} awarded {chips}")
    runs = [
        event
        for event in hand.events
        if isinstance(event, BoardDealt) and len(event.board) == _RIVER + 1
    ]
    if runs:
        first, at_river = end.chips[0], runs[0].spent[0]
        won = first - at_river if first > 0 else first + at_river
        lines += ["Run reached", f"{hand.names[0]} won {won}", f"{hand.names[1]} won {-won}"]
    return lines


def _cards(cards: Iterable[int]) -> str:
    return f"[{format_cards(cards, ' ')}]"


def _values(names: tuple[str, str], values: tuple[int, int]) -> str:
    return "".join(f", {name} ({value})" for name, value in zip(names, values, strict=True))
