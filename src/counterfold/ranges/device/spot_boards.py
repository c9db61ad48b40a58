"""The boards of a spot as a device reads them: street by street, as many columns for each board.

A column is a hand that either seat may hold, on boards of the last street from the weakest on. Both
seats share columns, so that one order of hands serves both; where ranges differ, a seat has columns
in which it never plays. At least the last column of each board is no hand at all: what is missing
anywhere points there.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.text import N_CARDS
from counterfold.ranges.board_cards import NONE, BoardArrays, BoardCards
from counterfold.ranges.device.board_pass_kernels import N_HAND_LIMITS, limit_hands

_NUMBERS = 2048  # more than there are hands


class SpotBoards(NamedTuple):
    """Boards of one street. Shapes: ``n`` boards, ``H`` columns each, ``n_above`` boards above."""

    boards: NDArray[np.intp]  # [n] their numbers among all boards
    n_hands: int  # H
    columns: tuple[NDArray[np.int32], NDArray[np.int32]]  # by seat, of the hands of all boards
    begins: NDArray[np.int64]  # [n + 1, 2] first hand of a board in `columns`
    by_card: NDArray[np.int16]  # [n, W, C] as in `board_pass_kernels.limit_hands`
    limits: NDArray[np.int16]  # [n, H, N_HAND_LIMITS]
    up: NDArray[np.int32]  # [n * H] column on the street above
    children: NDArray[np.int64]  # [n_above + 1] first board below each board above
    down: NDArray[np.int32]  # [copies, columns above] columns that copies of boards have, or NONE


class _Hands(NamedTuple):
    """Hands of a seat on all boards of a street, board by board."""

    at: NDArray[np.int64]  # where they are in `BoardArrays`
    board: NDArray[np.int64]  # from 0 on
    level: NDArray[np.int64]  # of strength, growing over boards; that of the board before showdown
    number: NDArray[np.int64]


def list_spot_boards(cards: BoardCards, boards: BoardArrays) -> list[SpotBoards]:
    """All streets from the root on."""
    streets: list[SpotBoards] = []
    for k in range(cards.n_streets):
        numbers = np.flatnonzero(boards.street == k)
        hands = [_list_hands(cards, boards, numbers, seat, k) for seat in (0, 1)]
        placed = _place(cards, numbers, hands)
        streets.append(_link(placed, boards, hands, streets[-1]) if streets else placed)
    return streets


def spread_matrices(
    street: SpotBoards, boards: BoardArrays, dtype: np.dtype[np.floating]
) -> NDArray[np.floating]:
    """[n, H, H] mean results of all-ins, by the columns of the first seat and of the second."""
    n = street.boards.size
    spread = np.zeros((n, street.n_hands, street.n_hands), dtype)
    for i, b in enumerate(street.boards):
        mine, theirs = (
            street.columns[p][street.begins[i, p] : street.begins[i + 1, p]] % street.n_hands
            for p in (0, 1)
        )
        size, start = mine.size * theirs.size, boards.matrices[b]
        found = boards.matrix[start : start + size].reshape(mine.size, theirs.size)
        spread[i, mine[:, None], theirs] = found
    return spread


def _runs(starts: NDArray[np.integer], sizes: NDArray[np.integer]) -> NDArray[np.int64]:
    """All numbers from each start on, as many as its size."""
    ends = np.cumsum(sizes, dtype=np.int64)
    shifts = starts.astype(np.int64) - (ends - sizes)
    return np.repeat(shifts, sizes) + np.arange(ends[-1] if ends.size else 0)


def _list_hands(
    cards: BoardCards, boards: BoardArrays, numbers: NDArray[np.intp], seat: int, k: int
) -> _Hands:
    counts = boards.n_hands[numbers, seat]
    at = _runs(boards.hands[numbers, seat], counts)
    board = np.repeat(np.arange(numbers.size), counts)
    level = board
    if k == cards.n_streets - 1:
        first, last = boards.groups[numbers], boards.groups[numbers + 1]
        before = np.concatenate(([0], boards.ends[:-1, seat]))
        before[first[first < last]] = 0
        level = np.repeat(np.arange(boards.ends.shape[0]), boards.ends[:, seat] - before)
    return _Hands(at, board, level, cards.hands[seat][boards.hand[at]].astype(np.int64))


def _place(cards: BoardCards, numbers: NDArray[np.intp], hands: list[_Hands]) -> SpotBoards:
    """Give the hands of both seats their columns; boards are not linked to those above yet."""
    n = numbers.size
    keys = np.concatenate([each.level * _NUMBERS + each.number for each in hands])
    found, index, inverse = np.unique(keys, return_index=True, return_inverse=True)
    board = np.concatenate([each.board for each in hands])[index]
    counts = np.bincount(board, minlength=n)
    n_hands = int(counts.max(initial=0)) + 1
    place = np.arange(found.size) - (np.cumsum(counts) - counts)[board]
    columns = (board * n_hands + place).astype(np.int32)[inverse]
    by_card, limits = _order(cards, n, n_hands, board, place, found)
    begins = np.zeros((n + 1, 2), np.int64)
    for seat, each in enumerate(hands):
        begins[1:, seat] = np.cumsum(np.bincount(each.board, minlength=n))
    first, second = np.split(columns, [hands[0].at.size])
    nothing = np.zeros(0, np.int32)
    return SpotBoards(
        numbers, n_hands, (first, second), begins, by_card, limits, nothing,
        np.zeros(1, np.int64), nothing.reshape(0, 0),
    )  # fmt: skip


def _order(
    cards: BoardCards,
    n: int,
    n_hands: int,
    board: NDArray[np.int64],
    place: NDArray[np.int64],
    keys: NDArray[np.int64],
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Hands by card and their limits, from hands in the order of their columns."""
    holes = cards.holes[keys % _NUMBERS]
    single = holes.shape[1] == 1
    n_cards = (1 + single) * N_CARDS
    pairs = np.zeros((2, n, n_hands), np.uint8)
    pairs[0, board, place] = holes[:, 0]
    pairs[1, board, place] = holes[:, 0] + N_CARDS if single else holes[:, 1]  # cards have shadows
    held = (board * n_cards + pairs[:, board, place]).ravel()
    width = int(np.bincount(held, minlength=1).max())
    ends, n_groups = np.zeros((n, n_hands), np.int32), np.zeros(n, np.int32)
    levels = keys // _NUMBERS
    closing = np.flatnonzero(np.append(levels[1:] != levels[:-1], True)) if keys.size else board
    groups = np.bincount(board[closing], minlength=n)
    n_groups[:] = groups
    rank = np.arange(closing.size) - (np.cumsum(groups) - groups)[board[closing]]
    ends[board[closing], rank] = place[closing] + 1
    by_card = np.full((n, width, n_cards), n_hands - 1, np.int16)
    limits = np.zeros((n, n_hands, N_HAND_LIMITS), np.int16)
    limit_hands(pairs[0], pairs[1], ends, n_groups, by_card, limits)
    return by_card, limits


