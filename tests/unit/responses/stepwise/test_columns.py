"""Hands of any size in their order."""

from itertools import combinations

import numpy as np
import pytest

from counterfold.cards import parse_deck
from counterfold.cards.ranking_kernels import card_bit
from counterfold.responses.stepwise.columns import (
    Columns,
    all_hands,
    bits_of,
    count_hands,
    extend,
    mask_of,
    number_hands,
)

DECK = parse_deck("9JQA/cdh")


@pytest.mark.parametrize("size", [1, 2, 3])
def test_hands_are_numbered_in_lexicographic_order(size):
    hands = all_hands(DECK, size)
    expected = [*combinations(np.sort(DECK.cards).tolist(), size)]
    assert [tuple(hand) for hand in hands.cards.tolist()] == expected
    assert number_hands(DECK, hands.cards).tolist() == [*range(len(expected))]
    assert len(hands) == count_hands(DECK, size)


def test_cards_are_bits_of_their_numbers_and_of_their_suits():
    hands = all_hands(DECK, 2)
    for hand, bits, mask in zip(hands.cards.tolist(), hands.bits, hands.masks, strict=True):
        assert bits == bits_of(hand) == sum(1 << card for card in hand)
        assert mask == mask_of(hand) == card_bit(hand[0]) | card_bit(hand[1])
    assert bits_of([3, 255]) == 8


def test_what_is_said_of_hands_holds_for_each_of_their_columns():
    columns = Columns(all_hands(DECK, 1).cards, 2)
    assert len(columns) == 24
    assert columns.spread(np.arange(12)).tolist() == [k // 2 for k in range(24)]


def test_a_card_more_keeps_hands_in_order():
    found = extend(all_hands(DECK, 2), np.array([0, 1]), np.array([50, 28], np.uint8))
    first, second = all_hands(DECK, 2).cards[:2].tolist()
    assert found.cards.tolist() == [sorted([*first, 50]), sorted([*second, 28])]
