"""Hands are numbered as they stand in the list of all hands of a deck."""

from itertools import combinations, permutations

import numpy as np
import pytest

from counterfold.bots.tracking.deck_hands import list_hands
from counterfold.games import parse_game
from counterfold.public.hand_list_kernels import find_hand, hand_number, pair_number


@pytest.mark.parametrize("name", ["nolimit", "nolimit(deck='89TQKA/cd')", "leduc-variant"])
def test_a_hand_is_found_at_its_place_in_any_order_of_its_cards(name):
    variant = parse_game(name)
    hands = list_hands(variant)
    deck = sorted(variant.deck.cards.tolist())
    listed = list(combinations(deck, variant.hole_cards))
    assert hands.cards.tolist() == [[*cards] for cards in listed]
    for number, cards in enumerate(listed):
        places = [deck.index(card) for card in cards]
        assert hand_number(hands, places[0], places[-1]) == number
        for order in permutations(cards):
            assert find_hand(hands, np.array(order, np.uint8)) == number


@pytest.mark.parametrize("n", [2, 3, 11])
def test_pairs_of_places_are_counted(n):
    assert [pair_number(n, *pair) for pair in combinations(range(n), 2)] == [
        *range(n * (n - 1) // 2)
    ]
