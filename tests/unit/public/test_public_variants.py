"""Which variants public graphs represent, and what is said of the others."""

from dataclasses import replace

import pytest

from counterfold.errors import UnsupportedGameError
from counterfold.games import parse_game
from counterfold.games.holdem import Auction, Deal, Discard, Street, Swap
from counterfold.public.public_variants import check_pairs, check_public, is_public
from helpers.public_games import CARD_VARIANTS, LAY

TOSS, AUCTION = parse_game("toss"), parse_game("auction")


def with_steps(*steps, **changes):
    """Toss with other steps on the flop."""
    streets = (TOSS.streets[0], Street(cards=2, steps=steps), *TOSS.streets[2:])
    return replace(TOSS, streets=streets, **changes)


def with_auction(*steps):
    """Auction Hold'em with other steps on the flop."""
    streets = (AUCTION.streets[0], Street(cards=3, steps=steps), *AUCTION.streets[2:])
    return replace(AUCTION, streets=streets)


@pytest.mark.parametrize(
    ("variant", "obstacle"),
    [
        (with_steps(LAY, Swap(0.1)), "has discards other than of one card unseen .*, and swaps"),
        (with_steps(*[Discard(count=4)] * 4, hole_cards=4), "has 16 cards of a seat to discard"),
        (with_steps(Discard(count=3), Discard(count=3), LAY, hole_cards=4), "more than 10,000"),
        (
            with_steps(Deal(holes=(4, 4)), LAY, hole_cards=3),
            "has discards from hands of more than 6 cards",
        ),
        (with_steps(Deal(holes=(1, 0)), LAY), "discards after deals of unequal numbers of cards"),
        (replace(TOSS, rank_order="A23456789TJQK"), "another order of ranks"),
        (replace(TOSS, run_suits="d"), "a board that may run on"),
        (replace(AUCTION, run_suits="d"), "has auctions and a board that may run on"),
        (with_steps(replace(LAY, forced=False), Auction(prize="look")), "it was free to discard"),
        (with_auction(Auction(), Discard()), "has discards after auctions for a card"),
        (with_auction(Discard(), Auction(prize="look")), "a look after other hidden choices"),
        (with_auction(Auction(), Auction(prize="look")), "a look after other hidden choices"),
    ],
)
def test_what_no_public_graph_can_represent(variant, obstacle):
    assert not is_public(variant)
    with pytest.raises(UnsupportedGameError, match=obstacle):
        check_public(variant)


@pytest.mark.parametrize("variant", [*CARD_VARIANTS.values(), with_steps(hole_cards=6)])
def test_what_deals_shows_and_adds_cards_is_public(variant):
    assert is_public(variant)


SWAP = parse_game("swap")
TWICE = replace(SWAP, streets=(SWAP.streets[0], Street(3, steps=(Swap(0.1), Swap(0.2)))))


@pytest.mark.parametrize("variant", [TOSS, AUCTION, with_auction(Auction(prize="look")), TWICE])
def test_toss_auction_and_swaps_are_public_but_not_for_methods_of_pairs(variant):
    assert is_public(variant)
    check_pairs(parse_game("discard"), "a method")
    message = rf"^a method needs at most two hole cards, .* unlike {variant.name}$"
    with pytest.raises(UnsupportedGameError, match=message):
        check_pairs(variant, "a method")
