"""The game log of MIT Pokerbots engines since 2020: a match in words, one line per event.

Where a hand of River of Blood went beyond the river, the engine adds what seat 0 won on the run,
counting a tie as if all chips of the river had been won back; we write the same. The engine of 2017
had words of its own; see `contest.gamelog_2017`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from counterfold.bots.hand import Hand
from counterfold.bots.hand_events import (
    ActionTaken,
    AuctionEnded,
    BoardDealt,
    CardAdded,
    End,
    Event,
    Fault,
    HandsSwapped,
)
from counterfold.cards import format_cards
from counterfold.cards.text import RANKS
from counterfold.games.holdem import Variant
from counterfold.games.holdem.action_words import (
    BID,
    CALL,
    CHECK,
    DISCARD,
    FOLD,
    KEEP,
    RAISE,
    tell_action,
)

# The engine's names for what a player attempted.
ACTION_NAMES = {
    FOLD: "FoldAction",
    CALL: "CallAction",
    CHECK: "CheckAction",
    RAISE: "RaiseAction",
    BID: "BidAction",
    DISCARD: "DiscardAction",
    KEEP: "KeepAction",
}
_STREETS = {3: "Flop", 4: "Turn", 5: "River"}
_RIVER = 5  # cards


@dataclass(frozen=True)
class LogStyle:
    """What differs from year to year, beside what follows from the game."""

    course: str = "6.176"  # number of the contest among MIT's lectures
    streets: Mapping[int, str] | None = None  # by cards on the board
    tells_stacks: bool = False  # below every board


YEAR_2024 = LogStyle("6.9630")
YEAR_2025 = LogStyle("6.9630", tells_stacks=True)
YEAR_2026 = LogStyle(
    "6.9630",
    {2: "Flop", 3: "Discard 1", 4: "Discard 2", 5: "Turn", 6: "River"},
    tells_stacks=True,
)
PLAIN = LogStyle()


def format_begin(names: tuple[str, str], variant: Variant, style: LogStyle = PLAIN) -> list[str]:
    """The first line of a log."""
    return [f"{style.course} MIT Pokerbots - {names[0]} vs {names[1]}"]


def format_hand(hand: Hand, style: LogStyle = PLAIN) -> list[str]:
    """The lines of one hand that is over."""
    names = hand.names
    lines = ["", f"Round #{hand.number + 1}{_values(names, hand.banks)}", *_reset_bounties(hand)]
    for name, blind in zip(names, hand.variant.blinds, strict=True):
        lines.append(f"{name} posts the blind of {blind}")
    for name, hole in zip(names, hand.deal.holes, strict=True):
        lines.append(f"{name} dealt {_cards(hole)}")
    for event in hand.events:
        lines += _tell(event, hand, style)
    return lines


def format_end(names: tuple[str, str], banks: tuple[int, int], n_hands: int) -> list[str]:
    """The last lines of a log; who would deal next comes first."""
    if n_hands % 2:
        names, banks = (names[1], names[0]), (banks[1], banks[0])
    return ["", f"Final{_values(names, banks)}"]


def _reset_bounties(hand: Hand) -> list[str]:
    bounty, ranks = hand.variant.bounty, hand.deal.bounties
    if bounty is None or ranks is None or hand.number % bounty.rounds:
        return []
    told = (
        f"{RANKS[rank]} for player {name}" for name, rank in zip(hand.names, ranks, strict=True)
    )
    return [f"Bounties reset to {' and '.join(told)}"]


def _tell(event: Event, hand: Hand, style: LogStyle) -> list[str]:
    names = hand.names
    if isinstance(event, ActionTaken):
        return [f"{names[event.seat]} {tell_action(event.action, opens=event.opens)}"]
    if isinstance(event, BoardDealt | AuctionEnded):
        return _tell_board(event.board, event.spent, hand, style)
    if isinstance(event, CardAdded):
        return [f"{names[event.seat]} won the auction and was dealt {_cards([event.card])}"]
    if isinstance(event, HandsSwapped):
        hands = zip(names, event.after, strict=True)
        return [f"{name}'s hand: {_cards(cards)}" for name, cards in hands]
    if isinstance(event, Fault):
        return [f"{names[event.seat]} {event.text}"]
    return _tell_end(event, hand) if isinstance(event, End) else []


def _tell_board(
    board: tuple[int, ...], spent: tuple[int, int], hand: Hand, style: LogStyle
) -> list[str]:
    beyond = "Run" if len(board) > _RIVER else "Board"
    street = (style.streets or _STREETS).get(len(board), beyond)
    lines = [f"{street} {_cards(board)}{_values(hand.names, spent)}"]
    if style.tells_stacks:
        first, second = (hand.variant.stack - each for each in spent)
        lines.append(f"Current stacks: {first}, {second}")
    return lines


def _tell_end(end: End, hand: Hand) -> list[str]:
    names, lines = hand.names, []
    if end.showdown:
        for name, hole in zip(names, hand.holes, strict=True):
            lines.append(f"{name} shows {_cards(hole)}")
    swaps = [event for event in hand.events if isinstance(event, HandsSwapped)]
    for seat, (name, chips) in enumerate(zip(names, end.chips, strict=True)):
        swapped = any(event.before[seat] != event.after[seat] for event in swaps)
        lines.append(f"{name}{' (swapped)' if swapped else ''} awarded {chips}")
    if hand.variant.run_suits:
        lines += _tell_run(end, hand)
    if hand.variant.has_auctions:
        lines.append(_tell_bids(hand))
    if hand.variant.bounty is not None:
        hits = [name for seat, name in enumerate(names) if hand.state.hits_bounty(seat)]
        lines += [f"{name} hits their bounty" for name in hits]
        banks = hand.banks[0] + end.chips[0], hand.banks[1] + end.chips[1]
        lines.append(f"Winning counts at the end of the round: {_values(names, banks)}")
    return lines


def _tell_run(end: End, hand: Hand) -> list[str]:
    runs = [
        event
        for event in hand.events
        if isinstance(event, BoardDealt) and len(event.board) == _RIVER + 1
    ]
    if not runs:
        return []
    first, at_river = end.chips[0], runs[0].spent[0]
    won = first - at_river if first > 0 else first + at_river
    return ["Run reached", f"{hand.names[0]} won {won}", f"{hand.names[1]} won {-won}"]


def _tell_bids(hand: Hand) -> str:
    for event in hand.events:
        if isinstance(event, AuctionEnded):
            return f"Players submitted bids of {event.bids[0]} and {event.bids[1]}"
    return "Players did not reach flop. No auction occured."  # as the engine spells it


def _cards(cards: Iterable[int]) -> str:
    return f"[{format_cards(cards, ' ')}]"


def _values(names: tuple[str, str], values: tuple[int, int]) -> str:
    return "".join(f", {name} ({value})" for name, value in zip(names, values, strict=True))
