import numpy as np
import pytest

from counterfold.cards.deck import FULL, Deck, parse_deck
from counterfold.cards.text import format_cards, parse_cards
from counterfold.errors import CardError

DECKS = [FULL, Deck(6, 2), Deck((9, 10, 11), 2), Deck((0, 12), 4), Deck(1, 1), Deck(13, 3)]


def test_the_full_deck_has_52_cards():
    assert FULL.n_cards == 52
    assert FULL.name == "full"
    assert FULL.cards.tolist() == list(range(52))


def test_a_number_of_ranks_means_the_highest():
    assert Deck(6, 2) == Deck((7, 8, 9, 10, 11, 12), 2)
    assert Deck(6, 2).name == "9TJQKA/cd"
    assert format_cards(Deck(2, 2).cards) == "KcKdAcAd"


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.name)
def test_names_round_trip(deck):
    assert parse_deck(deck.name) == deck
    assert hash(parse_deck(deck.name)) == hash(deck)


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.name)
def test_cards_ascend_and_are_read_only(deck):
    assert deck.cards.size == deck.n_cards
    assert (np.diff(deck.cards.astype(int)) > 0).all()
    assert deck.check(deck.cards).tolist() == deck.cards.tolist()
    with pytest.raises(ValueError, match="read-only"):
        deck.cards[0] = 0


def test_checked_cards_come_as_an_array():
    checked = FULL.check(parse_cards("2h7hTc"))
    assert checked.dtype == np.uint8
    assert checked.tolist() == [2, 22, 32]
    assert FULL.check([]).size == 0


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (parse_cards("AcKh"), "card Kh, number 2 of AcKh, is not in the deck 9TJQKA/cd"),
        (parse_cards("8cAc"), "card 8c, number 1 of 8cAc, is not in the deck 9TJQKA/cd"),
        ([48, 49, 48], "card Ac twice, as number 3 of AcAdAc"),
        ([52], "no card has the number 52; numbers are from 0 to 51"),
        ([-1], "no card has the number -1; numbers are from 0 to 51"),
        ([1.0], "cards must be a list of integers, not [1.0]"),
        ([[48]], "cards must be a list of integers, not [[48]]"),
        ([*Deck(6, 2).cards, 48], "13 cards are more than the 12 of the deck 9TJQKA/cd"),
    ],
)
def test_check_names_the_fault(cards, message):
    with pytest.raises(CardError) as error:
        Deck(6, 2).check(cards)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("ranks", "suits"), [(0, 4), (14, 4), ((), 4), ((13,), 4), ((1, 0), 4), ((1, 1), 4), (13, 0)]
)
def test_impossible_decks(ranks, suits):
    with pytest.raises(CardError):
        Deck(ranks, suits)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9TXA/cd", "unknown rank 'X' at position 3 of '9TXA/cd'; ranks are 23456789TJQKA"),
        ("JTA/c", "rank 'T' at position 2 of 'JTA/c' does not ascend; write a deck like 9TJQKA/cd"),
        ("JQ/dh", "unknown suits 'dh' at position 4 of 'JQ/dh'; suits must be the first of cdhs"),
        ("JQ/", "unknown suits '' at position 4 of 'JQ/'; suits must be the first of cdhs"),
        ("52", "cannot read deck '52'; write it like full or 9TJQKA/cd"),
    ],
)
def test_faults_in_names_have_a_position(text, message):
    with pytest.raises(CardError) as error:
        parse_deck(text)
    assert str(error.value) == message


def test_a_deck_without_ranks_cannot_be_read():
    with pytest.raises(CardError):
        parse_deck("/cd")