def _link(
    placed: SpotBoards, boards: BoardArrays, hands: list[_Hands], above: SpotBoards
) -> SpotBoards:
    """The same with its places on the street above."""
    n, numbers = placed.boards.size, placed.boards
    parent = np.searchsorted(above.boards, boards.parent[numbers])
    children = np.searchsorted(parent, np.arange(above.boards.size + 1))
    up = np.repeat((parent + 1) * above.n_hands - 1, placed.n_hands).astype(np.int32)
    n_copies = np.diff(boards.copies)[numbers]
    copies = _runs(boards.copies[numbers], n_copies)
    owner = np.repeat(np.arange(n), n_copies)
    before = np.cumsum(n_copies) - n_copies  # first copy of a board, and so of a parent's children
    turn = np.arange(copies.size) - before[children[parent[owner]]]
    down = np.full(
        (int(turn.max(initial=0)) + 1, above.boards.size * above.n_hands), NONE, np.int32
    )
    for seat in (0, 1):
        sizes = boards.n_hands[numbers, seat]
        columns, begins = placed.columns[seat], placed.begins[:, seat]
        own = _runs(boards.ups[boards.copies[numbers], seat], sizes)
        first_above = above.begins[parent, seat]
        up[columns] = above.columns[seat][np.repeat(first_above, sizes) + boards.up[own]]
        below = columns[_runs(begins[owner], sizes[owner])]
        places = boards.up[_runs(boards.ups[copies, seat], sizes[owner])]
        met = above.columns[seat][np.repeat(first_above[owner], sizes[owner]) + places]
        down[np.repeat(turn, sizes[owner]), met] = below
    return placed._replace(up=up, children=children, down=down)
