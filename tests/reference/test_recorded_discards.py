"""Recorded game logs of MIT Pokerbots 2017: every hand comes out the same, and so do our logs."""

import pytest

from counterfold.bots import Hand
from counterfold.contest.wire.mit_2017 import MIT_2017
from counterfold.games.holdem import betting_kernels as betting
from helpers.recordings.discard_logs import LOGS, read_discard_log
from helpers.recordings.recorded_matches import read_recording

VARIANT = MIT_2017.variant()


def words_of(fault):
    """What our engine notes of an answer that the recorded one refused."""
    kind, _, amount = fault.rstrip("]").partition("[amount=")
    return f"attempted illegal {kind.upper()}" + (f":{amount}" if amount else "")


def replay(logged):
    """The hand, dealt and played again."""
    hand = Hand(VARIANT, logged.deal, logged.number - 1, logged.names, logged.banks)
    for at, (seat, action) in enumerate(logged.actions):
        for before, who, fault in logged.faults:
            if before == at:
                hand.fault(who, words_of(fault))
        assert hand.waits_for == seat
        drawing = hand.state.situation[betting.PHASE] == betting.DRAW
        hand.act("s" if drawing and action == "k" else action)
    assert hand.waits_for is None
    return hand


@pytest.mark.parametrize("name", LOGS)
def test_chips_and_lines_of_every_hand_are_the_same(name):
    header, hands, _ = read_discard_log(name)
    assert len(hands) == 100
    first, second = header.split(" - ")[1].split(" (")[0].split(" vs ")
    banks = dict.fromkeys((first, second), 0)
    log = MIT_2017.log.begin((first, second), VARIANT)
    for logged in hands:
        assert logged.banks == tuple(banks[each] for each in logged.names)
        hand = replay(logged)
        log += MIT_2017.log.hand(hand)
        for each, chips in zip(logged.names, hand.chips, strict=True):
            banks[each] += chips
    log += MIT_2017.log.end((first, second), (banks[first], banks[second]), len(hands))
    assert log == read_recording(name).split("\n")


@pytest.mark.parametrize("name", LOGS)
def test_both_sides_of_the_protocol_follow_the_recorded_hands(name):
    _, hands, _ = read_discard_log(name)
    banks = {}
    for logged in hands:
        for each, bank in zip(logged.names, logged.banks, strict=True):
            banks.setdefault(each, []).append(bank)
        hand = replay(logged)
        tokens = MIT_2017.engine_session().end_hand(hand, 0, 20.0)[0].split()
        refunds = [token.split(":")[1] for token in tokens if token.startswith("REFUND")]
        told = [line.split()[3] for line in logged.lines if line.startswith("Uncalled")]
        assert refunds == told
        won = [token.split(":")[1] for token in tokens if token.startswith(("WIN", "TIE"))]
        assert won == [
            line.rstrip(")").rpartition("(")[2] for line in logged.lines if "pot" in line
        ]
