"""Sizes of variants without fixed limits, against compiled trees and a published count."""

import pytest

from counterfold.cards import parse_deck
from counterfold.games import find_game
from counterfold.games.holdem import Bounty, Discard, Street, Swap, Variant
from counterfold.games.holdem.no_limit_size import MAX_STACK, count_open_infosets
from counterfold.tree import compile_game


def variant(*streets, deck="QKA/cd", **options):
    return Variant("test", streets, deck=parse_deck(deck), hole_cards=1, **options)


SMALL = {
    "two streets": variant(Street(first=0), Street(cards=1), stack=7),
    "three streets": variant(Street(first=0), Street(cards=1), Street(cards=2), stack=4),
    "ante": variant(Street(), Street(cards=1), stack=4, blinds=(0, 0), ante=1),
    "all in by the blind": variant(Street(first=0), Street(cards=1), stack=2),
    "large bets": variant(Street(first=0), Street(cards=1), stack=9, min_bet=3),
    "pot-limit": variant(Street(first=0), Street(cards=1), stack=8, betting="pot-limit"),
    "draw": variant(Street(first=0), Street(cards=1, steps=(Discard(),)), stack=4),
    "draws": variant(
        Street(first=0),
        Street(cards=1, steps=(Discard(),)),
        Street(cards=1, steps=(Discard(first=0),)),
        deck="KA/cdhs",
        stack=2,
    ),
    "draw first": variant(Street(first=0, steps=(Discard(),)), Street(cards=1), stack=4),
    "swap": variant(Street(first=0), Street(cards=1, steps=(Swap(0.1),)), stack=3),
    "runs": variant(Street(first=0), Street(cards=1), stack=4, run_suits="d"),
    "runs of two suits": variant(
        Street(first=0), Street(cards=1), Street(cards=1), stack=2, run_suits="cd", deck="KA/cdh"
    ),
    "bounty": variant(
        Street(first=0), Street(cards=1), stack=3, bounty=Bounty(), fold_when_free=True
    ),
    "two hole cards": find_game("nolimit(stack=4, deck='QKA/cd', board=(1, 1))"),
}


SLOW = ("draws", "draw first", "two streets", "large bets")  # trees of seconds to minutes


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n in SLOW else ()) for n in SMALL]
)
def test_counts_what_a_tree_has(name):
    assert count_open_infosets(SMALL[name]) == len(compile_game(SMALL[name]).tree.infosets)


def test_the_competition_of_2007_has_its_published_size():
    # Johanson 2013: 7.16e75 states; on the river, which has nearly all, C(45, 2) for each view.
    infosets = count_open_infosets(find_game("nolimit(stack=1000)"))
    assert infosets * 990 == pytest.approx(7.16e75, rel=1e-3)


@pytest.mark.parametrize(
    "name",
    [
        "limit",
        f"nolimit(stack={MAX_STACK + 1})",
        "leduc-variant",
        "kuhn-variant",
        "auction",
        "toss",
    ],
)
def test_other_variants_are_not_counted(name):
    assert count_open_infosets(find_game(name)) is None


def test_what_it_cannot_tell_apart_is_not_counted():
    shown = variant(Street(first=0), Street(cards=1, steps=(Discard(shown=True),)), stack=4)
    capped = variant(Street(first=0, max_bets=2), Street(cards=1), stack=4)
    assert count_open_infosets(shown) is None
    assert count_open_infosets(capped) is None
