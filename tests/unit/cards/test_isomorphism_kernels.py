"""The kernels against suit renaming by brute force, and as bijections."""

from itertools import combinations, permutations

import numba
import numpy as np
import pytest

from counterfold.cards.deck import FULL, Deck
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.isomorphism_kernels import gather, index_cards, unindex_cards


def all_deals(rounds, cards):
    """Every deal of `rounds`, as rows."""
    if not rounds:
        return [()]
    return [
        first + rest
        for first in combinations(cards, rounds[0])
        for rest in all_deals(rounds[1:], [card for card in cards if card not in first])
    ]


def random_deals(rounds, deck, n, seed=0):
    rng = np.random.default_rng(seed)
    places = rng.random((n, deck.n_cards)).argsort(axis=1)[:, : sum(rounds)]
    return deck.cards[places]


def standard_form(deals, rounds, n_suits):
    """One number per deal, equal exactly for deals that are suit renamings of each other."""
    deals = np.asarray(deals, np.int64)
    forms = []
    for suits in permutations(range(n_suits)):
        renamed = deals // 4 * 4 + np.array(suits)[deals % 4]
        start = 0
        for n in rounds:
            renamed[:, start : start + n].sort(axis=1)
            start += n
        forms.append(renamed @ 52 ** np.arange(sum(rounds)))
    return np.min(forms, axis=0)


@pytest.mark.parametrize(
    ("ranks", "suits", "rounds"),
    [
        (6, 2, (2, 1, 1)),
        ((0, 5, 7, 12), 3, (2, 2)),
        ((1, 3, 4), 4, (2, 3)),
        (3, 4, (1, 1, 1)),
        (2, 4, (4, 2)),  # suits that are used up
        (1, 4, (1, 2, 1)),
        (9, 1, (2, 3)),
        (13, 4, (2,)),
        (13, 4, (3,)),
    ],
)
def test_all_deals_are_told_apart_exactly_up_to_suits(ranks, suits, rounds):
    classes = Isomorphism(rounds, Deck(ranks, suits))
    deals = np.array(all_deals(rounds, classes.deck.cards.tolist()), np.uint8)
    assert len(deals) == classes.n_deals

    index = classes.index_many(deals)
    standard = standard_form(deals, rounds, suits)
    assert np.unique(index).tolist() == list(range(classes.size))
    assert len(np.unique(standard)) == classes.size
    assert len(np.unique(standard + 1j * index)) == classes.size  # one to one

    assert np.bincount(index).tolist() == classes.weights().tolist()
    representatives = classes.unindex_many(np.arange(classes.size))
    assert classes.index_many(representatives).tolist() == list(range(classes.size))


@pytest.mark.parametrize("rounds", [(2,), (3,), (4,), (5,), (3, 1), (2, 3), (3, 1, 1)], ids=str)
def test_unindex_and_index_are_a_bijection(rounds):
    classes = Isomorphism(rounds)
    index = np.arange(classes.size)
    assert np.array_equal(classes.index_many(classes.unindex_many(index)), index)


@pytest.mark.parametrize("rounds", [(2,), (2, 3), (3,), (4,), (5,), (3, 1), (3, 1, 1)], ids=str)
def test_weights_add_up_to_all_deals(rounds):
    classes = Isomorphism(rounds)
    assert classes.weights().sum(dtype=np.int64) == classes.n_deals


