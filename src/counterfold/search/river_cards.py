"""The hands of two ranges on a whole board, and what showdowns between them are worth, by NumPy.

Hands stand from the weakest to the strongest. Of the hands of the other up to some strength, what a
hand can meet is the sum of all, less those with its first card, less those with its second: three
differences of cumulative sums, one over all hands and one over the hands of each card.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.pairs import PAIR_CARDS
from counterfold.cards.text import N_CARDS

Values = NDArray[np.float64]
Places = NDArray[np.intp]

_NONE = -1


class SeatHands(NamedTuple):
    """The hands of a seat, from the weakest to the strongest."""

    numbers: Places  # [n] among all pairs
    cards: NDArray[np.int64]  # [n, 2]
    ranks: NDArray[np.int64]  # [n]
    weights: Values  # [n]


class Removal:
    """What the hands of a seat meet of the other's."""

    def __init__(self, own: SeatHands, other: SeatHands) -> None:
        self._below = np.searchsorted(other.ranks, own.ranks, "left")
        self._through = np.searchsorted(other.ranks, own.ranks, "right")
        cards = other.cards.T.ravel()
        hands = np.tile(np.arange(len(other.cards)), 2)
        order = np.lexsort((hands, cards))
        self._by_card: Places = hands[order]
        # One number for a card and a strength, ascending along `_by_card`.
        n_ranks = 1 + max(int(own.ranks.max(initial=0)), int(other.ranks.max(initial=0)))
        keys = cards[order] * n_ranks + other.ranks[self._by_card]
        wanted = own.cards.T * n_ranks  # [2, n]
        self._firsts = np.searchsorted(keys, wanted, "left")
        self._card_below = np.searchsorted(keys, wanted + own.ranks, "left")
        self._card_through = np.searchsorted(keys, wanted + own.ranks, "right")
        held, self._card_starts = np.unique(cards[order], return_index=True)
        column = np.full(N_CARDS, held.size)  # of sums by card; the last is zero
        column[held] = np.arange(held.size)
        self._columns: Places = column[own.cards.T]
        place = np.full(len(PAIR_CARDS), _NONE)
        place[other.numbers] = np.arange(len(other.numbers))
        self._both: Places = np.flatnonzero(place[own.numbers] != _NONE)  # held by either seat
        self._same: Places = place[own.numbers][self._both]

    def meet(self, reach: Values) -> Values:
        """The weight that each hand can meet of lines with `reach` [lines, hands of the other]."""
        met = self._meet_others(reach)
        met[:, self._both] += reach[:, self._same]  # taken off twice
        return met

    def _meet_others(self, reach: Values) -> Values:
        """The same less twice the weight of the hand itself."""
        # Not as a product of matrices: a BLAS would wake up all cores for it.
        by_card = np.zeros((len(reach), self._card_starts.size + 1))
        of_cards = np.take(reach, self._by_card, axis=1)
        np.add.reduceat(of_cards, self._card_starts, axis=1, out=by_card[:, :-1])
        met = reach.sum(axis=1)[:, None] - np.take(by_card, self._columns[0], axis=1)
        met -= np.take(by_card, self._columns[1], axis=1)
        return np.asarray(met)

    def win(self, reach: Values) -> Values:
        """The weight of the hands that each hand beats, less that of those that beat it."""
        sums, by_card = _cumulate(reach), _cumulate(np.take(reach, self._by_card, axis=1))
        won = np.take(sums, self._below, axis=1)
        won += np.take(sums, self._through, axis=1)
        for column in (0, 1):
            won -= np.take(by_card, self._card_below[column], axis=1)
            won -= np.take(by_card, self._card_through[column], axis=1)
            won += 2.0 * np.take(by_card, self._firsts[column], axis=1)
        won -= self._meet_others(reach)
        return won


def _cumulate(values: Values) -> Values:
    """Sums along rows, beginning with zero."""
    sums = np.zeros((values.shape[0], values.shape[1] + 1))
    np.cumsum(values, axis=1, out=sums[:, 1:])
    return sums


def order_hands(board: tuple[int, ...], ranks: NDArray[np.int64], weights: Values) -> SeatHands:
    """The pairs that have a weight and no card of the board; `ranks` are those of all pairs."""
    taken = np.zeros(N_CARDS, bool)
    taken[list(board)] = True
    numbers = np.flatnonzero((weights > 0) & ~taken[PAIR_CARDS].any(axis=1))
    numbers = numbers[np.argsort(ranks[numbers], kind="stable")]
    return SeatHands(
        numbers, PAIR_CARDS[numbers].astype(np.int64), ranks[numbers], weights[numbers]
    )
