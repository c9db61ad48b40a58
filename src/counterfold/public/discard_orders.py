"""Which hole card has place 0 before a draw: the lower one, or one by tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import DrawStrength, DrawTables
from counterfold.cards.draws_kernels import DISCARD_SECOND
from counterfold.cards.streets import STREET_OF_BOARD
from counterfold.public import deals_kernels
from counterfold.public.stages import DiscardOrder


class BatchOrder(DiscardOrder, Protocol):
    """An order of discards that looks at many hands at once, too."""

    def first_many(self, hands: NDArray[np.uint8], hole_cards: int) -> NDArray[np.int8]:
        """The place of that card in each hand: hole cards, then the board."""
        ...


class ByRank:
    """The lower card first."""

    def first_many(self, hands: NDArray[np.uint8], hole_cards: int) -> NDArray[np.int8]:
        """The place of the lower card."""
        discard_first = np.empty(len(hands), np.int8)
        deals_kernels.order_by_rank(hands, hole_cards, discard_first)
        return discard_first

    def first(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The place of the lower card of one hand."""
        return int(self.first_many(np.array([[*hole, *board]], np.uint8), len(hole))[0])


@dataclass(frozen=True, eq=False)
class ByStrength:
    """First the card whose exchange gives the better hand, else the lower one; see `DrawTables`."""

    tables: DrawTables

    def first_many(self, hands: NDArray[np.uint8], hole_cards: int) -> NDArray[np.int8]:
        """The place of the card that the tables would rather discard."""
        discard_first = ByRank().first_many(hands, hole_cards)
        street = self.street(STREET_OF_BOARD[hands.shape[1] - hole_cards])
        choice = street.choice[street.isomorphism.index_many(hands)]
        return np.where(choice == DISCARD_SECOND, 1 - discard_first, discard_first).astype(np.int8)

    def first(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The place of that card in one hand."""
        return int(self.first_many(np.array([[*hole, *board]], np.uint8), len(hole))[0])

    def street(self, street: str) -> DrawStrength:
        """The table of a street."""
        return _draw_table(self.tables, street)


@lru_cache(maxsize=8)
def _draw_table(tables: DrawTables, street: str) -> DrawStrength:
    return tables.street(street)
