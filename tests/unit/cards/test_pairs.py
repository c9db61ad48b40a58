from collections import Counter

import numpy as np
import pytest

from counterfold.cards.pairs import (
    N_HAND_CLASSES,
    N_PAIRS,
    format_hand_class,
    hand_class_of,
    index_pair,
    index_pairs,
    parse_hand_class,
    unindex_pair,
)
from counterfold.cards.text import parse_cards
from counterfold.errors import CardError


def test_pairs_are_numbered_by_their_higher_card_first():
    pairs = sorted((high, low) for high in range(52) for low in range(high))
    assert [index_pair(high, low) for high, low in pairs] == list(range(N_PAIRS))
    assert [index_pair(low, high) for high, low in pairs] == list(range(N_PAIRS))
    assert [unindex_pair(i)[::-1] for i in range(N_PAIRS)] == pairs
    assert index_pairs(np.array(pairs, np.uint8)).tolist() == list(range(N_PAIRS))
    assert index_pairs(np.array(pairs, np.uint8)[:, ::-1]).tolist() == list(range(N_PAIRS))


@pytest.mark.parametrize(
    ("cards", "text", "number"),
    [
        ("AcAd", "AA", 0),
        ("AhKh", "AKs", 1),
        ("AhKd", "AKo", 13),
        ("2c7d", "72o", 12 * 13 + 7),
        ("2c7c", "72s", 7 * 13 + 12),
        ("2s2h", "22", 168),
    ],
)
def test_the_grid_starts_with_aces_and_has_suited_hands_above_the_diagonal(cards, text, number):
    assert hand_class_of(index_pair(*parse_cards(cards))) == number
    assert format_hand_class(number) == text
    assert parse_hand_class(text) == number


def test_classes_have_6_4_or_12_pairs():
    sizes = Counter(hand_class_of(pair) for pair in range(N_PAIRS))
    by_kind = {"": 6, "s": 4, "o": 12}
    for hand_class in range(N_HAND_CLASSES):
        text = format_hand_class(hand_class)
        assert sizes[hand_class] == by_kind[text[2:]]
        assert parse_hand_class(text) == hand_class
        assert parse_hand_class(text[1::-1].lower() + text[2:]) == hand_class


@pytest.mark.parametrize("text", ["", "A", "AK", "AKx", "TTs", "AKso", "A1s"])
def test_what_is_no_class(text):
    with pytest.raises(CardError):
        parse_hand_class(text)


def test_numbers_out_of_range():
    for wrong in (lambda: index_pair(3, 3), lambda: index_pair(3, 52), lambda: index_pair(-1, 3)):
        with pytest.raises(CardError):
            wrong()
    with pytest.raises(CardError, match="no pair of cards has the number 1326"):
        unindex_pair(N_PAIRS)
    with pytest.raises(CardError, match="no pair of cards has the number -1"):
        hand_class_of(-1)
    with pytest.raises(CardError, match="no class of hole cards has the number 169"):
        format_hand_class(N_HAND_CLASSES)
