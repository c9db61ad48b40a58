import numpy as np
import pytest

from counterfold.cards import FULL, Deck, hand_strength, rank
from counterfold.cards.ranking_kernels import mask_table, rank_tables
from counterfold.contest.exported.exported_strength import HandStrength


def masks_of(hands):
    return np.array([sum(1 << (16 * (c & 3) + (c >> 2)) for c in hand) for hand in hands], np.int64)


@pytest.mark.parametrize("n_cards", [5, 6, 7, 8, 10, 14, 20, 33])
@pytest.mark.parametrize("first_flush_suit_only", [False, True])
def test_ranks_are_those_of_the_kernel(n_cards, first_flush_suit_only, rng):
    hands = [rng.choice(52, n_cards, replace=False).tolist() for _ in range(2000)]
    found = HandStrength(FULL.cards.tolist()).rank(masks_of(hands), first_flush_suit_only)
    assert found.tolist() == [
        rank(hand, first_flush_suit_only=first_flush_suit_only) for hand in hands
    ]


def test_all_straight_flushes_and_quads_are_ranked():
    suited = [[4 * r + s for r in range(low, low + 5)] for low in range(9) for s in range(4)]
    quads = [[*range(4 * r, 4 * r + 4), 4 * k] for r in range(13) for k in range(13) if k != r]
    hands = suited + quads
    found = HandStrength(range(52)).rank(masks_of(hands))
    assert found.tolist() == [rank(hand) for hand in hands]


@pytest.mark.parametrize("n_board", [3, 4, 5, 6, 9, 12])
def test_scores_are_hand_strengths(n_board, rng):
    hands = HandStrength(range(52))
    for first_flush_suit_only in (False, True):
        for _ in range(20):
            cards = rng.choice(52, 2 + n_board, replace=False).tolist()
            score, n = hands.score(cards[:2], cards[2:], first_flush_suit_only)
            assert score / (2 * n) == hand_strength(cards[:2], cards[2:], first_flush_suit_only)


def test_scores_count_the_cards_of_the_deck_only():
    deck = Deck(6, 2).cards.tolist()
    score, n = HandStrength(deck).score(deck[-2:], deck[:5])
    assert n == 10
    assert 0 <= score <= 2 * n


def test_the_table_of_masks_is_that_of_all_tables():
    assert mask_table() is rank_tables().by_mask
