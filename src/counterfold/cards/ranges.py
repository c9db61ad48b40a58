"""Ranges: how likely a player is to hold each pair of hole cards.

A range is written as a list with commas: `AhKh` is one pair of cards, `AKs`, `AKo` and `AK` are
suited, offsuit and all, `77-TT` and `A2s-A5s` go from one to the other, `TT+` goes up to aces and
`KTs+` up to the king's best kicker (the first card stays), `random` is every pair, `none` is none.
`AKs:0.5` gives a weight; without it the weight is 1. Where items overlap the last one counts, so
that `AK, AKs:0.5` means what it seems to.
"""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.deck import FULL
from counterfold.cards.pairs import (
    N_HAND_CLASSES,
    N_PAIRS,
    PAIR_CARDS,
    PAIR_HAND_CLASSES,
    index_pair,
    unindex_pair,
)
from counterfold.cards.text import (
    EMOJI_MARK,
    N_RANKS,
    N_SUITS,
    RANKS,
    SUIT_PATTERN,
    find_rank,
    find_suit,
    format_cards,
)
from counterfold.errors import CardError

_ALL = "random"
_NOTHING = "none"
_EITHER, _SUITED, _OFFSUIT = "", "s", "o"
_PAIR_START = re.compile(f".{SUIT_PATTERN}", re.IGNORECASE)
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


@dataclass(frozen=True, eq=False, repr=False)
class Range:
    """Weights of the 1326 pairs of hole cards, in the order of `index_pair`; copied, read-only.

    Weights are not negative and need not add up to anything.
    """

    weights: NDArray[np.float64]  # [1326]

    def __post_init__(self) -> None:
        weights = np.array(self.weights, np.float64) + 0.0  # the sum turns -0.0 into 0.0
        if weights.shape != (N_PAIRS,):
            raise CardError(f"a range must have {N_PAIRS} weights, not shape {weights.shape}")
        wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
        if wrong.size:
            pair = format_cards(unindex_pair(wrong[0])[::-1])
            raise CardError(f"weight {weights[wrong[0]]} of {pair} is not a number of at least 0")
        weights.flags.writeable = False
        object.__setattr__(self, "weights", weights)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    def __str__(self) -> str:
        return format_range(self)

    def __repr__(self) -> str:
        return f"parse_range({format_range(self)!r})"

    @property
    def total(self) -> float:
        """The sum of all weights."""
        return float(self.weights.sum())

    @property
    def pairs(self) -> NDArray[np.int64]:
        """Numbers of the pairs with a positive weight, ascending."""
        return np.flatnonzero(self.weights)

    @property
    def grid(self) -> NDArray[np.float64]:
        """Mean weight of the pairs of each hand class, ``[13, 13]``."""
        sums = np.bincount(PAIR_HAND_CLASSES, self.weights, N_HAND_CLASSES)
        return (sums / np.bincount(PAIR_HAND_CLASSES)).reshape(N_RANKS, N_RANKS)

    def without(self, cards: Iterable[int]) -> "Range":
        """The range of a player who cannot hold any of `cards`."""
        blocked = np.isin(PAIR_CARDS, FULL.check(list(cards))).any(axis=1)
        return Range(np.where(blocked, 0.0, self.weights))


@dataclass(frozen=True)
class _Hands:
    """The pairs of two ranks, of one kind; a step of a ladder."""

    high: int
    low: int
    kind: str = _EITHER

    @property
    def text(self) -> str:
        return RANKS[self.high] + RANKS[self.low] + self.kind

    @property
    def pairs(self) -> list[int]:
        return [
            index_pair(N_SUITS * self.high + a, N_SUITS * self.low + b)
            for a in range(N_SUITS)
            for b in range(N_SUITS)
            if (a < b if self.high == self.low else _fits(self.kind, a, b))
        ]

    @property
    def ladder(self) -> list["_Hands"]:
        """What `+` and `-` step through, lowest first: all pairs, or all kickers."""
        if self.high == self.low:
            return [_Hands(rank, rank) for rank in range(N_RANKS)]
        return [_Hands(self.high, low, self.kind) for low in range(self.high)]


def _fits(kind: str, a: int, b: int) -> bool:
    return kind == _EITHER or (kind == _SUITED) == (a == b)


def parse_range(text: str) -> Range:
    """The range written as `text`."""
    weights = np.zeros(N_PAIRS)
    text = text.replace(EMOJI_MARK, "")
    at = 0
    for item in text.split(","):
        hands, colon, weight = item.partition(":")
        start = at + len(hands) - len(hands.lstrip())
        pairs = _parse_hands(text, start, hands.strip())
        where = f" at position {at + len(hands) + 2} of {text!r}"
        weights[pairs] = parse_weight(weight, where) if colon else 1.0
        at += len(item) + 1
    return Range(weights)


