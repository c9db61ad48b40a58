"""The arrays that kernels read the rules of a variant from."""

import pytest

from counterfold.games import parse_game
from counterfold.games.holdem import Auction, Deal, Discard, Street, Swap, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.variant_rules import compile_rules, round_bits


def test_streets_and_forced_bets_of_limit():
    rules = compile_rules(parse_game("limit"))
    assert rules.streets[:, betting.SIZE].tolist() == [2, 2, 4, 4]
    assert rules.streets[:, betting.MAX_BETS].tolist() == [4, 4, 4, 4]
    assert rules.streets[:, betting.FIRST].tolist() == [0, 1, 1, 1]
    assert rules.table[[betting.BLIND_0, betting.BLIND_1, betting.ANTE]].tolist() == [1, 2, 0]
    assert rules.table[betting.BETTING] == betting.FIXED_LIMIT


@pytest.mark.parametrize(
    ("blinds", "min_bet", "expected"), [((1, 2), 0, 2), ((0, 0), 0, 1), ((1, 2), 5, 5)]
)
def test_the_smallest_bet_is_the_big_blind_unless_the_rules_say_more(blinds, min_bet, expected):
    variant = Variant("made", (Street(first=0),), stack=20, blinds=blinds, min_bet=min_bet, ante=1)
    assert compile_rules(variant).table[betting.MIN_BET] == expected


def test_choices_are_numbered_over_all_streets():
    steps = (Discard(), Auction(price="second")), (Discard(count=2, first=0),)
    streets = (Street(first=0), Street(3, steps=steps[0]), Street(1, steps=steps[1]))
    rules = compile_rules(Variant("made", streets, stack=20, blinds=(1, 2)))
    assert rules.streets[:, betting.FIRST_CHOICE].tolist() == [0, 0, 2]
    assert rules.streets[:, betting.N_CHOICES].tolist() == [0, 2, 1]
    assert rules.choices[:, betting.CHOICE_PHASE].tolist() == [
        betting.DRAW, betting.AUCTION, betting.DRAW,
    ]  # fmt: skip
    assert rules.choices[:, betting.ROUND].tolist() == [0, 1, 2]
    assert rules.choices[:, betting.CHOOSER].tolist() == [1, 1, 0]
    assert rules.choices[:, betting.N_TURNS].tolist() == [1, 1, 2]
    assert rules.choices[1, betting.PAYS_SECOND] == 1


def test_hands_shrink_by_forced_discards_and_grow_by_deals():
    lay = Discard(forced=True, redraw=False, to_board=True)
    steps = (lay, Swap(0.1), Deal(holes=(1, 1)), Discard())
    streets = (Street(first=0), Street(3, steps=steps))
    rules = compile_rules(Variant("made", streets, stack=20, blinds=(1, 2), hole_cards=3))
    assert rules.choices[:, betting.N_HELD].tolist() == [3, 3]
    assert rules.choices[:, betting.MUST_DISCARD].tolist() == [1, 0]


def test_bits_of_rounds_are_two_apart_for_two_seats():
    steps = (Discard(), Auction(), Discard(count=2))
    assert round_bits(steps, lambda step: isinstance(step, Auction)) == 0b100
    assert round_bits(steps, lambda step: isinstance(step, Discard)) == 0b1010001
