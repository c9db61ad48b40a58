"""Hands that give cards away, by what is left of them, from packed tables without Numba."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.isomorphism_kernels import index_cards
from counterfold.contest.exported.exported_cards import PackedCards
from counterfold.contest.exported.exported_classes import Arrays, Classes, read_tables
from counterfold.contest.exported.exported_strength import HandStrength
from counterfold.games.holdem import Variant
from counterfold.public.bounties import BountyKnowledge
from counterfold.public.lay_levels import (
    N_LEVELS,
    PAIR_CARDS,
    TABLED_BOARDS,
    TRIO,
    Cards,
    Numbers,
    given_steps,
    join_costs,
    sort_levels,
    sort_sets,
)
from counterfold.public.looks import LookKnowledge
from counterfold.public.stages import card_stages

LAID = "laid"  # kind of a card map
GIVEN = "given"  # another
BY_SETS = "by-sets"  # kind of an order
LAY_BOARDS = (3, 4)  # cards on the board once one is laid
TRIO_BUCKETS = "trios.buckets"


class PackedLays:
    """Which card leaves the strongest hand; see `public.lay_orders.ByStrengthLeft`."""

    def __init__(self, arrays: Arrays) -> None:
        self._classes = Classes(arrays)
        self._levels = {size: arrays[f"lays.{size}"] for size in LAY_BOARDS}

    def sort(self, hole: Sequence[int], board: Sequence[int]) -> Sequence[int]:
        """The places of the cards of a hand, that which leaves the strongest hand first."""
        return [int(place) for place in sort_levels(*self.after_each(hole, board))[0]]

    def after_each(self, hole: Sequence[int], board: Sequence[int]) -> tuple[Numbers, Numbers]:
        """[1, 3] the level and the class of a hand once a card is laid, by its place."""
        classes = [
            self._classes.index([*hole[:place], *hole[place + 1 :]], [hole[place], *board])
            for place in range(len(hole))
        ]
        levels = self._levels[len(board) + 1][classes]
        return np.array([levels], np.int64), np.array([classes], np.int64)


class PackedLaidCards:
    """The card map of a run, unpacked; see `public.card_maps.laid_card_map.LaidCards`."""

    sees_shown = False

    def __init__(self, content: Mapping[str, Any], arrays: Arrays) -> None:
        self._pairs = PackedCards(content["pairs"], arrays)
        self.knows_bounty: BountyKnowledge = content.get("bounty", "nothing")
        self.knows_look: LookKnowledge = content.get("look", "nothing")
        self._lays = PackedLays(arrays)
        self._trios = read_tables(arrays, "trios")
        self._first = arrays[TRIO_BUCKETS]
        self._labels = {size: arrays[f"streets.{size}.labels"] for size in LAY_BOARDS}

    def bucket(self, path: Sequence[tuple[Sequence[int], Sequence[int]]]) -> int:
        """The bucket of a player; the last stage says it all."""
        hole, board = path[-1]
        if len(hole) < TRIO:
            return self._pairs.bucket(path[-1:])
        if not board:
            return int(self._first[index_cards(np.array(hole, np.uint8), 0, self._trios)])
        levels, classes = self._lays.after_each(hole, board)
        order = sort_levels(levels, classes)
        label = self._labels[len(board) + 1][classes[0, order[0, 0]]]
        return int(join_costs(np.array([label], np.int64), levels, order)[0])


class PackedSetLays:
    """Which cards leave the strongest hand; see `public.lay_orders.SetsByStrengthLeft`."""

    def __init__(self, variant: Variant, arrays: Arrays) -> None:
        self.steps = given_steps(card_stages(variant)) or {}
        self._classes = Classes(arrays)
        self._hands = HandStrength(variant.deck.cards.tolist(), variant.ranking)
        self._levels = {
            size: arrays[f"lays.{size}"] for size in TABLED_BOARDS if f"lays.{size}" in arrays
        }

    def sort(self, hole: Sequence[int], board: Sequence[int]) -> Sequence[int]:
        """The places of the cards of a hand, those that leave the strongest hand first."""
        return [int(place) for place in self.after_each(hole, board)[0][0]]

    def after_each(
        self, hole: Sequence[int], board: Sequence[int]
    ) -> tuple[NDArray[np.intp], Numbers, NDArray[np.intp]]:
        """The places, the levels of sets and their order for one hand; see `sort_sets`."""
        step, hands = self.steps[len(hole), len(board)], np.array([[*hole, *board]], np.uint8)
        return sort_sets(hands, len(hole), step.count, step.to_board, self._levels_of)

    def _levels_of(self, hands: Cards) -> Numbers:
        return np.array([self._level(row[:PAIR_CARDS], row[PAIR_CARDS:]) for row in hands.tolist()])

    def _level(self, hole: Sequence[int], board: Sequence[int]) -> int:
        if len(board) in self._levels:
            return int(self._levels[len(board)][self._classes.index(hole, board)])
        score, n_hands = self._hands.score(hole, board)
        return min(score * N_LEVELS // (2 * n_hands), N_LEVELS - 1)


class PackedGivenCards:
    """The card map of a run, unpacked; see `public.card_maps.given_card_map.GivenCards`."""

    sees_shown = False

    def __init__(self, variant: Variant, content: Mapping[str, Any], arrays: Arrays) -> None:
        self._pairs = PackedCards(content["pairs"], arrays)
        self.knows_bounty: BountyKnowledge = content.get("bounty", "nothing")
        self.knows_look: LookKnowledge = content.get("look", "nothing")
        self._lays = PackedSetLays(variant, arrays)

    def bucket(self, path: Sequence[tuple[Sequence[int], Sequence[int]]]) -> int:
        """The bucket of a player; the last stage says it all."""
        hole, board = path[-1]
        step = self._lays.steps.get((len(hole), len(board)))
        if step is None:
            return self._pairs.bucket(path[-1:])
        places, levels, order = self._lays.after_each(hole, board)
        chosen = [hole[place] for place in places[0]]
        gone, left = chosen[: step.count], chosen[step.count :]
        label = self._pairs.bucket([(left, [*board, *gone] if step.to_board else board)])
        return int(join_costs(np.array([label], np.int64), levels, order)[0])
