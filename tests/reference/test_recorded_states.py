"""Exact states come to the chips of the real engines, round by round."""

import pytest

from counterfold.cards import format_card, format_cards
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem import betting_kernels as betting
from helpers.recordings.contest_rounds import ACTION, BID, BOARD, CARD, GAMES, TOSS, read_game_log

YEARS = (2024, 2025, 2026)
# An engine asks for checks after both are all-in, and takes a fold there: rounds that end so.
FOLDED_ALL_IN = {2024: 0, 2025: 4, 2026: 7}


def replay(variant, logged):
    """The state after a round, and whether somebody folded when there was nothing to decide."""
    state = variant.root()
    for hole in logged.holes:
        state = state.child(format_cards(hole))
    for rank in logged.bounties or ():
        state = state.child(f"#{rank}")
    n_board = 0
    for event in logged.events:
        if event.kind == BOARD:
            new = event.value[n_board:]
            if new and state.chance is not None:
                state = state.child(format_cards(new))
            n_board = len(event.value)
        elif event.kind == BID:
            state = state.child(f"a{event.value}")
        elif event.kind == CARD:
            state = state.child("+" + format_card(event.value))
        elif event.kind == TOSS:
            state = state.child("d" + format_card(event.value))
            n_board += 1
        elif event.kind == ACTION and state.situation[betting.PHASE] == betting.BET:
            assert state.actor == event.seat
            state = state.child(event.value)
        elif event.kind == ACTION and event.value == "f":
            return state, True
    return state, False


@pytest.mark.parametrize("year", YEARS)
def test_every_recorded_round(year):
    variant = VARIANTS[GAMES[year]]()
    folded = 0
    for logged in read_game_log(year):
        state, folds_all_in = replay(variant, logged)
        folded += folds_all_in
        if folds_all_in:
            assert max(state.spent) == variant.stack
            continue
        assert state.utilities == tuple(map(float, logged.awarded)), logged.header
        if year == 2025 and logged.shown:
            assert {seat for seat in (0, 1) if state.hits_bounty(seat)} == logged.hits
    assert folded == FOLDED_ALL_IN[year]
