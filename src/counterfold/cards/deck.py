"""Decks: all cards of some ranks in some suits.

A deck is data, so a game on six ranks and two suits is solved by the same code as the full
one. Suits are always the first of c, d, h, s; ranks may be any.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counterfold.cards.text import (
    N_CARDS,
    N_RANKS,
    N_SUITS,
    RANKS,
    SUITS,
    find_rank,
    format_card,
    format_cards,
)
from counterfold.errors import CardError

_FULL_NAME = "full"


@dataclass(frozen=True, init=False)
class Deck:
    """The cards of `ranks` in the first `suits` suits.

    `ranks` are rank numbers, 0 to 12 for 2 to A, in ascending order; a single integer stands for
    that many of the highest ranks.
    """

    ranks: tuple[int, ...]
    suits: int

    def __init__(self, ranks: int | Sequence[int] = N_RANKS, suits: int = N_SUITS) -> None:
        if isinstance(ranks, int):
            if not 1 <= ranks <= N_RANKS:
                raise CardError(f"a deck must have 1 to {N_RANKS} ranks, not {ranks!r}")
            ranks = range(N_RANKS - ranks, N_RANKS)
        ranks = tuple(ranks)
        if not ranks or any(rank not in range(N_RANKS) for rank in ranks):
            raise CardError(f"a deck must have ranks from 0 to {N_RANKS - 1}, not {ranks!r}")
        if any(low >= high for low, high in pairwise(ranks)):
            raise CardError(f"the ranks of a deck must ascend, unlike {ranks!r}")
        if suits not in range(1, N_SUITS + 1):
            raise CardError(f"a deck must have 1 to {N_SUITS} suits, not {suits!r}")
        object.__setattr__(self, "ranks", ranks)
        object.__setattr__(self, "suits", suits)

    @property
    def name(self) -> str:
        """Text that `parse_deck` reads back, such as `full` or `9TJQKA/cd`."""
        if self.n_cards == N_CARDS:
            return _FULL_NAME
        return "".join(RANKS[rank] for rank in self.ranks) + "/" + SUITS[: self.suits]

    @property
    def n_cards(self) -> int:
        """How many cards it has."""
        return len(self.ranks) * self.suits

    @cached_property
    def cards(self) -> NDArray[np.uint8]:
        """The cards in ascending order, read-only."""
        cards = np.add.outer(np.multiply(self.ranks, N_SUITS), range(self.suits)).ravel()
        cards = cards.astype(np.uint8)
        cards.flags.writeable = False
        return cards

    def check(self, cards: ArrayLike) -> NDArray[np.uint8]:
        """The cards as an array, if they are in this deck and no two are equal."""
        given = np.asarray(cards)
        if given.size == 0:
            return np.empty(0, np.uint8)
        if given.ndim != 1 or not np.issubdtype(given.dtype, np.integer):
            raise CardError(f"cards must be a list of integers, not {cards!r}")
        if given.size > self.n_cards:
            raise CardError(
                f"{given.size} cards are more than the {self.n_cards} of the deck {self.name}"
            )
        seen: set[int] = set()
        for position, card in enumerate(given.tolist(), start=1):
            text = format_card(card)
            if card % N_SUITS >= self.suits or card // N_SUITS not in self.ranks:
                raise CardError(
                    f"card {text}, number {position} of {format_cards(given)}, "
                    f"is not in the deck {self.name}"
                )
            if card in seen:
                raise CardError(f"card {text} twice, as number {position} of {format_cards(given)}")
            seen.add(card)
        return given.astype(np.uint8)


FULL = Deck()


def parse_deck(text: str) -> Deck:
    """The deck that `text` names: `full`, or ranks and suits as in `9TJQKA/cd`."""
    if text.strip().lower() == _FULL_NAME:
        return FULL
    ranks, slash, suits = text.partition("/")
    if not slash:
        raise CardError(f"cannot read deck {text!r}; write it like full or 9TJQKA/cd")
    if not suits or not SUITS.startswith(suits.lower()):
        raise CardError(
            f"unknown suits {suits!r} at position {len(ranks) + 2} of {text!r}; suits must be the "
            f"first of {SUITS}"
        )
    numbers = [find_rank(text, at) for at in range(len(ranks))]
    for at in range(1, len(numbers)):
        if numbers[at - 1] >= numbers[at]:
            raise CardError(
                f"rank {text[at]!r} at position {at + 1} of {text!r} does not ascend; "
                "write a deck like 9TJQKA/cd"
            )
    return Deck(numbers, len(suits))
