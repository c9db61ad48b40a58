"""Hands of two ranges on a whole board, against every pair of hands one by one."""

import numpy as np
import pytest

from counterfold.cards import parse_cards
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.search.river_cards import Removal, order_hands

BOARD = parse_cards("2c7dTh3s8h")


@pytest.fixture
def hands():
    """Ranges that overlap in part, with ranks in which many tie."""
    rng = np.random.default_rng(5)
    ranks = rng.integers(0, 12, len(PAIR_CARDS))
    weights = [np.where(rng.random(len(PAIR_CARDS)) < 0.1, rng.random(len(PAIR_CARDS)), 0.0)
               for _ in range(2)]  # fmt: skip
    return [order_hands(BOARD, ranks, each) for each in weights]


def brute_force(own, other, reach, value):
    found = np.zeros((len(reach), len(own.numbers)))
    for h, (cards, rank) in enumerate(zip(own.cards, own.ranks, strict=True)):
        for o, (held, against) in enumerate(zip(other.cards, other.ranks, strict=True)):
            if not {*cards} & {*held}:
                found[:, h] += value(rank, against) * reach[:, o]
    return found


def test_hands_stand_from_the_weakest_on_without_cards_of_the_board(hands):
    for seat in hands:
        assert (np.diff(seat.ranks) >= 0).all()
        assert not np.isin(seat.cards, BOARD).any()
        assert (seat.weights > 0).all()
        assert (PAIR_CARDS[seat.numbers] == seat.cards).all()


@pytest.mark.parametrize("first", [0, 1])
def test_what_hands_meet_and_beat(hands, first):
    own, other = hands[first], hands[1 - first]
    reach = np.random.default_rng(6).random((3, len(other.numbers)))
    removal = Removal(own, other)
    met = brute_force(own, other, reach, lambda rank, against: 1.0)
    won = brute_force(own, other, reach, lambda rank, against: np.sign(rank - against))
    np.testing.assert_allclose(removal.meet(reach), met, rtol=0, atol=1e-9)
    np.testing.assert_allclose(removal.win(reach), won, rtol=0, atol=1e-9)


def test_a_range_of_one_hand_meets_nothing_that_shares_its_card():
    ranks, weights = np.arange(len(PAIR_CARDS)), np.zeros((2, len(PAIR_CARDS)))
    aces = next(
        n for n, pair in enumerate(PAIR_CARDS.tolist()) if {*pair} == {*parse_cards("AsAh")}
    )
    weights[:, aces] = 1.0
    own, other = (order_hands(BOARD, ranks, each) for each in weights)
    assert Removal(own, other).meet(np.ones((1, 1))).tolist() == [[0.0]]
    assert Removal(own, other).win(np.ones((1, 1))).tolist() == [[0.0]]
