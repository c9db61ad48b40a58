"""Pairs of hole cards: their numbers from 0 to 1325, and their 169 classes in a 13 x 13 grid.

The pair of cards ``low < high`` has the number ``high * (high - 1) / 2 + low``, so pairs are
sorted by their higher card first. The grid has aces in its first row and column, suited hands above
the diagonal and offsuit hands below: class 0 is AA, 1 is AKs, 13 is AKo, 168 is 22.
"""

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.text import N_CARDS, N_RANKS, N_SUITS, RANKS, find_rank, format_card
from counterfold.errors import CardError

N_PAIRS = N_CARDS * (N_CARDS - 1) // 2
N_HAND_CLASSES = N_RANKS * N_RANKS


def index_pair(a: int, b: int) -> int:
    """The number of the pair of cards `a` and `b`, in any order."""
    low, high = min(a, b), max(a, b)
    if low == high or low < 0 or high >= N_CARDS:
        raise CardError(f"{format_card(a)} and {format_card(b)} are not two different cards")
    return int(high * (high - 1) // 2 + low)


def index_pairs(cards: NDArray[np.integer]) -> NDArray[np.int64]:
    """[n] the numbers of [n, 2] pairs of different cards, in any order."""
    low, high = np.sort(cards.astype(np.int64), axis=1).T
    return np.asarray(high * (high - 1) // 2 + low)


def unindex_pair(pair: int) -> tuple[int, int]:
    """The lower and the higher card of a pair."""
    _check(pair, N_PAIRS, "pair of cards")
    low, high = PAIR_CARDS[pair]
    return int(low), int(high)


def hand_class_of(pair: int) -> int:
    """The class of a pair: ``13 * row + column`` in the grid."""
    _check(pair, N_PAIRS, "pair of cards")
    return int(PAIR_HAND_CLASSES[pair])


def format_hand_class(hand_class: int) -> str:
    """The text of a class, such as `TT`, `AKs` or `AKo`."""
    _check(hand_class, N_HAND_CLASSES, "class of hole cards")
    row, column = divmod(hand_class, N_RANKS)
    high, low = RANKS[-1 - min(row, column)], RANKS[-1 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


def parse_hand_class(text: str) -> int:
    """The class written as `text`, such as `TT`, `AKs` or `AKo`."""
    first, second = find_rank(text, 0), find_rank(text, 1)
    row, column = N_RANKS - 1 - max(first, second), N_RANKS - 1 - min(first, second)
    kind = text[2:].lower()
    if kind not in (("",) if row == column else ("s", "o")):
        raise CardError(
            f"unexpected {text[2:]!r} at position 3 of {text!r}; "
            "a class of hole cards is like TT, AKs or AKo"
        )
    return column * N_RANKS + row if kind == "o" else row * N_RANKS + column


def _check(number: int, bound: int, what: str) -> None:
    if not 0 <= number < bound:
        raise CardError(f"no {what} has the number {number!r}; numbers are from 0 to {bound - 1}")


def _list_pairs() -> NDArray[np.uint8]:
    high, low = np.tril_indices(N_CARDS, -1)
    return _freeze(np.stack([low, high], axis=1))


def _classify_pairs() -> NDArray[np.uint8]:
    rank, suit = np.divmod(PAIR_CARDS.astype(np.int64), N_SUITS)
    row, column = N_RANKS - 1 - rank[:, 1], N_RANKS - 1 - rank[:, 0]
    suited = suit[:, 0] == suit[:, 1]
    return _freeze(np.where(suited, N_RANKS * row + column, N_RANKS * column + row))


def _freeze(array: NDArray[np.int64]) -> NDArray[np.uint8]:
    frozen = array.astype(np.uint8)
    frozen.flags.writeable = False
    return frozen


PAIR_CARDS = _list_pairs()  # [1326, 2] lower and higher card, read-only
PAIR_HAND_CLASSES = _classify_pairs()  # [1326] class of each pair, read-only
