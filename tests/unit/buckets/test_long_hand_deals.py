"""Hands of more than two cards before there is a board, against showdowns one by one."""

from itertools import combinations

import numpy as np
import pytest

from counterfold.buckets import StrengthLookup
from counterfold.buckets.abstraction_text import parse_card_abstraction
from counterfold.buckets.long_hand_deals import LongHandDeals, count_dealt
from counterfold.cards import Deck, StrengthTables, rank
from counterfold.errors import AbstractionError

HELD, BOARD = 3, 2


@pytest.fixture
def deals(tmp_path):
    tables = StrengthTables(Deck(5, 2), clusters=None, folder=tmp_path)
    return LongHandDeals(HELD, BOARD, 4, StrengthLookup(tables, threads=1))


def plain_strength(hand, deck):
    """How often a hand wins, over all hands and boards."""
    left = [card for card in deck if card not in hand]
    twice = n = 0
    for board in combinations(left, BOARD):
        mine = rank([*hand, *board])
        for other in combinations([card for card in left if card not in board], HELD):
            theirs = rank([*other, *board])
            twice += (mine > theirs) + (mine >= theirs)
            n += 1
    return twice / (2 * n)


def test_strengths_are_those_of_showdowns_one_by_one(deals):
    deck = deals.source.strength.deck.cards.tolist()
    classes = deals.classes
    hands = classes.unindex_many(np.arange(classes.size))
    expected = np.array([plain_strength(hand, deck) for hand in hands.tolist()])
    # 2,000 showdowns of each of some 60 classes: four and a half standard errors of a half.
    assert np.abs(deals.strengths() - expected).max() < 4.5 * 0.5 / np.sqrt(2000)
    assert np.corrcoef(deals.strengths(), expected)[0, 1] > 0.99


def test_buckets_are_of_equal_probability_from_the_weakest_on(deals):
    wins, labels, weights = deals.strengths(), deals.labels, deals.classes.weights()
    assert np.bincount(labels, weights) / weights.sum() == pytest.approx(np.full(4, 0.25), abs=0.06)
    assert all(wins[labels == at].max() <= wins[labels == at + 1].min() for at in range(3))
    hands = deals.classes.unindex_many(np.arange(deals.classes.size))
    assert deals.label(hands[:, ::-1] ^ 1).tolist() == labels.tolist()


def test_without_a_number_every_class_is_a_bucket(deals):
    every = LongHandDeals(HELD, BOARD, None, deals.source)
    assert sorted(every.labels.tolist()) == list(range(every.n_buckets))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("percentile(5); recall: sequence", "remembers earlier buckets"),
        ("preflop: ochs(5); flop: percentile(4)", "can be lossless or percentile"),
    ],
)
def test_what_hands_of_many_cards_cannot_be_put_into(text, message):
    with pytest.raises(AbstractionError, match=message):
        count_dealt(parse_card_abstraction(text))
