"""Hands that the real programs played come out the same by our rules, to the chip."""

from dataclasses import replace

import pytest

from counterfold.games.holdem import VARIANTS, Street, Variant
from helpers.recordings.replayed_logs import (
    read_competition,
    read_pokerbots,
    replay_competition,
    replay_pokerbots,
)

RIVER_OF_BLOOD = "river_of_blood_gamelog_1000_rounds.txt.gz"
COMPETITION_LIMIT = Variant(  # blinds of 5 and 10
    "",
    tuple(
        Street(cards, first, bet, 4)
        for cards, first, bet in ((0, 0, 10), (3, 1, 10), (1, 1, 20), (1, 1, 20))
    ),
    "limit",
    blinds=(5, 10),
)


def test_a_thousand_rounds_of_river_of_blood():
    variant = VARIANTS["river-of-blood"]()
    rounds, final = read_pokerbots(RIVER_OF_BLOOD)
    assert len(rounds) == 1000
    banks = dict.fromkeys(final, 0)
    for record in rounds:
        assert record.banks == tuple(banks[name] for name in record.names)
        state = replay_pokerbots(variant, record)
        assert state.utilities == record.awarded, state
        for name, won in zip(record.names, record.awarded, strict=True):
            banks[name] += won
    assert banks == final


def test_one_of_the_thousand_rounds_turns_on_the_flush_quirk():
    right = replace(VARIANTS["river-of-blood"](), first_flush_suit_only=False)
    rounds, _ = read_pokerbots(RIVER_OF_BLOOD)
    other = [
        state
        for record in rounds
        if (state := replay_pokerbots(right, record)).utilities != record.awarded
    ]
    assert [2 + sum(map(len, state.board)) >= 10 for state in other] == [True]


@pytest.mark.parametrize(
    ("log", "variant"),
    [
        ("acpc_limit_20_hands.log", COMPETITION_LIMIT),
        ("acpc_nolimit_20_hands.log", VARIANTS["nolimit"](stack=20_000, blinds=(50, 100))),
    ],
)
def test_twenty_hands_of_the_annual_competition(log, variant):
    hands = read_competition(log)
    assert len(hands) == 20
    for hand in hands:
        assert replay_competition(variant, hand).utilities == hand.won, hand
