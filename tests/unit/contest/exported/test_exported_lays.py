"""Packed hands that lay a card against the card map that they were packed from."""

import json

import pytest

from counterfold.buckets import StrengthLookup, parse_card_abstraction
from counterfold.cards import StrengthTables, parse_deck
from counterfold.contest.export.card_export import pack_cards, pack_lays
from counterfold.contest.exported.exported_lays import PackedLaidCards, PackedLays
from counterfold.games import parse_game
from counterfold.public.card_maps.laid_card_map import LaidCards
from counterfold.public.deals import Dealer
from counterfold.public.lay_orders import ByStrengthLeft
from counterfold.public.stages import LowestFirst


@pytest.mark.parametrize("preflop", ["lossless", "percentile(9)"])
def test_packed_buckets_and_orders_are_those_of_the_card_map(preflop, tmp_path, rng):
    variant = parse_game("toss(stack=20, deck='9TJQKA/cd', board=(2,))")
    source = StrengthLookup(StrengthTables(parse_deck("9TJQKA/cd"), bins=10, folder=tmp_path))
    order = ByStrengthLeft(source.strength)
    text = f"preflop: {preflop}; flop: percentile(5); turn: percentile(6); river: percentile(4)"
    dealer = Dealer(variant, lay_order=order)
    cards = LaidCards(dealer, parse_card_abstraction(text).build(source), order)
    digests = cards.digests()
    content, arrays = pack_cards(cards)
    assert cards.digests() == digests  # or the run would say that its tables have changed
    packed = PackedLaidCards(json.loads(json.dumps(content)), arrays)
    kind, order_arrays = pack_lays(order)
    lays = PackedLays({**arrays, **order_arrays})
    assert kind == "by-strength"
    assert pack_lays(LowestFirst()) == ("by-rank", {})
    for _ in range(60):
        dealt = rng.permutation(variant.deck.cards).tolist()
        for stage in dealer.stages:
            held = 3 if stage.gives or stage.n_laid == 0 else 2
            hole, board = dealt[:held], dealt[3 : 3 + stage.n_on_board]
            path = [(hole, board)]
            assert packed.bucket(path) == cards.bucket(path)
            if stage.gives:
                assert lays.sort(hole, board) == order.sort(hole, board)
