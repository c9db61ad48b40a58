"""Grids of strategies: classes, colors, widths, selected hands."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.errors import UnknownNameError, UnsupportedGameError
from counterfold.ranges.spot import Spot
from counterfold.runs import Budget
from counterfold.spots.spot_run import solve_spot
from counterfold.spots.strategy_grid import (
    action_colors,
    find_cells,
    select_hands,
    split_width,
)
from helpers.toy_games import river, turn


@pytest.fixture(scope="module")
def node():
    return solve_spot(turn(), Budget(iterations=50)).at()


def test_cells_stand_where_players_expect_them(node):
    cells = find_cells(node)
    names = {cell.name: (row, column) for row, line in enumerate(cells) for column, cell in
             enumerate(line)}  # fmt: skip
    assert (names["AA"], names["KQs"], names["AKo"]) == ((0, 0), (1, 2), (1, 0))
    there = {cell.name for line in cells for cell in line if cell.shares}
    assert there == {"AA", "KQs", "76s"}


def test_a_cell_is_the_mean_of_its_hands(node):
    cell = find_cells(node)[0][0]
    aces = [at for at, text in enumerate(node.actor.texts) if text.count("A") == 2]
    weights = node.actor.matchups[aces]
    assert cell.shares == pytest.approx(node.strategy[:, aces] @ weights / weights.sum())
    assert cell.ev == pytest.approx(node.actor.ev[aces] @ weights / weights.sum())
    assert sum(cell.shares) == pytest.approx(1)


def test_weights_are_relative_to_the_most_frequent_class():
    after = solve_spot(river(oop="AA,QQ:0.5", ip="KK"), Budget(iterations=1)).at()
    cells = {cell.name: cell.weight for line in find_cells(after) for cell in line}
    assert (cells["AA"], cells["QQ"], cells["JJ"]) == pytest.approx((1.0, 0.5, 0.0))


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=6), st.integers(1, 12))
def test_columns_are_shared_out_as_actions_are(weights, width):
    shares = [weight / sum(weights) for weight in weights]
    found = split_width(shares, width)
    assert sum(found) == width
    assert min(found) >= 0
    assert np.abs(np.array(found) - width * np.array(shares)).max() < 1.0001


def test_colors_differ_and_passive_actions_keep_theirs():
    labels = ["fold", "call", "raise 10", "raise 20", "raise 30", "raise 40", "allin 90"]
    colors = action_colors(labels)
    assert len(set(colors)) == len(colors)
    assert action_colors(["check"])[0] == colors[1]
    assert action_colors(["check", "bet 5"])[1] not in colors[:2]


def test_hands_are_selected_by_what_they_make(node):
    sets = select_hands(node, "top pair")  # KQs on Kd7c2s9h
    assert {text[0] + text[2] for text in sets.actor.texts} == {"KQ"}
    assert sets.strategy.shape[1] == sets.actor.numbers.size == 3
    assert {text[0] + text[2] for text in sets.hands["ip"].texts} == {"AK"}
    assert sum(sets.totals()["strategy"].values()) == pytest.approx(1)


def test_hands_are_selected_by_their_cards(node):
    one = select_hands(node, "AhAs")
    assert one.actor.texts == ["AsAh"]
    assert one.hands["ip"].texts == []


def test_what_no_hand_is_called_is_refused(node):
    with pytest.raises(UnknownNameError, match="unknown made hand, draw or suit 'tops'"):
        select_hands(node, "tops")


def test_single_cards_have_no_grid():
    spot = Spot("", "Q,K", "Q,K", 2, 4, "allin", game="leduc-variant")
    node = solve_spot(spot, Budget(iterations=5)).at()
    with pytest.raises(UnsupportedGameError, match="two hole cards"):
        select_hands(node, "set")
    with pytest.raises(UnsupportedGameError, match="two hole cards"):
        find_cells(node)
