"""Equities of ranges hand by hand, against the showdowns of each pair of hands."""

import numpy as np
import pytest

from counterfold.cards import equity, parse_cards, parse_range
from counterfold.cards.pairs import index_pairs
from counterfold.games.holdem import VARIANTS
from counterfold.ranges.range_equity import hand_equities

NOLIMIT = VARIANTS["nolimit"]()
FIRST, SECOND = parse_range("AA,KK:0.5,7h6h"), parse_range("QQ,AKs,7d6d:0.25")


def number(hand):
    return int(index_pairs(np.array([parse_cards(hand)]))[0])


@pytest.mark.parametrize("board", ["2c7dTh3s8h", "2c7dTh3s"])
def test_the_equity_of_a_hand_is_that_against_the_range_alone(board):
    found = hand_equities(NOLIMIT, parse_cards(board), (FIRST.weights, SECOND.weights))
    for hand in ("AcAd", "KhKs", "7h6h"):
        expected = equity(hand, SECOND, board).equity
        assert found[0][number(hand)] == pytest.approx(expected, abs=1e-6)
    for hand in ("QcQd", "AhKh"):
        expected = equity(hand, FIRST, board).equity
        assert found[1][number(hand)] == pytest.approx(expected, abs=1e-6)


def test_hands_without_weight_have_none():
    found, _ = hand_equities(NOLIMIT, parse_cards("2c7dTh3s8h"), (FIRST.weights, SECOND.weights))
    assert np.isnan(found[number("QcQd")])
    assert np.isnan(found[number("7d6d")])


def test_a_hand_that_meets_nothing_has_none():
    one, other = parse_range("AcAd"), parse_range("AcKc,AdKd")
    found, _ = hand_equities(NOLIMIT, parse_cards("2c7dTh3s8h"), (one.weights, other.weights))
    assert np.isnan(found[number("AcAd")])


def test_weights_may_fall_from_call_to_call():
    """Those of the first call say which hands there are; a hand that is left has its equity."""
    board, held = parse_cards("2c7dTh3s8h"), (FIRST.weights, SECOND.weights)
    fewer = np.where(np.arange(FIRST.weights.size) == number("AcAd"), FIRST.weights, 0.0)
    found = hand_equities(NOLIMIT, board, (fewer, SECOND.weights), held=held)
    expected = equity("AcAd", "QcQd", "2c7dTh3s8h").equity
    assert found[1][number("QcQd")] == pytest.approx(1 - expected)
