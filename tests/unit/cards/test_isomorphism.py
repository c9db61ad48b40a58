"""Sizes, order, errors; that the numbers are right is tested beside the kernels."""

import numpy as np
import pytest

from counterfold.cards.deck import FULL, Deck
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.text import format_cards, parse_cards
from counterfold.errors import CardError, TooLargeError

# Computed with an independent indexer.
SIZES = {
    (2,): 169,
    (2, 3): 1_286_792,
    (2, 4): 13_960_050,
    (2, 5): 123_156_254,
    (2, 3, 1): 55_190_538,
    (2, 3, 1, 1): 2_428_287_420,
    (3,): 1_755,
    (4,): 16_432,
    (5,): 134_459,
    (3, 1): 63_193,
    (3, 1, 1): 2_554_656,
}


@pytest.mark.parametrize(("rounds", "size"), SIZES.items())
def test_sizes(rounds, size):
    assert Isomorphism(rounds).size == size


# Tables on disk are in the order of these numbers: a change must be deliberate.
@pytest.mark.parametrize(
    ("rounds", "cards", "index", "standard", "weight"),
    [
        ((2,), "AhAs", 168, "AcAd", 6),
        ((2,), "KdAd", 77, "KcAc", 4),
        ((2,), "2c3d", 79, "2d3c", 12),
        ((2, 3), "AhKh2h7hTc", 68063, "KcAc2c7cTd", 12),
        ((2, 4), "AhKh2h7hTcTd", 2113493, "KcAc2c7cTdTh", 12),
        ((2, 5), "AhKh2h7hTcTdTs", 55936304, "KcAc2c7cTdThTs", 4),
        ((2, 3, 1), "AhKh2h7hTcTd", 7624417, "KcAc2c7cTdTh", 24),
        ((2, 3, 1, 1), "AhKh2h7hTcTdTs", 1087156767, "KcAc2c7cTdThTs", 24),
        ((5,), "2h7hTcTdTs", 103683, "2c7cTdThTs", 4),
        ((3, 1, 1), "2h7hTcTdTs", 1966648, "2c7cTdThTs", 24),
    ],
)
def test_the_order_of_classes_is_kept(rounds, cards, index, standard, weight):
    classes = Isomorphism(rounds)
    assert classes.index(parse_cards(cards)) == index
    assert format_cards(classes.unindex(index)) == standard
    assert classes.weight(index) == weight


def test_any_integers_are_cards_and_classes():
    classes = Isomorphism((2, 3))
    deals = np.array([parse_cards("AhKh2h7hTc"), parse_cards("2h7hTcAhKh")])
    expected = [classes.index(deal) for deal in deals]
    for dtype in (np.int8, np.uint8, np.int32, np.int64, np.uint64):
        found = classes.index_many(deals.astype(dtype))
        assert found.dtype == np.int64
        assert found.tolist() == expected
    assert classes.index_many(np.asfortranarray(deals, np.uint8)).tolist() == expected
    deals.flags.writeable = False
    assert classes.index_many(deals).tolist() == expected
    assert classes.index_many(np.empty((0, 5), np.uint8)).tolist() == []
    assert classes.unindex_many(np.array(expected, np.uint32)).dtype == np.uint8
    assert classes.unindex_many([]).shape == (0, 5)


def test_names_and_numbers_of_deals():
    assert Isomorphism((2, 3, 1)).name == "2+3+1"
    assert Isomorphism((2, 1), Deck(6, 2)).name == "2+1 of 9TJQKA/cd"
    assert Isomorphism((2, 3)).n_deals == 1326 * 19600
    assert Isomorphism([2, 3]) == Isomorphism((2, 3), FULL)


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ([[51, 50], [7, 7]], "deal 1: card 3s twice, as number 2 of 3s3s"),
        ([[51, 52]], "deal 0: no card has the number 52; numbers are from 0 to 51"),
        ([[51, 50], [-1, 5]], "deal 1: no card has the number -1; numbers are from 0 to 51"),
        ([[51, 256]], "deal 0: no card has the number 256; numbers are from 0 to 51"),
        ([[51, 50, 49]], "deals of 2 must have shape (n, 2), not (1, 3)"),
        ([51, 50], "deals of 2 must have shape (n, 2), not (2,)"),
        ([[51.0, 50.0]], "cards must be integers, not float64"),
    ],
)
def test_wrong_deals(cards, message):
    with pytest.raises(CardError) as error:
        Isomorphism((2,)).index_many(cards)
    assert str(error.value) == message


def test_wrong_deals_of_a_reduced_deck():
    classes = Isomorphism((2,), Deck(6, 2))
    with pytest.raises(CardError, match="card Ah, number 1 of AhAc, is not in the deck 9TJQKA/cd"):
        classes.index(parse_cards("AhAc"))
    with pytest.raises(CardError, match="deal 1: card 8c, number 2 of Ac8c, is not in the deck"):
        classes.index_many([parse_cards("AcAd"), parse_cards("Ac8c")])
    with pytest.raises(CardError, match=r"deals of 2 of 9TJQKA/cd must have shape \(n, 2\)"):
        classes.index(parse_cards("AcAdKc"))


@pytest.mark.parametrize("classes", [[-1], [169], [0, 169], [0.5], [[1]], 3])
def test_wrong_classes(classes):
    with pytest.raises(CardError, match="class 170 is not one of 0 to 168, the classes of 2"):
        Isomorphism((2,)).unindex(170)
    with pytest.raises(CardError):
        Isomorphism((2,)).unindex_many(classes)
    with pytest.raises(CardError):
        Isomorphism((2,)).weights(classes)


def test_impossible_rounds():
    for rounds in ((), (0,), (2, 0, 1), (-1,)):
        with pytest.raises(CardError, match="every round must deal at least one card"):
            Isomorphism(rounds)
    with pytest.raises(CardError, match="need 13 cards, but the deck 9TJQKA/cd has only 12"):
        Isomorphism((2, 11), Deck(6, 2))
    with pytest.raises(TooLargeError, match="deals of"):
        _ = Isomorphism((26, 13)).size
    with pytest.raises(TooLargeError, match="more than 10 rounds"):
        _ = Isomorphism((1,) * 16, Deck(4, 4)).size
