"""Variants by name: one name for equal rules, and which arguments are refused."""

import pytest

from counterfold.errors import GameError
from counterfold.games import parse_game
from counterfold.games.holdem.presets import HOLDEM_BOARD, VARIANTS
from counterfold.games.holdem.street import Auction, Discard, Swap


@pytest.mark.parametrize("word", VARIANTS)
def test_a_preset_without_arguments_is_called_by_its_word_alone(word):
    variant = VARIANTS[word]()
    assert variant.name == word
    assert parse_game(word) == variant


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("nolimit(400)", "nolimit"),  # as by default
        ("nolimit(200, blinds=(1, 2))", "nolimit(stack=200)"),
        ("nolimit(deck='23456789TJQKA/cdhs')", "nolimit"),
        ("limit(board=[3, 1])", "limit(board=(3, 1))"),
        ("auction(sealed=True)", "auction(sealed=True)"),
    ],
)
def test_equal_rules_have_one_name(call, name):
    variant = parse_game(call)
    assert variant.name == name
    assert parse_game(name) == variant


def test_limit_bets_double_over_the_second_half_of_the_streets():
    assert [street.bet for street in VARIANTS["limit"]().streets] == [2, 2, 4, 4]
    assert [street.bet for street in VARIANTS["limit"](board=(3, 1)).streets] == [2, 2, 4]


def test_what_happens_before_the_betting_of_each_street():
    """Rules of the contests of 2017, 2022, 2024 and 2026."""
    lay = Discard(forced=True, redraw=False, to_board=True)
    expected = {
        "discard": [(), (Discard(),), (Discard(),), ()],
        "swap": [(), (Swap(0.10),), (Swap(0.05),), ()],
        "auction": [(), (Auction(sealed=False),), (), ()],
        "toss": [(), (lay,), (), ()],
    }
    for word, steps in expected.items():
        assert [street.steps for street in VARIANTS[word]().streets] == steps, word


def test_a_short_board_keeps_the_steps_of_its_streets():
    assert [s.steps for s in VARIANTS["discard"](board=(1, 1)).streets] == [(), (Discard(),), ()]
    assert [s.steps for s in VARIANTS["swap"](board=(2,)).streets] == [(), (Swap(0.10),)]


@pytest.mark.parametrize("word", sorted({"limit", "nolimit", "potlimit"}))
def test_games_of_betting_alone_may_have_no_board(word):
    assert len(VARIANTS[word](board=()).streets) == 1


@pytest.mark.parametrize("word", ["discard", "swap", "auction", "toss", "river-of-blood"])
def test_other_games_need_a_board(word):
    with pytest.raises(GameError, match=r"board must be the number of cards .*, not \(\)"):
        VARIANTS[word](board=())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"deck": 7}, "deck must be text such as full or 9TJQKA/cd, not 7"),
        ({"board": 3}, "board must be the number of cards of each street"),
        ({"stack": 1}, r"nolimit\(stack=1\): "),
    ],
)
def test_an_error_says_which_call_it_is_of(arguments, message):
    with pytest.raises(GameError, match=message):
        VARIANTS["nolimit"](**arguments)


def test_the_usual_board_is_that_of_holdem():
    assert sum(HOLDEM_BOARD) == 5
