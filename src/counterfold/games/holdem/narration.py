"""A hand in words, line by line, as a person would tell it."""

from counterfold.cards import format_cards
from counterfold.games.holdem.action_words import CALL, tell_action
from counterfold.games.holdem.betting_kernels import N_BETS
from counterfold.games.holdem.chance import BOUNTY, DRAWN, LOOKED, SWAPPED, UNSWAPPED
from counterfold.games.holdem.state import HoldemState


def narrate(state: HoldemState) -> list[str]:
    """What happened up to `state`, all cards shown."""
    before = state.variant.root()
    forced = ", ".join(f"seat {seat} posts {chips}" for seat, chips in enumerate(before.spent))
    lines = [forced]
    for event in state.events:
        after = before.child(event)
        if line := _tell(before, event, after):
            lines.append(line)
        before = after
    if state.utilities is not None:
        lines.append(_tell_end(state))
    return lines


def _tell(before: HoldemState, event: str, after: HoldemState) -> str:
    """One event; nothing for a card that chance left where it was."""
    if len(before.holes) < 2:
        return f"seat {len(before.holes)} is dealt {_spaced(after.holes[-1])}"
    if event == UNSWAPPED:
        return ""
    if event[0] == BOUNTY:
        return f"seat {len(before.bounties)} has the bounty {event[1:]}"
    if event[0] in (DRAWN, SWAPPED, LOOKED):
        _, seat, place = before.owed[0]
        new = event[1:]
        if event[0] != SWAPPED:
            return f"seat {seat} {'draws' if event[0] == DRAWN else 'sees'} {new}"
        old = format_cards(before.holes[seat][place : place + 1])
        return f"seat {seat} has {old} swapped for {new}"
    if before.chance is not None:
        board = " | ".join(_spaced(cards) for cards in after.board)
        return f"board {board}, pot {sum(after.spent)}"
    return f"seat {before.actor} {_tell_action(before, event)}"


def _tell_action(before: HoldemState, event: str) -> str:
    told = tell_action(event, opens=not before.situation[N_BETS])
    return f"{told} {before.to_call}" if event == CALL else told


def _tell_end(state: HoldemState) -> str:
    won = state.utilities
    assert won is not None
    if won[0] == 0:
        return "the pot is split"
    winner = 0 if won[0] > 0 else 1
    chips = int(won[winner])
    return f"seat {winner} wins {chips} chip{'s' * (chips > 1)}"


def _spaced(cards: tuple[int, ...]) -> str:
    return format_cards(cards, " ")
