"""Bet menus as text, both ways, and what is wrong with other texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.bets import MENUS, BetMenu, parse_menu
from counterfold.bets.menu import ALL_IN, MAX_COUNT, MAX_SIZE, MINIMUM, STREETS, StreetBets
from counterfold.errors import AbstractionError, UnknownNameError

SIZES = st.one_of(st.sampled_from([MINIMUM, ALL_IN]), st.integers(1, MAX_SIZE))
ROWS = st.lists(SIZES, max_size=4).map(tuple)
CAPS = st.one_of(st.just(0), st.integers(1, MAX_COUNT))
BIDS = st.lists(st.one_of(st.just(ALL_IN), st.integers(1, MAX_SIZE)), max_size=3).map(tuple)
STREET = st.builds(
    StreetBets, st.lists(ROWS, min_size=1, max_size=4).map(tuple), CAPS, CAPS, CAPS, BIDS
)


@st.composite
def menus(draw):
    """Streets that are often like the one before."""
    streets = [draw(STREET)]
    for _ in STREETS[1:]:
        streets.append(draw(STREET) if draw(st.booleans()) else streets[-1])
    return BetMenu(tuple(streets), draw(st.integers(1, 1000)), draw(st.integers(0, 1000)))


@given(menus())
def test_names_read_back(menu):
    assert parse_menu(menu.name) == menu
    assert parse_menu(menu.name).name == menu.name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("50%", "50%"),
        (" allin ,50 % , min ; ", "min, 50%, allin"),
        ("66.7%, 66%", "66%, 66.7%"),
        ("66.0%", "66%"),
        ("none", "none"),
        ("bets: none; raises: min", "bets: none; raises: min"),
        ("bets: 50%; raises: 50%", "50%"),
        ("50%; raise 2: allin", "50%; raise 2: allin"),
        ("raise 1: 50%", "bets: none; raises: 50%"),
        ("raise 2: allin; bets: 50%; raises: min", "bets: 50%; raises: min; raise 2: allin"),
        (
            "flop: 50%, 100%, allin; raises: 100%, allin; cap 2",
            "bets: 50%, 100%, allin; raises: 100%, allin; cap 2",
        ),
        ("preflop: min; flop: 50%", "preflop: min; flop: 50%"),
        ("min; flop: 50%; run: min", "preflop: min; flop: 50%; run: min"),
        ("min; river: raises: 50%", "preflop: min; river: bets: min; raises: 50%"),
        ("preflop, turn: min; flop, river: 50%", "preflop: min; flop: 50%; turn: min; river: 50%"),
        ("50%; river: cap 2", "preflop: 50%; river: cap 2"),
        ("bids: allin, 100%, 50%; 50%", "50%; bids: 50%, 100%, allin"),
        ("50%; flop: bids: 100%; turn: 75%", "preflop: 50%; flop: bids: 100%; turn: 75%"),
        ("50%; bids: 75%; turn: bids: none", "preflop: 50%; bids: 75%; turn: bids: none"),
        ("preflop: raises: 50%; flop: min", "preflop: bets: none; raises: 50%; flop: min"),
        ("50%; cap 3; turn: cap none", "preflop: 50%; cap 3; turn: cap none"),
        ("flop: 50%; cap 3\nrounds 2\n\nactions 4", "50%; cap 3; rounds 2; actions 4"),
        ("min\nriver: 50%; merge 10%\nallin from 90%", None),
    ],
)
def test_what_is_not_said_is_as_before(text, name):
    name = name or "preflop: min; river: 50%; allin from 90%; merge 10%"
    assert parse_menu(text).name == name


@pytest.mark.parametrize("name", MENUS)
def test_presets_read_back(name):
    menu = parse_menu(name)
    assert menu == parse_menu(f" {name}\n") == parse_menu(menu.name) == parse_menu(MENUS[name])


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("", 1, "no sizes; write some"),
        ("cap 2", 1, "no sizes"),
        ("bids: 50%", 1, "no sizes"),
        ("50%; bids: 50%, min", 17, "a bid of nothing is always offered; write a percentage"),
        ("50%, alin", 6, "unknown size 'alin'; did you mean allin"),
        ("50%, all-in", 6, "unknown size 'all-in'; did you mean allin"),
        ("50%;; cap 2", 5, "this part is empty"),
        ("50%, ", 5, "this part is empty"),
        ("50%,, 60%", 5, "this part is empty"),
        ("flop:", 6, "this part is empty"),
        ("min\nflop: ; cap 2", 10, "this part is empty"),
        ("flop 50%", 1, "write a colon after flop, as in flop: 50%"),
        ("raise 2 50%", 1, "write a colon after raise 2"),
        ("flp: 50%", 1, "unknown street 'flp'; did you mean flop"),
        ("flop, rivr: 50%", 7, "unknown street 'rivr'; did you mean river"),
        (": 50%", 1, "unknown street ''"),
        ("raise: 50%", 1, "unknown street 'raise'; did you mean raises"),
        ("raise 0: 50%", 1, "unknown street 'raise 0'"),
        ("raise 101: 50%", 1, "raises are counted only up to 100"),
        ("bets: flop: 50%", 7, "write the streets first"),
        ("flop: turn: 50%", 7, "write the streets first"),
        ("bets: raises: 50%", 7, "write the streets first"),
        ("50", 1, "such as 50%, from 0.1% to 10000%, not '50'"),
        ("1.5x", 1, "not '1.5x'"),
        ("0%", 1, "not '0%'"),
        ("-5%", 1, "not '-5%'"),
        ("10001%", 1, "not '10001%'"),
        ("33.33%", 1, "not '33.33%'"),
        ("50%, 20%, 50.0%", 11, "50.0% is given twice"),
        ("none, 50%", 1, "none must be the only size"),
        ("50%, cap 2", 6, "write a semicolon, not a comma, before 'cap 2'"),
        ("50%; cap", 9, "cap needs a whole number from 1 to 1000, or none, not ''"),
        ("50%; cap 0", 10, "not '0'"),
        ("50%; rounds two", 13, "not 'two'"),
        ("50%; actions 1001", 14, "not '1001'"),
        ("50%; raises: cap 2", 14, "cap applies to bets and raises together"),
        ("50%; merge 120%", 12, "merge needs a percentage such as 90%, from 0.1% to 100%"),
        ("50%; allin from", 16, "allin from needs a percentage"),
        ("flop: merge 10%", 7, "merge applies to all streets; write it without a street"),
        ("50%; 60%", 6, "'60%' sets again what was set before"),
        ("50%; preflop: 60%", 15, "sets again what was set before"),
        ("50%; cap 2; cap 3", 13, "sets again what was set before"),
        ("raises: 50%; raise 1: 60%", 23, "sets again what was set before"),
        ("50%; merge 5%; merge 6%", 16, "sets again what was set before"),
    ],
)
def test_errors_are_one_sentence_with_the_place(text, at, message):
    with pytest.raises(AbstractionError) as caught:
        parse_menu(text)
    found = str(caught.value)
    assert found.startswith(f"character {at} of {text!r}: ")
    assert message in found
    assert "\n" not in found
    assert not found.endswith(".")


@pytest.mark.parametrize("word", ["fcpaa", "limit-5", "ep-whit"])
def test_unknown_presets_come_with_suggestions(word):
    with pytest.raises(UnknownNameError, match=r"unknown bet menu .* did you mean"):
        parse_menu(word)


WORDS = [*STREETS, *MENUS, "bets", "raises", "raise", "cap", "none", "allin from", "merge", "min"]


@given(st.lists(st.one_of(st.sampled_from([*WORDS, *":;,% \n", "50%", "2"]), st.text(max_size=3))))
def test_any_text_is_a_menu_or_an_error_of_ours(words):
    text = " ".join(words)
    try:
        menu = parse_menu(text)
    except (AbstractionError, UnknownNameError):
        return
    assert parse_menu(menu.name) == menu


@pytest.mark.parametrize(
    "make",
    [
        lambda: StreetBets(((0,),)),
        lambda: StreetBets(((MAX_SIZE + 1,),)),
        lambda: StreetBets(cap=-1),
        lambda: StreetBets(bids=(MINIMUM,)),
        lambda: StreetBets(bids=(MAX_SIZE + 1,)),
        lambda: BetMenu((StreetBets(),) * 4),
        lambda: BetMenu((StreetBets(),) * 5, all_in_from=0),
        lambda: BetMenu((StreetBets(),) * 5, merge=1001),
    ],
)
def test_menus_made_by_hand_are_checked(make):
    with pytest.raises(AbstractionError):
        make()
