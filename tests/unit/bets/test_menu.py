"""Menus in a variant: what they offer, by which labels, and where they do not fit."""

from dataclasses import replace

import numpy as np
import pytest

from counterfold.bets import MENUS, PublicPlace, parse_menu
from counterfold.bets.menu import ALL_IN, MINIMUM, NO_SIZE, format_size
from counterfold.errors import AbstractionError
from counterfold.games.holdem import VARIANTS, Street, Variant, parse_state
from counterfold.games.holdem import betting_kernels as betting
from helpers.naive.naive_menus import (
    DEALS,
    DECISIONS,
    DRAWS,
    FOLDS,
    SHOWDOWNS,
    by_street,
    read_bets,
    situations,
    walk,
)

nolimit, potlimit, discard = VARIANTS["nolimit"], VARIANTS["potlimit"], VARIANTS["discard"]
HALF_POT_ALL_IN = parse_menu("50%, 100%, allin")


@pytest.mark.parametrize(
    ("events", "actions", "labels"),
    [
        ("", "f c r4 r6 r200", "fold call 50% 100% allin"),
        ("c", "k r4 r6 r200", "check 50% 100% allin"),
        ("r6", "f c r12 r18 r200", "fold call 50% 100% allin"),
        ("r6 c 2c7dTs", "k r6 r12 r194", "check 50% 100% allin"),
        ("r6 c 2c7dTs r6", "f c r18 r30 r194", "fold call 50% 100% allin"),  # 6 and half of 24
        ("r6 c 2c7dTs r3", "f c r12 r21 r194", "fold call 50% 100% allin"),  # 3 and half of 18
        ("r100", "f c r200", "fold call allin"),  # half the pot is all that is left
        ("r66", "f c r132 r198 r200", "fold call 50% 100% allin"),
        ("r67", "f c r134 r200", "fold call 50% allin"),  # the pot is more than the stack
        ("r200", "f c", "fold call"),
    ],
)
def test_actions_and_labels_of_states(events, actions, labels):
    state = parse_state(nolimit(200), f"AhKs QdQc {events}")
    assert HALF_POT_ALL_IN.offered(state) == tuple(actions.split())
    assert HALF_POT_ALL_IN.labels(state) == tuple(labels.split())
    spot = PublicPlace(state.variant, state.situation)
    assert HALF_POT_ALL_IN.labels(spot) == HALF_POT_ALL_IN.labels(state)


@pytest.mark.parametrize(
    ("menu", "labels"),
    [
        ("min, 10%, 20%", "min"),  # all are the smallest raise, which has a name
        ("10%, 20%, 100%", "10% 100%"),  # of equal ones the smallest lends its label
        ("10000%", "allin"),  # the stack goes in, whatever it is called
        ("100%, 110%, 120%; merge 40%", "100%"),
        ("4500%, allin; merge 9%", "4500% allin"),  # 180 and 198 beyond the call
        ("4500%, allin; merge 11%", "allin"),
        ("4450%; allin from 90%", "allin"),
        ("none", ""),
    ],
)
def test_labels_of_sizes_that_meet(menu, labels):
    state = parse_state(nolimit(200), "AhKs QdQc")
    assert parse_menu(menu).labels(state) == ("fold", "call", *labels.split())


def test_labels_say_the_size_back():
    assert [format_size(size) for size in (MINIMUM, 1, 10, 667, 1500, ALL_IN)] == [
        "min",
        "0.1%",
        "1%",
        "66.7%",
        "150%",
        "allin",
    ]


def test_nothing_is_offered_where_nobody_acts():
    for text in ("", "AhKs QdQc c k", "AhKs QdQc f", "AhKs QdQc r200 c 2c3c4c 5c 6c"):
        assert HALF_POT_ALL_IN.offered(parse_state(nolimit(200), text)) == ()


def test_draws_are_offered_whole():
    state = parse_state(discard(), "AhKs QdQc c k 2c3c4c")
    assert HALF_POT_ALL_IN.offered(state) == ("s", "dQd", "dQc")
    assert HALF_POT_ALL_IN.offered(state.child("dQd")) == ()  # a card is owed


AUCTION = VARIANTS["auction"](100)
WITH_BIDS = parse_menu("100%, allin; flop: bids: 50%, 200%, allin")


