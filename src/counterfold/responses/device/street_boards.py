"""The boards below one board next to the root, street by street, as a device reads them.

Both seats hold the same hands, and all boards of a street leave as many, so arrays have one
row for each board. It says the same as `ranges.board_cards`, which orders boards by a walk.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.suits import rename_cards, rename_pairs
from counterfold.public.card_maps import CardMap
from counterfold.ranges.board_cards import BoardCards, TreeBoard, rank_hands
from counterfold.responses.device import street_boards_kernels

Numbers = NDArray[np.int32]


class StreetBoards(NamedTuple):
    """Boards of a street. Shapes: ``B`` boards, ``A`` above them, ``C`` copies, ``n`` hands."""

    n_cards: int  # that a board leaves
    children: Numbers  # [A + 1] first board below each board above
    parent: Numbers  # [B]
    hands: Numbers  # [B, n, 2] bucket, then place above and cards: see `pack_hands`
    ends: Numbers  # [B, n] ends of groups of equal hands, on the last street
    copies: Numbers  # [A + 1] first copy of the boards below each board above
    source: Numbers  # [C] the board of a copy
    down: NDArray[np.int16]  # [C, hands above] place on the copy, or NONE


def root_buckets(cards: BoardCards, card_map: CardMap) -> Numbers:
    """[hands] the buckets of the root street."""
    hands = cards.hands[0].astype(np.int32)[None]
    return _label(cards, card_map, 0, np.zeros((1, 0), np.uint8), hands).ravel()


def list_streets(cards: BoardCards, card_map: CardMap) -> list[StreetBoards]:
    """The boards of all streets after the root, below the only one that is next to it."""
    above = cards.hands[0].astype(np.int32)[None]
    places = np.zeros(len(cards.listed), np.int32)  # of boards on their streets
    found = []
    for k in range(1, cards.n_streets):
        numbers = [b for b, below in enumerate(cards.listed) if below.street == k]
        places[numbers] = np.arange(len(numbers))
        below = [cards.listed[b] for b in numbers]
        parent = places[[each.parent for each in below]]
        street, above = _fill_street(cards, card_map, k, below, parent, above)
        found.append(street)
    return found


def _fill_street(
    cards: BoardCards,
    card_map: CardMap,
    k: int,
    below: list[TreeBoard],
    parent: Numbers,
    above: Numbers,
) -> tuple[StreetBoards, Numbers]:
    """A street, and the hands that its boards leave."""
    boards = np.array([each.board for each in below], np.uint8)
    deck, holes = cards.variant.deck.cards, cards.holes
    n_cards = deck.size - boards.shape[1]
    n = n_cards if holes.shape[1] == 1 else n_cards * (n_cards - 1) // 2
    left = np.empty((len(below), n), np.int32)
    street_boards_kernels.list_left(boards, cards.hands[0], holes, left)
    ends = np.zeros((len(below), n if k == cards.n_streets - 1 else 0), np.int32)
    if ends.size:
        rows = np.empty((*left.shape, holes.shape[1] + boards.shape[1]), np.uint8)
        street_boards_kernels.write_hands(left, holes, boards, rows)
        ranks = rank_hands(cards.variant, rows.reshape(-1, rows.shape[2])).reshape(left.shape)
        street_boards_kernels.order_left(ranks, left, ends)
    packed = np.empty((*left.shape, 2), np.int32)
    packed[..., 0] = _label(cards, card_map, k, boards, left)
    street_boards_kernels.pack_hands(boards, deck, parent, above, left, holes, packed)
    copies = [renaming for each in below for renaming in each.copies]
    source = np.repeat(np.arange(len(below), dtype=np.int32), [len(b.copies) for b in below])
    numbers = {renaming: number for number, renaming in enumerate(dict.fromkeys(copies))}
    rename = rename_cards if holes.shape[1] == 1 else rename_pairs
    down = np.empty((source.size, above.shape[1]), np.int16)
    street_boards_kernels.link_copies(
        source, np.array([numbers[renaming] for renaming in copies]),
        np.stack([rename(renaming) for renaming in numbers]), parent, above, left, down,
    )  # fmt: skip
    edges = np.arange(len(above) + 1)
    street = StreetBoards(
        n_cards,
        np.searchsorted(parent, edges).astype(np.int32),
        parent,
        packed,
        ends,
        np.searchsorted(parent[source], edges).astype(np.int32),
        source,
        down,
    )
    return street, left


def _label(
    cards: BoardCards, card_map: CardMap, k: int, boards: NDArray[np.uint8], left: Numbers
) -> Numbers:
    holes = np.empty((*left.shape, cards.holes.shape[1]), np.uint8)
    street_boards_kernels.write_hands(left, cards.holes, boards[:, :0], holes)
    if card_map.chained:
        found = card_map.label_hands(holes, boards)[:, k]
    else:
        found = card_map.label_stage(k, holes, boards, None)
    return np.ascontiguousarray(found, np.int32)
