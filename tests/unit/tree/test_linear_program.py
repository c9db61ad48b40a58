import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.errors import UnsupportedGameError
from counterfold.games import Matrix
from counterfold.tree import compile_game, expected_values, nash_conv, solve_linear_program
from helpers.compiled_games import LOSSLESS, ZERO_SUM, compiled

ROUNDING = 1e-8  # HiGHS keeps constraints to 1e-7 and reaches far less on games so small


@pytest.mark.parametrize("game", ZERO_SUM)
def test_the_solution_is_an_equilibrium_with_the_value_it_says(game):
    solution = solve_linear_program(compiled(game))
    assert nash_conv(solution.strategy) == pytest.approx(0.0, abs=ROUNDING)
    value = expected_values(solution.strategy)[0]
    assert solution.value == pytest.approx(value, abs=ROUNDING)


def test_kuhn_is_solved_as_kuhn_solved_it():
    """Kuhn 1950: all equilibria of player 0 form a line, that of player 1 is unique."""
    game = compiled("kuhn")
    strategy = solve_linear_program(game).strategy
    bets = {
        game.labels[i]: strategy.at(i)["bet"] for i in range(game.n_infosets)
    }  # the share of bets and calls
    alpha = bets["card=J"]
    assert -ROUNDING <= alpha <= 1 / 3 + ROUNDING
    expected = {
        "card=J": alpha,
        "card=Q": 0,
        "card=K": 3 * alpha,
        "card=J history=pb": 0,
        "card=Q history=pb": alpha + 1 / 3,
        "card=K history=pb": 1,
        "card=J history=p": 1 / 3,
        "card=Q history=p": 0,
        "card=K history=p": 1,
        "card=J history=b": 0,
        "card=Q history=b": 1 / 3,
        "card=K history=b": 1,
    }
    assert bets == pytest.approx(expected, abs=ROUNDING)


def test_rock_paper_scissors_is_played_evenly():
    solution = solve_linear_program(compiled("rps"))
    assert solution.strategy.probabilities == pytest.approx(np.full(6, 1 / 3), abs=ROUNDING)


numbers = st.integers(-20, 20)


@given(st.tuples(numbers, numbers, numbers, numbers))
def test_the_value_of_two_by_two_is_the_saddle_point_or_the_mixture(entries):
    """von Neumann and Morgenstern: (ad - bc) / (a + d - b - c) unless there is a saddle point."""
    a, b, c, d = entries
    lower, upper = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    value = lower if lower == upper else (a * d - b * c) / (a + d - b - c)
    solution = solve_linear_program(compile_game(Matrix(((a, b), (c, d)))))
    assert solution.value == pytest.approx(value, abs=1e-7)
    assert nash_conv(solution.strategy) == pytest.approx(0.0, abs=1e-7)


def test_a_lossless_abstraction_has_the_value_of_the_game():
    exact, merged = (solve_linear_program(compiled("leduc", a)) for a in ("everything", LOSSLESS))
    assert merged.value == pytest.approx(exact.value, abs=ROUNDING)
    assert nash_conv(merged.strategy.lift()) == pytest.approx(0.0, abs=ROUNDING)


@pytest.mark.parametrize(
    ("game", "abstraction", "message"),
    [
        ("nash-bargaining(3)", "everything", "needs a two-player zero-sum game, and nash-barg"),
        ("toy", "everything", "needs a two-player zero-sum game, and ThreeCards"),
        ("kuhn", "card", "needs perfect recall, which kuhn under card does not have"),
    ],
)
def test_games_without_the_theory_are_refused(game, abstraction, message):
    with pytest.raises(UnsupportedGameError, match=message):
        solve_linear_program(compiled(game, abstraction))
