"""Final strength on boards that grow while cards are red, by plain enumeration of small decks."""

from fractions import Fraction
from itertools import combinations
from math import factorial

from helpers.naive_strength import left_of, strength

RED_SUITS = (1, 2)  # d and h


def final_strengths(hole, board, deck):
    """The probability of each final HS, given that another card follows `board`.

    Sets of red cards, then a black one: the order of the red ones does not matter.
    """
    left = left_of(deck, hole, board)
    red = [card for card in left if card % 4 in RED_SUITS]
    black = [card for card in left if card not in red]
    found = {}
    for n_red in range(len(red) + 1):
        n_after = len(left) - n_red - 1
        chance = Fraction(factorial(n_red) * factorial(n_after), factorial(len(left)))
        for run in combinations(red, n_red):
            for last in black:
                final = strength(hole, (*board, *run, last), deck, ())
                found[final] = found.get(final, 0) + chance
    return found
