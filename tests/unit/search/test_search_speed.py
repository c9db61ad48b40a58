"""What searches will take, from what others took; no test looks at a real clock."""

import numpy as np
import pytest

from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.cards import parse_cards
from counterfold.games import parse_game
from counterfold.ranges.betting_growth import CheckedDown
from counterfold.ranges.betting_tree import spot_root
from counterfold.ranges.kept.kept_solvers import KeptSolvers
from counterfold.search.search_speed import (
    SearchSpeed,
    count_boards,
    measure_slots,
    measure_work,
)


def test_time_grows_with_work_and_iterations():
    speed = SearchSpeed()
    assert speed.expect(1, 1e6, 100) == 0.0  # until something is known
    speed.note(1, 1000.0, 0.002, 0.0001, 0.001)
    assert speed.expect(1, 1000.0, 10) == pytest.approx(0.004)
    assert speed.expect(2, 4000.0, 20) == pytest.approx(0.020)  # as far as is known
    speed.note(2, 1000.0, 0.0, 0.001, 0.0)
    assert speed.expect(2, 4000.0, 20) == pytest.approx(0.080)


def test_a_slow_moment_is_forgotten():
    speed = SearchSpeed()
    speed.note(1, 1.0, 1.0, 1.0, 1.0)
    speed.note(1, 1.0, 0.0, 0.0, 0.0)
    assert speed.rates[1].iteration == pytest.approx(0.9)
    speed.note(3, 1.0, 1.0, 1.0, 1.0)
    for _ in range(400):
        speed.fade(1)
    assert speed.expect(1, 1.0, 10) < 0.5
    assert speed.expect(3, 1.0, 10) == 12.0  # nothing was refused there


def test_work_is_what_a_solver_allocates():
    """Up to hands that a card of the river rules out."""
    variant, root, _ = spot_root(parse_game("limit"), 4, 20, 90)
    board = tuple(parse_cards("Kd7c2h3s"))
    solvers = KeptSolvers(threads=1)
    weights = np.zeros(1326)
    weights[::7] = np.arange(1, 191)  # all suits differ
    lines = solvers.betting(variant, root, None).lines
    _, solver = solvers.solver(variant, root, None, board, (weights, weights))
    n_boards = count_boards(variant, board)
    assert n_boards == [1, 48]
    n_hands = solver.hands_on(0, 0).size
    work = measure_work(lines, n_boards, (n_hands, n_hands))
    slots = sum(table.size for name, table in solver.tables.items() if "regrets" in name)
    assert slots <= work <= 1.1 * slots
    assert measure_slots(lines, n_boards, (n_hands, n_hands)) == work


def test_streets_on_which_nobody_bets_are_work_and_take_no_memory():
    variant, root, _ = spot_root(parse_game("nolimit"), 4, 20, 390)
    menu = CheckedDown(parse_spot_menu("100%"), 3)
    lines = KeptSolvers(threads=1).betting(variant, root, menu).lines
    on_turn = measure_slots(lines, [1, 0], (100, 100))
    assert measure_slots(lines, [1, 48], (100, 100)) == on_turn
    starts = int(lines.streets[2] - lines.streets[1])
    assert measure_work(lines, [1, 48], (100, 100)) == on_turn + 2 * 48 * 100 * starts
