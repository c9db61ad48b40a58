"""Solvers that serve one spot after another: as new ones would, and not made twice."""

import numpy as np
import pytest

from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.cards import parse_cards
from counterfold.cards.ranges import parse_range
from counterfold.errors import CardError
from counterfold.games.holdem import VARIANTS
from counterfold.ranges.betting_tree import spot_root
from counterfold.ranges.kept.kept_solvers import KeptSolvers
from counterfold.ranges.spot import Spot

MENU = parse_spot_menu("50%, allin")
WIDE, NARROW = parse_range("22+,A2s+,KTo+").weights, parse_range("QQ+,76s").weights


def _ask(kept: KeptSolvers, board: str, *, pot: int = 10, wide: bool = True):
    cards = tuple(parse_cards(board))
    variant, root, dead = spot_root(VARIANTS["nolimit"](), len(cards), pot, 30)
    weights = (WIDE, NARROW) if wide else (NARROW, WIDE)
    return kept.solver(variant, root, MENU, cards, weights, dead=dead).solver


def _ranges(*, wide: bool) -> dict[str, str]:
    texts = ("22+,A2s+,KTo+", "QQ+,76s")
    first, second = texts if wide else texts[::-1]
    return {"oop": second, "ip": first}  # the second seat is out of position


@pytest.mark.parametrize("turn", [False, True])
def test_a_kept_solver_finds_what_a_new_one_finds(turn: bool) -> None:
    kept = KeptSolvers(threads=1)
    boards = ("Kc7c2d9h", "Ah7c2d3s") if turn else ("Kc7c2d9h3s", "Ah7c2d3s4s")
    asked = [(boards[0], True), (boards[1], False), (boards[1], True), (boards[0], True)]
    for board, wide in asked:
        solver = _ask(kept, board, pot=11, wide=wide)
        solver.run(12)
        spot = Spot(board=board, pot=11, stack=30, bets="50%, allin", **_ranges(wide=wide))
        fresh = spot.solver(threads=1)
        fresh.run(12)
        assert solver.evaluate() == fresh.evaluate()
        for name, table in fresh.tables.items():
            assert np.array_equal(solver.tables[name], table)


def test_solvers_are_kept_by_their_betting() -> None:
    kept = KeptSolvers(2)
    first = _ask(kept, "Kc7c2d9h3s")
    assert _ask(kept, "Ah7c2d3s4s", wide=False) is first
    other = _ask(kept, "Kc7c2d9h3s", pot=12)
    assert other is not first
    assert _ask(kept, "Kc7c2d9h3s") is first
    _ = _ask(kept, "Kc7c2d9h3s", pot=13)  # the third: the one of pot 12 goes
    assert _ask(kept, "Kc7c2d9h3s") is first
    assert _ask(kept, "Kc7c2d9h3s", pot=12) is not other


def test_tables_stay_where_they_are_if_they_fit() -> None:
    kept = KeptSolvers()
    large = _ask(kept, "Kc7c2d9h3s").tables
    _ = _ask(kept, "Ah7c2d3s4s")  # has fewer hands
    for name, table in _ask(kept, "Kc7c2d9h3s").tables.items():
        assert np.shares_memory(table, large[name])


def test_cards_that_do_not_fit_are_refused() -> None:
    solver = _ask(KeptSolvers(), "Kc7c2d9h3s")
    with pytest.raises(CardError, match="5 cards"):
        solver.restart(tuple(parse_cards("Kc7c2d9h")), (WIDE, NARROW))
    with pytest.raises(CardError, match="no hand"):
        solver.restart(tuple(parse_cards("Kc7c2d9h3s")), (WIDE, np.zeros(1326)))
    same = parse_range("AcAd").weights
    with pytest.raises(CardError, match="shares a card"):
        solver.restart(tuple(parse_cards("Kc7c2d9h3s")), (same, same))
