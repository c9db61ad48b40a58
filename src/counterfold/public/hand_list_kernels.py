"""All hands of a deck in a fixed order, and the number of a hand among them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import borrowing_kernel, inlined_borrowing_kernel


class Hands(NamedTuple):
    """All hands of a deck in lexicographic order. Shapes: ``D`` cards, ``H`` hands."""

    deck: NDArray[np.uint8]  # [D] ascending
    places: NDArray[np.int64]  # [52] of a card in the deck
    cards: NDArray[np.uint8]  # [H, hole cards]
    bits: NDArray[np.int64]  # [H] a bit for each card's number
    masks: NDArray[np.int64]  # [H] as `card_bit` gives them


@inlined_borrowing_kernel
def pair_number(n, low, high):
    """The number of the pair of places ``low < high`` of `n`, in lexicographic order."""
    return low * (2 * n - low - 1) // 2 + high - low - 1


@borrowing_kernel
def hand_number(hands, low, high):
    """The number of the hand of the cards at two places of the deck, or of one card twice."""
    if hands.cards.shape[1] == 1:
        return low
    return pair_number(hands.deck.size, low, high)


@borrowing_kernel
def find_hand(hands, cards):
    """The number of the hand of `cards`, in any order."""
    low, high = hands.places[cards[0]], hands.places[cards[cards.size - 1]]
    return hand_number(hands, min(low, high), max(low, high))
