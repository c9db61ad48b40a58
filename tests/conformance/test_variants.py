"""Every variant keeps the promises of a game, in full by descents and reduced as a whole."""

import pytest

from counterfold.cards import parse_deck
from counterfold.games import parse_game
from counterfold.games.holdem import VARIANTS, Street, Swap, Variant
from counterfold.testing import check_game

# Few enough states to visit all of them.
REDUCED = [
    "limit(bets=2, deck='QKA/cd', board=(1,), hole_cards=1)",
    "nolimit(stack=4, deck='QKA/cd', board=(1,))",
    "potlimit(stack=5, deck='QKA/cd', board=(1,))",
    "discard(stack=2, deck='TJQKA/c', board=(1,))",
    "river-of-blood(stack=3, deck='KA/cdh', board=(1,))",
]


@pytest.mark.parametrize("name", VARIANTS)
def test_presets(name):
    assert check_game(parse_game(name), max_nodes=1000).terminals > 0


@pytest.mark.parametrize("name", REDUCED)
def test_reduced_presets(name):
    assert check_game(parse_game(name), max_nodes=60_000).complete


def test_swaps_on_two_streets():
    streets = Street(first=0), Street(1, steps=(Swap(0.1),)), Street(1, steps=(Swap(0.05),))
    deck = parse_deck("TJQKA/cd")
    variant = Variant("swap", streets, stack=3, hole_cards=1, deck=deck)
    assert not check_game(variant, max_nodes=3000).complete


def test_folding_for_free_and_drawing_first():
    streets = (Street(first=0), Street(1, first=0))
    variant = Variant(
        "", streets, stack=3, hole_cards=1, deck=parse_deck("KA/cd"), fold_when_free=True, ante=1
    )
    assert check_game(variant).complete
