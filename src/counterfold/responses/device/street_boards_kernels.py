"""Hands on the boards of a street: which are left, their order, and their places above.

Hands are numbered as those of the deck: pairs of cards, or single cards.
"""

import numpy as np

from counterfold.jit.compiler import kernel

NONE = -1

CARD_BITS = 6  # of the row of a card; after two of them a hand has its place on the board above
_MOST_HANDS = 1 << 11


@kernel
def list_left(boards, hands, holes, left):
    """Overwrite `left` [B, n] by those of `hands` that share no card with a board."""
    for b in range(boards.shape[0]):
        off = 0
        for card in boards[b]:
            off |= 1 << np.int64(card)
        at = 0
        for hand in hands:
            taken = 0
            for card in holes[hand]:
                taken |= 1 << np.int64(card)
            if (taken & off) == 0:
                left[b, at] = hand
                at += 1


@kernel
def write_hands(left, holes, boards, rows):
    """Overwrite `rows` [B, n, cards] by the cards of hands, and after them those of the board."""
    n_holes = holes.shape[1]
    for b in range(left.shape[0]):
        for h in range(left.shape[1]):
            for k in range(n_holes):
                rows[b, h, k] = holes[left[b, h], k]
            for k in range(boards.shape[1]):
                rows[b, h, n_holes + k] = boards[b, k]


@kernel
def order_left(ranks, left, ends):
    """Order the hands of each board from the weakest on, and end the groups of equal ones.

    `ends` [B, n] are filled up with n.
    """
    n = left.shape[1]
    keys = np.empty(n, np.int64)
    for b in range(left.shape[0]):
        for h in range(n):
            keys[h] = np.int64(ranks[b, h]) * _MOST_HANDS + left[b, h]
        keys.sort()
        left[b] = keys % _MOST_HANDS
        levels = keys // _MOST_HANDS
        n_groups = 0
        for h in range(1, n + 1):
            if h == n or levels[h] != levels[h - 1]:
                ends[b, n_groups] = h
                n_groups += 1
        ends[b, n_groups:] = n


@kernel
def pack_hands(boards, deck, parent, above, left, holes, packed):
    """Overwrite ``packed[:, :, 1]`` by places above and rows of cards, numbered among those left.

    The second row of a single card is the one after those of cards.
    """
    place = np.zeros(holes.shape[0], np.int32)
    row = np.zeros(deck.max() + 1, np.int32)
    for b in range(boards.shape[0]):
        n_rows = 0
        for card in deck:
            row[card] = n_rows
            dealt = False
            for other in boards[b]:
                dealt |= card == other
            n_rows += not dealt
        for u in range(above.shape[1]):
            place[above[parent[b], u]] = u
        for h in range(left.shape[1]):
            hand = left[b, h]
            first = row[holes[hand, 0]]
            second = row[holes[hand, 1]] if holes.shape[1] == 2 else n_rows
            packed[b, h, 1] = first | (second | place[hand] << CARD_BITS) << CARD_BITS


@kernel
def link_copies(source, names, renamed, parent, above, left, down):
    """Overwrite `down` [C, places above] by the place of each hand on a copy of a board, or NONE.

    Copy c is board ``source[c]`` under the names ``names[c]``, by which hands become ``renamed``.
    """
    place = np.zeros(renamed.shape[1], np.int32)
    for c in range(source.size):
        b = source[c]
        for u in range(above.shape[1]):
            place[above[parent[b], u]] = u
        down[c] = NONE
        for h in range(left.shape[1]):
            down[c, place[renamed[names[c], left[b, h]]]] = h
