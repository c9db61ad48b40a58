"""Final strength on boards that grow while cards are red, by plain enumeration of small decks."""

from fractions import Fraction
from itertools import combinations
from math import factorial

from helpers.naive.naive_strength import left_of, strength

RED_SUITS = (1, 2)  # d and h


def final_strengths(hole, board, deck, red_suits=RED_SUITS):
    """The probability of each final HS, given that another card follows `board`.

    Sets of red cards, then a black one: the order of the red ones does not matter.
    """
    left = left_of(deck, hole, board)
    red = [card for card in left if card % 4 in red_suits]
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


def strengths_after_turn(hole, board, deck):
    """The probability of each final HS on a board of four cards, if any two suits may be red."""
    found = {}
    following = left_of(deck, hole, board)
    for red_suits in combinations(range(4), 2):
        for card in following:
            river = (*board, card)
            if card % 4 in red_suits:
                ends = final_strengths(hole, river, deck, red_suits)
            else:
                ends = {strength(hole, river, deck, ()): Fraction(1)}
            for final, chance in ends.items():
                found[final] = found.get(final, 0) + chance / (6 * len(following))
    return found
