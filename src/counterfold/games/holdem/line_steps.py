"""A betting line step by step: who could do what, what was done, and which cards were dealt."""

from collections.abc import Sequence
from dataclasses import dataclass

from counterfold.cards.text import format_cards
from counterfold.games.holdem.notation import MARK

NOBODY = -1  # the seat of a deal


@dataclass(frozen=True)
class LineStep:
    """A decision, or the deal of a street."""

    line: str  # that leads to it
    seat: int = NOBODY
    offered: tuple[tuple[str, str], ...] = ()  # what each action is called, and its word in a line
    taken: int = 0  # place of the action that was taken
    cards: tuple[int, ...] = ()  # dealt, as far as they are known


def write_deal(cards: tuple[int, ...]) -> list[str]:
    """The words that deal `cards` in a line."""
    return [MARK, format_cards(cards), MARK] if cards else [MARK]


def extend_line(line: str, word: str) -> str:
    """The line with one more action."""
    return f"{line} {word}".strip()


def write_line(steps: Sequence[LineStep]) -> str:
    """The line that consists of `steps`."""
    if not steps:
        return ""
    last = steps[-1]
    words = write_deal(last.cards) if last.seat == NOBODY else [last.offered[last.taken][1]]
    return extend_line(last.line, " ".join(words))
