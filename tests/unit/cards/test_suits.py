"""Suits that are alike, and the renamings that nobody notices."""

import numpy as np
import pytest

from counterfold.cards import index_pair, parse_cards, parse_range
from counterfold.cards.suits import find_like_suits, list_renamings, rename_cards, rename_pairs

C, D, H = 0, 1, 2
NONE = -1


def likes(hands, board=""):
    cards = np.zeros(52, np.int64)
    cards[list(parse_cards(board))] = 1
    return find_like_suits(cards, parse_range(hands).weights).tolist()


@pytest.mark.parametrize(
    ("hands", "board", "expected", "n_renamings"),
    [
        ("random", "", [NONE, C, D, H], 24),
        ("AKs,QJo:0.1", "", [NONE, C, D, H], 24),
        ("AhKh", "", [NONE, C, NONE, D], 6),
        ("AhKs", "", [NONE, C, NONE, NONE], 2),
        ("AhAs", "", [NONE, C, NONE, H], 4),
        ("AhAs,AhAs:0.5,AcAd:0.5", "", [NONE, C, NONE, H], 4),
        ("random", "2c3d4h", [NONE] * 4, 1),
        ("random", "2c3c", [NONE, NONE, D, H], 6),
        ("AcKd", "2c3d4h", [NONE] * 4, 1),
    ],
)
def test_suits_are_alike_unless_something_tells_them_apart(hands, board, expected, n_renamings):
    assert likes(hands, board) == expected
    renamings = list_renamings(tuple(expected))
    assert len(renamings) == len(set(renamings)) == n_renamings
    for names in renamings:
        weights = parse_range(hands).weights
        assert np.array_equal(weights[rename_pairs(names)], weights)


def test_a_renaming_of_cards_and_of_pairs():
    names = (2, 0, 1, 3)
    assert rename_cards(names)[list(parse_cards("AcAdAh2s"))].tolist() == list(
        parse_cards("AhAcAd2s")
    )
    before, after = index_pair(*parse_cards("AcKd")), index_pair(*parse_cards("AhKc"))
    assert rename_pairs(names)[before] == after
    assert np.array_equal(np.sort(rename_pairs(names)), np.arange(1326))
