"""The grid of a blueprint: classes of hands, weighted by how often they come."""

import numpy as np
import pytest

from counterfold.blueprints.blueprint_grid import find_table_cells, find_totals
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards.pairs import format_hand_class, hand_class_of, index_pair


@pytest.fixture(scope="module")
def bot(small_runs):
    return TrainedBot(small_runs["nolimit"])


def cells_by_name(cells):
    return {cell.name: cell for row in cells for cell in row}


@pytest.mark.parametrize(
    ("history", "weighted"), [("", False), ("c 50%", True), ("r4 c | Ac |", True)]
)
def test_a_cell_is_the_weighted_mean_of_its_trained_hands(bot, history, weighted):
    table = bot.strategy(history=history)
    reach = bot.reach(table) if weighted else None
    found = cells_by_name(find_table_cells(table, reach))
    sums = {}
    for at, row in enumerate(table.rows):
        name = format_hand_class(hand_class_of(index_pair(*row.hand)))
        if row.probabilities is not None:
            weight = 1.0 if reach is None else reach[at]
            sums.setdefault(name, []).append((weight, row.probabilities))
    for name, cell in found.items():
        parts = [part for part in sums.get(name, []) if part[0] > 0]
        assert bool(cell.shares) == bool(parts)
        if parts:
            mean = sum(w * p for w, p in parts) / sum(w for w, _ in parts)
            np.testing.assert_allclose(cell.shares, mean)
    assert max(cell.weight for cell in found.values()) == pytest.approx(1.0)


def test_reach_is_the_range_of_the_seat_to_act(bot):
    table = bot.strategy(history="r4 c | Ac |")
    weights = bot.range(history="r4 c | Ac |")
    expected = [weights[index_pair(*row.hand)] for row in table.rows]
    np.testing.assert_array_equal(bot.reach(table), expected)


def test_totals_are_means_over_the_range(bot):
    table = bot.strategy(history="c 50%")
    reach = bot.reach(table)
    trained = [at for at, row in enumerate(table.rows) if row.probabilities is not None]
    shares = np.array([table.rows[at].probabilities for at in trained])
    expected = reach[trained] @ shares / reach[trained].sum()
    np.testing.assert_allclose(find_totals(table, reach), expected)
    assert sum(find_totals(table)) == pytest.approx(1.0)


def test_where_hands_change_nobody_knows_how_often_they_come(small_runs):
    bot = TrainedBot(small_runs["discard"])
    table = bot.strategy(history="c k | Jd |")
    assert bot.reach(table) is None
    assert any(cell.shares for row in find_table_cells(table) for cell in row)
