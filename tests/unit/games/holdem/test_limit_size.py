"""Sizes of variants, for decks that are counted by hand."""

import pytest

from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem.limit_size import count_deals


@pytest.mark.parametrize(
    ("deck", "board", "hole_cards", "deals"),
    [
        ("JQK/c", (), 1, (3 * 2,)),
        ("JQK/cd", (1,), 1, (6 * 5, 6 * 5 * 4)),
        ("TJQKA/c", (1,), 2, (10 * 3, 10 * 3 * 1)),
    ],
)
def test_deals_are_both_hands_and_the_board(deck, board, hole_cards, deals):
    variant = VARIANTS["limit"](deck=deck, board=board, hole_cards=hole_cards)
    assert count_deals(variant) == deals
