"""Made hands in words: what decides, and what breaks ties."""

from functools import partial

import pytest

from counterfold.cards import parse_cards, rank
from counterfold.cards.ranking import hand_category
from counterfold.cards.text import RANKS
from counterfold.games.holdem import VARIANTS
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


PERMUTED = VARIANTS["permuted"](order="7A2K9Q4J3T865")


@pytest.mark.parametrize("variant", [VARIANTS["nolimit"](), VARIANTS["short-deck"](), PERMUTED])
def test_equal_names_are_equal_strength(variant, rng):
    """Whatever the order of ranks and hands; and another strength has another name."""
    names, strengths = {}, {}
    for _ in range(3000):
        cards = rng.permutation(variant.deck.cards)[:7].tolist()
        name, strength = named(variant, cards), variant.strength(cards)
        assert names.setdefault(name, strength) == strength
        assert strengths.setdefault(strength, name) == name


def named(variant, cards):
    lowest = 0 if variant.ranking == "standard" else RANKS.index("6")
    return name_hand(cards, strength=variant.strength, counts_as=variant.counts_as, lowest=lowest)


def test_categories_are_those_of_ranks(rng):
    for _ in range(3000):
        cards = rng.permutation(52)[:7].tolist()
        category = hand_category(rank(cards))
        expected = {"high card": "high", "pair": "pair of"}.get(category, category)
        assert expected in name_hand(cards).replace("royal flush", "straight flush")


def test_short_deck_straights_may_begin_with_an_ace():
    variant = VARIANTS["short-deck"]()
    assert named(variant, parse_cards("Ah6c7d8s9hKdKc")) == "straight, nine high"


def test_ranks_have_the_names_on_the_cards():
    assert named(PERMUTED, parse_cards("5h5c7dAs2hTd8c")) == "pair of fives with 8T2"
    assert named(PERMUTED, parse_cards("7hAc2dKs9h5d6c")) == "straight, nine high"


def test_the_suit_that_counts_is_the_one_that_is_named():
    cards = parse_cards("2s4s6s8sTs" + "AhKhQh9h7h")
    assert name_hand(cards) == "flush, ace high with KQ97"
    quirk = partial(rank, first_flush_suit_only=True)
    assert name_hand(cards, strength=quirk) == "flush, ten high with 8642"
