"""The full-width solver: which iteration has which weights, in one run or in several."""

import numpy as np

from counterfold.discounting import DCFR
from counterfold.tree import full_width
from counterfold.tree.full_width import FullWidthSolver
from helpers.compiled_games import compiled


def test_the_first_iteration_has_the_weights_of_the_first(monkeypatch):
    solver = FullWidthSolver(compiled("kuhn"), DCFR, horizon=100)
    given = []
    monkeypatch.setattr(
        full_width.sequence_form_kernels, "iterate", lambda *args: given.append(args[3])
    )
    for n in (1, 3, 2):
        solver.run(n)
    assert np.array_equal(np.concatenate(given), DCFR.weights(1, 6, 100))
    assert solver.iterations == 6


def test_a_run_in_pieces_is_a_run():
    whole, pieces = (FullWidthSolver(compiled("kuhn"), DCFR, horizon=100) for _ in range(2))
    whole.run(7)
    for n in (1, 4, 2):
        pieces.run(n)
    for name, table in whole.tables.items():
        assert np.array_equal(table, pieces.tables[name])
