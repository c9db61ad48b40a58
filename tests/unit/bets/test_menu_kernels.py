"""What menus offer, against a plain reading of what players did."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.bets.menu import BetMenu, StreetBets
from counterfold.bets.menu_kernels import (
    ALL_IN,
    MINIMUM,
    NO_SIZE,
    Menu,
    _insert,
    bid_of_size,
    offered_totals,
    total_of_size,
)
from counterfold.games.holdem import VARIANTS, Street, Variant, parse_state
from counterfold.games.holdem import betting_kernels as betting
from helpers.naive.naive_menus import read_bets, situations

ANTES = Variant(
    "antes", (Street(first=0), Street(1)), stack=23, blinds=(0, 0), ante=1, fold_when_free=True
)
GAMES = [
    VARIANTS["nolimit"](stack=17, board=(1, 1)),
    VARIANTS["nolimit"](stack=60, blinds=(1, 3), board=(1,)),
    VARIANTS["potlimit"](stack=40, board=(1,)),
    VARIANTS["discard"](stack=12, board=(1, 1)),
    VARIANTS["river-of-blood"](stack=9, deck="QKA/cdhs", board=(1,)),
    ANTES,
]
LIMITED = [VARIANTS["limit"](board=(3, 1)), VARIANTS["leduc-variant"](), VARIANTS["kuhn-variant"]()]

NO_BIDS = np.full((1, 1), NO_SIZE, np.int32)
SIZES = st.one_of(st.sampled_from([MINIMUM, ALL_IN, 333, 500, 1000]), st.integers(1, 5000))
ROWS = st.lists(SIZES, max_size=3).map(tuple)
CAPS = st.sampled_from([0, 0, 1, 2, 3])


def streets(rows):
    """Streets with at most four bets, so that trees of minimum raises stay small."""
    return st.builds(
        StreetBets, st.lists(rows, min_size=1, max_size=3).map(tuple), st.integers(1, 4), CAPS, CAPS
    )


@st.composite
def menus(draw, n_streets, runs, rows=ROWS):
    """A menu that tells apart no more streets than there are."""
    own = [draw(streets(rows)) for _ in range(min(n_streets, 4))]
    own += own[-1:] * (4 - len(own))
    own.append(draw(streets(rows)) if runs else own[-1])
    return BetMenu(tuple(own), draw(st.integers(500, 1000)), draw(st.integers(0, 400)))


def offered(variant, menu, situation):
    arrays = menu.compile(variant)
    totals, labels = np.full((2, arrays.sizes.shape[2]), NO_SIZE, np.int64)
    n = offered_totals(variant.rules, arrays, situation, totals, labels)
    return list(zip(labels[:n].tolist(), totals[:n].tolist(), strict=True))


def check(variant, menu):
    for situation, done in situations(variant, menu).items():
        if situation[betting.PHASE] == betting.BET:
            found = offered(variant, menu, situation)
            assert found == read_bets(variant, menu, situation, done), situation
            low, high = betting.raise_bounds(variant.rules, situation)
            assert all(low <= total <= high for _, total in found)


@pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.name)
def test_the_kernel_offers_what_a_plain_reading_does(variant):
    @given(menus(len(variant.streets), variant.max_runs > 0))
    def compare(menu):
        check(variant, menu)

    compare()


@pytest.mark.parametrize("variant", LIMITED, ids=lambda variant: variant.name)
def test_fixed_limit_has_one_raise_or_none(variant):
    @given(menus(len(variant.streets), False, st.sampled_from([(), (MINIMUM,)])))
    def compare(menu):
        check(variant, menu)

    compare()


def menu_of(*sizes, limits=(0, 0, 0), nearness=(1000, 0)):
    """One row of sizes for everything."""
    return Menu(
        np.array([[sizes]], np.int32),
        np.array([limits], np.int32),
        np.array(nearness, np.int64),
        NO_BIDS,
    )


def totals_of(variant, menu, situation):
    totals, labels = np.zeros((2, menu.sizes.shape[2]), np.int64)
    return totals[: offered_totals(variant.rules, menu, situation, totals, labels)].tolist()


HEADS_UP = VARIANTS["nolimit"](stack=200)
FIRST = betting.first_situation(HEADS_UP.rules)


@pytest.mark.parametrize(
    ("sizes", "nearness", "totals"),
    [
        ((1000,), (1000, 0), [6]),  # call to 2, then the pot of 4
        ((500, 1000, ALL_IN), (1000, 0), [4, 6, 200]),
        ((1670,), (1000, 0), [9]),  # 2 + 6.68
        ((875,), (1000, 0), [6]),  # 2 + 3.5: half up
        ((874,), (1000, 0), [5]),
        ((1,), (1000, 0), [4]),  # below the minimum
        ((MINIMUM, 100, 500), (1000, 0), [4]),
        ((99_000,), (1000, 0), [200]),  # beyond the stack
        ((44_500,), (1000, 0), [180]),
        ((44_500,), (900, 0), [200]),  # 180 is 90% of the stack
        ((44_500,), (901, 0), [180]),
        ((1000, 1100), (1000, 0), [6]),  # 2 + 4.4
        ((10_000, 11_000), (1000, 100), [42, 46]),  # 40 and 44 are 10% apart, not less
        ((10_000, 11_000), (1000, 101), [42]),
        ((10_000, 11_000, 12_000), (1000, 150), [42, 50]),  # 48 against 40, not against 44
        ((45_000, ALL_IN), (1000, 150), [200]),  # 180 and 198 beyond the call; all-in stays
        ((NO_SIZE, 500, NO_SIZE), (1000, 0), [4]),
        ((NO_SIZE,), (1000, 0), []),
    ],
)
def test_sizes_before_the_flop(sizes, nearness, totals):
    assert totals_of(HEADS_UP, menu_of(*sizes, nearness=nearness), FIRST) == totals


def test_a_size_alone_comes_to_the_total_that_a_menu_of_it_offers():
    nearness = np.array([950, 0])
    for situation in situations(HEADS_UP, BetMenu((StreetBets(((500, 3000, ALL_IN),)),) * 5)):
        if situation[betting.PHASE] != betting.BET:
            continue
        for size in (MINIMUM, ALL_IN, 1, 333, 1000, 20_000):
            total = total_of_size(HEADS_UP.rules, nearness, situation, size)
            offered = totals_of(HEADS_UP, menu_of(size, nearness=(950, 0)), situation)
            assert offered == ([total] if total else [])


def play(variant, menu, *raises):
    """How many times players may go on raising by the smallest size, after `raises` checks."""
    situation, made = betting.first_situation(variant.rules), 0
    for _ in raises:
        situation = betting.after_call(variant.rules, situation)
    while totals := totals_of(variant, menu, situation):
        situation = betting.after_raise(situation, totals[0])
        made += 1
    return made


@pytest.mark.parametrize(
    ("limits", "blinds", "antes"),
    [
        ((1, 0, 0), (0, 0), (1, 1)),  # the big blind is the one bet
        ((3, 0, 0), (2, 2), (3, 3)),
        ((0, 1, 0), (2, 2), (2, 2)),  # one of each player
        ((0, 2, 0), (4, 4), (4, 4)),
        ((0, 0, 1), (1, 0), (1, 0)),  # a bet, and the answer; none after a check
        ((0, 0, 2), (3, 2), (3, 2)),
        ((0, 0, 3), (5, 4), (5, 4)),
        ((4, 2, 2), (3, 2), (3, 2)),
        ((2, 2, 3), (1, 1), (2, 2)),
    ],
)
def test_caps_by_counting_raises(limits, blinds, antes):
    """At once and after a check or call, with blinds and with antes."""
    menu = menu_of(MINIMUM, limits=limits)
    deep = Variant("deep", (Street(first=0),), stack=1000, blinds=(0, 0), ante=1)
    assert (play(HEADS_UP, menu), play(HEADS_UP, menu, "call")) == blinds
    assert (play(deep, menu), play(deep, menu, "check")) == antes


def test_streets_and_raises_beyond_the_last_row_repeat_it():
    sizes = np.array([[[500], [1000]], [[2000], [3000]]], np.int32)
    menu = Menu(sizes, np.zeros((2, 3), np.int32), np.array([1000, 0]), NO_BIDS)
    assert totals_of(HEADS_UP, menu, FIRST) == [6]
    turn = (2, betting.BET, 1, 10, 10, 10, 0, 0, 0, 0, 0, 0, 0)
    assert totals_of(HEADS_UP, menu, turn) == [50]
    third = (2, betting.BET, 1, 20, 10, 10, 5, 1, 0, 0, 0, 0, 0)
    assert totals_of(HEADS_UP, menu, third) == [140]


def test_sizes_of_a_deep_stack_are_exact():
    """Rounding errors of one in a thousand show only in large pots."""
    deep = VARIANTS["nolimit"](stack=500_000, blinds=(5_000, 10_000))
    menu = BetMenu((StreetBets(((500, 1000, 3333, 24_487),)),) * 5)
    found = dict(offered(deep, menu, deep.root().situation))
    assert found == {500: 20_000, 1000: 30_000, 3333: 76_660, 24_487: 499_740}  # not all-in


@pytest.mark.parametrize(("total", "expected"), [(5, [5, 10, 20]), (15, [10, 15, 20]),
                                                 (25, [10, 20, 25]), (10, [10, 20])])  # fmt: skip
def test_totals_stay_in_order_however_they_come(total, expected):
    totals, labels = np.array([10, 20, 0]), np.array([1, 2, 0])
    n = _insert(totals, labels, 2, total, 3)
    assert totals[:n].tolist() == expected
    assert [labels[k] for k in range(n) if totals[k] == total] == [3 if n == 3 else 1]


@pytest.mark.parametrize(("size", "bid"), [(125, 1), (124, 0), (375, 2), (2_000, 8), (ALL_IN, 98)])
def test_bids_are_shares_of_the_pot_rounded_half_up(size, bid):
    variant = VARIANTS["auction"](stack=100)
    situation = parse_state(variant, "AhKs QdQc c k Ts7d2c").situation  # with 4 chips in the pot
    assert bid_of_size(variant.rules, situation, size) == bid
