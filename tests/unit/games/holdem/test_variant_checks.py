"""Which steps ask players for cards or chips that they do not have."""

import pytest

from counterfold.errors import GameError
from counterfold.games import parse_game
from counterfold.games.holdem import Auction, Deal, Discard, Street, Variant
from counterfold.games.holdem.variant_checks import in_place


def variant(*steps, hole_cards=2, stack=10, board=4):
    streets = (Street(first=0), Street(cards=board, steps=steps))
    return Variant("made", streets, stack=stack, blinds=(1, 2), hole_cards=hole_cards)


GIVES = Discard(redraw=False)


def test_a_player_keeps_a_card_for_the_showdown():
    assert variant(GIVES).hole_cards == 2
    with pytest.raises(GameError, match="street 1: a discard of 1 without redraw would leave no"):
        variant(GIVES, hole_cards=1)


def test_cards_that_are_given_away_are_missed_by_later_steps():
    with pytest.raises(GameError, match="for a player may have 1 hole card here"):
        variant(GIVES, GIVES)
    assert variant(GIVES, GIVES, hole_cards=3).most_hole_cards == 3
    assert variant(GIVES, Deal(holes=(1, 1)), GIVES).hole_cards == 2


def test_the_shorter_hand_counts():
    with pytest.raises(GameError, match="may have 1 hole card here"):
        variant(GIVES, Deal(holes=(0, 1)), GIVES)


def test_cards_that_are_replaced_may_all_go():
    assert list(variant(Discard(count=2)).steps) == [Discard(count=2)]
    with pytest.raises(GameError, match="count of discard must be at most 2, for a player may"):
        variant(Discard(count=3))


def test_hands_of_different_sizes_need_five_cards():
    assert variant(Auction()).has_auctions
    with pytest.raises(GameError, match=r"compared only from 5 cards on, .* may have 4"):
        variant(Auction(), board=2)


def test_an_auction_needs_a_chip_to_bid():
    assert variant(Auction(), stack=3).stack == 3
    with pytest.raises(GameError, match=r"stack 2 leaves nothing to bid .* it must be 3 or more"):
        variant(Auction(), stack=2)


def test_an_auction_needs_a_stack_even_with_fixed_limits():
    streets = (Street(first=0, bet=2, max_bets=4), Street(3, bet=2, max_bets=4, steps=(Auction(),)))
    assert Variant("made", streets, "limit", stack=40).has_auctions
    with pytest.raises(GameError, match="stack must be given if there is an auction, such as 100"):
        Variant("made", streets, "limit")


def test_too_many_choices_say_how_to_have_fewer():
    with pytest.raises(GameError, match=r"steps have 35 cards .* more than 31; use fewer steps"):
        variant(*[Discard(count=5)] * 7, hole_cards=5)


def test_errors_say_where_they_are():
    with pytest.raises(GameError, match=r"^file\.toml: unknown game"), in_place("file.toml"):
        parse_game("holdm")
    with pytest.raises(GameError, match=r"^unknown game"), in_place(""):
        parse_game("holdm")
