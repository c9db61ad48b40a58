"""Which hole card is discarded first, by rank and by tables."""

from types import SimpleNamespace

import numpy as np
import pytest

from counterfold.cards import parse_cards
from counterfold.cards.deck import FULL
from counterfold.cards.draws_kernels import DISCARD_FIRST, DISCARD_SECOND
from counterfold.cards.streets import street_classes
from counterfold.public.discard_orders import ByRank, ByStrength

BOARD = "2c7dTh"


@pytest.mark.parametrize(("hole", "place"), [("AhKs", 1), ("KsAh", 0)])
def test_the_lower_card_goes_first(hole, place):
    assert ByRank().first(parse_cards(hole), parse_cards(BOARD)) == place


def test_many_hands_are_as_one_by_one():
    rng = np.random.default_rng(1)
    hands = np.stack([rng.permutation(52)[:5] for _ in range(50)]).astype(np.uint8)
    found = ByRank().first_many(hands, 2)
    assert found.tolist() == [ByRank().first(hand[:2], hand[2:]) for hand in hands.tolist()]


class Tables:
    """Say that one class of flops would rather exchange its higher card."""

    def __init__(self, hole):
        self.classes, self.asked = street_classes("flop", FULL), []
        cards = np.array([[*parse_cards(hole), *parse_cards(BOARD)]], np.uint8)
        self.choice = np.full(self.classes.size, DISCARD_FIRST, np.uint8)
        self.choice[self.classes.index_many(cards)] = DISCARD_SECOND

    def street(self, street):
        self.asked.append(street)
        return SimpleNamespace(choice=self.choice, isomorphism=self.classes)


def test_tables_turn_the_order_of_some_hands_around():
    tables = Tables("AhKs")
    order, board = ByStrength(tables), parse_cards(BOARD)
    assert order.first(parse_cards("AhKs"), board) == 1 - ByRank().first(parse_cards("AhKs"), board)
    assert order.first(parse_cards("AhQs"), board) == ByRank().first(parse_cards("AhQs"), board)
    assert tables.asked == ["flop"]  # a table is opened once
