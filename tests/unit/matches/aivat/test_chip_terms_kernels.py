"""AIVAT with bounties: exactly unbiased for each set of cards, half chips included."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfold.games import parse_game
from counterfold.games.holdem.payoff import Bounty
from helpers.naive.naive_luck import CardlessGame, ExactGame
from helpers.public_games import FIRST, reduced

BOUNTY = parse_game("bounty(stack=5, deck='9TJQKA/cd', board=(1,), extra=3)")
SMALL = parse_game("bounty(stack=5, deck='QKA/cd', board=(1,), factor=1.7, extra=2)")


@pytest.mark.parametrize("known", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("n_hands", [1, 2])
def test_any_value_function_leaves_the_mean_as_it_is(known, n_hands):
    game = CardlessGame(BOUNTY, "allin; cap 1")
    game.play(n_hands, known=known, swapped=known[0], seed=n_hands).check_unbiased()


def test_players_know_their_bounties():
    ExactGame(SMALL, "100%, allin; cap 2").play(1, seed=4).check_unbiased()


@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_whatever_is_believed_and_dealt(seed):
    CardlessGame(SMALL, "100%; cap 1").play(1, seed=seed, values_seed=seed).check_unbiased()


def test_given_the_cards_no_bet_is_luck():
    """On the last street looking ahead is exact, where there are no half chips."""
    variant = reduced("before the flop", FIRST, hole_cards=1, bounty=Bounty(2, 3))
    found = CardlessGame(variant, "allin; cap 2").play(1, seed=1)
    found.check_unbiased()
    by_deal = np.where(found.chances > 0, found.less, np.nan).reshape(-1, found.n_deals)
    assert np.nanmax(np.nanmax(by_deal, axis=0) - np.nanmin(by_deal, axis=0)) < 1e-12
    assert found.plain.std() > 1.0
