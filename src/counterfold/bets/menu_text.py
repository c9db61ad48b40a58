"""Bet menus as text, such as ``flop: 50%, 100%, allin; raises: 100%, allin; cap 2``.

Parts are separated by semicolons or line breaks. A part lists sizes or sets a cap, and may be
preceded by the streets and the raise it applies to. What is set for a street applies from there on,
until something else is set. ``docs/reference/bet-menus.md`` has the grammar.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from counterfold.bets.menu import (
    CAPS,
    MAX_COUNT,
    MAX_SIZE,
    NO_CAP,
    SIZE_WORDS,
    STREETS,
    BetMenu,
    StreetBets,
)
from counterfold.errors import AbstractionError, UnknownNameError

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

NONE = "none"
_ALL_IN_FROM, _MERGE = "allin from", "merge"
_RAISE = re.compile(r"raise\s+([1-9]\d{0,2})")
_SETTING = re.compile(rf"({'|'.join((*CAPS, _ALL_IN_FROM, _MERGE))})\b\s*(.*)", re.DOTALL)
_HEAD = re.compile(rf"({'|'.join(STREETS)}|bets|raises|raise\s+\d+)\b")
_PERCENT = re.compile(r"(\d{1,5})(?:\.(\d))?\s*%")
_ANY = -1  # bets and raises alike
_NOTHING = "this part is empty; write sizes, such as 50%, allin, or leave it out"
MAX_RAISE = 100  # levels of raises that a menu distinguishes

# Systems of the literature and of OpenSpiel; limit menus are for games with fixed bets.
MENUS: dict[str, str] = {
    "limit-4": "min; cap 4",
    "limit-3": "min; cap 3",
    "pineapple": "50%, 100%, allin; rounds 2",
    "discard-winner": (
        "preflop: raises: 167%, allin; raise 2: 238%, allin; raise 3: allin; cap 4; actions 2; "
        "flop: bets: 66%, allin; raises: 100%, allin"
    ),
    "ep-white": "preflop: 50%, 100%, allin; cap 9; flop: cap 8",
    "fcpa": "100%, allin",
    "fchpa": "50%, 100%, allin",
}


def parse_menu(text: str) -> BetMenu:
    """The menu that `text` names or writes out."""
    word = text.strip()
    if word in MENUS:
        return _Reader(MENUS[word]).menu()
    if re.fullmatch(r"[a-z]+(-\w+)+|fc\w*", word):
        raise UnknownNameError("bet menu", word, MENUS)
    return _Reader(text).menu()


@dataclass(frozen=True)
class _Piece:
    """A piece of the text without the space around it."""

    text: str
    at: int  # where in the text, from 0

    def split(self, separator: str) -> "Iterator[_Piece]":
        """The pieces between separators."""
        at = self.at
        for piece in self.text.split(separator):
            yield _Piece(piece.strip(), at + len(piece) - len(piece.lstrip()))
            at += len(piece) + len(separator)


class _Reader:
    """Collects what a text sets, then finds what applies on each street."""

    def __init__(self, text: str) -> None:
        self.text = text
        # By street, and by raise (0 for bets, `_ANY` for both) or cap.
        self.sizes: dict[tuple[str, int], tuple[int, ...]] = {}
        self.caps: dict[tuple[str, str], int] = {}
        self.nearness: dict[str, int] = {}

    def menu(self) -> BetMenu:
        """Read everything."""
        for line in _Piece(self.text, 0).split("\n"):
            *parts, last = line.split(";")
            scope: tuple[str, ...] = STREETS[:1]
            for part in (*parts, last) if last.text else parts:
                scope = self._read_part(part, scope)
        if not self.sizes:
            self._fail(_Piece("", 0), f"no sizes; write some, such as 50%, allin, or {NONE}")
        n_levels = 2 + max(level for _, level in self.sizes)
        streets = [self._street(street, max(n_levels, 2)) for street in STREETS]
        return BetMenu(
            (streets[0], streets[1], streets[2], streets[3], streets[4]),
            self.nearness.get(_ALL_IN_FROM, 1000),
            self.nearness.get(_MERGE, 0),
        )

    def _street(self, street: str, n_levels: int) -> StreetBets:
        """What was set for the street or last before it, or else up to the first with sizes."""
        at = STREETS.index(street)
        first = min(STREETS.index(named) for named, _ in self.sizes)
        scopes = (*reversed(STREETS[: at + 1]), *STREETS[at + 1 : first + 1])
        rows = []
        for level in range(n_levels):
            levels = (*range(level, min(level, 1) - 1, -1), _ANY)
            keys = ((scope, each) for scope in scopes for each in levels)
            rows.append(next((self.sizes[key] for key in keys if key in self.sizes), ()))
        caps = {}
        for cap in CAPS:
            said = (self.caps[scope, cap] for scope in scopes if (scope, cap) in self.caps)
            caps[cap] = next(said, NO_CAP)
        return StreetBets(tuple(rows), **caps)

    def _read_part(self, part: _Piece, scope: tuple[str, ...]) -> tuple[str, ...]:
        """Read one part; return the streets that the next one applies to."""
        *heads, body = part.split(":")
        if not body.text:
            self._fail(body, _NOTHING)
        level, named = None, False
        for head in heads:
            if level is not None or (named and self._level(head) is None):
                self._fail(head, "write the streets first, then bets: or raises:, then sizes")
            level = self._level(head)
            if level is None:
                scope, named = self._scope(head), True
        setting = _SETTING.fullmatch(body.text)
        if setting is None:
            key = _ANY if level is None else level
            sizes = self._read_sizes(body)
            for street in scope:
                self._say(self.sizes, (street, key), sizes, body)
            return scope
        word, value = setting[1], _Piece(setting[2], body.at + setting.start(2))
        if level is not None:
            self._fail(body, f"{word} applies to bets and raises together")
        if word in CAPS:
            for street in scope:
                self._say(self.caps, (street, word), self._count(word, value), body)
        elif named:
            self._fail(body, f"{word} applies to all streets; write it without a street")
        else:
            share = self._percent(value, f"{word} needs a percentage such as 90%", 1000)
            self._say(self.nearness, word, share, body)
        return scope

    def _level(self, head: _Piece) -> int | None:
        """Which raise a head names, 0 for bets, or None if it names streets."""
        if head.text in ("bets", "raises"):
            return ("bets", "raises").index(head.text)
        found = _RAISE.fullmatch(head.text)
        if found and int(found[1]) > MAX_RAISE:
            self._fail(head, f"raises are counted only up to {MAX_RAISE}")
        return int(found[1]) if found else None

    def _scope(self, head: _Piece) -> tuple[str, ...]:
        streets = [*head.split(",")]
        for street in streets:
            if street.text not in STREETS:
                known = (*STREETS, "bets", "raises", "raise 2")
                self._fail(street, str(UnknownNameError("street", street.text, known)))
        return tuple(street.text for street in streets)

    def _read_sizes(self, body: _Piece) -> tuple[int, ...]:
        if body.text == NONE:
            return ()
        sizes: list[int] = []
        for piece in body.split(","):
            if not piece.text:
                self._fail(piece, _NOTHING)
            if piece.text in SIZE_WORDS:
                size = SIZE_WORDS[piece.text]
            elif piece.text == NONE:
                self._fail(piece, f"{NONE} must be the only size")
            elif head := _HEAD.match(piece.text):
                self._fail(piece, f"write a colon after {head[0]}, as in {head[0]}: 50%")
            elif _SETTING.fullmatch(piece.text):
                self._fail(piece, f"write a semicolon, not a comma, before {piece.text!r}")
            elif re.fullmatch(r"[a-z][a-z -]*", piece.text):
                known = (*SIZE_WORDS, NONE, *CAPS, _MERGE, *MENUS)
                self._fail(piece, str(UnknownNameError("size", piece.text, known)))
            else:
                wanted = "a size is a percentage of the pot after the call such as 50%"
                size = self._percent(piece, wanted, MAX_SIZE)
            if size in sizes:
                self._fail(piece, f"{piece.text} is given twice")
            sizes.append(size)
        return tuple(sizes)

    def _percent(self, piece: _Piece, wanted: str, most: int) -> int:
        found = _PERCENT.fullmatch(piece.text)
        share = 10 * int(found[1]) + int(found[2] or 0) if found else 0
        if not 1 <= share <= most:
            self._fail(piece, f"{wanted}, from 0.1% to {most // 10}%, not {piece.text!r}")
        return share

    def _count(self, word: str, piece: _Piece) -> int:
        if piece.text == NONE:
            return NO_CAP
        count = int(piece.text) if re.fullmatch(r"\d{1,4}", piece.text) else 0
        if not 1 <= count <= MAX_COUNT:
            wanted = f"a whole number from 1 to {MAX_COUNT}, or {NONE}"
            self._fail(piece, f"{word} needs {wanted}, not {piece.text!r}")
        return count

    def _say(self, said: dict[_Key, _Value], key: _Key, value: _Value, place: _Piece) -> None:
        if key in said:
            self._fail(place, f"{place.text!r} sets again what was set before")
        said[key] = value

    def _fail(self, place: _Piece, message: str) -> NoReturn:
        raise AbstractionError(f"character {place.at + 1} of {self.text!r}: {message}")
