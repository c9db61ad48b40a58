"""Sizes of games that follow from their rules: a rule that is wrong somewhere counts wrong.

Limit hold'em has 3.16e17 states and 3.19e14 information sets in the literature; the exact figures,
and those after suit isomorphism, were computed beforehand with an independent indexer.
"""

from collections import Counter
from math import perm, sqrt

import numpy as np
import pytest

from counterfold.cards import Isomorphism, final_sizes
from counterfold.games import parse_game
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem.limit_size import (
    BettingCounts,
    count_betting,
    count_deals,
    count_infosets,
    count_views,
)
from helpers.compiled_games import compiled

LIMIT = VARIANTS["limit"]()
TREE = count_betting(LIMIT)


def total(per_street):
    """Summed over the decisions of limit hold'em, so many for each street."""
    return sum(n * each for n, each in zip(TREE.decisions, per_street, strict=True))


def test_the_betting_tree_of_limit_holdem():
    assert BettingCounts((8, 70, 630, 5670), (7, 56, 504, 4536), 5103) == TREE
    assert sum(TREE.decisions) == 6378
    assert sum(count_betting(VARIANTS["limit"](bets=3)).decisions) == 2286


def test_states_and_information_sets_of_limit_holdem():
    assert total(count_deals(LIMIT)) == 316_207_058_696_146_800
    assert total(count_views(LIMIT)) == 319_365_922_522_608
    assert count_infosets(LIMIT) == 319_365_922_522_608


def test_deals_of_one_card_each():
    """Leduc hold'em: six cards and five for the other, then four for the board."""
    assert count_deals(VARIANTS["leduc-variant"]()) == (6 * 5, 6 * 5 * 4)


def test_information_sets_up_to_suits():
    rounds = (2,), (2, 3), (2, 3, 1), (2, 3, 1, 1)
    classes = [Isomorphism(cards).size for cards in rounds]
    assert classes == [169, 1_286_792, 55_190_538, 2_428_287_420]
    assert total(classes) == 13_803_249_787_132


@pytest.mark.parametrize(
    ("buckets", "infosets"),
    [(5, 3_624_290), (6, 7_486_968), (8, 23_551_424), (10, 57_337_080)],
)
def test_information_sets_of_perfect_recall_buckets(buckets, infosets):
    assert total([buckets ** (street + 1) for street in range(4)]) == infosets


@pytest.mark.parametrize(
    "name",
    [
        "kuhn-variant",
        "leduc-variant",
        "limit(bets=3, deck='JQKA/cd', board=(1,), hole_cards=1)",
        "nolimit(stack=5, deck='QKA/cd', board=(1,))",
        "potlimit(stack=7, deck='TJQKA/c', board=(1,))",
    ],
)
def test_counting_agrees_with_the_tree(name):
    assert count_infosets(parse_game(name)) == compiled(name).n_infosets


def test_what_is_not_counted():
    assert count_betting(VARIANTS["nolimit"]()) is None
    assert count_betting(VARIANTS["nolimit"](stack=20_000, blinds=(50, 100))) is None
    assert count_betting(VARIANTS["discard"](stack=4)) is None
    assert count_betting(VARIANTS["river-of-blood"](stack=4)) is None
    assert count_infosets(VARIANTS["swap"](stack=4)) is None


# From the fifth card on a board grows while its last card is red: k red ones, then a black one.
SIZES = {5 + k: perm(26, k) / perm(52, k) * 26 / (52 - k) for k in range(27)}


def test_lengths_of_river_of_blood_boards():
    assert sum(SIZES.values()) == pytest.approx(1)
    assert final_sizes() == pytest.approx([SIZES.get(size, 0) for size in range(32)])
    # Shares of 150,000 deals by the contest's engine: σ is at most 0.0013, and 0.0005 is rounding.
    engine = {5: 0.502, 6: 0.254, 7: 0.127, 8: 0.062, 9: 0.029, 10: 0.014}
    assert all(abs(SIZES[size] - share) < 3 * 0.0013 + 0.0005 for size, share in engine.items())


def test_lengths_of_boards_that_are_played():
    variant, rng, n = VARIANTS["river-of-blood"](stack=2), np.random.default_rng(1), 2_000
    found = Counter()
    for _ in range(n):
        state = variant.root()
        while state.utilities is None:
            chance = state.chance
            state = state.child("c" if chance is None else chance.sample(rng))
        found[sum(len(cards) for cards in state.board)] += 1
    # 4.5 σ each: a fresh seed would fail once in ten thousand, the test's is fixed.
    for size in range(5, 11):
        tolerance = 4.5 * sqrt(n * SIZES[size] * (1 - SIZES[size]))
        assert found[size] == pytest.approx(n * SIZES[size], abs=tolerance)
