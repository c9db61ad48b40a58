"""In which order players think of laying their cards onto the board; they name them by that."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import StrengthTables
from counterfold.cards.streets import BOARD_SIZES
from counterfold.errors import AbstractionError

Cards = NDArray[np.uint8]

N_LEVELS = 255  # steps of E[HS], so that a level is a byte
_STREETS = {size: street for street, size in BOARD_SIZES.items()}
_LEFT = 2  # hole cards that tables know


class LayOrder(Protocol):
    """Which of its cards a player would lay first."""

    def sort(self, hole: Sequence[int], board: Sequence[int]) -> Sequence[int]:
        """The places of the cards of `hole` in that order."""
        ...

    def sort_many(self, hands: Cards, hole_cards: int) -> NDArray[np.intp]:
        """[n, hole cards] the same for hands: hole cards, then the board."""
        ...


class LowestFirst:
    """From the lowest card up."""

    def sort(self, hole: Sequence[int], board: Sequence[int]) -> Sequence[int]:
        """The lowest card first."""
        return sorted(range(len(hole)), key=hole.__getitem__)

    def sort_many(self, hands: Cards, hole_cards: int) -> NDArray[np.intp]:
        """The lowest card first."""
        return np.argsort(hands[:, :hole_cards], axis=1)


@dataclass(frozen=True, eq=False)
class ByStrengthLeft:
    """First the card that leaves the strongest hand: two hole cards, with that card on the board.

    Strength is E[HS] in `N_LEVELS` steps, as if the board were dealt to five cards; of equal levels
    the class of the hand decides, so that names of suits do not matter.
    """

    tables: StrengthTables

    def sort(self, hole: Sequence[int], board: Sequence[int]) -> Sequence[int]:
        """The places of one hand's cards."""
        places = self.sort_many(np.array([[*hole, *board]], np.uint8), len(hole))[0]
        return [int(place) for place in places]

    def sort_many(self, hands: Cards, hole_cards: int) -> NDArray[np.intp]:
        """The places of the cards of hands."""
        levels, classes = self.after_each(hands, hole_cards)
        return sort_levels(levels, classes)

    def after_each(
        self, hands: Cards, hole_cards: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """[n, hole cards] the level and class of each hand once a card is laid, by its place."""
        board = hands.shape[1] - hole_cards + 1
        isomorphism = self.tables.isomorphism(_STREETS[board])
        after = np.empty((len(hands), hole_cards, hands.shape[1]), np.uint8)
        for place in range(hole_cards):
            kept = [at for at in range(hole_cards) if at != place]
            after[:, place] = hands[:, [*kept, place, *range(hole_cards, hands.shape[1])]]
        classes = isomorphism.index_many(after.reshape(-1, hands.shape[1]))
        classes = classes.reshape(len(hands), hole_cards).astype(np.int64)
        return self.levels(board)[classes].astype(np.int64), classes

    def levels(self, board: int) -> NDArray[np.uint8]:
        """The level of every class of hands on boards of some size."""
        if board not in self._levels:
            means = self.tables.street(_STREETS[board]).mean()
            self._levels[board] = np.rint(N_LEVELS * means).astype(np.uint8)
        return self._levels[board]

    @cached_property
    def _levels(self) -> dict[int, NDArray[Any]]:
        return {}

    def check(self, hole_cards: int, boards: Sequence[int]) -> None:
        """Raise `AbstractionError` unless tables know the hands that laying a card leaves.

        `boards` are the sizes of the boards before that.
        """
        if hole_cards != _LEFT + 1 or any(size + 1 not in _STREETS for size in boards):
            raise AbstractionError(
                "an order of laid cards by strength needs three hole cards and boards of 2, 3 or 4 "
                f"cards, not {hole_cards} hole cards and boards of {list(boards)}; use by-rank"
            )


def sort_levels(levels: NDArray[np.int64], classes: NDArray[np.int64]) -> NDArray[np.intp]:
    """[n, k] the places of `levels` from the highest down; of equal ones the lower class first."""
    return np.argsort((N_LEVELS - levels) << 32 | classes, axis=1, kind="stable")
