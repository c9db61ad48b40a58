"""Orders in which players think of laying their cards onto the board, for many hands at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import StrengthTables
from counterfold.cards.streets import BOARD_SIZES
from counterfold.errors import AbstractionError
from counterfold.games.holdem import Discard, Variant
from counterfold.public.lay_levels import N_LEVELS, TRIO, sort_levels
from counterfold.public.stages import CardStage, LayOrder, card_stages

Cards = NDArray[np.uint8]

_STREETS = {size: street for street, size in BOARD_SIZES.items()}


class BatchLayOrder(LayOrder, Protocol):
    """An order of laid cards that looks at many hands at once, too."""

    def sort_many(self, hands: Cards, hole_cards: int) -> NDArray[np.intp]:
        """[n, hole cards] the places of the cards of hands: hole cards, then the board."""
        ...


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

    @classmethod
    def empty(cls, tables: StrengthTables) -> "ByStrengthLeft":
        """An order in which all hands are equally strong, to time look-ups before tables exist."""
        order = cls(tables)
        for size, street in _STREETS.items():
            order._levels[size] = np.zeros(tables.isomorphism(street).size, np.uint8)
        return order


def lays_one(stage: CardStage) -> bool:
    """Whether a seat must lay one of three cards onto the board, and gets none for it."""
    step = stage.choice
    lay = step and Discard(step.discard.first, forced=True, redraw=False, to_board=True)
    return step is not None and step.discard == lay and step.n_held == TRIO


def check_lays(variant: Variant) -> None:
    """Raise `AbstractionError` unless tables know the hands that laying a card leaves."""
    stages = [stage for stage in card_stages(variant) if stage.gives]
    if not all(lays_one(stage) for stage in stages) or any(
        stage.n_on_board + 1 not in _STREETS for stage in stages
    ):
        raise AbstractionError(
            "an order of laid cards by strength needs three hole cards, of which each player lays "
            f"one onto a board of two cards, unlike {variant.name}; use by-rank"
        )