@pytest.mark.parametrize(
    ("events", "actions", "labels"),
    [
        ("c k Ts7d2c", "a0 a2 a8 a98", "0% 50% 200% allin"),
        ("c k Ts7d2c a70", "a0 a2 a8 a98", "0% 50% 200% allin"),  # whatever the other has bid
        ("r30 c Ts7d2c", "a0 a30 a70", "0% 50% allin"),
        ("r100 c Ts7d2c", "a0", "0%"),  # nothing is left
        # Seat 0 has paid 8: the pot is 12, and 90 chips can still be bet.
        ("c k Ts7d2c a8 a98 +3c", "k r12 r90", "check 100% allin"),
        ("c k Ts7d2c a8 a98 +3c r12", "f c r48 r90", "fold call 100% allin"),
    ],
)
def test_bids_and_the_bets_after_them(events, actions, labels):
    state = parse_state(AUCTION, f"AhKs QdQc {events}")
    assert WITH_BIDS.offered(state) == tuple(actions.split())
    assert WITH_BIDS.labels(state) == tuple(labels.split())


def test_no_bid_is_offered_while_a_card_is_owed():
    assert WITH_BIDS.offered(parse_state(AUCTION, "AhKs QdQc c k Ts7d2c a8 a98")) == ()


def test_a_fold_with_nothing_to_call_is_offered_where_it_is_legal():
    game = Variant("free", (Street(first=0),), stack=9, fold_when_free=True)
    state = parse_state(game, "AhKs QdQc c")
    assert HALF_POT_ALL_IN.offered(state) == ("f", "k", "r4", "r6", "r9")
    assert HALF_POT_ALL_IN.labels(state)[:2] == ("fold", "check")


def test_all_in_on_pot_limit_is_the_largest_raise():
    state = parse_state(potlimit(), "AhKs QdQc")
    assert parse_menu("50%, allin").bets(state) == (("50%", 4), ("allin", 6))
    assert parse_menu("100%, allin").bets(state) == (("100%", 6),)


@pytest.mark.parametrize(
    ("variant", "menu", "message"),
    [
        (nolimit(board=(1,)), "50%; turn: min", "names the turn, but .* has only preflop, flop"),
        (nolimit(), "50%; run: min", "names the run, but nolimit has only preflop, .*, river$"),
        (VARIANTS["kuhn-variant"](), "min; flop: none", "names the flop, .* has only preflop$"),
        (
            VARIANTS["river-of-blood"](board=(1,)),
            "50%; turn: min",
            "names the turn, but .* has only preflop, flop, run$",
        ),
        (nolimit(), "50%; bids: 50%", "has bids, but nolimit has no auctions; leave out 'bids:'"),
        (
            VARIANTS["auction"](),
            "50%; turn: bids: 50%",
            "has no bids for the auction on the flop of auction; add some, such as bids: 50%",
        ),
        (VARIANTS["limit"](), "fcpa", "offers 100%, but bets of limit are fixed; write min"),
        (VARIANTS["limit"](), "min, allin", "offers allin, but bets of limit are fixed"),
    ],
)
def test_menus_that_do_not_fit(variant, menu, message):
    with pytest.raises(AbstractionError, match=message):
        parse_menu(menu).compile(variant)


def test_streets_and_raises_as_rows():
    menu = parse_menu("min; flop: 50%, 100%; raise 2: allin; cap 2; run: none; rounds 1")
    sizes, limits, nearness, bids = menu.compile(VARIANTS["river-of-blood"](board=(3, 1)))
    assert bids.tolist() == [[NO_SIZE]] * 4
    flop = [[500, 1000], [500, 1000], [ALL_IN, NO_SIZE]]
    assert sizes.tolist() == [
        [[MINIMUM, NO_SIZE]] * 3,
        flop,
        flop,
        [[NO_SIZE, NO_SIZE]] * 3,
    ]
    assert limits.tolist() == [[0, 0, 0], [2, 0, 0], [2, 0, 0], [2, 1, 0]]
    assert nearness.tolist() == [1000, 0]
    assert (sizes.dtype, limits.dtype, nearness.dtype) == (np.int32, np.int32, np.int64)


def test_a_fifth_street_is_like_the_river():
    menu = parse_menu("min; river: 50%").compile(nolimit(board=(1, 1, 1, 1)))
    assert menu.sizes[:, 0, 0].tolist() == [MINIMUM, MINIMUM, MINIMUM, 500, 500]


def counts(variant, menu):
    found = walk(variant, parse_menu(menu))
    return {kind: by_street(found, kind) for kind in (DECISIONS, DRAWS, FOLDS, SHOWDOWNS, DEALS)}


def test_limit_with_four_bets_has_the_known_tree():
    found = counts(VARIANTS["limit"](), "limit-4")
    assert found[DECISIONS] == [8, 70, 630, 5670]
    assert sum(found[DECISIONS]) == 6378  # Zinkevich et al. 2007, and by hand
    assert found[FOLDS] == [7, 56, 504, 4536]
    assert found[SHOWDOWNS] == [0, 0, 0, 5103]


