"""All hands of a deck, as kernels use them."""

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.ranking import CARD_BITS
from counterfold.cards.text import N_CARDS
from counterfold.games.holdem import Variant
from counterfold.public.hand_list_kernels import Hands


def list_hands(variant: Variant) -> Hands:
    """All hands of a variant."""
    deck = np.sort(variant.deck.cards).astype(np.uint8)
    n = deck.size
    one = variant.hole_cards == 1
    cards = deck[np.arange(n)[:, None] if one else np.stack(np.triu_indices(n, 1), axis=1)]
    places = np.zeros(N_CARDS, np.int64)
    places[deck] = np.arange(n)
    masks = np.bitwise_or.reduce(np.array(CARD_BITS, np.int64)[cards], axis=1)
    return Hands(deck, places, cards, card_bits(cards), masks)


def card_bits(cards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """[n] the cards of each row as bits of their numbers."""
    bits = np.int64(1) << cards.astype(np.int64)
    return np.asarray(np.bitwise_or.reduce(bits, axis=1))
