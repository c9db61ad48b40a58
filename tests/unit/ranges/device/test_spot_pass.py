"""The passes of a GPU over spots against those of a processor; with NumPy twins go the same way."""

import numpy as np
import pytest

from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.cards import parse_cards
from counterfold.cards.text import N_CARDS
from counterfold.errors import TooLargeError, UnsupportedGameError
from counterfold.ranges.betting_tree import build_betting_tree, spot_root
from counterfold.ranges.board_cards import BoardCards
from counterfold.ranges.device import spot_pass, spot_tables
from counterfold.ranges.device.spot_pass import SpotPass
from counterfold.ranges.line_kernels import BEST, VALUE
from counterfold.ranges.line_tree import Rake, find_lines
from counterfold.ranges.locks import parse_lock
from counterfold.ranges.range_pass import RangePass
from counterfold.ranges.range_solver import RangeSolver
from helpers.array_libraries import LIBRARIES, library
from helpers.toy_games import river, small_variant

SIZES = pytest.mark.parametrize(("dtype", "bound"), [(np.float64, 1e-12), (np.float32, 1e-4)])
SPOTS = {
    "river": (small_variant("89TJQKA/cd", 2, (3, 1, 1)), "8c9cTcJdQd", {}),
    "turn, all-in before the river": (small_variant("89TJQK/cd", 2, (3, 1, 1)), "8c9cTcJd", {}),
    "flop, suits alike": (
        small_variant("9TJQK/cd", 2, (3, 1, 1)), "9cTcJc", {"menu": "allin", "even": True},
    ),
    "raked": (small_variant("89TJQK/cd", 2, (3, 1, 1)), "8c9cTcJd", {"rake": Rake(0.1, 1.5)}),
    "one card": (small_variant("9TJQK/cd", 1, (1, 1)), "9c", {}),
    "nobody all-in": (
        small_variant("9TJQK/cd", 1, (1, 1)), "9c", {"menu": "50%; cap 1", "stack": 1000},
    ),
}  # fmt: skip
FACTORS = np.array([[0.8, 0.5, 0.9], [0.9, 0.6, 0.7]])


@pytest.fixture(params=LIBRARIES)
def xp(request):
    return library(request.param)


def lines_and_cards(variant, board, *, menu="50%, allin", stack=17, rake=None, even=False):
    cards = tuple(parse_cards(board))
    variant, root, dead = spot_root(variant, len(cards), 11, stack)
    tree = build_betting_tree(variant, root, parse_spot_menu(menu), dead=dead)
    lines = find_lines(tree, dead=dead, rake=rake)
    n, rng = N_CARDS if variant.hole_cards == 1 else 1326, np.random.default_rng(5)
    weights = rng.random(n) * (rng.random(n) < 0.6), rng.random(n) * (rng.random(n) < 0.8)
    if even:
        weights = np.ones(n), np.ones(n)
    return lines, BoardCards(variant, cards, weights, tuple(lines.shows.tolist()), even)


def passes_of(name, xp, dtype, **options):
    variant, board, choices = SPOTS[name]
    lines, cards = lines_and_cards(variant, board, **choices)
    return RangePass(lines, cards, dtype, 1), SpotPass(lines, cards, xp, dtype, 1, **options)


def numbers(learned):
    return [*learned.tables.regrets, *learned.tables.averages]


@SIZES
@pytest.mark.parametrize("name", SPOTS)
def test_iterations_and_values_are_those_of_the_processor(name, dtype, bound, xp, rng):
    here, there = passes_of(name, xp, dtype)
    tables = [passes.make_tables() for passes in (here, there)]
    # From zero, rounding would decide which regrets are positive, and so the strategies.
    for ours, theirs in zip(*map(numbers, tables), strict=True):
        ours[:] = theirs[:] = rng.random(ours.size)
    there.send(tables[1])
    turns = [(0, BEST), (1, BEST), (0, VALUE), (1, VALUE)]
    found = []
    for passes, learned in zip((here, there), tables, strict=True):
        won = passes.iterate(FACTORS, learned)
        best = passes.totals(turns, learned)
        passes.fetch(learned)
        found.append([*won, *best, *numbers(learned)])
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(theirs, ours, atol=bound * max(abs(ours).max(), 1))


