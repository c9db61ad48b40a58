"""Buckets of three hole cards and four, against a plain reading of what they make."""

from itertools import combinations, permutations

import numpy as np
import pytest

from counterfold.buckets.abstraction_text import parse_card_abstraction
from counterfold.buckets.long_hand_buckets import LongHandBuckets
from counterfold.cards import rank
from counterfold.cards.ranking_kernels import PAIR, STRAIGHT, TRIPS, TWO_PAIR

BOARDS = (3, 4, 5)


@pytest.fixture(scope="module")
def trios(source):
    return LongHandBuckets(parse_card_abstraction("percentile(6)").build(source), 3)


def category(value):
    lowest = [0, PAIR, TWO_PAIR, TRIPS]
    return value if value >= STRAIGHT else sum(value >= low for low in lowest)


def plain_bucket(trios, trio, board):
    """The best bucket of two of the cards, and of all hands that are as strong if all make more."""
    bucket = trios.buckets.bucket
    pairs = [*combinations(trio, 2)]
    best = max(bucket(pair, board) for pair in pairs)
    made = rank([*trio, *board])
    if category(made) <= max(category(rank([*pair, *board])) for pair in pairs):
        return best
    left = [card for card in trios.buckets.deck.cards.tolist() if card not in board]
    ranks = {pair: rank([*pair, *board]) for pair in combinations(left, 2)}
    alike = max(each for each in ranks.values() if each <= made)
    return max(best, *(bucket(pair, board) for pair, each in ranks.items() if each == alike))


def random_hands(deck, board, n, seed=5, held=3):
    rng = np.random.default_rng(seed)
    return np.array([rng.permutation(deck)[: held + board] for _ in range(n)], np.uint8)


@pytest.mark.parametrize("held", [3, 4])
@pytest.mark.parametrize("board", BOARDS)
def test_labels_are_those_of_a_plain_reading(trios, board, held):
    hands = random_hands(trios.buckets.deck.cards, board, 60, held=held)
    expected = [plain_bucket(trios, hand[:held].tolist(), hand[held:].tolist()) for hand in hands]
    assert LongHandBuckets(trios.buckets, held).label(hands).tolist() == expected


@pytest.mark.parametrize("board", BOARDS)
def test_a_third_card_never_lowers_the_bucket(trios, board):
    hands = random_hands(trios.buckets.deck.cards, board, 200)
    labels = trios.label(hands)
    for place in range(3):
        assert (labels >= trios.buckets.label(np.delete(hands, place, axis=1))).all()


def test_the_order_of_cards_and_the_names_of_suits_do_not_matter(trios):
    for hand in random_hands(trios.buckets.deck.cards, 4, 20):
        orders = [[*order, *hand[3:]] for order in permutations(hand[:3])]
        others = np.array([*orders, hand ^ 1], np.uint8)
        assert len(set(trios.label(others).tolist())) == 1


def test_there_may_be_no_hands(trios):
    assert trios.label(np.empty((0, 7), np.uint8)).shape == (0,)
