"""Equities of two ranges hand by hand: what share of the pot a hand has, all cards being dealt."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import Variant
from counterfold.ranges.board_cards import BoardCards
from counterfold.ranges.range_pass import met_weights

Pair = tuple[NDArray[np.float64], NDArray[np.float64]]


def hand_equities(
    variant: Variant, board: tuple[int, ...], weights: Pair, *, held: Pair | None = None
) -> Pair:
    """The equity of every hand of each seat against the other's range, nan where it meets none.

    `weights` go over all hands of 52 cards; so do the equities. What hands are worth against each
    other is kept from one call to the next with the same `held`, which are weights, too: no hand
    without a weight there is looked at.
    """
    masks = tuple(w.astype(bool).tobytes() for w in held or weights)
    cards, matrix = _results(variant, tuple(board), masks[0], masks[1])
    boards = cards.boards
    equities = (np.full(weights[0].size, np.nan), np.full(weights[1].size, np.nan))
    order = [
        cards.hands[p][boards.hand[boards.hands[0, p] :][: boards.n_hands[0, p]]] for p in (0, 1)
    ]
    for seat in (0, 1):
        other = weights[1 - seat][order[1 - seat]]
        won = matrix @ other if seat == 0 else -(other @ matrix)
        met = met_weights(boards, 0, seat, other)
        with np.errstate(invalid="ignore", divide="ignore"):
            equities[seat][order[seat]] = np.where(met > 0, (won / met + 1) / 2, np.nan)
    return equities


@lru_cache(maxsize=8)
def _results(
    variant: Variant, board: tuple[int, ...], first: bytes, second: bytes
) -> tuple[BoardCards, NDArray[np.float64]]:
    """Hands with a weight, and the mean result of each of the first against each of the second."""
    masks = [np.frombuffer(mask, bool).astype(np.float64) for mask in (first, second)]
    cards = BoardCards(variant, board, (masks[0], masks[1]), (True,))
    boards = cards.boards
    n_0, n_1 = boards.n_hands[0]
    if cards.n_streets > 1:
        return cards, boards.matrix[: n_0 * n_1].reshape(n_0, n_1).astype(np.float64)
    level = [
        np.searchsorted(boards.ends[:, p], np.arange(n), side="right")
        for p, n in ((0, n_0), (1, n_1))
    ]
    result = np.sign(level[0][:, None] - level[1][None, :]).astype(np.float64)
    holes = [
        cards.holes[cards.hands[p][boards.hand[boards.hands[0, p] :][:n]]]
        for p, n in ((0, n_0), (1, n_1))
    ]
    shared = (holes[0][:, None, :, None] == holes[1][None, :, None, :]).any(axis=(2, 3))
    result[shared] = 0.0
    return cards, result
