"""Hands of three cards, of which one is laid onto the board, from packed tables without Numba."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from counterfold.cards.isomorphism_kernels import index_cards
from counterfold.contest.exported.exported_cards import PackedCards
from counterfold.contest.exported.exported_classes import Arrays, Classes, read_tables
from counterfold.public.bounties import BountyKnowledge
from counterfold.public.lay_levels import TRIO, Numbers, join_costs, sort_levels
from counterfold.public.looks import LookKnowledge

LAID = "laid"  # kind of a card map
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
