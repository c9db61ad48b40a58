"""Hand histories: one hand, one line of JSON, complete enough to be replayed by the exact rules."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from counterfold.artifacts import replacing
from counterfold.errors import HistoryError

_LONGEST_LINE = 100_000  # characters; the longest hands have a few thousand
_LONGEST_NAME = 200
_LONGEST_QUOTE = 60
_LARGEST = 10**15  # number that is accepted
_KEYS = ("hand", "deal", "variant", "players", "state", "chips")
_ADJUSTED = "adjusted"


@dataclass(frozen=True)
class HandHistory:
    """One hand; pairs are by seat."""

    hand: int  # from 1
    deal: int  # from 1; in a duplicate match two hands have the same
    variant: str  # its name
    players: tuple[str, str]
    state: str  # in the notation of states, up to the end of the hand
    chips: tuple[int, int]  # won, as the cards fell
    adjusted: tuple[float, float] | None = None  # the expectation, if it was settled early


def format_history(history: HandHistory) -> str:
    """The line of a hand."""
    content = {key: getattr(history, key) for key in _KEYS}
    if history.adjusted is not None:
        content[_ADJUSTED] = history.adjusted
    return json.dumps(content, ensure_ascii=False)


def parse_history(line: str) -> HandHistory:
    """The hand of a line; whether it is legal is not checked here."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise HistoryError(f"{quote(line)} is not JSON; each line is one hand") from error
    if not isinstance(content, dict):
        raise HistoryError(f"{quote(line)} is not a JSON object; each line is one hand")
    for key in _KEYS:
        if key not in content:
            raise HistoryError(f"{key!r} is missing; a hand has {', '.join(_KEYS)}")
    for key in content:
        if key not in (*_KEYS, _ADJUSTED):
            raise HistoryError(
                f"{quote(key)} is not a key of a hand: {', '.join(_KEYS)}, {_ADJUSTED}"
            )
    for key in ("hand", "deal"):
        _check(
            key,
            content[key],
            _is_whole(content[key]) and content[key] > 0,
            "a number of at least 1",
        )
    for key in ("variant", "state"):
        _check(key, content[key], isinstance(content[key], str), "a text")
    players, chips, adjusted = content["players"], content["chips"], content.get(_ADJUSTED)
    good = _is_pair(players) and all(map(_is_name, players)) and players[0] != players[1]
    _check("players", players, good, "two different names")
    good = _is_pair(chips) and all(map(_is_whole, chips)) and sum(chips) == 0
    _check("chips", chips, good, "two whole numbers that add up to 0")
    if adjusted is not None:
        good = _is_pair(adjusted) and all(map(_is_number, adjusted)) and sum(adjusted) == 0
        _check(_ADJUSTED, adjusted, good, "two numbers that add up to 0")
        content[_ADJUSTED] = float(adjusted[0]), float(adjusted[1])
    return HandHistory(**{**content, "players": tuple(players), "chips": tuple(chips)})


@contextmanager
def writing_histories(path: Path) -> Iterator[Callable[[Sequence[HandHistory]], None]]:
    """Yield a function that adds hands to a new file, which appears once all are written."""
    with ExitStack() as stack:
        with _to_disk(path):
            if path.exists():
                raise HistoryError(
                    f"{str(path)!r} already exists; choose another name or remove it"
                )
            file = stack.enter_context(replacing(path))

        def write(histories: Sequence[HandHistory]) -> None:
            lines = (format_history(history) + "\n" for history in histories)
            with _to_disk(path):
                file.write("".join(lines).encode())

        yield write
        with _to_disk(path):
            stack.close()


@contextmanager
def _to_disk(path: Path) -> Iterator[None]:
    """Name the file that cannot be written; errors of the match itself pass through."""
    try:
        yield
    except OSError as error:
        raise HistoryError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


def clean_name(name: str) -> str:
    """A name that can be read back."""
    printable = "".join(letter if letter.isprintable() else "?" for letter in name)
    return printable[: _LONGEST_NAME - len(" (2)")] or "?"


def read_histories(path: Path) -> Iterator[tuple[int, HandHistory]]:
    """The hands of a file with the numbers of their lines; empty lines are skipped."""
    try:
        with open(path, encoding="utf-8") as file:
            number = 0
            while line := file.readline(_LONGEST_LINE + 1):
                number += 1
                if not line.strip():
                    continue
                with in_line(path, number):
                    if len(line) > _LONGEST_LINE:
                        raise HistoryError(f"{quote(line)} is longer than any hand")
                    history = parse_history(line)
                yield number, history
    except UnicodeDecodeError as error:
        raise HistoryError(f"{str(path)!r} is not text in UTF-8: {error.reason}") from error
    except OSError as error:
        raise HistoryError(f"cannot read {str(path)!r}: {error.strerror or error}") from error


@contextmanager
def in_line(path: Path, number: int) -> Iterator[None]:
    """Add to errors the place and what to do."""
    try:
        yield
    except HistoryError as error:
        raise HistoryError(
            f"line {number} of {str(path)!r}: {error}; remove the line, or write the file again "
            "with counterfold match --histories"
        ) from error


def _check(key: str, value: Any, good: bool, expected: str) -> None:
    if not good:
        raise HistoryError(f"{key} {quote(value)} is not {expected}")


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _is_number(value: Any) -> bool:
    return _is_whole(value) or (isinstance(value, float) and isfinite(value))


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME and value.isprintable()


def quote(value: Any, longest: int = _LONGEST_QUOTE) -> str:
    """A value from a file as messages show it."""
    text = repr(value)
    return text if len(text) <= longest else f"{text[:longest]}…"
