"""The clauses of the line protocol of MIT Pokerbots, and what each year changes about them.

A message is one line of clauses, each a letter and its value. Contests add letters and use some of
them again for other things (`D` is what was won until 2025 and a tossed card in 2026), so a clause
is called by what it says, and a dialect is a table of letters.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from counterfold.cards import format_card, format_cards, parse_card
from counterfold.cards.text import RANKS
from counterfold.contest.wire.fields import (
    parse_clock,
    parse_signed,
    parse_whole,
    parse_wire_cards,
)
from counterfold.errors import IllegalActionError, ProtocolError
from counterfold.games.holdem import action_words as words

CLOCK, SEAT, HOLE, BOARD, SHOWN, WON = "clock", "seat", "hole", "board", "shown", "won"
FOLD, CALL, CHECK, RAISE = "fold", "call", "check", "raise"
HAND = "hand"  # the player's own of now, swapped or not
BID, AUCTION = "bid", "auction"
BOUNTY, HITS = "bounty", "hits"
TOSS, BLANK = "toss", "blank"
UNKNOWN = "unknown"  # of another year; the value is its text

QUIT = "Q"  # a line of its own
ANSWERS = (FOLD, CALL, CHECK, RAISE, BID, TOSS)

_ACTIONS = {
    FOLD: words.FOLD,
    CALL: words.CALL,
    CHECK: words.CHECK,
    RAISE: words.RAISE,
    BID: words.BID,
    TOSS: words.DISCARD,
}
_KINDS = {letter: kind for kind, letter in _ACTIONS.items()}

Dialect = Mapping[str, str]  # what each letter says

PLAIN: Dialect = {
    "T": CLOCK,
    "P": SEAT,
    "H": HOLE,
    "F": FOLD,
    "C": CALL,
    "K": CHECK,
    "R": RAISE,
    "B": BOARD,
    "O": SHOWN,
    "D": WON,
}
YEAR_2022: Dialect = {**PLAIN, "U": HAND}
YEAR_2024: Dialect = {**PLAIN, "A": BID, "N": AUCTION}
YEAR_2025: Dialect = {**PLAIN, "G": BOUNTY, "Y": HITS}
YEAR_2026: Dialect = {**PLAIN, "D": TOSS, "A": WON, "G": BLANK}

_MASKED = "#"  # a hit that is not told
_HIT = {"1": True, "0": False, _MASKED: None}
_ANY_CLAUSE = re.compile("[A-Z][!-~]{0,99}")
_AUCTION = re.compile("([^_]*)_([^_]*)_([^_]*)")


class AuctionResult(NamedTuple):
    """How an auction ended; stacks and bids are by seat."""

    stacks: tuple[int, int]
    bids: tuple[int, int]
    hand: tuple[int, ...]  # the player's own, with the card that it got


class Clause(NamedTuple):
    """What a clause says, and its value."""

    kind: str
    value: Any = None


def parse_message(line: str, dialect: Dialect = PLAIN) -> tuple[Clause, ...]:
    """The clauses of a line of the engine; none if it is the quit line.

    What looks like a clause but has a letter that the dialect lacks is `UNKNOWN`.
    """
    if line == QUIT:
        return ()
    clauses = tuple(
        Clause(UNKNOWN, text)
        if text[:1] not in dialect and _ANY_CLAUSE.fullmatch(text)
        else _parse_clause(text, line, dialect)
        for text in line.split(" ")
    )
    if clauses[0].kind != CLOCK:
        raise ProtocolError(line, "the clock first, such as T30.000")
    return clauses


def format_message(clauses: Iterable[Clause], dialect: Dialect = PLAIN) -> str:
    """The line that says `clauses`; the quit line if there are none."""
    letters = {kind: letter for letter, kind in dialect.items()}
    said = (letters[kind] + _FIELDS[kind].format(value) for kind, value in clauses)
    return " ".join(said) or QUIT


def parse_answer(line: str, dialect: Dialect = PLAIN) -> Clause:
    """What a client answers."""
    clause = _parse_clause(line.strip(), line, dialect)
    if clause.kind not in ANSWERS:
        letters = ", ".join(letter for letter, kind in dialect.items() if kind in ANSWERS)
        raise ProtocolError(line, f"one of {letters}, with a number where it has one")
    return clause


def letter_of(kind: str, dialect: Dialect) -> str | None:
    """The letter of a kind of clause, if the dialect has it."""
    return next((letter for letter, each in dialect.items() if each == kind), None)


def read_action(clause: Clause, hand: Sequence[int] = ()) -> str:
    """The action that a clause says; a card goes by its place in the player's `hand`."""
    if clause.kind == TOSS:
        if clause.value >= len(hand):
            raise IllegalActionError("DiscardAction")
        return words.DISCARD + format_card(hand[clause.value])
    return _ACTIONS[clause.kind] + ("" if clause.value is None else str(clause.value))


