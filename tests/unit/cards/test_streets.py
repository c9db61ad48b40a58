"""Streets, and the boards and hands by which their tables are built."""

import numpy as np
import pytest

from counterfold.cards import Deck
from counterfold.cards.streets import (
    BOARD_SIZES,
    STREET_OF_BOARD,
    STREETS,
    board_rows,
    street_boards,
    street_classes,
)

DECK = Deck(5, 2)


def test_streets_are_known_by_their_boards():
    assert [STREET_OF_BOARD[size] for size in (0, 3, 4, 5)] == list(STREETS)


@pytest.mark.parametrize("street", ["flop", "turn"])
def test_all_hands_on_one_board_of_each_class_are_all_classes(street):
    boards, find = street_boards(street, DECK), board_rows(street, DECK)
    assert boards.shape[1] == BOARD_SIZES[street]
    found = np.concatenate([find(k, k + 1) for k in range(len(boards))])
    assert {*found.tolist()} == {*range(street_classes(street, DECK).size)}


def test_rows_of_many_boards_are_those_of_each():
    find = board_rows("flop", DECK)
    n = len(street_boards("flop", DECK))
    parts = np.concatenate([find(0, 3), find(3, n)])
    np.testing.assert_array_equal(find(0, n), parts)


def test_hands_have_no_card_of_the_board():
    """A board of three leaves C(7, 2) pairs of ten cards."""
    assert len(board_rows("flop", DECK)(0, 1)) == 21
