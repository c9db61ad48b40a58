"""Classes of hands up to suits in plain NumPy, for machines without Numba.

The same numbers as `cards.isomorphism_kernels.index_cards`, for one hand or for many at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import isomorphism_kernels as isomorphism
from counterfold.cards.isomorphism_kernels import IndexTables, index_cards

Arrays = Mapping[str, NDArray[Any]]
Numbers = NDArray[np.int64]

BOARD_SIZES = (0, 3, 4, 5)


class Classes:
    """Classes of hands on boards of each size."""

    def __init__(self, arrays: Arrays) -> None:
        first = IndexTables._fields[0]
        self._tables = {
            size: read_tables(arrays, f"classes.{size}")
            for size in BOARD_SIZES
            if f"classes.{size}.{first}" in arrays
        }

    def index(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The class of a hand."""
        cards = np.array([*hole, *board], np.uint8)
        return int(index_cards(cards, 0, self._tables[len(board)]))

    def index_many(self, holes: Numbers, board: Sequence[int]) -> Numbers:
        """The classes of many hands [n, 2] on one board, as `index_cards` finds them."""
        deals = np.concatenate((holes, np.tile(np.array(board, np.int64), (len(holes), 1))), axis=1)
        return index_deals(deals, self._tables[len(board)])


def read_tables(arrays: Arrays, name: str) -> IndexTables:
    """The tables that are packed under a name."""
    return IndexTables(*(arrays[f"{name}.{field}"] for field in IndexTables._fields))


def index_deals(deals: Numbers, tables: IndexTables) -> Numbers:
    """The class of each row of `deals`."""
    used, states, places = np.zeros((3, isomorphism.N_LANES, len(deals)), np.int64)
    lanes = isomorphism.LANE_BITS * np.arange(isomorphism.N_LANES)[:, None]
    at = 0
    for end in tables.ends.tolist():
        bits, at = np.bitwise_or.reduce(tables.bits[deals[:, at:end]], axis=1), end
        dealt = (bits >> lanes) & isomorphism.LANE
        states, places = _deal_suits(states, places, used, dealt, tables)
        used |= dealt
    totals = tables.hashes[states].sum(axis=0)
    n_shifts = tables.slots.size // 3
    shifts = tables.slots[totals & (n_shifts - 1)].astype(np.int64)
    slots = ((totals >> isomorphism.HASH_SHIFT) + shifts) & (2 * n_shifts - 1)
    rows = tables.blocks.reshape(-1, isomorphism.BLOCK_ROW)[tables.slots[n_shifts + slots]].T
    ordered = np.sort((states << isomorphism.PLACE_BITS) | places, axis=0) & isomorphism.PLACE
    classes = rows[0] + rows[1] * ordered[0]
    for suit in (1, 2, 3):
        order = (rows[5] >> (2 * (suit - 1))) & 3
        classes = classes + rows[1 + suit] * _multiset_terms(ordered[suit], order)
    return np.asarray(classes)


def _deal_suits(
    states: Numbers, places: Numbers, used: Numbers, dealt: Numbers, tables: IndexTables
) -> tuple[Numbers, Numbers]:
    """States and places of suits after a round; see `isomorphism_kernels`."""
    low_set, low_ranks = isomorphism.LOW_SET, isomorphism.LOW_RANKS
    by_low = ((used & low_set) << low_ranks) | (dealt & low_set)
    by_high = ((used >> low_ranks) << isomorphism.HIGH_RANKS) | (dealt >> low_ranks)
    sets = tables.sets.astype(np.int64)
    low = sets[isomorphism.SQUEEZE_LOW + by_low]
    high = sets[isomorphism.SQUEEZE_HIGH + by_high]
    squeezed = (low & low_set) | (high << (low >> low_ranks))
    n_cards = ((dealt[..., None] >> np.arange(isomorphism.LANE_BITS)) & 1).sum(axis=-1)
    moves = tables.moves[(states << isomorphism.MOVE_BITS) | n_cards]
    return moves & isomorphism.STATE, places * (moves >> isomorphism.STATE_BITS) + sets[squeezed]


def _multiset_terms(places: Numbers, orders: Numbers) -> Numbers:
    """Choose `order + 1` of `place + order`, for many."""
    pairs = places * (places - 1) >> 1
    triples = places * (places + 1) * (places + 2) // 6
    fours = triples * (places + 3) // 4
    return np.asarray(np.choose(orders, [places, places + pairs, triples, fours]))
