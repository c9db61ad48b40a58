"""Run-outs: every one is there once, by itself or by its weight."""

from itertools import islice, permutations
from math import comb

import numpy as np
import pytest

from counterfold.blueprints.dealt_runouts import (
    can_list_runouts,
    count_kinds,
    count_runouts,
    deal_runouts,
)
from counterfold.cards import parse_cards
from counterfold.cards.pairs import N_PAIRS
from counterfold.cards.suits import rename_cards
from counterfold.games import parse_game
from counterfold.ranges.board_cards import BoardCards

SMALL = "nolimit(deck='JQKA/cd', board=(1, 1))"


def cards_of(game, board="", merge_suits=True):
    everything = np.ones(N_PAIRS)
    return BoardCards(
        parse_game(game), parse_cards(board), (everything, everything), (), merge_suits
    )


def test_all_run_outs_of_a_small_deck():
    cards = cards_of(SMALL, merge_suits=False)
    found = list(deal_runouts(cards, 0))
    assert len(found) == count_runouts(cards) == count_kinds(cards) == 8 * 7
    expected = {((a,), (b,)) for a, b in permutations(cards.variant.deck.cards.tolist(), 2)}
    assert {runout.dealt for runout in found} == expected
    assert {runout.weight for runout in found} == {1}
    assert found != list(deal_runouts(cards, 1))


@pytest.mark.parametrize(
    ("game", "board"), [(SMALL, ""), ("nolimit", "Td9d6h"), ("nolimit", "Td9d6hQd")]
)
def test_weights_count_the_names_of_suits(game, board):
    cards = cards_of(game, board)
    found = list(deal_runouts(cards, 0))
    assert len(found) == count_kinds(cards) < count_runouts(cards)
    assert sum(runout.weight for runout in found) == count_runouts(cards)
    renamed = [rename_cards(renaming) for renaming in cards.renamings]
    images = {
        tuple(tuple(sorted(names[list(street)].tolist())) for street in runout.dealt)
        for runout in found
        for names in renamed
    }
    assert len(images) == count_runouts(cards)


def test_nothing_follows_the_last_street():
    cards = cards_of("nolimit", "Td9d6hQdKs")
    assert [tuple(runout) for runout in deal_runouts(cards, 0)] == [((), 1)]


def test_of_many_run_outs_some_are_drawn():
    cards = cards_of("nolimit")
    assert count_runouts(cards) == comb(52, 3) * 49 * 48
    assert not can_list_runouts(cards)
    found = list(islice(deal_runouts(cards, 5), 300))
    assert found == list(islice(deal_runouts(cards, 5), 300))
    seen = np.zeros(52)
    for runout in found:
        assert [len(street) for street in runout.dealt] == [3, 1, 1]
        dealt = [card for street in runout.dealt for card in street]
        assert len(set(dealt)) == 5
        seen[dealt] += 1
    # 1,500 cards, 29 of each on average; one in a million samples strays so far.
    assert seen.min() > 5
    assert seen.max() < 60
