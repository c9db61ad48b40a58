"""What can be won in Leduc from a bot that always calls, by going through all deals."""

from itertools import permutations

import numpy as np

from counterfold.cards import showdown_strength
from counterfold.games.holdem import VARIANTS


def won_from_a_caller():
    """Chips per hand. Nobody raises back: who holds more than half of the hands bets once."""
    total = 0.0
    cards = VARIANTS["leduc-variant"]().deck.cards.tolist()
    for mine, theirs, board in permutations(cards, 3):
        margins = [_margin(mine, [card for card in cards if card != mine])]
        margins.append(_margin(mine, [c for c in cards if c not in (mine, board)], board))
        stake = 1 + 2 * (margins[0] > 0) + 4 * (margins[1] > 0)
        total += stake * _result(mine, theirs, board) / 120
    return total


def _result(mine, theirs, board):
    first, second = showdown_strength([mine, board]), showdown_strength([theirs, board])
    return (first > second) - (first < second)


def _margin(mine, left, board=None):
    if board is not None:
        return np.mean([_result(mine, card, board) for card in left])
    return np.mean([_result(mine, *pair) for pair in permutations(left, 2)])
