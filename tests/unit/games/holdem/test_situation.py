"""What a situation allows and what follows from it, in the words of the notation."""

import pytest

from counterfold.cards import parse_cards
from counterfold.games import parse_game
from counterfold.games.holdem import Discard, Street, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import (
    after_bet,
    after_bid_word,
    before_deal,
    count_hole_cards,
    is_all_in,
    most_bid,
    name_discards,
    name_raises,
    raise_bounds,
    rounds_up,
    seen_history,
    split_history,
    total_spent,
    wins_auction,
)

NOLIMIT = parse_game("nolimit(stack=20)")
AUCTION = parse_game("auction(stack=20)")


def first(variant):
    return tuple(int(field) for field in betting.first_situation(variant.rules))


def after(variant, *words, situation=None):
    """The situation after betting words; a `/` deals the next street."""
    situation = situation or first(variant)
    for word in words:
        if word == "/":
            situation = tuple(betting.after_deal(variant.rules, situation, False))
        else:
            situation = after_bet(variant, situation, word)
            assert situation is not None, word
    return situation


def test_the_blinds_are_spent_before_anybody_acts():
    assert total_spent(first(NOLIMIT)) == (1, 2)
    assert total_spent(after(NOLIMIT, "r6")) == (6, 2)


@pytest.mark.parametrize("word", ["k", "s", "r3", "r21", "r04", "r4 ", "x", "rr", "f4"])
def test_words_that_are_not_legal_lead_nowhere(word):
    assert after_bet(NOLIMIT, first(NOLIMIT), word) is None


def test_folding_for_free_is_for_variants_that_allow_it():
    assert after_bet(NOLIMIT, after(NOLIMIT, "c"), "f") is None
    bounty = parse_game("bounty(stack=20)")
    assert after_bet(bounty, after(bounty, "c"), "f") is not None


def test_raises_are_street_totals_between_a_minimum_and_the_stack():
    assert raise_bounds(NOLIMIT, first(NOLIMIT)) == (4, 20)
    flop = after(NOLIMIT, "r6", "c", "/")
    assert raise_bounds(NOLIMIT, flop) == (2, 14)
    assert raise_bounds(NOLIMIT, after(NOLIMIT, "r14", situation=flop)) is None


def test_all_in_is_both_stacks_called():
    assert not is_all_in(NOLIMIT, after(NOLIMIT, "r20"))
    assert is_all_in(NOLIMIT, after(NOLIMIT, "r20", "c"))
    assert is_all_in(NOLIMIT, before_deal(1, 20))
    assert not is_all_in(NOLIMIT, before_deal(1, 19))


def test_the_higher_bid_wins_and_pays_the_lower_one():
    flop = after(AUCTION, "c", "k", "/")
    assert flop[betting.PHASE] == betting.AUCTION
    assert most_bid(AUCTION, flop) == 18
    assert after_bid_word(AUCTION, flop, "a19") is None
    assert after_bid_word(AUCTION, flop, "a03") is None
    once = after_bid_word(AUCTION, flop, "a5")
    twice = after_bid_word(AUCTION, once, "a3")
    winner = flop[betting.ACTOR]
    assert wins_auction(once, twice, winner)
    assert not wins_auction(once, twice, 1 - winner)
    assert not wins_auction(flop, once, winner)  # not settled yet
    assert total_spent(twice)[winner] == 2 + 3
    assert count_hole_cards(AUCTION, twice, "ck/a5a3", winner) == 3
    assert count_hole_cards(AUCTION, twice, "ck/a5a3", 1 - winner) == 2


@pytest.mark.parametrize(("sealed", "seen"), [(False, "ck/a5"), (True, "ck/a")])
def test_a_sealed_bid_is_seen_without_its_chips(sealed, seen):
    variant = parse_game(f"auction(stack=20, sealed={sealed})")
    bid = after_bid_word(variant, after(variant, "c", "k", "/"), "a5")
    assert seen_history(variant, bid, "ck/a5") == seen


def test_cards_that_are_not_replaced_are_missed():
    step = Discard(count=2, redraw=False)
    variant = Variant("made", (Street(first=0), Street(3, steps=(step,))), stack=20, blinds=(1, 2),
                      hole_cards=4)  # fmt: skip
    flop = after(variant, "c", "k", "/")
    for history, counts in (("ck/ddds", (3, 2)), ("ck/sds", (3, 4)), ("ck/ss", (4, 4))):
        assert tuple(count_hole_cards(variant, flop, history, s) for s in (0, 1)) == counts, history


def test_of_several_discards_the_highest_goes_first():
    step = Discard(count=2, forced=True, redraw=False)
    variant = Variant("made", (Street(first=0), Street(3, steps=(step,))), stack=20, blinds=(1, 2),
                      hole_cards=4)  # fmt: skip
    flop = after(variant, "c", "k", "/")
    hole = parse_cards("2cAhTs7d")
    assert name_discards(variant, flop, hole, "") == ("dAh", "dTs", "d7d")  # one more must follow
    once = tuple(betting.after_draw(variant.rules, flop, True))
    assert name_discards(variant, once, hole, "Ts") == ("d7d", "d2c")


def test_a_voluntary_discard_may_be_left_out():
    variant = parse_game("discard")
    flop = after(variant, "c", "k", "/")
    assert name_discards(variant, flop, parse_cards("2cAh"), "") == ("s", "dAh", "d2c")


def test_histories_fall_into_events():
    assert split_history("cr6c/a12adAhs!kf") == (
        "c", "r6", "c", "/", "a12", "a", "dAh", "s", "!", "k", "f",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("history", "up"),
    [
        ("r4c", False),
        ("cr4c", True),
        ("r4f", True),
        ("ck/r4f", False),
        ("ck/r4c", True),
        ("ck/", False),
    ],
)
def test_halves_are_rounded_by_the_number_of_the_last_action(history, up):
    assert rounds_up(history) is up


def test_words_of_raises_are_made_once():
    assert name_raises(3) == ("r0", "r1", "r2", "r3")
    assert name_raises(3) is name_raises(3)
