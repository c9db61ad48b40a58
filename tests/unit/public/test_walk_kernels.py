"""The steps of walks over public graphs, node by node."""

import numpy as np
import pytest

from counterfold.games.holdem.betting_kernels import DEAL, FOLDED, SHOWDOWN
from counterfold.public import walk_kernels
from counterfold.public.walk_kernels import (
    N_NODE_COLUMNS,
    NODE_ACTOR,
    NODE_DEGREE,
    NODE_PHASE,
    NODE_STAKE_0,
    NODE_STAKE_1,
    NODE_START,
    NODE_STREET,
)


def make_node(**columns):
    nodes = np.zeros((2, N_NODE_COLUMNS), np.int64)
    for name, value in columns.items():
        nodes[1, getattr(walk_kernels, f"NODE_{name.upper()}")] = value
    return nodes


@pytest.mark.parametrize(("folder", "traverser", "won"), [(0, 0, -7), (0, 1, 7), (1, 0, 4)])
def test_who_folds_loses_the_stake(folder, traverser, won):
    nodes = make_node(phase=FOLDED, actor=folder, stake_0=7, stake_1=4)
    strengths = np.array([[[9], [1]]], np.int64)  # which do not matter
    assert walk_kernels.utility(nodes, 1, traverser, strengths, 0, 0, 0) == won


@pytest.mark.parametrize(("paths", "won"), [((0, 0), -7), ((1, 0), 0), ((1, 1), 7), ((0, 1), 0)])
def test_the_stronger_hand_of_both_hand_paths_wins(paths, won):
    nodes = make_node(phase=SHOWDOWN, stake_0=7, stake_1=7)
    strengths = np.array([[[0, 0], [0, 0]], [[2, 5], [5, 2]]], np.int64)
    assert walk_kernels.utility(nodes, 1, 0, strengths, 1, *paths) == won
    assert walk_kernels.utility(nodes, 1, 1, strengths, 1, *paths) == -won


@pytest.mark.parametrize(("strength", "won"), [(9, 4), (5, -2), (1, -7)])
def test_who_paid_more_at_auctions_loses_more_and_has_more_of_a_tie(strength, won):
    nodes = make_node(phase=SHOWDOWN, stake_0=7, stake_1=4)
    strengths = np.array([[[strength], [5]]], np.int64)
    assert walk_kernels.utility(nodes, 1, 0, strengths, 0, 0, 0) == won
    assert walk_kernels.utility(nodes, 1, 1, strengths, 0, 0, 0) == -won


# Seat 0 has hit its bounty in hand cell 1, seat 1 in cell 3.
@pytest.mark.parametrize(
    ("traverser", "value", "cell", "worth"),
    [(0, 10.0, 1, 25.0), (1, 10.0, 1, 10.0), (0, -10.0, 1, -10.0), (1, -10.0, 1, -25.0),
     (0, 10.0, 0, 10.0), (1, -10.0, 0, -10.0), (0, -10.0, 3, -25.0), (1, 10.0, 3, 25.0)],
)  # fmt: skip
def test_who_has_hit_the_bounty_wins_more_and_the_other_loses_it(traverser, value, cell, worth):
    folder = traverser if value < 0.0 else 1 - traverser
    nodes = make_node(phase=FOLDED, actor=folder, cell=0)
    assert add_bounty(nodes, traverser, value, (cell, cell)) == worth


# Seat 0 has put in 7 chips, seat 1 four, as after an auction; (7 - 4) // 2 is the odd chip's.
@pytest.mark.parametrize(
    ("paths", "strength", "value", "won"),
    [((1, 0), 5, -2.0, 0.25 * 4 + 10), ((0, 3), 5, -2.0, -0.25 * 7 - 10), ((1, 3), 5, -2.0, -2.0),
     ((0, 0), 5, -2.0, -2.0), ((1, 0), 9, 4.0, 16.0), ((0, 3), 9, 4.0, 4.0),
     ((0, 3), 1, -7.0, -20.5), ((1, 0), 1, -7.0, -7.0)],
)  # fmt: skip
def test_a_tie_pays_the_bounty_that_alone_is_hit(paths, strength, value, won):
    nodes = make_node(phase=SHOWDOWN, stake_0=7, stake_1=4, cell=0)
    strengths = np.array([[[9] * 4, [1] * 4], [[strength] * 4, [5] * 4]], np.int64)
    assert add_bounty(nodes, 0, value, paths, strengths) == won
    assert add_bounty(nodes, 1, -value, paths, strengths) == -won


def add_bounty(nodes, traverser, value, paths, strengths=np.zeros((2, 2, 4), np.int64)):  # noqa: B008
    hits = np.array([[[1, 1, 1, 1]] * 2, [[0, 1, 0, 0], [0, 0, 0, 1]]], np.uint8)
    return walk_kernels.add_bounty(
        nodes, 1, traverser, value, strengths, hits, 1, *paths, 1.5, 10.0
    )


@pytest.mark.parametrize(
    ("degree", "last_street", "child"), [(1, 2, 40), (2, 3, 41), (2, 4, 40), (2, 2, 40)]
)
def test_a_board_ends_where_its_length_says(degree, last_street, child):
    nodes = make_node(phase=DEAL, start=1, degree=degree, street=2)
    children = np.array([39, 40, 41], np.int32)
    assert walk_kernels.dealt_child(nodes, children, 1, last_street) == child


def test_hand_paths_are_numbers_with_a_digit_for_each_change():
    steps = np.array([[3, 2, 1, 0], [1, 0, 3, 2], [3, 2, 3, 2], [2, 1, 2, 0]], np.int8)
    paths = [walk_kernels.extend_hand_paths(steps, edge, 1, 1) for edge in range(4)]
    assert paths == [(5, 1), (1, 5), (5, 5), (3, 2)]


def test_a_node_is_a_cache_line():
    stakes = NODE_STAKE_0, NODE_STAKE_1
    columns = (NODE_PHASE, NODE_ACTOR, NODE_START, NODE_DEGREE, *stakes, NODE_STREET)
    assert max(columns) < N_NODE_COLUMNS
    assert N_NODE_COLUMNS * np.dtype(np.int64).itemsize == 64
