"""Menus of spots as text, both ways, and what is wrong with other texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.bets import parse_menu
from counterfold.bets.menu_grammar import MAX_COUNT
from counterfold.bets.spot_menu import MAX_OPTION, SPOT_STREETS, SeatBets, SpotMenu, SpotStreet
from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.errors import AbstractionError
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
)
from counterfold.games.holdem.payoff import MAX_STACK

BETS = st.one_of(
    st.sampled_from([BetSize(MINIMUM), BetSize(ALL_IN)]),
    st.builds(BetSize, st.just(POT), st.integers(1, MAX_SHARE)),
    st.builds(BetSize, st.just(CHIPS), st.integers(1, MAX_STACK)),
    st.builds(BetSize, st.just(GEOMETRIC), st.integers(0, MAX_STREETS)),
)
RAISES = BETS | st.builds(BetSize, st.just(TIMES), st.integers(1001, MAX_TIMES))


def rows(sizes):
    return st.lists(sizes, max_size=3).map(tuple)


SEAT = st.builds(
    lambda bets, raises, donk: SeatBets((bets, *raises), donk),
    rows(BETS),
    st.lists(rows(RAISES), max_size=3),
    st.none() | rows(BETS),
)
CAP = st.just(0) | st.integers(1, MAX_COUNT)
OPTION = st.just(0) | st.integers(1, MAX_OPTION)


@st.composite
def streets(draw):
    """Seats that are often alike."""
    oop = draw(SEAT)
    return SpotStreet(oop, draw(SEAT) if draw(st.booleans()) else oop, draw(CAP))


@st.composite
def menus(draw):
    """Streets that are often, or in part, like the one before."""
    found = [draw(streets())]
    for _ in SPOT_STREETS[1:]:
        before, new = found[-1], draw(streets())
        parts = (draw(st.sampled_from([a, b])) for a, b in
                 ((before.oop, new.oop), (before.ip, new.ip), (before.cap, new.cap)))  # fmt: skip
        found.append(SpotStreet(*parts))
    return SpotMenu(tuple(found), draw(OPTION), draw(OPTION), draw(OPTION))


@given(menus())
def test_names_read_back(menu):
    assert parse_spot_menu(menu.name) == menu
    assert parse_spot_menu(menu.name).name == menu.name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("50%, 100%, allin", None),
        ("allin, 2e, 120, e, 50%, min", "min, 120, 50%, e, 2e, allin"),
        ("bets: 50%; raises: 3x, 2.5x", "bets: 50%; raises: 2.5x, 3x"),
        ("bets: 50%; raises: 3x; raise 2: allin", None),
        ("oop: 50%; ip: 60%", None),
        ("oop, ip: 50%", "50%"),
        ("oop: 50%; ip: 50%", "50%"),
        ("50%; oop: bets: 33%", "oop: bets: 33%; raises: 50%; ip: 50%"),
        ("bets: 60%; raises: 3x; ip: bets: 70%", None),
        ("50%; turn: donk: 33%", "preflop: 50%; turn: donk: 33%"),
        ("50%; turn: donk: 33%; river: donk: bets", None),
        ("50%; turn: donk: none", "preflop: 50%; turn: donk: none"),
        ("50%; flop: oop: 33%; turn: 60%", "preflop: 50%; flop: oop: 33%; turn: 60%"),
        ("flop: 50%; cap 3", "50%; cap 3"),
        ("50%\nriver: cap 2; add allin 150%\nmerge 10%", None),
        ("50%; force allin 15%", None),
    ],
)
def test_what_is_not_said_is_as_before(text, name):
    menu = parse_spot_menu(text)
    assert parse_spot_menu(menu.name) == menu
    if name is not None:
        assert menu.name == name


def test_a_seat_named_for_a_part_overrides_what_both_have():
    menu = parse_spot_menu("bets: 60%; raises: 3x; ip: bets: 70%")
    assert menu.streets[0].oop.sizes == ((BetSize(POT, 600),), (BetSize(TIMES, 3000),))
    assert menu.streets[0].ip.row(0) == (BetSize(POT, 700),)
    assert menu.streets[0].ip.row(1) == (BetSize(TIMES, 3000),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "character 1 of '': no sizes; write some"),
        ("50%;; cap 2", "character 5 of '50%;; cap 2': this part is empty"),
        ("donk: 50%", "no sizes; write some, such as 50%, allin, or none"),
        ("oop: 50%", "no sizes for ip; write some, or ip: none"),
        ("50%, 2x", "character 6 of '50%, 2x': 2x multiplies the bet before it; write it after"),
        ("bets: 2x", "character 7 .* write it after raises:"),
        ("50%; donk: 2x", "write it after raises:"),
        ("raises: 1x", "a size is 50% of the pot, 2.5x the bet, 120 chips, .* not '1x'"),
        ("alin", "character 1 of 'alin': unknown size 'alin'; did you mean allin"),
        ("flop: oop: ip: 50%", "write the streets first, then oop: or ip:, then bets:, raises:"),
        ("ip: flop: 50%", "character 5 .* write the streets first"),
        ("raises: bets: 50%", "write the streets first"),
        ("run: 50%", "unknown street 'run'; did you mean"),
        ("oop, flop: 50%", "unknown seat 'flop'"),
        ("50%; oop: cap 3", "cap applies to both seats; write it without a seat"),
        ("50%; river: merge 10%", "merge applies to all streets; write it without a street"),
        ("50%; raises: cap 2", "cap applies to bets and raises together"),
        ("50%; merge 10", "merge needs a percentage such as 90%, from 0.1% to 10000%, not '10'"),
        ("50%, cap 2", "write a semicolon, not a comma, before 'cap 2'"),
        ("oop 50%", "write a colon after oop, as in oop: 50%"),
        ("50%; 60%", "'60%' sets again what was set before"),
        ("50%; add alin 150%", "character 6 .*: unknown option 'add alin'; did you mean add allin"),
        ("50%; capp 3", "unknown option 'capp'; did you mean cap"),
        ("50%, none", "none must be the only size"),
        ("50%, 50%", "50% is given twice"),
    ],
)
def test_errors_say_where(text, message):
    with pytest.raises(AbstractionError, match=message):
        parse_spot_menu(text)


@pytest.mark.parametrize(
    "text", ["50%, allin", "bets: min; raises: 50%; raise 2: allin; turn: none; cap 3; flop: cap 2"]
)
def test_what_both_grammars_have_they_say_alike(text):
    assert parse_spot_menu(text).name == parse_menu(text).name
