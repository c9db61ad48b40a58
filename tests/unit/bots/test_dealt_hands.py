"""Deals of kernels, card by card: the same whoever asks, and hands that end as theirs do."""

import pytest

from counterfold.bots.dealt_hands import deal_hand, deal_hands
from counterfold.bots.hand import Hand
from counterfold.games import parse_game
from counterfold.public.deals import Dealer

PERMUTED = "permuted(order='2354768JT9KAQ')"
STILL = ["nolimit", "river-of-blood", "swap", "short-deck", PERMUTED]  # nobody discards


@pytest.mark.parametrize("name", ["discard", *STILL])
def test_one_deal_is_one_of_many(name):
    variant = parse_game(name)
    many = list(deal_hands(variant, 5, 40))
    assert [deal_hand(variant, 5, number) for number in range(40)] == many
    assert len(set(many)) == 40


@pytest.mark.parametrize("name", STILL)
def test_showdowns_are_those_of_kernels(name):
    variant = parse_game(name)
    deals = Dealer(variant).sample(9, 0, 200)
    for row, deal in enumerate(deal_hands(variant, 9, 200)):
        hand = Hand(variant, deal)
        while hand.waits_for is not None:
            hand.act("c" if hand.view(hand.waits_for).to_call else "k")
        one, two = deals.strengths[row, :, 0]
        assert hand.chips[0] == variant.big_blind * (int(one > two) - int(one < two))
