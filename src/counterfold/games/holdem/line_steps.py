"""A betting line step by step: who could do what, what was done, and which cards were dealt."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from counterfold.cards.text import CARD_PATTERN, format_cards
from counterfold.games.holdem.notation import MARK

NOBODY = -1  # the seat of a deal

_ENDS_WITH_CARDS = re.compile(rf"\| (?:{CARD_PATTERN})+$")


@dataclass(frozen=True)
class LineStep:
    """A decision, or the deal of a street."""

    line: str  # that leads to it
    seat: int = NOBODY
    offered: tuple[tuple[str, str], ...] = ()  # what each action is called, and its word in a line
    taken: int = 0  # place of the action that was taken
    cards: tuple[int, ...] = ()  # dealt, as far as they are known


def extend_line(line: str, word: str) -> str:
    """The line with one more action; a mark ends the cards before it."""
    return f"{line} {MARK} {word}" if _ENDS_WITH_CARDS.search(line) else f"{line} {word}".strip()


def extend_by_deal(line: str, cards: tuple[int, ...]) -> str:
    """The line with a street dealt, as far as its cards are known."""
    return f"{line} {MARK} {format_cards(cards)}".strip()


def write_line(steps: Sequence[LineStep]) -> str:
    """The line that consists of `steps`."""
    if not steps:
        return ""
    last = steps[-1]
    if last.seat == NOBODY:
        return extend_by_deal(last.line, last.cards)
    return extend_line(last.line, last.offered[last.taken][1])
