"""Our games have OpenSpiel's trees: the same histories, information sets and payoffs.

The counts are derived from the rules where they are written as sums; those of goofspiel's nodes
and infosets are OpenSpiel's own.
"""

import math

import pyspiel
import pytest

from counterfold.games import (
    Goofspiel,
    Kuhn,
    Leduc,
    LiarsDice,
    Matrix,
    NashBargaining,
    RockPaperScissors,
)
from helpers import openspiel_walk
from helpers.openspiel_walk import walk_together


def check_counts(found, nodes, terminals, infosets):
    assert (found.nodes, found.terminals, len(found.strings)) == (nodes, terminals, infosets)


def test_kuhn():
    other = pyspiel.load_game("kuhn_poker")
    found = walk_together(Kuhn(), other, openspiel_walk.kuhn_number)
    check_counts(found, 1 + 3 + 6 * 9, 30, 12)  # nine histories of betting, five of them final


def test_leduc():
    found = walk_together(Leduc(), openspiel_walk.leduc(), openspiel_walk.leduc_number)
    # A round of betting has 6 decisions, 4 folds and 5 ways to close.
    betting = 6 + 4 + 5
    deals, boards = 6 * 5, 4
    nodes = 1 + 6 + deals * (betting + 5 * boards * betting)
    terminals = deals * (4 + 5 * boards * (4 + 5))
    infosets = 6 * 6 + (6 * 5) * 5 * 6
    assert (nodes, terminals, infosets) == (9457, 5520, 936)
    check_counts(found, nodes, terminals, infosets)


@pytest.mark.parametrize(
    ("faces", "dice"), [(3, 1), (4, 1), (2, 2), pytest.param(6, 1, marks=pytest.mark.slow)]
)
def test_liars_dice(faces, dice):
    number = openspiel_walk.liars_dice_number(faces, dice)
    found = walk_together(LiarsDice(faces, dice), openspiel_walk.liars_dice(faces, dice), number)
    # The bids made are a set, in rising order; any but the empty set may be followed by `liar`.
    n_bid_sets = 2 ** (2 * dice * faces)
    n_rolls = faces ** (2 * dice)
    n_hands = math.comb(faces + dice - 1, dice)
    deals = sum(faces**k for k in range(2 * dice))
    nodes = deals + n_rolls * (2 * n_bid_sets - 1)
    check_counts(found, nodes, n_rolls * (n_bid_sets - 1), n_hands * n_bid_sets)


@pytest.mark.parametrize(
    ("cards", "order", "nodes", "infosets"),
    [
        (2, "descending", 7, 2),
        (3, "descending", 67, 16),
        (4, "descending", 1077, 162),
        (3, "ascending", 67, 16),
        (3, "random", 418, 90),
    ],
)
def test_goofspiel(cards, order, nodes, infosets):
    other = openspiel_walk.goofspiel(cards, order)
    found = walk_together(Goofspiel(cards, order), other, openspiel_walk.goofspiel_number)
    terminals = math.factorial(cards) ** (3 if order == "random" else 2)
    check_counts(found, nodes, terminals, infosets)


def test_rock_paper_scissors():
    other = pyspiel.load_game("turn_based_simultaneous_game(game=matrix_rps())")
    found = walk_together(RockPaperScissors(), other, openspiel_walk.rps_number)
    check_counts(found, 1 + 3 + 9, 9, 2)


@pytest.mark.parametrize(
    "payoffs",
    [
        (((1, -2, 0.5), (-1, 3, 0)), None),
        (((3, 0), (5, 1)), ((3, 5), (0, 1))),  # the prisoner's dilemma
    ],
)
def test_matrix(payoffs):
    found = walk_together(Matrix(*payoffs), openspiel_walk.matrix(*payoffs), int)
    rows, columns = len(payoffs[0]), len(payoffs[0][0])
    check_counts(found, 1 + rows + rows * columns, rows * columns, 2)


def test_nash_bargaining():
    game = NashBargaining(4)
    mine = [[i if i + j <= 4 else 0 for j in range(5)] for i in range(5)]
    yours = [[j if i + j <= 4 else 0 for j in range(5)] for i in range(5)]
    found = walk_together(game, openspiel_walk.matrix(mine, yours), int)
    check_counts(found, 1 + 5 + 25, 25, 2)


def test_actions_follow_the_order_of_the_infoset():
    found = walk_together(Kuhn(), pyspiel.load_game("kuhn_poker"), openspiel_walk.kuhn_number)
    assert set(found.actions) == set(found.strings)
    assert set(found.actions.values()) == {(0, 1)}
