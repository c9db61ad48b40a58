"""What a bot may hold, as columns: a set of cards and, with bounties, what is secret beside it.

Everything that a bot may do alike is one column, so that a range is a weight for each. Columns of
hands are all sets of as many cards, in lexicographic order; `extend` makes those of a hand that has
got a card which nobody else has seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.tracking.deck_hands import card_bits
from counterfold.cards.deck import Deck
from counterfold.cards.ranking import CARD_BITS
from counterfold.cards.text import N_CARDS

MOST_COLUMNS = 25_000  # three of 52 cards are 22,100

Cards = NDArray[np.uint8]
Indices = NDArray[np.int64]
Number = TypeVar("Number", np.int32, np.int64, np.float64)


@dataclass(frozen=True, eq=False)
class Columns:
    """Hands that a bot may hold. ``J`` columns of ``H`` hands, ``K`` of each, side by side."""

    cards: Cards  # [H, cards of a hand] ascending
    n_secrets: int = 1  # K

    def __len__(self) -> int:
        return len(self.cards) * self.n_secrets

    @property
    def size(self) -> int:
        """Cards of a hand."""
        return int(self.cards.shape[1])

    def spread(self, of_hands: NDArray[Number]) -> NDArray[Number]:
        """[J] what [H] says of hands, for each of their columns."""
        return of_hands if self.n_secrets == 1 else np.repeat(of_hands, self.n_secrets)

    @cached_property
    def bits(self) -> NDArray[np.int64]:
        """[H] the cards as bits of their numbers."""
        return card_bits(self.cards)

    @cached_property
    def masks(self) -> NDArray[np.int64]:
        """[H] the cards as `card_bit` has them."""
        return np.asarray(np.bitwise_or.reduce(_MASKS[self.cards], axis=1))


_MASKS = np.array(CARD_BITS, np.int64)


def mask_of(cards: Sequence[int]) -> int:
    """Cards as `card_bit` has them."""
    return sum(CARD_BITS[card] for card in cards)


def bits_of(cards: Sequence[int]) -> int:
    """Cards as bits of their numbers; a sign for no card is not one."""
    return sum(1 << int(card) for card in cards if card < N_CARDS)


def count_hands(deck: Deck, size: int) -> int:
    """How many hands of `size` cards there are."""
    return comb(deck.n_cards, size)


@lru_cache(maxsize=32)
def all_hands(deck: Deck, size: int) -> Columns:
    """All hands of `size` cards."""
    cards = np.sort(deck.cards).astype(np.uint8)
    rows = np.array([*combinations(cards.tolist(), size)], np.uint8)
    return Columns(rows.reshape(comb(cards.size, size), size))


def number_hands(deck: Deck, hands: Cards) -> Indices:
    """The numbers of `hands` [n, size], ascending each, among `all_hands` of that size."""
    places = np.searchsorted(np.sort(deck.cards), hands).astype(np.int64)
    n, size = deck.n_cards, hands.shape[1]
    number = np.full(len(hands), comb(n, size) - 1, np.int64)
    for at in range(size):  # those that come later
        number -= _choose(n - 1 - places[:, at], size - at)
    return number


def _choose(n: Indices, k: int) -> Indices:
    """Binomial coefficients of many `n`."""
    return np.array([comb(m, k) for m in range(N_CARDS + 1)], np.int64)[n]


def extend(columns: Columns, chosen: Indices, new: Cards) -> Columns:
    """The columns `chosen`, each with one of the cards `new` more."""
    return Columns(np.sort(np.column_stack([columns.cards[chosen], new]), axis=1))
