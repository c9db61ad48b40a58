"""Buckets of hands that must give cards away: by what is left of them.

Before its turn a hand is in the bucket of what it keeps if it gives away the cards without which it
is strongest, joined with how much the next best choice would cost. Afterwards it has the bucket of
any hand of as many cards on a board of that size. Toss has a map of its own, `LaidCards`.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.card_abstraction import CardBuckets
from counterfold.buckets.long_board_buckets import LongBoardBuckets
from counterfold.cards.streets import BOARD_SIZES, STREET_OF_BOARD, STREETS
from counterfold.errors import AbstractionError
from counterfold.games.holdem import Variant
from counterfold.public.card_maps.card_map import Buckets, Cards
from counterfold.public.card_maps.tabled_cards import TabledCards
from counterfold.public.deals import Dealer
from counterfold.public.deals_kernels import NO_CARD
from counterfold.public.lay_levels import N_COSTS, given_steps, join_costs
from counterfold.public.lay_orders import SetsByStrengthLeft
from counterfold.public.stages import CardStage


class GivenCards(TabledCards):
    """The buckets of a card abstraction by street, for hands that must give cards away."""

    def __init__(
        self,
        dealer: Dealer,
        buckets: CardBuckets,
        long_boards: LongBoardBuckets | None = None,
        *,
        empty: bool = False,
    ) -> None:
        steps = given_steps(dealer.stages)
        assert steps is not None
        self.gives = SetsByStrengthLeft(buckets.source.strength, steps, empty)
        super().__init__(dealer, buckets, long_boards, empty=empty)

    def label_stage(self, at: int, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        """Looked up, or computed for boards without tables."""
        if not self.dealer.stages[at].gives:
            return super().label_stage(at, holes, boards, before)
        n, n_hands, _ = holes.shape
        holes = holes[holes != NO_CARD].reshape(n, n_hands, -1)  # all hands have as many cards
        held = holes.shape[2]
        on_boards = np.broadcast_to(boards[:, None], (n, n_hands, boards.shape[1]))
        hands = np.concatenate([holes, on_boards], axis=2).reshape(n * n_hands, -1)
        return self._label_before(hands, held).reshape(n, n_hands).astype(np.int32)

    def _label_before(self, hands: Cards, held: int) -> NDArray[np.int64]:
        """[n] the buckets of hands ``[n, held + board]`` whose turn it is to give cards away."""
        step = self.gives.steps[held, hands.shape[1] - held]
        places, levels, order = self.gives.after_each(hands, held)
        hole = np.take_along_axis(hands[:, :held], places, axis=1)
        boards = hands[:, held:]
        if step.to_board:
            boards = np.concatenate([boards, hole[:, : step.count]], axis=1)
        left = np.ascontiguousarray(hole[:, step.count :])[:, np.newaxis]
        labels = self._label_board(left, np.ascontiguousarray(boards), None)[:, 0]
        return join_costs(labels.astype(np.int64), levels, order)

    def _count(self) -> tuple[int, ...]:
        gives = [stage.gives for stage in self.dealer.stages]
        counts = super()._count()
        return tuple(n * N_COSTS if here else n for n, here in zip(counts, gives, strict=True))

    def _check(self, variant: Variant) -> None:
        if self.recalls:
            raise AbstractionError(
                f"{self.name} remembers earlier buckets, which hands that give cards away as in "
                f"{variant.name} do not have; use recall: current"
            )
        super()._check(variant)

    @property
    def _sizes(self) -> list[int]:
        return [board_left(stage) for stage in self.dealer.stages]

    def _most_held(self, at: int) -> int:
        return self._left_at(at) or super()._most_held(at)

    def _least_held(self, at: int) -> int:
        return self._left_at(at) or super()._least_held(at)

    def _left_at(self, at: int) -> int:
        """How many cards a seat keeps that gives some away at a stage; 0 at others."""
        step = self.dealer.stages[at].choice
        gives = step is not None and self.dealer.stages[at].gives
        return step.n_held - step.discard.count if gives and step is not None else 0


def board_left(stage: CardStage) -> int:
    """Cards on the board, with those that a seat lays there at this stage."""
    step = stage.choice
    lays = stage.gives and step is not None and step.discard.to_board
    return stage.n_on_board + (_given(stage) if lays else 0)


def most_given(dealer: Dealer, by_street: Sequence[int], n_first: int) -> tuple[int, ...]:
    """Upper bounds on the buckets of every stage; `n_first` are those of many cards at first."""
    counts = dict(zip(STREETS, by_street, strict=True))
    found = []
    for stage in dealer.stages:
        board = min(board_left(stage), BOARD_SIZES[STREETS[-1]])
        most = max(counts[STREET_OF_BOARD[board]], n_first * (board == 0))
        found.append(most * N_COSTS if stage.gives else most)
    return tuple(found)


def _given(stage: CardStage) -> int:
    """How many cards a seat gives away at a stage."""
    return stage.choice.discard.count if stage.gives and stage.choice is not None else 0
