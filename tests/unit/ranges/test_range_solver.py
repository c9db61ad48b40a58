"""Spots against the linear program of the whole game, known values and closed forms."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from counterfold.cards import parse_deck
from counterfold.cards.text import N_CARDS
from counterfold.games.holdem import Street, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.betting_tree import build_betting_tree
from counterfold.ranges.board_cards import BoardCards
from counterfold.ranges.line_tree import find_lines
from counterfold.ranges.range_pass import RangePass
from counterfold.ranges.range_solver import RangeSolver
from counterfold.ranges.spot import Spot
from counterfold.tree import compile_game, solve_linear_program

ROUNDING = 1e-5  # chips; tables and vectors are of 32 bits, as in spots

FIRST = Street(bet=1, max_bets=1, first=0)
KUHN = Variant(
    "kuhn", (FIRST,), betting="limit", blinds=(0, 0), ante=1, deck=parse_deck("JQK/c"),
    hole_cards=1, stack=100,
)  # fmt: skip
LEDUC = Variant(
    "leduc",
    (Street(bet=2, max_bets=2, first=0), Street(cards=1, bet=4, max_bets=2, first=0)),
    betting="limit", blinds=(0, 0), ante=1, deck=parse_deck("JQK/cd"), hole_cards=1, stack=100,
)  # fmt: skip
PAIRS = Variant(
    "pairs",
    (Street(bet=2, max_bets=2, first=0), Street(cards=1, bet=2, max_bets=2, first=1)),
    betting="limit", blinds=(1, 2), deck=parse_deck("TJQKA/c"), stack=100,
)  # fmt: skip
SHORT = replace(PAIRS, title="short stacks", stack=5)  # all-in before the last street


def whole_game(variant: Variant, *, merge: bool = True) -> RangeSolver:
    """A solver of a game with fixed limits from its first deal on, all hands alike."""
    tree = build_betting_tree(variant, tuple(betting.first_situation(variant.rules)), None)
    lines = find_lines(tree)
    n = N_CARDS if variant.hole_cards == 1 else 1326
    all_in = tuple(lines.shows.tolist())
    cards = BoardCards(variant, (), (np.ones(n), np.ones(n)), all_in, merge)
    return RangeSolver(RangePass(lines, cards, np.float32), 2)


@pytest.mark.parametrize(
    ("variant", "value"), [(KUHN, -1 / 18), (LEDUC, -0.085606424078)], ids=["kuhn", "leduc"]
)
def test_known_games_have_their_known_values(variant: Variant, value: float) -> None:
    solver = whole_game(variant)
    solver.run(3000)
    found = solver.evaluate()
    assert -ROUNDING <= found.exploitability < 2e-4
    assert found.values[0] == pytest.approx(value, abs=found.exploitability + ROUNDING)


@pytest.mark.parametrize("merge", [False, True], ids=["all suits", "suits merged"])
@pytest.mark.parametrize("variant", [PAIRS, SHORT], ids=lambda variant: variant.title)
def test_the_value_is_that_of_the_linear_program(variant: Variant, merge: bool) -> None:
    wanted = solve_linear_program(compile_game(variant)).value
    solver = whole_game(variant, merge=merge)
    solver.run(1000)
    found = solver.evaluate()
    assert found.exploitability < 1e-3
    assert found.values[0] == pytest.approx(wanted, abs=2 * found.exploitability + ROUNDING)
    # A best response wins at least the value of the game.
    assert found.responses[0] >= wanted - ROUNDING
    assert found.responses[1] >= -wanted - ROUNDING


@pytest.mark.slow  # compiles the walk once more
def test_single_precision_values_a_strategy_as_double_precision_does() -> None:
    spot = Spot(board="Kc7c2d9h", oop="AA,KQs,76s", ip="QQ,AKo,T9s", pot=10, stack=30, bets="50%")
    single, double = (spot.solver(dtype=dtype) for dtype in (np.float32, np.float64))
    single.run(50)
    for name, table in single.tables.items():
        double.tables[name][:] = table
    one, other = single.evaluate(), double.evaluate()
    assert one.values == pytest.approx(other.values, abs=2e-5)
    assert one.responses == pytest.approx(other.responses, abs=2e-5)


def test_a_run_in_pieces_is_a_run() -> None:
    spot = Spot(board="Kc7c2d9h3s", oop="AA,KQs,76s", ip="QQ,AKo,T9s", pot=10, stack=30, bets="50%")
    whole, pieces = spot.solver(), spot.solver()
    whole.run(37)
    for n in (1, 1, 2, 3, 30):
        pieces.run(n)
    assert pieces.iterations == whole.iterations
    for name, table in whole.tables.items():
        assert np.array_equal(table, pieces.tables[name])


def test_exploitability_falls() -> None:
    spot = Spot(board="Kc7c2d9h", oop="AA,KQs,76s", ip="QQ,AKo,T9s", pot=10, stack=30, bets="50%")
    solver = spot.solver()
    found = []
    for n in (10, 90, 400):
        solver.run(n)
        found.append(solver.evaluate().exploitability_percent)
    assert found[0] > found[1] > found[2]
    assert found[2] < 0.05


@pytest.mark.slow
def test_packed_tables_find_nearly_the_same() -> None:
    spot = Spot(board="Kc7c2d9h", oop="AA,KQs,76s", ip="QQ,AKo,T9s", pot=10, stack=30, bets="50%")
    packed, plain = spot.solver(packed=True), spot.solver()
    sizes = [sum(table.nbytes for table in s.tables.values()) for s in (packed, plain)]
    assert sizes[0] < 0.55 * sizes[1]
    for solver in (packed, plain):
        solver.run(300)
    assert packed.evaluate().exploitability_percent < 0.1
    assert packed.evaluate().values == pytest.approx(plain.evaluate().values, abs=0.01)


@pytest.mark.parametrize(("rake", "passes"), [(0.0, 2), (0.05, 4)])
def test_exploitability_needs_values_only_where_the_house_takes_some(
    monkeypatch: pytest.MonkeyPatch, rake: float, passes: int
) -> None:
    spot = Spot(board="Kc7c2d9h3s", oop="AA,KQs,76s", ip="QQ,AKo,T9s", pot=10, stack=30, bets="50%")
    solver = replace(spot, rake=rake).solver()
    solver.run(20)
    expected = solver.evaluate().exploitability
    asked: list[int] = []
    totals = solver.passes.totals

    def counted(turns: Any, learned: Any) -> Any:
        asked.append(len(turns))
        return totals(turns, learned)

    monkeypatch.setattr(solver.passes, "totals", counted)
    assert solver.exploitability() == pytest.approx(expected, abs=1e-5)
    assert asked == [passes]
