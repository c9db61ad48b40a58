"""The buckets of the hands of boards."""

import numpy as np
from numpy.typing import NDArray

from counterfold.public.card_maps import CardMap
from counterfold.ranges.board_cards import BoardCards


def label_boards(cards: BoardCards, card_map: CardMap) -> NDArray[np.int32]:
    """The buckets of all hands, as ``boards.hand``; both seats have the same hands."""
    boards, first = cards.boards, cards.first_street
    labels = np.zeros(boards.hand.size, np.int32)
    dealt = [below.board for below in cards.walk()]
    for k in range(int(boards.street.max()) + 1):
        on_street = np.flatnonzero(boards.street == k)
        places, others = (
            boards.hands[on_street, seat, None] + np.arange(boards.n_hands[on_street[0], seat])
            for seat in (0, 1)
        )
        holes = cards.holes[cards.hands[0][boards.hand[places]]].astype(np.uint8)
        board = np.array([dealt[b] for b in on_street], np.uint8).reshape(len(on_street), -1)
        if card_map.chained:
            found = card_map.label_hands(holes, board)[:, first + k]
        else:
            found = card_map.label_stage(first + k, holes, board, None)
        labels[places] = labels[others] = found
    return labels
