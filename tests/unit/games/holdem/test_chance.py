"""What nature owes on a street, and sets of cards."""

from math import comb

import numpy as np
import pytest

from counterfold.cards import parse_cards
from counterfold.games.holdem import Auction, Deal, Discard, Street, Swap, Variant
from counterfold.games.holdem.chance import (
    FIRST_SWAP,
    OWED_BOARD,
    OWED_HOLE,
    OWED_SWAP,
    ListedDeal,
    SetDeal,
    chance_steps,
    format_set,
)


def variant(*steps):
    streets = (Street(first=0), Street(cards=3, steps=steps))
    return Variant("made", streets, stack=20, blinds=(1, 2))


def test_sets_are_written_from_the_highest_card_down():
    assert format_set(parse_cards("2cAhTs")) == "AhTs2c"


def test_a_listed_deal_has_every_set_once():
    deck = parse_cards("2c3c4c5c6c")
    listed = dict(ListedDeal(deck, 2).outcomes())
    assert len(listed) == comb(5, 2)
    assert list(listed.values()) == pytest.approx([1 / comb(5, 2)] * len(listed))


def test_samples_are_sets_of_the_deck():
    deck = parse_cards("2c3c4c5c6c")
    rng = np.random.default_rng(1)
    drawn = {SetDeal(deck, 2).sample(rng) for _ in range(500)}
    # A given set of ten is missed by 500 draws with probability 1e-23.
    assert drawn == {text for text, _ in ListedDeal(deck, 2).outcomes()}


def test_swaps_come_seat_by_seat_for_every_hole_card():
    owed = chance_steps(variant(Swap(0.1)), 1, 0, (2, 2))
    assert owed == tuple((OWED_SWAP, seat, place) for seat in (0, 1) for place in (0, 1))
    assert owed[0] == FIRST_SWAP


def test_swaps_after_a_deal_are_of_the_new_cards_too():
    owed = chance_steps(variant(Deal(holes=(1, 0)), Swap(0.1)), 1, 0, (2, 2))
    assert owed[0] == (OWED_HOLE, 0, 1)
    assert [debt[1] for debt in owed[1:]] == [0, 0, 0, 1, 1]


def test_what_comes_after_a_choice_waits_for_it():
    made = variant(Deal(board=1), Discard(), Deal(holes=(1, 1)), Auction(), Swap(0.1))
    assert chance_steps(made, 1, 0, (2, 2)) == ((OWED_BOARD, 0, 1),)
    assert chance_steps(made, 1, 1, (2, 2)) == ((OWED_HOLE, 0, 1), (OWED_HOLE, 1, 1))
    assert {debt[0] for debt in chance_steps(made, 1, 2, (2, 2))} == {OWED_SWAP}
