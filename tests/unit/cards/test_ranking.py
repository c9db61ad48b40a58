"""Bits of cards, and ranks of one hand in the order of short decks, against plain counting."""

from collections import Counter
from functools import partial
from itertools import combinations, pairwise

import numpy as np
import pytest

from counterfold.cards import parse_cards, rank, rank_hands
from counterfold.cards.ranking import CARD_BITS
from counterfold.cards.ranking_kernels import card_bit
from counterfold.errors import CardError

rank_short_deck = partial(rank, ranking="short-deck")


def short_deck_key(cards):
    """Category and ranks of five cards of a short deck, by plain counting."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    shape, order = [n for _, n in groups], [rank for rank, _ in groups]
    flush = len({card % 4 for card in cards}) == 1
    low = ranks == [12, 7, 6, 5, 4]
    straight = len(order) == 5 and (low or ranks[0] - ranks[4] == 4)
    if straight:
        order = [7] if low else [ranks[0]]
    if straight and flush:
        return 8, order
    if shape[0] == 4:
        return 7, order
    if flush:
        return 6, order
    if shape == [3, 2]:
        return 5, order
    if straight:
        return 4, order
    return {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0), order


def test_short_deck_ranks_against_plain_counting(rng):
    deck = np.arange(4 * 4, 52)
    hands = [rng.choice(deck, rng.integers(5, 9), replace=False).tolist() for _ in range(400)]
    suited = [card for card in deck.tolist() if card % 4 == 1]
    hands += [[*rng.choice(suited, 5, replace=False).tolist(), 16, 18, 20] for _ in range(60)]
    hands = [[*dict.fromkeys(hand)] for hand in hands]
    keys = [max(short_deck_key(five) for five in combinations(hand, 5)) for hand in hands]
    ranks = [rank_short_deck(hand) for hand in hands]
    for hand, found in zip(hands, ranks, strict=True):  # tables of up to seven cards agree
        assert rank_hands(np.array([hand]), ranking="short-deck") == found
    for (key, one), (other, two) in pairwise(sorted(zip(keys, ranks, strict=True))):
        assert (key == other) == (one == two)
        assert one <= two


def test_a_flush_beats_a_full_house_in_a_short_deck_only():
    flush, house = parse_cards("AdTd9d8d6d"), parse_cards("KdKcKh7s7c")
    assert rank(flush) < rank(house)
    assert rank_short_deck(flush) > rank_short_deck(house)
    wheel, nine_high = parse_cards("Ad6c7c8h9h"), parse_cards("Td6c7c8h9h")
    assert rank(wheel) < rank(parse_cards("6d6c7c8hTh"))
    assert rank_short_deck(parse_cards("AdAc7c8h9h")) < rank_short_deck(wheel)
    assert rank_short_deck(wheel) < rank_short_deck(nine_high)


@pytest.mark.parametrize("cards", [(), (1, 2, 3, 4), (1, 2, 3, 4, 52), (1, 2, 3, 4, 4)])
def test_hands_that_cannot_be_ranked(cards):
    with pytest.raises(CardError):
        rank_short_deck(cards)


def test_python_and_kernels_agree_about_the_bits_of_cards():
    assert [int(card_bit(card)) for card in range(52)] == list(CARD_BITS)
    assert sum(CARD_BITS).bit_count() == 52