@pytest.mark.parametrize("name", ["turn, all-in before the river", "flop, suits alike", "one card"])
def test_boards_in_small_parts_give_the_same_bits(name, xp):
    found = []
    for most_bytes in (1, 1 << 20, 1 << 30):
        passes = passes_of(name, xp, np.float32, most_bytes=most_bytes)[1]
        learned = passes.make_tables()
        won = passes.iterate(FACTORS, learned)
        passes.fetch(learned)
        found.append([*won, *numbers(learned)])
    for other in found[1:]:
        for ours, theirs in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("most", [1, 300, 1 << 25])
def test_tables_come_back_as_they_were_sent(most, xp, rng, monkeypatch):
    monkeypatch.setattr(spot_tables, "MOST_SLOTS", most)
    passes = passes_of("flop, suits alike", xp, np.float32, most_bytes=1)[1]
    learned = passes.make_tables()
    for table in numbers(learned):
        table[:] = rng.random(table.size)
    sent = [table.copy() for table in numbers(learned)]
    passes.send(learned)
    there = passes._to_numpy(passes._regrets[0][0][0].reshape(-1, passes._boards[0].n_hands))
    rows = sent[0][: passes.boards.n_hands[0, 0] * len(there)].reshape(len(there), -1)
    np.testing.assert_array_equal(there[:, passes._boards[0].columns[0]], rows)
    for table in numbers(learned):
        table[:] = 0
    passes._ahead = True
    passes.fetch(learned)
    for ours, theirs in zip(numbers(learned), sent, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_solver_goes_on_with_other_cards(xp):
    variant, board, choices = SPOTS["turn, all-in before the river"]
    lines, cards = lines_and_cards(variant, board, **choices)
    solvers = [
        RangeSolver(passes, 11)
        for passes in (RangePass(lines, cards, threads=1), SpotPass(lines, cards, xp, threads=1))
    ]
    other = tuple(parse_cards("8c9cTdKd")), tuple(weights[::-1].copy() for weights in cards.weights)
    for again in (False, True):
        for solver in solvers:
            if again:
                solver.restart(*other)
            solver.run(40)
        ours, theirs = (solver.evaluate() for solver in solvers)
        # Rounding decides between equal actions.
        bound = 2 * (ours.exploitability + theirs.exploitability)
        assert bound < 0.5
        assert theirs.values == pytest.approx(ours.values, abs=bound)


def test_a_strategy_that_is_written_is_what_is_valued(xp):
    solvers = [river().solver(threads=1, xp=which) for which in (None, xp)]
    solvers[0].run(20)
    solvers[1].run(1)
    solvers[1].adopt(solvers[0].learned, 20)
    for solver in solvers:
        lines = solver.passes.lines.seats[0]
        shares = np.zeros((int(lines.n_actions[0]), solver.hands_on(0, 0).size))
        shares[-1] = 1
        solver.set_average(0, 0, 0, shares)
        assert solver.average(0, 0, 0)[-1].min() == 1
    ours, theirs = (solver.evaluate() for solver in solvers)
    assert theirs.values == pytest.approx(ours.values, abs=1e-3)
    assert theirs.responses == pytest.approx(ours.responses, abs=1e-3)


def test_locks_are_refused():
    spot = river(locks=(parse_lock("k : k=1"),))
    with pytest.raises(UnsupportedGameError, match="a spot with locks cannot use a GPU"):
        spot.solver(xp=np)


def test_a_spot_that_the_memory_of_a_gpu_cannot_hold_is_refused(monkeypatch):
    passes = passes_of("one card", np, np.float32)[1]
    passes.xp = None  # not NumPy
    monkeypatch.setattr(spot_pass, "free_gpu_bytes", lambda: 1_000)
    with pytest.raises(TooLargeError, match=r"this spot needs .* of the GPU's memory"):
        passes._check_fits()
    monkeypatch.setattr(spot_pass, "free_gpu_bytes", lambda: 1_000_000)
    passes._check_fits()
