"""Orders in which players think of giving their cards away, for many hands at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import StrengthTables
from counterfold.cards.long_boards_kernels import bucket_long_boards
from counterfold.cards.pairs import N_PAIRS
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.streets import BOARD_SIZES
from counterfold.cards.text import N_CARDS
from counterfold.errors import AbstractionError
from counterfold.games.holdem import Discard, Variant
from counterfold.public.lay_levels import (
    N_LEVELS,
    PAIR_CARDS,
    TRIO,
    Cards,
    GivenSteps,
    Numbers,
    given_steps,
    sort_levels,
    sort_sets,
)
from counterfold.public.stages import CardStage, LayOrder, card_stages

_STREETS = {size: street for street, size in BOARD_SIZES.items()}
_RIVER = BOARD_SIZES["river"]


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


@dataclass(frozen=True, eq=False)
class SetsByStrengthLeft:
    """First the cards without which the strongest hand is left, of any number that must go.

    `steps` tells what must go by the cards of the hand and of the board: how many, and whether they
    come to the board. Hands on boards of five cards and more are compared as they stand.
    """

    tables: StrengthTables
    steps: GivenSteps
    empty: bool = False  # whether all hands are equally strong, to time look-ups without tables

    def sort(self, hole: Sequence[int], board: Sequence[int]) -> Sequence[int]:
        """The places of one hand's cards."""
        places = self.sort_many(np.array([[*hole, *board]], np.uint8), len(hole))[0]
        return [int(place) for place in places]

    def sort_many(self, hands: Cards, hole_cards: int) -> NDArray[np.intp]:
        """The places of the cards of hands."""
        return self.after_each(hands, hole_cards)[0]

    def after_each(
        self, hands: Cards, hole_cards: int
    ) -> tuple[NDArray[np.intp], Numbers, NDArray[np.intp]]:
        """The places of the cards of hands, the levels of sets and their order; see `sort_sets`."""
        step = self.steps[hole_cards, hands.shape[1] - hole_cards]
        return sort_sets(hands, hole_cards, step.count, step.to_board, self.levels_of)

    def levels_of(self, hands: Cards) -> Numbers:
        """[n] the levels of hands of two cards on a board."""
        n_board = hands.shape[1] - PAIR_CARDS
        if self.empty:
            return np.zeros(len(hands), np.int64)
        if n_board < _RIVER:
            isomorphism = self.tables.isomorphism(_STREETS[n_board])
            return self.levels(n_board)[isomorphism.index_many(hands)].astype(np.int64)
        found = np.empty((len(hands), 1), np.int64)
        ranks, left = np.empty(N_PAIRS, np.int16), np.empty(N_CARDS, np.uint8)
        deck, by_mask = self.tables.deck.cards, rank_tables(self.tables.ranking)
        boards, holes = hands[:, PAIR_CARDS:], hands[:, None, :PAIR_CARDS]
        boards, holes = np.ascontiguousarray(boards), np.ascontiguousarray(holes)
        bucket_long_boards(boards, holes, N_LEVELS, False, by_mask, deck, left, ranks, found)
        return found[:, 0]

    def levels(self, board: int) -> NDArray[np.uint8]:
        """The level of every class of hands on boards of some size below five."""
        if board not in self._levels:
            means = self.tables.street(_STREETS[board]).mean()
            self._levels[board] = np.rint(N_LEVELS * means).astype(np.uint8)
        return self._levels[board]

    @property
    def tabled_boards(self) -> list[int]:
        """The sizes of boards below five on which levels are looked up."""
        sizes = {board + step.count * step.to_board for (_, board), step in self.steps.items()}
        return sorted(size for size in sizes if size < _RIVER)

    @cached_property
    def _levels(self) -> dict[int, NDArray[Any]]:
        return {}


def lay_order(variant: Variant, tables: StrengthTables) -> "ByStrengthLeft | SetsByStrengthLeft":
    """The order by the strength that is left, of cards that must be given away."""
    if lays_trios(variant):
        return ByStrengthLeft(tables)
    steps = given_steps(card_stages(variant))
    if steps is None:
        raise AbstractionError(
            "an order by strength of cards that are given away needs hands of one size that must "
            "give some away, get none for them, and keep two or more on a board of 3 or more cards "
            f"or none, unlike {variant.name}; use by-rank"
        )
    return SetsByStrengthLeft(tables, steps)


def is_ordered_by_strength(variant: Variant) -> bool:
    """Whether `lay_order` has an order for the variant."""
    return lays_trios(variant) or given_steps(card_stages(variant)) is not None


def lays_trios(variant: Variant) -> bool:
    """Whether hands are as in Toss: three cards, of which each lays one onto a board of two."""
    if not variant.lays_cards or variant.first_flush_suit_only:
        return False
    stages = card_stages(variant)
    sizes = [
        (stage.n_held(seat, variant.hole_cards), stage.n_on_board)
        for stage in stages
        for seat in stage.givers or (0, 1)
    ]
    fits = all(
        (held == TRIO and board in (0, 2, 3)) or (held == TRIO - 1 and board >= BOARD_SIZES["turn"])
        for held, board in sizes
    )
    return fits and all(_lays_one(stage) for stage in stages if stage.gives)


def _lays_one(stage: CardStage) -> bool:
    """Whether a seat must lay one of three cards onto the board, and gets none for it."""
    step = stage.choice
    lay = step and Discard(step.discard.first, forced=True, redraw=False, to_board=True)
    return step is not None and step.discard == lay and step.n_held == TRIO
