"""How long searches take here, as measured, so that one that would last too long is not begun."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import Variant
from counterfold.ranges.line_tree import LineTree

_KEPT = 0.9  # of what was measured before, if a search was faster
_FORGOTTEN = 0.99  # kept of it if no search was begun: others may have been busy then


@dataclass
class Rates:
    """Seconds for each unit of work."""

    setup: float = 0.0  # before the first iteration
    iteration: float = 0.0
    rest: float = 0.0  # after the last one

    def note(self, *seconds: float) -> None:
        """Take the larger of what is new and most of what was known."""
        known = (self.setup, self.iteration, self.rest)
        self.setup, self.iteration, self.rest = (
            max(new, _KEPT * old) for new, old in zip(seconds, known, strict=True)
        )

    def fade(self) -> None:
        """Forget a little."""
        for name in ("setup", "iteration", "rest"):
            setattr(self, name, _FORGOTTEN * getattr(self, name))


class SearchSpeed:
    """Rates by the number of streets that a spot has left."""

    def __init__(self) -> None:
        self.rates: dict[int, Rates] = {}

    def rates_for(self, n_streets: int) -> Rates:
        """Those of spots with as many streets, or of the nearest that were measured."""
        if not self.rates:
            return Rates()
        return self.rates[min(self.rates, key=lambda known: abs(known - n_streets))]

    def expect(self, n_streets: int, work: float, iterations: int) -> float:
        """Seconds that a search will take."""
        rates = self.rates_for(n_streets)
        return work * (rates.setup + iterations * rates.iteration + rates.rest)

    def note(
        self, n_streets: int, work: float, setup: float, iteration: float, rest: float
    ) -> None:
        """Learn from a search how long its parts took."""
        rates = self.rates.setdefault(n_streets, Rates())
        rates.note(setup / work, iteration / work, rest / work)

    def forget(self, n_streets: int) -> None:
        """Forget all that was measured of spots with as many streets."""
        self.rates.pop(n_streets, None)

    def fade(self, n_streets: int) -> None:
        """Forget a little, after a search of a spot with as many streets was not begun."""
        self.rates_for(n_streets).fade()


def count_boards(variant: Variant, board: Sequence[int]) -> list[int]:
    """How many boards there are on each street from that of `board` on."""
    sizes = [variant.board_cards(k) for k in range(len(variant.streets))]
    first = sizes.index(len(board))
    counts, left = [1], variant.deck.n_cards - len(board)
    for street in variant.streets[first + 1 :]:
        counts.append(counts[-1] * comb(left, street.cards))
        left -= street.cards
    return counts


def measure_slots(lines: LineTree, n_boards: Sequence[int], n_hands: tuple[int, int]) -> float:
    """Numbers that a solver learns: hands at actions, on all boards."""
    return _over_boards(lines.n_rows, n_boards, n_hands)


def measure_work(lines: LineTree, n_boards: Sequence[int], n_hands: tuple[int, int]) -> float:
    """Numbers that an iteration goes over: those, and hands at ends of streets without actions."""
    n_lines = np.diff(lines.first_lines, axis=0)
    rows = np.where(lines.n_rows.any(axis=1, keepdims=True), lines.n_rows, n_lines)
    return _over_boards(rows, n_boards, n_hands)


def _over_boards(
    rows: NDArray[np.integer], n_boards: Sequence[int], n_hands: tuple[int, int]
) -> float:
    return float((rows * np.array(n_boards)[:, None] * np.array(n_hands)).sum())
