"""Steps of a street: small variants drawn from the vocabulary keep the promises of a game."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from counterfold.cards import parse_deck
from counterfold.errors import GameError
from counterfold.games.holdem import (
    VARIANTS,
    Auction,
    Bounty,
    Deal,
    Discard,
    Street,
    Variant,
    parse_state,
)
from counterfold.testing import check_game
from counterfold.tree import compile_game, solve
from counterfold.tree.exact_evaluation import expected_values, exploitability
from helpers.drawn.steps import AUCTIONS, FLAGS, SEATS, SWAPS, deals, discards

STEPS = st.one_of(SWAPS, deals(1), discards(2), AUCTIONS)


@st.composite
def variants(draw):
    """Five cards of a hand at least, so that hands of unequal sizes can be compared."""
    steps = draw(st.lists(STEPS, max_size=3))
    streets = (
        Street(first=0, betting=draw(FLAGS)),
        Street(2, draw(SEATS), steps=tuple(steps), betting=draw(FLAGS)),
        Street(2, draw(SEATS), steps=tuple(draw(st.lists(STEPS, max_size=1)))),
    )
    try:
        return Variant(
            "drawn",
            streets,
            stack=draw(st.integers(1, 4)),
            blinds=(0, 0),
            ante=1,
            deck=parse_deck("9TJQKA/cdhs"),
            hole_cards=draw(st.integers(1, 3)),
            bounty=draw(st.one_of(st.none(), st.just(Bounty(1.5, 1)))),
            fold_when_free=draw(FLAGS),
        )
    except GameError:
        assume(False)


@settings(max_examples=30, deadline=None)
@given(variants(), st.integers(0, 99))
def test_variants_of_any_steps_are_sound(variant, seed):
    check_game(variant, max_nodes=60, seed=seed)


# Small enough to be solved exactly: antes, one step, one bet.
def small(*steps, hole_cards=1, cards=1, deck="QKA/cd", stack=2, **changes):
    """A betting round after `steps` on the only board."""
    streets = (
        Street(first=0, betting=False),
        Street(cards, first=0, bet=1, max_bets=1, steps=steps),
    )
    return Variant(
        "small", streets, "limit", stack, (0, 0), 1,
        deck=parse_deck(deck), hole_cards=hole_cards, **changes,
    )  # fmt: skip


LAY = Discard(forced=True, redraw=False, to_board=True)
ENDS = 5  # of one bet: kk, kbf, kbc, bf, bc
# With how many ends each must have: hands, boards, choices, betting.
SMALL = {
    "laid": (small(LAY, hole_cards=2), 15 * 6 * 2 * (2 * 2) * ENDS),
    "thrown open": (
        small(Discard(forced=True, redraw=False, shown=True), hole_cards=2),
        15 * 6 * 2 * (2 * 2) * ENDS,
    ),
    # Each keeps, or gets one of the cards left; the second of one less after a draw.
    "drawn": (small(Discard()), 6 * 5 * 4 * (1 + 3 + 3 + 3 * 2) * ENDS),
    "bounty": (small(bounty=Bounty(1.5, 1)), 6 * 5 * (3 * 3) * 4 * ENDS),
    # Bids of 0 to 2 by both; after two bids of 2 nothing is left to bet.
    "look": (small(Auction(prize="look"), stack=3), 6 * 5 * 4 * (8 * ENDS + 1)),
    "dealt": (small(Deal(board=1, holes=(1, 1))), 6 * 5 * 4 * (3 * 2 * 1) * ENDS),
}


@cache
def compiled(name):
    """The tree of a small variant, which two tests share."""
    return compile_game(SMALL[name][0])


@pytest.mark.parametrize("name", SMALL)
def test_ends_are_counted_by_formula(name):
    assert len(compiled(name).tree.utilities) == SMALL[name][1]


@pytest.mark.parametrize("name", ["laid", "thrown open", "drawn", "bounty", "look"])
def test_a_linear_program_and_regrets_come_to_one_value(name):
    game = compiled(name)
    exact, learned = solve(game, "lp"), solve(game, "dcfr", 300)
    value, found = (float(expected_values(each.strategy)[0]) for each in (exact, learned))
    assert exploitability(exact.strategy) == pytest.approx(0.0, abs=1e-9)
    assert found == pytest.approx(value, abs=float(exploitability(learned.strategy)) + 1e-12)
    assert exploitability(learned.strategy) < 1e-3


def test_who_lays_second_knows_more():
    first, second = (
        float(expected_values(solve(small(step, hole_cards=2), "lp").strategy)[0])
        for step in (LAY, replace(LAY, first=0))
    )
    assert first > 0 > second


def test_a_sealed_bid_is_not_told_and_an_open_one_is():
    histories = {}
    for sealed in (True, False):
        variant = VARIANTS["auction"](sealed=sealed)
        for bid in (0, 7):
            state = parse_state(variant, f"AhKs QdQc c k Ts7d2c a{bid}")
            histories[sealed, bid] = state.infoset["history"]
            assert state.actor == 0
    assert histories[True, 0] == histories[True, 7] == "ck/a"
    assert (histories[False, 0], histories[False, 7]) == ("ck/a0", "ck/a7")


def test_the_winner_pays_the_lower_bid_and_stacks_stay_whole():
    state = parse_state(VARIANTS["auction"](), "AhKs QdQc c k Ts7d2c a10 a370 +3c")
    assert state.spent == (12, 2)
    assert [len(hole) for hole in state.holes] == [3, 2]
    assert state.raise_bounds() == (2, 388)  # seat 0 has no more
    all_in = parse_state(state.variant, state.notation + " r388 c 4d 5d")
    assert all_in.spent == (400, 390)
    assert all_in.utilities is not None


def test_equal_bids_are_paid_by_both_and_both_get_a_card():
    state = parse_state(VARIANTS["auction"](), "AhKs QdQc c k Ts7d2c a9 a9")
    assert state.spent == (11, 11)
    assert [seat for _, seat, _ in state.owed] == [0, 1]


def test_several_cards_go_the_highest_first():
    throw = Discard(count=3, forced=True, shown=True, redraw=False)
    variant = Variant("throw", (Street(first=0), Street(3, steps=(throw,))), stack=9, hole_cards=5)
    state = parse_state(variant, "AhKsQd9c2c JdJc8h7h6h c k Ts7d3c")
    assert state.actions() == ("dJd", "dJc", "d8h")
    state = state.child("dJc")
    assert state.actions() == ("d8h", "d7h")
    state = state.child("d7h").child("d6h")
    assert state.actor == 0
    assert len(state.holes[1]) == 2
