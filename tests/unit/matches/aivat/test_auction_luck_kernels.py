"""AIVAT of auctions: exactly unbiased for each set of cards, and nothing is left of bids."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfold.games import parse_game
from counterfold.games.holdem import Auction, Street
from helpers.naive.naive_luck import CardlessGame, ExactGame
from helpers.public_games import SPECIAL, reduced

DECKS = {1: "TJQKA", 2: "789TJQKA"}  # by imagined hands
# As many cards are left for the board that all boards are looked at, not a sample of them.
TOLD = {n: f"auction(stack=4, deck='{deck}/cd', board=(3,))" for n, deck in DECKS.items()}
BIDS = "allin; cap 1; flop: bids: 100%"
BOTH, FIRST, SECOND = (True, True), (True, False), (False, True)


@pytest.mark.parametrize("known", [BOTH, FIRST, SECOND])
@pytest.mark.parametrize("n_hands", [1, 2])
def test_any_value_function_leaves_the_mean_as_it_is(known, n_hands):
    found = CardlessGame(parse_game(TOLD[n_hands]), BIDS).play(
        n_hands, known=known, swapped=known[0], seed=n_hands
    )
    found.check_unbiased()


@pytest.mark.parametrize("title", ["first price", "sealed bids", "told bids", "look at two"])
def test_prices_and_prizes_of_all_kinds(title):
    bids = "allin; cap 1; flop: bids: 100%, allin"
    ExactGame(SPECIAL[title], bids).play(1, seed=2).check_unbiased()


@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_whatever_is_believed_and_dealt(seed):
    CardlessGame(SPECIAL["sealed bids"], BIDS).play(1, seed=seed, values_seed=seed).check_unbiased()


def test_given_the_cards_no_bid_is_luck():
    """Nobody bets after it, so that looking ahead is exact; pots can be halved."""
    variant = reduced(
        "bids alone", Street(first=0, betting=False), Street(4, steps=(Auction(),), betting=False),
        deck="JQKA/cd", hole_cards=1, blinds=(0, 0), ante=1,
    )  # fmt: skip
    found = CardlessGame(variant, "allin; cap 1; flop: bids: 100%").play(1, seed=1)
    found.check_unbiased()
    by_deal = np.where(found.chances > 0, found.less, np.nan).reshape(-1, found.n_deals)
    assert np.nanmax(np.nanmax(by_deal, axis=0) - np.nanmin(by_deal, axis=0)) < 1e-12
    assert found.plain.std() > 0.1
