"""Numbers and cards from the other side: what is read, and what is refused with the line."""

import pytest

from counterfold.cards import parse_cards
from counterfold.contest.wire import fields
from counterfold.errors import ProtocolError

LINE = "T12.5 the whole line"


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (lambda text: fields.parse_whole(text, LINE, "a bank"), "123456789", 123456789),
        (lambda text: fields.parse_amount(text, LINE), "12.57", 12),
        (lambda text: fields.parse_amount(text, LINE), "12", 12),
        (lambda text: fields.parse_signed(text, LINE, "chips"), "-40", -40),
        (lambda text: fields.parse_clock(text, LINE), "29.987", 29.987),
        (lambda text: fields.parse_clock(text, LINE), "-0.5", -0.5),
    ],
)
def test_numbers_are_read(parse, text, value):
    assert parse(text) == value


@pytest.mark.parametrize(
    ("parse", "texts"),
    [
        (lambda text: fields.parse_whole(text, LINE, "a bank"), ["", "-1", "1.0", "1e3", "²"]),
        (lambda text: fields.parse_whole(text, LINE, "a bank"), ["1234567890", "٣", " 1", "1\n"]),
        (lambda text: fields.parse_amount(text, LINE), ["", "-1", ".5", "12.", "1_000", "nan"]),
        (lambda text: fields.parse_signed(text, LINE, "chips"), ["", "+4", "--4", "4.0"]),
        (lambda text: fields.parse_clock(text, LINE), ["", "inf", "1e9", "1,5", "nan"]),
        (lambda text: fields.parse_wire_card(text, LINE), ["", "ah", "AH", "1h", "Ahh", "A♠"]),
    ],
)
def test_anything_else_is_refused_with_the_line(parse, texts):
    for text in texts:
        with pytest.raises(ProtocolError) as refused:
            parse(text)
        assert LINE in str(refused.value)


def test_a_long_field_is_quoted_in_part():
    with pytest.raises(ProtocolError) as refused:
        fields.parse_whole("9" * 10_000, LINE, "a bank")
    assert len(str(refused.value)) < 300


def test_cards_keep_their_order_and_differ():
    read = fields.parse_wire_cards(["Kd", "2c", "Ah"], LINE, "a board")
    assert read == parse_cards("Kd2cAh")
    with pytest.raises(ProtocolError, match="different cards"):
        fields.parse_wire_cards(["Kd", "Kd"], LINE, "a board")
    with pytest.raises(ProtocolError, match="a board as 3 cards, not 2"):
        fields.parse_wire_cards(["Kd", "2c"], LINE, "a board", 3)
