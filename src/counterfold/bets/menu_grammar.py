"""What all texts of bet menus have in common: parts, and the streets, seats and raises they set.

Parts are separated by semicolons or line breaks. A part lists sizes, sets a cap or sets a share for
the whole menu, and may be preceded by the streets, the seats and the raise it applies to. What is
set for a street applies from there on, until something else is set.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, NoReturn, TypeVar

from counterfold.errors import AbstractionError, UnknownNameError

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_Size = TypeVar("_Size")

NONE = "none"
NO_CAP = 0
MAX_COUNT = 1000  # of any cap
MAX_RAISE = 100  # levels of raises that a menu distinguishes

# Levels beside 0 for bets and n for the n-th raise.
ANY = -1  # bets and raises alike
DONK = -2
BIDS = -3  # at auctions
BIDS_WORD = "bids"
AS_BETS = "bets"  # donk bets without sizes of their own
BOTH = ""  # seats

_RAISE = re.compile(r"raise\s+([1-9]\d{0,2})")
_PERCENT = re.compile(r"(\d{1,5})(?:\.(\d))?\s*%")
_NOTHING = "this part is empty; write sizes, such as 50%, allin, or leave it out"


@dataclass(frozen=True)
class Piece:
    """A piece of the text without the space around it."""

    text: str
    at: int  # where in the text, from 0

    def split(self, separator: str) -> "Iterator[Piece]":
        """The pieces between separators."""
        at = self.at
        for piece in self.text.split(separator):
            yield Piece(piece.strip(), at + len(piece) - len(piece.lstrip()))
            at += len(piece) + len(separator)


@dataclass(frozen=True)
class _Scope:
    """What the next part applies to unless it says something else."""

    streets: tuple[str, ...]
    seats: tuple[str, ...] = (BOTH,)


class MenuReader(ABC, Generic[_Size]):
    """Collects what a text sets; a menu with a grammar of its own names its words."""

    streets: ClassVar[tuple[str, ...]]
    seats: ClassVar[tuple[str, ...]] = ()
    levels: ClassVar[Mapping[str, int]] = {"bets": 0, "raises": 1}
    caps: ClassVar[tuple[str, ...]]
    shares: ClassVar[Mapping[str, int]]  # set for the whole menu, with the most per mille
    size_words: ClassVar[tuple[str, ...]]  # that a mistyped size may have meant
    order = "write the streets first, then bets: or raises:, then sizes"

    def __init__(self, text: str) -> None:
        self.text = text
        # By street, seat, and level or cap.
        self.said_sizes: dict[tuple[str, str, int], tuple[_Size, ...] | None] = {}
        self.said_caps: dict[tuple[str, str], int] = {}
        self.said_shares: dict[str, int] = {}

    @abstractmethod
    def read_size(self, piece: Piece) -> _Size:
        """One size of a list; fails if it is not one."""

    def check_level(self, size: _Size, level: int, piece: Piece) -> None:
        """Fail where `size` makes no sense for bets or raises."""

    def read(self) -> None:
        """Read everything."""
        for line in Piece(self.text, 0).split("\n"):
            *parts, last = line.split(";")
            scope = _Scope(self.streets[:1])
            for part in (*parts, last) if last.text else parts:
                scope = self._read_part(part, scope)
        if not any(map(self.streets_with_sizes, (BOTH, *self.seats))):
            self.fail(Piece("", 0), f"no sizes; write some, such as 50%, allin, or {NONE}")

    def rows(self, street: str, seat: str = BOTH) -> tuple[tuple[_Size, ...], ...]:
        """What was set for the street or last before it, or else up to the first with sizes.

        One row for bets and one for each raise; the nearest street decides, then the seat.
        """
        n_levels = max(2, 2 + max(level for _, _, level in self.said_sizes))
        streets = self._scopes(street, min(self.streets_with_sizes(seat), default=0))
        rows = []
        for level in range(n_levels):
            levels = (*range(level, min(level, 1) - 1, -1), ANY)
            rows.append(self._said(streets, seat, levels) or ())
        return tuple(rows)

    def donk(self, street: str, seat: str) -> tuple[_Size, ...] | None:
        """The sizes of donk bets, or None where they are like other bets."""
        return self._said(self._scopes(street, 0), seat, (DONK,))

    def bids(self, street: str) -> tuple[_Size, ...]:
        """The sizes of bids at auctions."""
        return self._said(self._scopes(street, 0), BOTH, (BIDS,)) or ()

    def cap(self, street: str, cap: str) -> int:
        """What the cap is on a street."""
        first = min(at for seat in (BOTH, *self.seats) for at in self.streets_with_sizes(seat))
        said = (self.said_caps.get((scope, cap)) for scope in self._scopes(street, first))
        return next((number for number in said if number is not None), NO_CAP)

    def streets_with_sizes(self, seat: str) -> list[int]:
        """The streets for which sizes are given to the seat, alone or with the other."""
        found = self.said_sizes
        return [
            self.streets.index(at)
            for at, who, level in found
            if who in (seat, BOTH) and level >= ANY
        ]

    def fail(self, place: Piece, message: str) -> NoReturn:
        """Raise the error that says where the text is wrong."""
        raise AbstractionError(f"character {place.at + 1} of {self.text!r}: {message}")

    def _scopes(self, street: str, first: int) -> tuple[str, ...]:
        at = self.streets.index(street)
        return (*reversed(self.streets[: at + 1]), *self.streets[at + 1 : first + 1])

    def _said(
        self, streets: Sequence[str], seat: str, levels: Sequence[int]
    ) -> tuple[_Size, ...] | None:
        keys = ((at, who, level) for at in streets for who in (seat, BOTH) for level in levels)
        return next((self.said_sizes[key] for key in keys if key in self.said_sizes), None)

    def _read_part(self, part: Piece, scope: _Scope) -> _Scope:
        """Read one part; return what the next one applies to."""
        *heads, body = part.split(":")
        if not body.text:
            self.fail(body, _NOTHING)
        level, before = None, -1
        for head in heads:
            rank = self._rank(head)
            if rank <= before:
                self.fail(head, self.order)
            before = rank
            if rank == 0:
                scope = _Scope(self._names(head))
            elif rank == 1:
                scope = _Scope(scope.streets, self._names(head))
            else:
                level = self._level(head)
        setting = self._setting().fullmatch(body.text)
        if setting is None:
            self._read_list(body, scope, ANY if level is None else level)
        else:
            value = Piece(setting[2], body.at + setting.start(2))
            self._read_setting(setting[1], value, body, scope, heads, level)
        return scope

    def _read_list(self, body: Piece, scope: _Scope, level: int) -> None:
        sizes = None if level == DONK and body.text == AS_BETS else self._read_sizes(body, level)
        for street in scope.streets:
            for seat in scope.seats:
                self._say(self.said_sizes, (street, seat, level), sizes, body)

    def _read_setting(
        self,
        word: str,
        value: Piece,
        body: Piece,
        scope: _Scope,
        heads: Sequence[Piece],
        level: int | None,
    ) -> None:
        if level is not None:
            self.fail(body, f"{word} applies to bets and raises together")
        if any(self._rank(head) == 1 for head in heads):
            self.fail(body, f"{word} applies to both seats; write it without a seat")
        if word in self.caps:
            for street in scope.streets:
                self._say(self.said_caps, (street, word), self._count(word, value), body)
        elif heads:
            self.fail(body, f"{word} applies to all streets; write it without a street")
        else:
            share = self.percent(value, f"{word} needs a percentage such as 90%", self.shares[word])
            self._say(self.said_shares, word, share, body)

    def _setting(self) -> re.Pattern[str]:
        words = "|".join((*self.caps, *self.shares))
        return re.compile(rf"({words})\b\s*(.*)", re.DOTALL)

    def _rank(self, head: Piece) -> int:
        """Whether a head names streets (0), seats (1) or bets and raises (2)."""
        if self._level(head) is not None:
            return 2
        return int(next(head.split(",")).text in self.seats)

    def _level(self, head: Piece) -> int | None:
        """Which raise a head names, 0 for bets, or None if it names streets or seats."""
        if head.text in self.levels:
            return self.levels[head.text]
        found = _RAISE.fullmatch(head.text)
        if found and int(found[1]) > MAX_RAISE:
            self.fail(head, f"raises are counted only up to {MAX_RAISE}")
        return int(found[1]) if found else None

    def _names(self, head: Piece) -> tuple[str, ...]:
        """The streets, or the seats, that a head names."""
        pieces = [*head.split(",")]
        kind, names = ("street", self.streets)
        if pieces[0].text in self.seats:
            kind, names = ("seat", self.seats)
        for piece in pieces:
            if piece.text not in names:
                known = (*names, *self.seats, *self.levels, "raise 2")
                self.fail(piece, str(UnknownNameError(kind, piece.text, known)))
        return tuple(piece.text for piece in pieces)

    def _read_sizes(self, body: Piece, level: int) -> tuple[_Size, ...]:
        if body.text == NONE:
            return ()
        sizes: list[_Size] = []
        for piece in body.split(","):
            self._check_piece(piece)
            size = self.read_size(piece)
            self.check_level(size, level, piece)
            if size in sizes:
                self.fail(piece, f"{piece.text} is given twice")
            sizes.append(size)
        return tuple(sizes)

    def _check_piece(self, piece: Piece) -> None:
        """Fail where a size is missing, or where a word that is not a size stands instead."""
        words = "|".join((*self.streets, *self.seats, *self.levels))
        if not piece.text:
            self.fail(piece, _NOTHING)
        if piece.text == NONE:
            self.fail(piece, f"{NONE} must be the only size")
        if head := re.match(rf"({words}|raise\s+\d+)\b", piece.text):
            self.fail(piece, f"write a colon after {head[0]}, as in {head[0]}: 50%")
        if self._setting().fullmatch(piece.text):
            self.fail(piece, f"write a semicolon, not a comma, before {piece.text!r}")
        option = re.fullmatch(r"([a-z][a-z ]+?)\s+[\d.]+\s*%?", piece.text)
        if option and option[1] not in self.size_words:
            known = (*self.caps, *self.shares)
            self.fail(piece, str(UnknownNameError("option", option[1], known)))
        if re.fullmatch(r"[a-z][a-z -]*", piece.text) and piece.text not in self.size_words:
            known = (*self.size_words, NONE, *self.caps, "merge")
            self.fail(piece, str(UnknownNameError("size", piece.text, known)))

    def percent(self, piece: Piece, wanted: str, most: int) -> int:
        """A percentage in per mille, from 1 to `most`."""
        found = _PERCENT.fullmatch(piece.text)
        share = 10 * int(found[1]) + int(found[2] or 0) if found else 0
        if not 1 <= share <= most:
            self.fail(piece, f"{wanted}, from 0.1% to {most // 10}%, not {piece.text!r}")
        return share

    def _count(self, word: str, piece: Piece) -> int:
        if piece.text == NONE:
            return NO_CAP
        count = int(piece.text) if re.fullmatch(r"\d{1,4}", piece.text) else 0
        if not 1 <= count <= MAX_COUNT:
            wanted = f"a whole number from 1 to {MAX_COUNT}, or {NONE}"
            self.fail(piece, f"{word} needs {wanted}, not {piece.text!r}")
        return count

    def _say(self, said: dict[_Key, _Value], key: _Key, value: _Value, place: Piece) -> None:
        if key in said:
            self.fail(place, f"{place.text!r} sets again what was set before")
        said[key] = value


def trim_rows(rows: Sequence[tuple[_Size, ...]]) -> tuple[tuple[_Size, ...], ...]:
    """The rows without those at the end that repeat the one before; one at least."""
    kept = list(rows) or [()]
    while len(kept) > 1 and kept[-1] == kept[-2]:
        kept.pop()
    return tuple(kept)


def format_rows(
    rows: Sequence[tuple[_Size, ...]], format_size: Callable[[_Size], str]
) -> Iterator[str]:
    """The parts that set trimmed `rows`: bets, raises, raise 2, and so on."""
    same = len(rows) == 1 or rows[0] == rows[1]
    for level, row in enumerate(rows):
        sizes = ", ".join(map(format_size, row)) or NONE
        if level == 0:
            yield sizes if same else f"bets: {sizes}"
        elif row != rows[level - 1]:
            yield f"raises: {sizes}" if level == 1 else f"raise {level}: {sizes}"
