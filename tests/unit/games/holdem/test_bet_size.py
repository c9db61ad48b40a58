"""Sizes of bets as text, and what they come to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.bet_size import (
    ALL_IN,
    CHIPS,
    GEOMETRIC,
    MAX_SHARE,
    MAX_STREETS,
    MAX_TIMES,
    MINIMUM,
    POT,
    TIMES,
    BetSize,
    raise_total,
    read_size,
)
from counterfold.games.holdem.payoff import MAX_STACK
from counterfold.games.holdem.situation import before_deal

SIZES = st.one_of(
    st.just(BetSize(MINIMUM)),
    st.just(BetSize(ALL_IN)),
    st.builds(BetSize, st.just(POT), st.integers(1, MAX_SHARE)),
    st.builds(BetSize, st.just(TIMES), st.integers(1001, MAX_TIMES)),
    st.builds(BetSize, st.just(CHIPS), st.integers(1, MAX_STACK)),
    st.builds(BetSize, st.just(GEOMETRIC), st.integers(0, MAX_STREETS)),
)


@given(SIZES)
def test_sizes_read_back(size):
    assert read_size(str(size)) == size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("50%", BetSize(POT, 500)),
        ("66.7 %", BetSize(POT, 667)),
        ("2.5x", BetSize(TIMES, 2500)),
        ("3.25x", BetSize(TIMES, 3250)),
        ("120", BetSize(CHIPS, 120)),
        ("e", BetSize(GEOMETRIC)),
        ("2e", BetSize(GEOMETRIC, 2)),
        ("min", BetSize(MINIMUM)),
        ("allin", BetSize(ALL_IN)),
    ],
)
def test_what_sizes_mean(text, size):
    assert read_size(text) == size


@pytest.mark.parametrize(
    "text", ["", "0", "0%", "1x", "0.5x", "50 chips", "-3%", "10001%", "0e", "1000001", "2.5"]
)
def test_what_is_not_a_size(text):
    assert read_size(text) is None


def situation_of(variant, *totals):
    """Flop of a pot of 20 each, after raises to these totals over the hand."""
    situation = betting.after_deal(variant.rules, before_deal(1, 20), False)
    for total in totals:
        situation = betting.after_raise(situation, total)
    return situation


@pytest.mark.parametrize(
    ("totals", "size", "street_total"),
    [
        ((), "50%", 20),
        ((), "1%", 2),  # the smallest bet
        ((), "1000%", 180),  # the stack
        ((), "35", 35),
        ((), "min", 2),
        ((), "allin", 180),
        ((), "1e", 180),
        # Three times 0.577 of the pot, called, grow 40 to 400: (400/40)^(1/3) = 2.154.
        ((), "e", 23),
        ((), "2e", 43),  # sqrt(10) = 3.162
        ((40,), "2.5x", 50),
        ((40,), "50%", 60),  # call 20, half of the 80 then
        ((40,), "min", 40),
        ((40,), "30", 40),  # less than the smallest raise
        ((40, 70), "3x", 150),
        ((40, 70), "2.01x", 101),  # 100.5
    ],
)
def test_what_sizes_come_to(totals, size, street_total):
    variant = parse_game("nolimit(stack=200)")
    total = raise_total(variant, situation_of(variant, *totals), read_size(size))
    assert total - 20 == street_total


def test_dead_chips_are_part_of_the_pot():
    variant = parse_game("nolimit(stack=200)")
    assert raise_total(variant, situation_of(variant), read_size("50%"), dead=1) == 20 + 21


def test_pot_limit_bounds_every_size():
    variant = parse_game("potlimit(stack=200)")
    for size in ("allin", "150%", "120"):
        assert raise_total(variant, situation_of(variant), read_size(size)) == 20 + 40


def test_nobody_raises_an_all_in():
    variant = parse_game("nolimit(stack=200)")
    assert raise_total(variant, situation_of(variant, 200), read_size("50%")) == 0
