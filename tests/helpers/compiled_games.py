"""Compiled games that many tests share; each is made once."""

from functools import cache

import numpy as np

from counterfold.games import Matrix, parse_game
from counterfold.tree import Strategy, compile_game, normalized
from helpers.toy_games import THREE_CARDS

# Payoffs without a pattern: four rows, three columns, drawn once from the integers -9 to 9.
RANDOM_MATRIX = Matrix(((3, -7, 5), (-2, 4, -9), (8, -6, 1), (-4, 9, -3)))

ZERO_SUM = ("kuhn", "leduc", "rps", "liars-dice(faces=3)", "goofspiel(3)", "goofspiel(4)", "matrix")
LOSSLESS = "rank * board_rank * history"  # of leduc: only suits are forgotten


@cache
def compiled(game, abstraction="everything"):
    """The game of this name, `matrix` for a random one and `toy` for one of three players."""
    special = {"matrix": RANDOM_MATRIX, "toy": THREE_CARDS}
    return compile_game(special.get(game) or parse_game(game), abstraction)


def random_strategy(game, rng):
    """Every distribution over an infoset's actions equally likely."""
    return normalized(game, rng.exponential(size=game.n_slots))


def random_pure_strategy(game, rng):
    """One action with certainty at every infoset."""
    probabilities = np.zeros(game.n_slots)
    widths = np.diff(game.offsets)
    probabilities[game.offsets[:-1] + rng.integers(widths)] = 1.0
    return Strategy(game, probabilities)


def slots(game, i):
    """The slots of infoset `i`."""
    return slice(int(game.offsets[i]), int(game.offsets[i + 1]))


def player_slots(game, player):
    """The slots of all infosets of `player`."""
    first, last = game.owners[player], game.owners[player + 1]
    return slice(int(game.offsets[first]), int(game.offsets[last]))
