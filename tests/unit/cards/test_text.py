import pytest

from counterfold.cards.text import format_card, format_cards, parse_card, parse_cards
from counterfold.errors import CardError


@pytest.mark.parametrize(
    ("text", "card"), [("2c", 0), ("2d", 1), ("2s", 3), ("3c", 4), ("Ts", 35), ("Ah", 50)]
)
def test_a_card_is_four_times_its_rank_plus_its_suit(text, card):
    assert parse_card(text) == card
    assert format_card(card) == text


def test_all_cards_round_trip():
    deck = format_cards(range(52))
    assert parse_cards(deck) == tuple(range(52))
    assert parse_cards(deck.swapcase()) == tuple(range(52))


@pytest.mark.parametrize("text", ["2h7hTc", "2h 7h Tc", "2h,7h,Tc", " 2h, 7hTc "])
def test_spaces_and_commas_do_not_matter(text):
    assert format_cards(parse_cards(text)) == "2h7hTc"


@pytest.mark.parametrize("text", ["2♥7♥T♣", "2♡ 7♡ t♧", "2♥️7♥️T♣️"])
def test_signs_of_suits_are_read_like_letters(text):
    assert format_cards(parse_cards(text)) == "2h7hTc"
    assert parse_card("A♠") == parse_card("a♤") == parse_card("A♠️") == parse_card("As")


def test_cards_are_joined_as_wanted():
    assert format_cards([50, 3], " ") == "Ah 2s"
    assert format_cards([]) == ""
    assert parse_cards("") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AhXs", "unknown rank 'X' at position 3 of 'AhXs'; ranks are 23456789TJQKA"),
        ("Ah Kx", "unknown suit 'x' at position 5 of 'Ah Kx'; suits are cdhs"),
        ("AhK", "suit missing at position 4, the end of 'AhK'"),
        ("AhKhAh", "card Ah twice, at position 5 of 'AhKhAh'"),
        ("ah, AH", "card Ah twice, at position 5 of 'ah, AH'"),
        ("A h", "unknown suit ' ' at position 2 of 'A h'; suits are cdhs"),
    ],
)
def test_faults_are_named_with_their_position(text, message):
    with pytest.raises(CardError) as error:
        parse_cards(text)
    assert str(error.value) == message


@pytest.mark.parametrize("text", ["", "A", "Ahh", "AhKh", " Ah", "1h", "10h"])
def test_a_card_is_two_characters(text):
    with pytest.raises(CardError):
        parse_card(text)


@pytest.mark.parametrize("card", [-1, 52])
def test_only_52_numbers_are_cards(card):
    with pytest.raises(CardError, match=f"no card has the number {card}; numbers are from 0 to 51"):
        format_card(card)
