"""What an exact response takes on a GPU, estimated before it begins: time and memory."""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.responses.device.street_pass import MOST_BYTES
from counterfold.responses.exact_response import ExactResponder, NextBoard
from counterfold.responses.response_pass import ResponseSide

# All flops of limit hold'em on an NVIDIA H200: 464.1 s, 2,554,656 rivers, 1,081 hands and 15,876
# lines.
MEASURED_ON = "an H200"
_SECONDS = 464.1 / (2_554_656 * 1_081 * 15_876)  # for a hand on a line of the last street
_LISTED = 5  # boards of an estimate
_HAND_BYTES = 12  # on a board: bucket, place and cards, end of its group
_PLACE_BYTES = 2  # of a hand above, on each copy of a board


class DeviceCost(NamedTuple):
    """What a response takes."""

    seconds: float  # on a GPU like the one that was measured, if processors list boards fast enough
    vector_bytes: int  # of the device, while it goes up
    table_bytes: int  # of the bot's chances and of boards

    @property
    def total_bytes(self) -> int:
        """All memory of the device."""
        return self.vector_bytes + self.table_bytes


class _Below(NamedTuple):
    """The boards below one, with it and the root, by street."""

    n_boards: NDArray[np.int64]
    n_copies: NDArray[np.int64]
    n_hands: NDArray[np.int64]  # that each board leaves


def estimate_device(responder: ExactResponder, boards: Sequence[NextBoard]) -> DeviceCost:
    """By a few of `boards`, whose next streets are listed for it."""
    below = [
        _count(responder, boards[i]) for i in np.linspace(0, len(boards) - 1, _LISTED, dtype=int)
    ]
    hands = np.mean([each.n_boards[-1] * each.n_hands[-1] for each in below])
    lines = sum(int(np.diff(side.lines.first_lines[-2:], axis=0).sum()) for side in responder.sides)
    # Chances of the bot lie by line as they are read before the last street, and by start in it.
    tables = sum(2 * side.answers.nbytes for side in responder.sides)
    return DeviceCost(
        float(_SECONDS * len(set(boards)) * hands * lines),
        max(_vector_bytes(side, each) for side in responder.sides for each in below),
        tables + max(map(_board_bytes, below)),
    )


def _count(responder: ExactResponder, board: NextBoard) -> _Below:
    cards = responder.sides[0].board_cards((board.cards, *board.later))
    streets = np.array([below.street for below in cards.listed])
    copies = np.array([len(below.copies) for below in cards.listed])
    left = cards.variant.deck.n_cards - np.array(
        [cards.variant.board_cards(k) for k in range(cards.n_streets)]
    )
    n_hands = np.array([comb(int(n), cards.variant.hole_cards) for n in left])
    return _Below(np.bincount(streets), np.bincount(streets, copies).astype(np.int64), n_hands)


def _board_bytes(below: _Below) -> int:
    places = (below.n_copies[1:] * below.n_hands[:-1]).sum()
    return int((below.n_boards * below.n_hands).sum() * _HAND_BYTES + places * _PLACE_BYTES)


def _vector_bytes(side: ResponseSide, below: _Below) -> int:
    """Of one seat: reach on the way down, and the most that any street needs on the way up."""
    last, n_boards, n_hands = side.lines.n_streets - 1, below.n_boards, below.n_hands
    starts = side.n_layers * np.diff(side.lines.streets)  # by street and layer
    bot_lines = np.diff(side.lines.first_lines[:, 1 - side.seat])
    columns = n_boards * n_hands
    reach = int((bot_lines * columns)[:last].sum())
    found = starts[1:] * columns[:-1]  # by street, on the boards above
    least = starts[last] * n_hands[last] * -(-n_boards[last] // n_boards[last - 1])
    room = max(MOST_BYTES // side.dtype.itemsize, int(least))
    stages = [min(int(starts[last] * columns[last]), room) + int(found[last - 1])]
    for k in range(last - 1, 0, -1):
        folds = int((side.lines.seats[1 - side.seat].fold[_lines(side, k)] >= 0).sum())
        stages.append(int((folds + starts[k]) * columns[k] + found[k] + found[k - 1]))
    return (reach + max(stages)) * side.dtype.itemsize


def _lines(side: ResponseSide, k: int) -> slice:
    first, end = side.lines.first_lines[k : k + 2, 1 - side.seat].tolist()
    return slice(first, end)
