import pytest

from counterfold.cards import parse_cards
from counterfold.contest.wire.mit_clauses import (
    PLAIN,
    YEAR_2022,
    YEAR_2024,
    YEAR_2025,
    YEAR_2026,
    AuctionResult,
    Clause,
    format_message,
    parse_answer,
    parse_message,
)
from counterfold.errors import ProtocolError
from helpers.recordings.contest_rounds import GAMES, read_traffic

DIALECTS = {2022: YEAR_2022, 2024: YEAR_2024, 2025: YEAR_2025, 2026: YEAR_2026}


def test_a_message_is_read_and_written_back():
    line = "T29.999 P0 H5h,Ah R4 C B8s,6h,Jc K K F O2c,2d D-4"
    clauses = parse_message(line)
    assert clauses[:3] == (
        Clause("clock", 29.999),
        Clause("seat", 0),
        Clause("hole", parse_cards("5hAh")),
    )
    assert format_message(clauses) == line
    assert parse_message("Q") == ()


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "K",
        "Q Q",
        "T",
        "Tnan",
        "Tinf",
        "T1e5",
        "T30.000 ",
        "T30.000  K",
        "T30.000 Rnan",
        "T30.000 R-4",
        "T30.000 R1.5",
        "T30.000 R1e3",
        "T30.000 R" + "9" * 5000,
        "T30.000 R４",
        "T30.000 P2 H2c,2h",
        "T30.000 P0 H2c,2x",
        "T30.000 P0 H2c,2c",
        "T30.000 P0 H1c,2c",
        "T30.000 P0 H",
        "T30.000 B2c,,3c,4c",
        "T30.000 Dnan",
        "T30.000 D--4",
        "T30.000 KK",
        "T30.000 Kx",
        "P0 T30.000 H2c,2h",
        "\x00",
        "é" * 100,
    ],
)
def test_text_that_is_no_message_is_refused(line):
    with pytest.raises(ProtocolError) as caught:
        parse_message(line)
    assert len(str(caught.value)) < 500
    assert "expected" in str(caught.value)


@pytest.mark.parametrize("line", ["", "x", "k", "R", "Rnan", "R 4", "KK", "T30.000", "D4", "R-1"])
def test_text_that_is_no_answer_is_refused(line):
    with pytest.raises(ProtocolError):
        parse_answer(line)


@pytest.mark.parametrize("line", ["F", "K", "C", "R335"])
def test_answers_are_read_and_written_back(line):
    assert format_message([parse_answer(line)]) == line
    assert parse_answer(f" {line}\r") == parse_answer(line)


@pytest.mark.parametrize("name", "AB")
@pytest.mark.parametrize("year", GAMES)
def test_every_recorded_line_of_a_year_is_read_and_written_back(year, name):
    dialect = DIALECTS[year]
    *pairs, (last, _) = read_traffic(year, name)
    assert parse_message(last, dialect) == ()
    for message, answer in pairs:
        assert format_message(parse_message(message, dialect), dialect) == message
        assert format_message([parse_answer(answer, dialect)], dialect) == answer


def test_years_use_letters_for_different_things():
    assert parse_message("T1.000 D2", PLAIN)[1] == Clause("won", 2)
    assert parse_message("T1.000 D2", YEAR_2026)[1] == Clause("toss", 2)
    assert parse_message("T1.000 A2", YEAR_2024)[1] == Clause("bid", 2)
    assert parse_message("T1.000 A-2", YEAR_2026)[1] == Clause("won", -2)
    assert parse_message("T1.000 GT", YEAR_2025)[1] == Clause("bounty", "T")
    assert parse_message("T1.000 Y1#", YEAR_2025)[1] == Clause("hits", (True, None))
    result = parse_message("T1.000 N388,398_370,10_7h,5h,5c", YEAR_2024)[1].value
    assert result == AuctionResult((388, 398), (370, 10), parse_cards("7h5h5c"))


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        (YEAR_2022, "U"),
        (YEAR_2022, "U2c,2c"),
        (YEAR_2024, "A-1"),
        (YEAR_2024, "A"),
        (YEAR_2024, "N1,2_3,4"),
        (YEAR_2024, "N1_3,4_2c,3c"),
        (YEAR_2024, "N1,2_3,4_2c,3c_"),
        (YEAR_2024, "N1,2,3_3,4_2c,3c"),
        (YEAR_2025, "G"),
        (YEAR_2025, "G10"),
        (YEAR_2025, "G1"),
        (YEAR_2025, "Y1"),
        (YEAR_2025, "Y2#"),
        (YEAR_2026, "D3"),
        (YEAR_2026, "D-1"),
        (YEAR_2026, "G6"),
        (PLAIN, "x"),
        (PLAIN, "1K;2R6"),
    ],
)
def test_values_that_a_clause_does_not_have_are_refused(dialect, text):
    with pytest.raises(ProtocolError, match="expected"):
        parse_message(f"T30.000 {text}", dialect)


@pytest.mark.parametrize("text", ["U2c,3c", "G6", "X", "A12", "Y1#"])
def test_clauses_of_another_year_are_unknown(text):
    assert parse_message(f"T30.000 {text} K")[1] == Clause("unknown", text)
    with pytest.raises(ProtocolError, match="a clause T, P"):
        parse_answer(text)
