"""Numbers of sets of cards, against lists of all sets."""

from itertools import combinations

import pytest

from counterfold.games.holdem.card_sets_kernels import (
    FIRST_SETS,
    MOST_HELD,
    SET_BITS,
    move_set,
    set_number,
    set_size,
)


@pytest.mark.parametrize("n_held", range(1, MOST_HELD + 1))
def test_sets_are_numbered_by_size_and_then_by_place(n_held):
    sets = [places for size in range(1, n_held + 1) for places in combinations(range(n_held), size)]
    for number, places in enumerate(sets):
        bits = sum(1 << place for place in places)
        assert SET_BITS[n_held, number] == bits
        assert set_number(n_held, bits) == number
        assert set_size(n_held, number) == len(places)
        assert (FIRST_SETS[n_held, len(places)] == number) == (places == (*range(len(places)),))
    assert FIRST_SETS[n_held, n_held + 1] == len(sets) == 2**n_held - 1


def test_a_set_moves_with_its_cards():
    order = [2, 0, 1]
    code = sum(place << 3 * at for at, place in enumerate(order))
    for number in range(7):
        places = {place for place in range(3) if SET_BITS[3, number] >> place & 1}
        moved = SET_BITS[3, move_set(3, number, code)]
        assert {place for place in range(3) if moved >> place & 1} == {order[at] for at in places}
    assert [move_set(2, number, 1) for number in range(3)] == [1, 0, 2]  # the only two are swapped
