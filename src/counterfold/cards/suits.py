"""Suits that are interchangeable: nothing changes if they swap names.

Being alike is an equivalence, so the suits fall into groups, and every permutation within the
groups is a renaming that nobody notices.
"""

from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.equity_kernels import NO_SUIT
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.cards.text import N_CARDS, N_SUITS

# Two suits, and the new name of each suit if they swap theirs.
_SWAPS = (
    (0, 1, (1, 0, 2, 3)),
    (0, 2, (2, 1, 0, 3)),
    (1, 2, (0, 2, 1, 3)),
    (0, 3, (3, 1, 2, 0)),
    (1, 3, (0, 3, 2, 1)),
    (2, 3, (0, 1, 3, 2)),
)


def find_like_suits(cards: NDArray[np.int64], *ranges: NDArray[np.float64]) -> NDArray[np.int64]:
    """For each suit the last one before it that is alike, or `NO_SUIT`.

    `cards` [52] and `ranges` [1326] are what must not change: something by card, and by pair.
    """
    likes = np.full(N_SUITS, NO_SUIT, np.int64)
    for a, b, names in _SWAPS:
        if not np.array_equal(cards[rename_cards(names)], cards):
            continue
        pairs = rename_pairs(names)
        if all(np.array_equal(weights[pairs], weights) for weights in ranges):
            likes[b] = a
    return likes


@cache
def list_renamings(likes: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """All permutations of like suits, as the new name of each suit."""
    groups = list(range(N_SUITS))  # the first suit that is alike
    for suit, like in enumerate(likes):
        if like != NO_SUIT:
            groups[suit] = groups[like]
    return tuple(
        names
        for names in permutations(range(N_SUITS))
        if all(groups[name] == group for name, group in zip(names, groups, strict=True))
    )


@cache
def rename_cards(names: tuple[int, ...]) -> NDArray[np.int64]:
    """[52] the card that each becomes."""
    cards = np.arange(N_CARDS)
    renamed: NDArray[np.int64] = cards - cards % N_SUITS + np.take(names, cards % N_SUITS)
    renamed.flags.writeable = False
    return renamed


@cache
def rename_pairs(names: tuple[int, ...]) -> NDArray[np.int64]:
    """[1326] the pair of hole cards that each becomes."""
    cards = rename_cards(names)[PAIR_CARDS]
    low, high = cards.min(axis=1), cards.max(axis=1)
    pairs: NDArray[np.int64] = high * (high - 1) // 2 + low
    pairs.flags.writeable = False
    return pairs