def parse_weight(weight: str, where: str = "") -> float:
    """The weight written as `weight`; `where` goes into the message of an error."""
    number = weight.strip()
    if _NUMBER.fullmatch(number) is None or math.isinf(float(number)):
        raise CardError(f"weight {number!r}{where} is not a number of at least 0")
    return float(number)


def _parse_hands(text: str, at: int, hands: str) -> list[int]:
    """The pairs of one item, which starts at offset `at` of `text`."""
    end = at + len(hands)
    if not hands:
        raise CardError(
            f"hands missing at position {at + 1} of {text!r}; "
            f"write for example TT+,AKs or {_ALL} or {_NOTHING}"
        )
    if hands.lower() == _ALL:
        return list(range(N_PAIRS))
    if hands.lower() == _NOTHING:
        return []
    if _PAIR_START.match(hands):
        return [_parse_pair(text, at, end)]
    first, at_next = _parse_step(text, at)
    rest = text[at_next:end]
    ladder = first.ladder
    if rest == "":
        return first.pairs
    if rest == "+":
        return _join(ladder[ladder.index(first) :])
    if rest[0] != "-":
        raise _unexpected(text, at_next, end)
    last, at_next = _parse_step(text, at_next + 1)
    if at_next < end:
        raise _unexpected(text, at_next, end)
    if last not in ladder:
        raise CardError(
            f"{first.text} and {last.text} at position {at + 1} of {text!r} are not two ends of a "
            "list; write for example 77-TT or A2s-A5s"
        )
    low, high = sorted((ladder.index(first), ladder.index(last)))
    return _join(ladder[low : high + 1])


def _parse_pair(text: str, at: int, end: int) -> int:
    first = N_SUITS * find_rank(text, at) + find_suit(text, at + 1)
    second = N_SUITS * find_rank(text, at + 2) + find_suit(text, at + 3)
    if first == second:
        raise CardError(f"card {text[at : at + 2]} twice, at position {at + 3} of {text!r}")
    if end > at + 4:
        raise _unexpected(text, at + 4, end)
    return index_pair(first, second)


def _parse_step(text: str, at: int) -> tuple[_Hands, int]:
    """Two ranks with or without a kind, and the offset after them."""
    ranks = find_rank(text, at), find_rank(text, at + 1)
    kind = text[at + 2 : at + 3].lower()
    if kind not in (_SUITED, _OFFSUIT):
        return _Hands(max(ranks), min(ranks)), at + 2
    if ranks[0] == ranks[1]:
        raise CardError(f"pairs have no {kind!r}, as at position {at + 3} of {text!r}")
    return _Hands(max(ranks), min(ranks), kind), at + 3


def _unexpected(text: str, at: int, end: int) -> CardError:
    return CardError(
        f"unexpected {text[at:end]!r} at position {at + 1} of {text!r}; "
        "hands are like AhKh, AKs, AKo, AK, TT+ or A2s-A5s"
    )


def _join(steps: Iterable[_Hands]) -> list[int]:
    return [pair for step in steps for pair in step.pairs]


def format_range(hands: Range) -> str:
    """Text that `parse_range` reads back to the same weights; equal ranges have the same text.

    Pairs come first, then the rest by high card, and at the end whatever no class describes.
    """
    weights = hands.weights
    if (weights == weights[0]).all():
        return _ALL + _format_weight(weights[0]) if weights[0] > 0 else _NOTHING
    rest = weights.copy()
    items = [item for ladder in _list_ladders() for item in _take_runs(ladder, rest)]
    singles = np.flatnonzero(rest)[::-1]
    items += [format_cards(unindex_pair(i)[::-1]) + _format_weight(rest[i]) for i in singles]
    return ",".join(items)


def _list_ladders() -> Iterator[list[_Hands]]:
    yield _Hands(0, 0).ladder
    for high in reversed(range(1, N_RANKS)):
        for kind in (_EITHER, _SUITED, _OFFSUIT):
            yield _Hands(high, 0, kind).ladder


def _take_runs(ladder: list[_Hands], rest: NDArray[np.float64]) -> Iterator[str]:
    """Items for the steps of `ladder` that have one weight each; sets these weights to 0."""

    def common_weight(step: _Hands) -> float:
        weights = rest[step.pairs]
        return float(weights[0]) if (weights == weights[0]).all() else 0.0

    for weight, group in groupby(reversed(ladder), common_weight):
        if weight == 0.0:
            continue
        run = list(group)
        top, bottom = run[0].text, run[-1].text
        if len(run) == 1:
            hands = top
        else:
            hands = f"{bottom}+" if run[0] == ladder[-1] else f"{bottom}-{top}"
        yield hands + _format_weight(weight)
        rest[_join(run)] = 0.0


def _format_weight(weight: float) -> str:
    return "" if weight == 1.0 else ":" + repr(float(weight)).removesuffix(".0")
