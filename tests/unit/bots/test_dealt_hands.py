"""Deals of kernels, card by card: the same whoever asks, and hands that end as theirs do."""

import pytest

from counterfold.bots.dealt_hands import deal_hand, deal_hands
from counterfold.bots.hand import Hand
from counterfold.games.holdem import VARIANTS
from counterfold.public.deals import Dealer


@pytest.mark.parametrize("name", ["nolimit", "discard", "river-of-blood", "swap"])
def test_one_deal_is_one_of_many(name):
    variant = VARIANTS[name]()
    many = list(deal_hands(variant, 5, 40))
    assert [deal_hand(variant, 5, number) for number in range(40)] == many
    assert len(set(many)) == 40


@pytest.mark.parametrize("name", ["nolimit", "river-of-blood", "swap"])
def test_showdowns_are_those_of_kernels(name):
    variant = VARIANTS[name]()
    deals = Dealer(variant).sample(9, 0, 200)
    for row, deal in enumerate(deal_hands(variant, 9, 200)):
        hand = Hand(variant, deal)
        while hand.waits_for is not None:
            hand.act("c" if hand.view(hand.waits_for).to_call else "k")
        one, two = deals.strengths[row, :, 0]
        assert hand.chips[0] == variant.big_blind * (int(one > two) - int(one < two))
