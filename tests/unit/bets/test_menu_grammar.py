"""The grammar that all menus share, by one with whole numbers as sizes and two streets."""

import pytest

from counterfold.bets.menu_grammar import (
    ANY,
    DONK,
    NO_CAP,
    MenuReader,
    Piece,
    format_rows,
    trim_rows,
)
from counterfold.errors import AbstractionError


class Reader(MenuReader):
    streets = ("day", "night")
    seats = ("fox", "hen")
    levels = {"bets": 0, "raises": 1, "donks": DONK}  # noqa: RUF012
    caps = ("limit",)
    shares = {"allin from": 1000}  # noqa: RUF012
    size_words = ("most",)

    def read_size(self, piece):
        if not piece.text.isdigit():
            self.fail(piece, f"{piece.text!r} is not a number")
        return int(piece.text)

    def check_level(self, size, level, piece):
        if level > 1 and size == 13:
            self.fail(piece, "13 is no re-raise")


def read(text):
    reader = Reader(text)
    reader.read()
    return reader


def rows(text, street="day", seat=""):
    return [list(row) for row in read(text).rows(street, seat)]


def test_sizes_are_for_bets_and_raises_from_their_street_on():
    assert rows("1, 2") == rows("1, 2", "night") == [[1, 2], [1, 2]]
    assert rows("1; night: 2", "night") == [[2], [2]]
    assert rows("1; night: 2") == [[1], [1]]


def test_raises_beyond_the_last_that_is_set_are_like_it():
    assert rows("bets: 1; raises: 2; raise 2: 3") == [[1], [2], [3], [3]]
    assert rows("bets: 1; raise 2: 3") == [[1], [], [3], [3]]


def test_a_street_before_the_first_with_sizes_takes_those():
    assert rows("night: 2", "day") == [[2], [2]]


def test_seats_take_what_is_theirs_before_what_is_for_both():
    text = "1; hen: 2"
    assert [rows(text, seat=seat)[0] for seat in ("", "fox", "hen")] == [[1], [1], [2]]
    text = "day: hen: 2; fox: 3; night: 4"
    assert [rows(text, "night", seat)[0] for seat in ("fox", "hen")] == [[4], [4]]


def test_none_is_no_size():
    assert rows("1; raises: none") == [[1], [], []]


def test_donk_bets_are_like_others_unless_they_are_set():
    assert read("1").donk("day", "fox") is None
    assert read("1; donks: 5").donk("night", "fox") == (5,)
    assert read("1; donks: 5; night: donks: bets").donk("night", "fox") is None


def test_caps_apply_from_their_street_on_until_lifted():
    reader = read("1; limit 3; night: limit none")
    assert (reader.cap("day", "limit"), reader.cap("night", "limit")) == (3, NO_CAP)
    assert read("1; limit 3").cap("night", "limit") == 3


def test_shares_are_per_mille_of_the_whole_menu():
    assert read("1; allin from 66.5%").said_shares == {"allin from": 665}


def test_lines_are_parts_that_begin_with_the_first_street_again():
    assert rows("1; night: 2\nraises: 3", "day") == [[1], [3], [3]]
    assert rows("1; night: 2\nraises: 3", "night") == [[2], [2], [2]]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", 1, "no sizes; write some"),
        ("limit 2", 1, "no sizes"),
        ("1;;2", 3, "this part is empty"),
        ("1, ,2", 4, "this part is empty"),
        ("1, 1", 4, "1 is given twice"),
        ("1, none", 4, "none must be the only size"),
        ("1; 2", 4, "'2' sets again what was set before"),
        ("evening: 1", 1, "unknown street 'evening'"),
        ("day, fox: 1", 6, "unknown street 'fox'"),
        ("fox, day: 1", 6, "unknown seat 'day'"),
        ("fox: night: 1", 6, "write the streets first"),
        ("raises: fox: 1", 9, "write the streets first"),
        ("raise 101: 1", 1, "raises are counted only up to 100"),
        ("raise 2: 13", 10, "13 is no re-raise"),
        ("1, limit 2", 4, "write a semicolon, not a comma, before 'limit 2'"),
        ("1; limt 2", 4, "unknown option 'limt'; did you mean limit"),
        ("raises 1", 1, "write a colon after raises"),
        ("1; mst", 4, "unknown size 'mst'"),
        ("1; raises: limit 2", 12, "limit applies to bets and raises together"),
        ("1; fox: limit 2", 9, "limit applies to both seats"),
        ("1; limit 0", 10, "limit needs a whole number from 1 to 1000, or none, not '0'"),
        ("1; limit 1001", 10, "limit needs a whole number"),
        ("1; night: allin from 50%", 11, "allin from applies to all streets"),
        ("1; allin from 101%", 15, "allin from needs a percentage such as 90%, from 0.1% to 100%"),
        ("1; allin from 0%", 15, "allin from needs a percentage"),
    ],
)
def test_errors_point_at_the_character(text, place, message):
    with pytest.raises(AbstractionError) as raised:
        read(text)
    assert str(raised.value).startswith(f"character {place} of {text!r}: ")
    assert message in str(raised.value)


def test_pieces_know_where_they_are():
    pieces = list(Piece(" a ;  bc;", 10).split(";"))
    assert pieces == [Piece("a", 11), Piece("bc", 16), Piece("", 19)]
    assert ANY < 0


def test_rows_are_trimmed_and_written():
    assert trim_rows([(1,), (2,), (2,), (2,)]) == ((1,), (2,))
    assert trim_rows([]) == ((),)
    assert list(format_rows(((1,),), str)) == ["1"]
    assert list(format_rows(((1,), (2, 3), (2, 3), ()), str)) == [
        "bets: 1", "raises: 2, 3", "raise 3: none",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["1, 2", "bets: 1; raises: 2; raise 3: none", "bets: none; raises: 4"]
)
def test_written_rows_read_back(text):
    found = trim_rows(read(text).rows("day"))
    assert trim_rows(read("; ".join(format_rows(found, str))).rows("day")) == found