def say_action(action: str, hand: Sequence[int] = ()) -> Clause:
    """The clause that says an action of the player with `hand`."""
    kind = _KINDS[action[0]]
    if kind == TOSS:
        return Clause(kind, hand.index(parse_card(action[1:])))
    return Clause(kind, int(action[1:]) if action[1:] else None)


def _parse_clause(text: str, line: str, dialect: Dialect) -> Clause:
    kind = dialect.get(text[:1])
    if kind is None:
        raise ProtocolError(line, f"a clause {', '.join(dialect)} or {QUIT}, not {text[:40]!r}")
    return Clause(kind, _FIELDS[kind].parse(text[1:], line))


class _Field(NamedTuple):
    """How the value of a clause is read, with the line that it stands in, and written."""

    parse: Callable[[str, str], Any]
    format: Callable[[Any], str] = str


def _parse_nothing(text: str, line: str) -> None:
    if text:
        raise ProtocolError(line, f"nothing after the letter, not {text[:40]!r}")


def _parse_choice(choices: str, what: str) -> Callable[[str, str], str]:
    def parse(text: str, line: str) -> str:
        if len(text) != 1 or text not in choices:
            raise ProtocolError(line, f"{what}, one of {choices}, not {text[:40]!r}")
        return text

    return parse


def _parse_seat(text: str, line: str) -> int:
    return int(_parse_choice("01", "a seat")(text, line))


def _parse_place(text: str, line: str) -> int:
    return int(_parse_choice("012", "a place in the hand")(text, line))


def _parse_cards(text: str, line: str) -> tuple[int, ...]:
    return parse_wire_cards(text.split(","), line, "cards")


def _format_cards(cards: Iterable[int]) -> str:
    return format_cards(cards, ",")


def _parse_pair(text: str, line: str) -> tuple[int, int]:
    first, _, second = text.partition(",")
    return parse_whole(first, line, "chips"), parse_whole(second, line, "chips")


def _parse_auction(text: str, line: str) -> AuctionResult:
    parts = _AUCTION.fullmatch(text)
    if parts is None:
        raise ProtocolError(line, f"stacks, bids and the hand, not {text[:40]!r}")
    stacks, bids, hand = parts.groups()
    return AuctionResult(
        _parse_pair(stacks, line), _parse_pair(bids, line), _parse_cards(hand, line)
    )


def _format_auction(result: AuctionResult) -> str:
    pairs = (",".join(map(str, pair)) for pair in (result.stacks, result.bids))
    return "_".join([*pairs, _format_cards(result.hand)])


def _parse_hits(text: str, line: str) -> tuple[bool | None, bool | None]:
    """The player's own, then the other's; None where it is not told."""
    if len(text) != 2 or not set(text) <= set(_HIT):
        raise ProtocolError(line, f"two of 0, 1 and {_MASKED}, not {text[:40]!r}")
    return _HIT[text[0]], _HIT[text[1]]


def _format_hits(hits: tuple[bool | None, bool | None]) -> str:
    return "".join(_MASKED if hit is None else str(int(hit)) for hit in hits)


_NOTHING = _Field(_parse_nothing, lambda value: "")
_CARDS = _Field(_parse_cards, _format_cards)
_FIELDS: Mapping[str, _Field] = {
    CLOCK: _Field(parse_clock, "{:.3f}".format),
    SEAT: _Field(_parse_seat),
    HOLE: _CARDS,
    BOARD: _CARDS,
    SHOWN: _CARDS,
    HAND: _CARDS,
    WON: _Field(lambda text, line: parse_signed(text, line, "chips won")),
    FOLD: _NOTHING,
    CALL: _NOTHING,
    CHECK: _NOTHING,
    RAISE: _Field(lambda text, line: parse_whole(text, line, "a raise")),
    BID: _Field(lambda text, line: parse_whole(text, line, "a bid")),
    AUCTION: _Field(_parse_auction, _format_auction),
    BOUNTY: _Field(_parse_choice(RANKS, "a rank")),
    HITS: _Field(_parse_hits, _format_hits),
    TOSS: _Field(_parse_place),
    BLANK: _NOTHING,
}
