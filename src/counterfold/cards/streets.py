"""The streets of hold'em: the cards on the board, and the classes of what a player sees."""

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.deck import Deck
from counterfold.cards.isomorphism import Isomorphism

BOARD_SIZES = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}
STREETS = tuple(BOARD_SIZES)
STREET_OF_BOARD = {size: street for street, size in BOARD_SIZES.items()}
N_FINAL = 5  # cards of a complete board


def street_classes(street: str, deck: Deck) -> Isomorphism:
    """Hole cards and board of a street, up to a renaming of suits."""
    size = BOARD_SIZES[street]
    return Isomorphism((2, size) if size else (2,), deck)


def street_boards(street: str, deck: Deck) -> NDArray[np.uint8]:
    """One board of each class: the units in which tables are built."""
    boards = Isomorphism((BOARD_SIZES[street],), deck)
    return boards.unindex_many(np.arange(boards.size))
