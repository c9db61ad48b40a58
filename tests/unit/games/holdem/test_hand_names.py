"""Made hands in words: what decides, and what breaks ties."""

import pytest

from counterfold.cards import parse_cards, rank
from counterfold.games.holdem.hand_names import name_hand


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("AhJc9d8s5h", "ace high with J985"),
        ("KsKdAh9c8d3h2c", "pair of kings with A98"),
        ("KsKd7h7c2d2hAc", "two pair, kings and sevens with A"),
        ("6s6d6h2cKd", "three of a kind, sixes with K2"),
        ("Ah2c3d4s5hKdQd", "straight, five high"),
        ("9h8c7d6s5hTdQd", "straight, ten high"),
        ("Ah3h5h7h9h9c9d", "flush, ace high with 9753"),
        ("TsTdTh4c4dAhAc", "full house, tens over aces"),
        ("2s2d2h2cAhKhQh", "four of a kind, twos with A"),
        ("9h8h7h6h5hTd9d", "straight flush, nine high"),
        ("AhKhQhJhTh2c2d", "royal flush"),
    ],
)
def test_hands_have_the_names_that_players_give_them(cards, name):
    assert name_hand(parse_cards(cards)) == name


def test_equal_names_are_equal_strength(rng):
    ranks = {}
    for _ in range(3000):
        cards = rng.permutation(52)[:7].tolist()
        name, strength = name_hand(cards), rank(cards)
        assert ranks.setdefault(name, strength) == strength


def test_the_suit_that_counts_is_the_one_that_is_named():
    cards = parse_cards("2s4s6s8sTs" + "AhKhQh9h7h")
    assert name_hand(cards) == "flush, ace high with KQ97"
    assert name_hand(cards, first_flush_suit_only=True) == "flush, ten high with 8642"