def test_limit_with_three_bets_has_the_known_tree():
    assert sum(counts(VARIANTS["limit"](), "limit-3")[DECISIONS]) == 2286
    assert counts(VARIANTS["limit"](3), "limit-4") == counts(VARIANTS["limit"](), "limit-3")


@pytest.mark.parametrize(
    ("variant", "menu", "decisions", "showdowns"),
    [
        # A street alone after the blinds of 1 and 2, with a stack of 4: each of call, raise to 4.
        # Seat 0: fold, call (seat 1: check, all-in (fold, call)), all-in (fold, call).
        (nolimit(4, board=()), "min", [4], [3]),
        # The same with 6 chips: min is 4, and then all-in; pot is all-in.
        (nolimit(6, board=()), "100%", [4], [3]),
        (nolimit(6, board=()), "min", [6], [5]),
        (nolimit(6, board=()), "min; cap 2", [4], [3]),
        (nolimit(6, board=()), "min, allin", [8], [7]),
    ],
)
def test_trees_counted_by_hand(variant, menu, decisions, showdowns):
    found = counts(variant, menu)
    assert found[DECISIONS] == decisions
    assert found[SHOWDOWNS] == showdowns


PRESETS = [name for name in MENUS if not name.startswith("limit")]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(
    "variant", [nolimit(40, board=(3, 1)), discard(20), VARIANTS["river-of-blood"](20, board=(1,))]
)
def test_presets_offer_the_same_as_a_plain_reading(variant, name):
    menu = parse_menu(name)
    seen = situations(variant, menu)
    for situation, done in seen.items():
        if situation[betting.PHASE] == betting.BET:
            bets = menu.bets(PublicPlace(variant, situation))
            plain = read_bets(variant, menu, situation, done)
            assert bets == tuple((format_size(size), total) for size, total in plain)


def test_the_winner_of_discard_hold_em_has_two_actions_and_four_bets_only_all_in():
    menu, game = parse_menu("discard-winner"), discard()
    state = parse_state(game, "AhKs QdQc")
    assert menu.offered(state) == ("f", "c", "r9", "r200")  # 2 + 1.67 · 4
    state = state.child("r9")
    assert menu.offered(state) == ("f", "c", "r52", "r200")  # 9 + 2.38 · 18
    assert menu.offered(state.child("r52")) == ("f", "c", "r200")
    assert menu.offered(state.child("r52").child("r200")) == ("f", "c")
    flop = parse_state(game, "AhKs QdQc c k 2c7dTs s s")
    assert menu.offered(flop) == ("k", "r3", "r198")  # 0.66 · 4
    bet = flop.child("r3")
    assert menu.offered(bet) == ("f", "c", "r13", "r198")  # 3 and the pot of 10
    again = bet.child("r13")
    assert menu.offered(again) == ("f", "c", "r43", "r198")  # 13 and the pot of 30
    assert menu.offered(again.child("r43")) == ("f", "c")
    checked = flop.child("k").child("r3").child("r13")
    assert menu.offered(checked) == ("f", "c")  # the checker has acted twice


def test_ep_white_has_eight_raises_on_every_street_the_blind_not_counted():
    menu, game = parse_menu("ep-white"), VARIANTS["river-of-blood"](stack=100_000)
    for start in ("AhKs QdQc", "AhKs QdQc c k 2c7dTs", "AhKs QdQc c k 2c7dTs k k 3c k k 4d k k 5h"):
        state, raises = parse_state(game, start), 0
        while len(offered := menu.offered(state)) > 2:
            state = state.child(next(action for action in offered if action[0] == "r"))
            raises += 1
        assert raises == 8


@pytest.mark.parametrize(("all_in_from", "merge"), [(1, 0), (1000, 1000)])
def test_nearness_may_go_to_its_limits(all_in_from, merge):
    menu = replace(parse_menu("50%, allin"), all_in_from=all_in_from, merge=merge)
    assert parse_menu(menu.name) == menu


@pytest.mark.parametrize("wrong", [{"all_in_from": 0}, {"all_in_from": 1001}, {"merge": 1001}])
def test_nearness_beyond_its_limits_is_refused(wrong):
    with pytest.raises(AbstractionError, match="1 to 1000 per mille"):
        replace(parse_menu("50%, allin"), **wrong)


def test_a_menu_says_only_what_is_unusual():
    assert parse_menu("50%, allin").name == "50%, allin"
    assert parse_menu("50%, allin; allin from 99.9%").name == "50%, allin; allin from 99.9%"
    assert parse_menu("10000%").name == "10000%"
    with pytest.raises(AbstractionError):
        parse_menu("10000.1%")
