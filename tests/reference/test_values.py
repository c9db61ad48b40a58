"""Values of games that were published, found by every algorithm."""

import pytest

from counterfold.tree import (
    ALGORITHMS,
    Sampling,
    evaluate,
    expected_values,
    make_solver,
    solve_linear_program,
)
from helpers.compiled_games import LOSSLESS, compiled

KUHN = -1 / 18  # Kuhn 1950
LEDUC = -0.0856064  # OpenSpiel, by sequence-form linear programming; seven digits
DIGITS = 5e-8  # of what is published

# Iterations that take well below a second, and how far the value may be off. A full-width run has
# no chance in it. For the others, ten runs with seeds 10 to 19 had the bias and the deviation σ
# beside them, and the tolerance is |bias| + 5 σ, rounded up. As σ comes from ten runs only, a fresh
# seed exceeds it about once in a thousand (Student's t, 9 degrees of freedom); the test's is fixed.
FULL = 3_000, 1e-3
SAMPLED = {
    "kuhn": {
        "chance": (50_000, 4e-4),  # +4e-5, 6.7e-5
        "external": (200_000, 2e-4),  # +1e-5, 3.6e-5
        "external-linear": (200_000, 2.2e-4),  # +1e-5, 4.2e-5
        "average": (200_000, 1.6e-4),  # +1e-5, 2.9e-5
        "outcome": (200_000, 2.1e-3),  # +2.9e-4, 3.5e-4
    },
    "leduc": {
        "chance": (50_000, 0.024),  # -4.5e-3, 3.8e-3
        "external": (200_000, 0.011),  # -3.0e-3, 1.5e-3
        "external-linear": (200_000, 0.010),  # -3.5e-3, 1.2e-3
        "average": (200_000, 0.010),  # -3.2e-3, 1.4e-3
        "outcome": (500_000, 0.049),  # -9.9e-3, 7.8e-3
    },
}


@pytest.mark.parametrize(("game", "value"), [("kuhn", KUHN), ("leduc", LEDUC)])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_value(game, value, name):
    method = ALGORITHMS[name].method
    if method is None:
        strategy, tolerance = solve_linear_program(compiled(game)).strategy, DIGITS
    else:
        is_sampled = isinstance(method, Sampling)
        iterations, tolerance = SAMPLED[game][name] if is_sampled else FULL
        solver = make_solver(compiled(game), method, seed=1, horizon=iterations)
        solver.run(iterations)
        strategy = solver.average_strategy()
    found = evaluate(strategy)
    assert found.values[0] == pytest.approx(value, abs=tolerance)
    # Whatever the profile, the value lies between what the two best responses get.
    assert -found.responses[1] - DIGITS <= value <= found.responses[0] + DIGITS


@pytest.mark.parametrize("game", ["kuhn", "leduc", "liars-dice(faces=3)", "goofspiel(4)", "matrix"])
def test_the_linear_program_and_cfr_agree(game):
    value = solve_linear_program(compiled(game)).value
    solver = make_solver(compiled(game), ALGORITHMS["pcfr+"].method)
    solver.run(2_000)
    strategy = solver.average_strategy()
    found = evaluate(strategy)
    # The value lies within what either player could still gain; pcfr+ gets below 1e-3 of 13 chips.
    assert found.nash_conv < 1e-3
    assert -found.responses[1] - 1e-8 <= value <= found.responses[0] + 1e-8
    assert expected_values(strategy)[0] == pytest.approx(value, abs=found.nash_conv + 1e-8)


@pytest.mark.parametrize(
    ("game", "by_hand", "value"),
    [("kuhn-variant", "kuhn", KUHN), ("leduc-variant", "leduc", LEDUC)],
)
def test_kuhn_and_leduc_as_variants(game, by_hand, value):
    found, expected = compiled(game), compiled(by_hand)
    assert found.n_infosets == expected.n_infosets
    assert found.tree.n_nodes == expected.tree.n_nodes
    assert solve_linear_program(found).value == pytest.approx(value, abs=DIGITS)


def test_leduc_as_a_variant_with_suits_merged():
    found = compiled("leduc-variant", "ranks * board_ranks * history")
    assert found.n_infosets == compiled("leduc", LOSSLESS).n_infosets == 288
    assert solve_linear_program(found).value == pytest.approx(LEDUC, abs=DIGITS)
