"""AIVAT where cards are laid, shown or thrown away: exactly unbiased for each set of cards."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfold.errors import UnsupportedGameError
from counterfold.games import parse_game
from counterfold.games.holdem import Deal, Discard, Street
from counterfold.matches.aivat.corrector import check_luck, hides_hands
from helpers.naive.naive_luck import CardlessGame, ExactGame
from helpers.public_games import SPECIAL, reduced

TOSS = parse_game("toss(stack=5, deck='9TJQKA/cd', board=(1,))")
BETS = "allin; cap 1"


@pytest.mark.parametrize("known", [(True, True), (True, False), (False, True)])
def test_any_value_function_leaves_the_mean_as_it_is(known):
    found = CardlessGame(TOSS, BETS).play(1, known=known, swapped=known[0], seed=1)
    found.check_unbiased()


@pytest.mark.parametrize(
    "title", ["both lay a card", "both may lay a card", "both show a card", "one shown for another"]
)
def test_whatever_is_done_with_cards(title):
    game = ExactGame if title in ("both lay a card", "both show a card") else CardlessGame
    game(SPECIAL[title], BETS).play(1, seed=3).check_unbiased()


@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_whatever_is_believed_and_dealt(seed):
    game = CardlessGame(SPECIAL["both lay a card"], BETS)
    game.play(1, seed=seed, values_seed=seed).check_unbiased()


def test_given_the_cards_it_is_no_luck_which_one_is_laid_last():
    """Nobody bets after it, so that values are exact."""
    lay = Discard(forced=True, redraw=False, to_board=True)
    variant = reduced(
        "lays alone", Street(first=0, betting=False), Street(1, steps=(lay,), betting=False),
        hole_cards=2, blinds=(0, 0), ante=1,
    )  # fmt: skip
    found = CardlessGame(variant, BETS).play(1, seed=1)
    found.check_unbiased()
    by_first = np.where(found.chances > 0, found.less, np.nan).reshape(2, 2, found.n_deals)
    spread = np.nanmax(by_first, axis=1) - np.nanmin(by_first, axis=1)
    assert spread.max() < 1e-12
    assert found.plain.std() > 0.1


def test_hands_that_are_seen_are_not_imagined():
    assert hides_hands(parse_game("auction"))
    assert hides_hands(parse_game("bounty"))
    assert not hides_hands(parse_game("toss"))
    assert not hides_hands(SPECIAL["look at two"])


def test_cards_by_the_way_beside_such_choices_are_refused():
    show = Discard(forced=True, shown=True)
    streets = Street(first=0), Street(1, steps=(show, Deal(holes=(1, 1))))
    with pytest.raises(UnsupportedGameError, match="AIVAT of discards"):
        check_luck(reduced("dealt and shown", *streets, deck="TJQKA/cd"))