@pytest.mark.parametrize(
    ("rounds", "deck"),
    [
        ((2, 4), FULL),
        ((2, 5), FULL),
        ((2, 3, 1), FULL),
        ((2, 3, 1, 1), FULL),
        ((3, 1, 1), FULL),
        ((1, 1, 1, 1, 1, 1), FULL),
        ((8,), FULL),  # four suits of the same state
        ((2, 8), FULL),
        ((2, 3, 1), Deck(9, 4)),
        ((2, 3, 1), Deck((0, 1, 2, 7, 8, 12), 3)),
    ],
    ids=str,
)
def test_random_deals_and_random_classes(rounds, deck):
    classes = Isomorphism(rounds, deck)
    rng = np.random.default_rng(1)
    deals = random_deals(rounds, deck, 5000)
    index = classes.index_many(deals)
    assert index.min() >= 0
    assert index.max() < classes.size

    suits = rng.permuted(np.tile(np.arange(deck.suits), (len(deals), 1)), axis=1)
    renamed = deals // 4 * 4 + np.take_along_axis(suits, deals % 4, axis=1)
    start = 0
    for n in rounds:
        renamed[:, start : start + n] = rng.permuted(renamed[:, start : start + n], axis=1)
        start += n
    assert np.array_equal(classes.index_many(renamed), index)

    # A deal is a renaming of the standard deal of its class: so are two of the same class.
    standard = classes.unindex_many(index)
    same = standard_form(deals, rounds, deck.suits) == standard_form(standard, rounds, deck.suits)
    assert same.all()

    anywhere = rng.integers(classes.size, size=5000)
    assert np.array_equal(classes.index_many(classes.unindex_many(anywhere)), anywhere)


def test_the_mean_weight_of_a_random_class():
    """Deals per class, from a sample: fails once in 10**5 seeds (4.5 standard errors)."""
    classes = Isomorphism((2, 5))
    sample = np.random.default_rng(2).integers(classes.size, size=200_000)
    weights = classes.weights(sample)
    error = weights.std() / np.sqrt(sample.size)
    assert abs(weights.mean() - classes.n_deals / classes.size) < 4.5 * error


@numba.njit(nogil=True)
def _index_all_hands(cards, tables, inverse, classes, deals):
    """As a caller would: one board, all hands, in an array that is used again and again."""
    n = 0
    for high in range(52):
        for low in range(high):
            if low != cards[2] and low != cards[3] and high != cards[2] and high != cards[3]:
                cards[0], cards[1] = low, high
                classes[n] = index_cards(cards, 0, tables)
                unindex_cards(classes[n], inverse, 4 * n, deals)
                n += 1
    return n


def test_kernels_call_the_kernels():
    isomorphism = Isomorphism((2, 2))
    board = [0, 50]
    classes = np.empty(1326, np.int64)
    deals = np.empty(1326 * 4, np.uint8)
    cards = np.array([0, 0, *board], np.uint8)
    n = _index_all_hands(cards, isomorphism.tables, isomorphism.unindex_tables, classes, deals)
    hands = [(low, high, *board) for high in range(52) for low in range(high)]
    hands = [hand for hand in hands if len(set(hand)) == 4]
    assert n == len(hands) == 50 * 49 // 2
    assert np.array_equal(classes[:n], isomorphism.index_many(hands))
    assert np.array_equal(deals.reshape(-1, 4)[:n], isomorphism.unindex_many(classes[:n]))


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [(2, 4), (2, 3, 1), (2, 5)], ids=str)
def test_large_bijections(rounds):
    """All classes, in chunks: a minute in all."""
    classes = Isomorphism(rounds)
    total = 0
    for start in range(0, classes.size, 1 << 20):
        index = np.arange(start, min(start + (1 << 20), classes.size))
        assert np.array_equal(classes.index_many(classes.unindex_many(index)), index)
        total += int(classes.weights(index).sum(dtype=np.int64))
    assert total == classes.n_deals


@pytest.mark.slow
def test_every_flop_deal():
    """The classes of all 26 million deals of two and three cards have the right weights."""
    classes = Isomorphism((2, 3))
    flops = np.array(list(combinations(range(50), 3)), np.uint8)
    counts = np.zeros(classes.size, np.int64)
    for pair in combinations(range(52), 2):
        left = np.setdiff1d(np.arange(52, dtype=np.uint8), pair)
        deals = np.empty((len(flops), 5), np.uint8)
        deals[:, :2] = pair
        deals[:, 2:] = left[flops]
        counts += np.bincount(classes.index_many(deals), minlength=classes.size)
    assert np.array_equal(counts, classes.weights())


@pytest.mark.parametrize("kind", [np.uint16, np.uint32, np.int64])
def test_values_of_classes_are_gathered(kind):
    values, found = np.array([7, 5, 9], kind), np.zeros(4)
    gather(values, np.array([2, 0, 2, 1]), found)
    assert found.tolist() == [9.0, 7.0, 9.0, 5.0]
