"""The streets of hold'em: the cards on the board, and the classes of what a player sees."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.deck import Deck
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.cards.text import N_CARDS

BOARD_SIZES = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}
STREETS = tuple(BOARD_SIZES)
STREET_OF_BOARD = {size: street for street, size in BOARD_SIZES.items()}
N_FINAL = 5  # cards of a complete board


@lru_cache(maxsize=64)
def street_classes(street: str, deck: Deck) -> Isomorphism:
    """Hole cards and board of a street, up to a renaming of suits."""
    size = BOARD_SIZES[street]
    return Isomorphism((2, size) if size else (2,), deck)


def street_boards(street: str, deck: Deck) -> NDArray[np.uint8]:
    """One board of each class: the units in which tables are built."""
    boards = Isomorphism((BOARD_SIZES[street],), deck)
    return boards.unindex_many(np.arange(boards.size))


def board_rows(street: str, deck: Deck) -> Callable[[int, int], NDArray[np.uint32]]:
    """The classes of all hands on those boards; some of them more than once, as suits allow."""
    boards, classes = street_boards(street, deck), street_classes(street, deck)
    pairs = PAIR_CARDS[np.isin(PAIR_CARDS, deck.cards).all(axis=1)].astype(np.uint8)
    has = (pairs == np.arange(N_CARDS)[:, np.newaxis, np.newaxis]).any(axis=2)  # [card, pair]

    def find(first: int, last: int) -> NDArray[np.uint32]:
        at, held = np.nonzero(~has[boards[first:last]].any(axis=1))
        deals = np.concatenate([pairs[held], boards[first:last][at]], axis=1)
        return classes.index_many(deals).astype(np.uint32)

    return find
