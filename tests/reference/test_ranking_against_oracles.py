"""Hand ranking against brute force and against evaluators by others."""

import warnings
from itertools import combinations

import numpy as np
import pytest
from phevaluator.evaluator import evaluate_cards

from counterfold.cards.ranking import N_HAND_RANKS, rank_hands

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # eval7 calls pyparsing by names it no longer wants
    import eval7

EVAL7_CARDS = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]


def deal(rng, n_hands, n_cards, clustering=0.0):
    """Random hands; with clustering some ranks and suits are preferred, others in each hand."""
    order = rng.random((n_hands, 52))
    order += clustering * np.repeat(rng.random((n_hands, 13)), 4, axis=1)
    order += clustering * np.tile(rng.random((n_hands, 4)), 13)
    return order.argsort(axis=1)[:, :n_cards].astype(np.uint8)


def phevaluator_ranks(hands):
    return np.array([N_HAND_RANKS - evaluate_cards(*hand) for hand in hands.tolist()])


def eval7_values(hands):
    return np.array([eval7.evaluate([EVAL7_CARDS[c] for c in hand]) for hand in hands.tolist()])


@pytest.fixture(scope="module")
def rank_of_eval7_value():
    """eval7's values have gaps; a five-card hand of each rank gives the translation."""
    hands = np.array(list(combinations(range(52), 5)), dtype=np.uint8)
    ranks, rows = np.unique(rank_hands(hands), return_index=True)
    values = eval7_values(hands[rows])
    assert values.size == N_HAND_RANKS
    assert (np.diff(values) > 0).all()
    return dict(zip(values.tolist(), ranks.tolist(), strict=True))


@pytest.mark.parametrize("n_cards", [5, 6, 7])
def test_agrees_with_phevaluator(n_cards):
    hands = deal(np.random.default_rng(n_cards), 60_000, n_cards)
    assert np.array_equal(rank_hands(hands), phevaluator_ranks(hands))


@pytest.mark.slow
def test_agrees_with_phevaluator_on_all_five_card_hands():
    hands = np.array(list(combinations(range(52), 5)), dtype=np.uint8)
    assert np.array_equal(rank_hands(hands), phevaluator_ranks(hands))


@pytest.mark.slow
@pytest.mark.parametrize("n_cards", [6, 7])
def test_agrees_with_phevaluator_on_millions(n_cards):
    rng = np.random.default_rng(10 + n_cards)
    for clustering in (0.0, 0.5, 1.0, 2.0) * 2:
        hands = deal(rng, 500_000, n_cards, clustering)
        assert np.array_equal(rank_hands(hands), phevaluator_ranks(hands))


@pytest.mark.parametrize("n_cards", range(8, 15))
@pytest.mark.parametrize("clustering", [0.0, 1.0])
def test_is_the_best_of_all_five_card_hands(n_cards, clustering):
    hands = deal(np.random.default_rng(n_cards), 60, n_cards, clustering)
    subsets = np.array(list(combinations(range(n_cards), 5)))
    fives = rank_hands(hands[:, subsets].reshape(-1, 5)).reshape(len(hands), -1)
    assert np.array_equal(rank_hands(hands), fives.max(axis=1))


@pytest.mark.parametrize("n_cards", range(5, 34))
def test_agrees_with_eval7_if_only_the_first_flush_suit_counts(n_cards, rank_of_eval7_value):
    rng = np.random.default_rng(n_cards)
    for clustering in (0.0, 0.5, 1.0):
        hands = deal(rng, 2_000, n_cards, clustering)
        expected = [rank_of_eval7_value[value] for value in eval7_values(hands).tolist()]
        assert rank_hands(hands, first_flush_suit_only=True).tolist() == expected
        if n_cards < 10:
            assert rank_hands(hands).tolist() == expected


@pytest.mark.slow
@pytest.mark.parametrize("n_cards", range(5, 34))
def test_agrees_with_eval7_on_many(n_cards, rank_of_eval7_value):
    rng = np.random.default_rng(100 + n_cards)
    for clustering in (0.0, 0.3, 0.6, 1.0, 2.0):
        hands = deal(rng, 50_000, n_cards, clustering)
        expected = [rank_of_eval7_value[value] for value in eval7_values(hands).tolist()]
        assert rank_hands(hands, first_flush_suit_only=True).tolist() == expected
