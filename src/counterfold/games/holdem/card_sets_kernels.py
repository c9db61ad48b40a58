"""Which cards of a hand go at once: sets of places, numbered by their size and then their places.

The sets of one card are first, so that the number of such a set is its place. Empty sets have no
number.
"""

from itertools import combinations

import numpy as np

from counterfold.jit.compiler import borrowing_kernel

MOST_HELD = 6  # hole cards
MOST_SETS = (1 << MOST_HELD) - 1

# [cards of a hand, number] the places of a set as bits.
SET_BITS = np.array(
    [
        [
            *(
                sum(1 << place for place in places)
                for size in range(1, n_held + 1)
                for places in combinations(range(n_held), size)
            ),
            *[0] * (MOST_SETS - (1 << n_held) + 1),
        ]
        for n_held in range(MOST_HELD + 1)
    ],
    np.int64,
)
# [cards of a hand, cards of a set] the number of the first set of a size; of none, too.
FIRST_SETS = np.array(
    [
        [
            sum(
                len(list(combinations(range(n_held), smaller)))
                for smaller in range(1, min(size, n_held + 1))
            )
            for size in range(MOST_HELD + 2)
        ]
        for n_held in range(MOST_HELD + 1)
    ],
    np.int64,
)


@borrowing_kernel
def set_size(n_held, number):
    """How many cards go with set `number` of `n_held` cards."""
    size = 1
    while number >= FIRST_SETS[n_held, size + 1]:
        size += 1
    return size


@borrowing_kernel
def set_number(n_held, bits):
    """The number of the set with the places `bits`."""
    number = 0
    while SET_BITS[n_held, number] != bits:
        number += 1
    return number


@borrowing_kernel
def move_set(n_held, number, places):
    """The number of a set whose cards have other places: three bits of `places` for each."""
    bits, moved = SET_BITS[n_held, number], 0
    for place in range(n_held):
        if (bits >> place) & 1 == 1:
            moved |= 1 << ((places >> (3 * place)) & 7)
    return set_number(n_held, moved)
