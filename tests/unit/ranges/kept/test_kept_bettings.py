"""Bettings that are kept: found again by an equal key, and forgotten in the order of use."""

import numpy as np
import pytest

from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.errors import TooLargeError
from counterfold.games.holdem import VARIANTS
from counterfold.ranges.betting_tree import spot_root
from counterfold.ranges.kept.kept_bettings import BettingKey, KeptBettings

RIVER = 5


def key(pot=10, menu="50%, allin"):
    variant, root, dead = spot_root(VARIANTS["nolimit"](), RIVER, pot, 30)
    return BettingKey(variant, root, parse_spot_menu(menu), dead, ())


def test_an_equal_key_finds_the_same_betting():
    kept = KeptBettings()
    found = kept.find(key())
    assert kept.find(key()) is found
    again = key()
    assert kept.find(again._replace(root=np.array(again.root))) is found  # as kernels have it
    assert kept.find(key(pot=20)) is not found
    assert kept.find(key(menu="allin")) is not found


def test_those_that_were_not_asked_for_longest_go_first():
    kept = KeptBettings(most=2)
    first, second = kept.find(key(pot=10)), kept.find(key(pot=12))
    assert kept.find(key(pot=10)) is first
    kept.find(key(pot=14))
    assert kept.find(key(pot=10)) is first
    assert kept.find(key(pot=12)) is not second


def test_a_betting_that_is_too_large_is_refused_and_not_kept():
    kept = KeptBettings(max_nodes=3)
    for _ in range(2):
        with pytest.raises(TooLargeError, match="the limit is 3"):
            kept.find(key())
