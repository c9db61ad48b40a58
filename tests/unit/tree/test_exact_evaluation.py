import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.errors import UnsupportedGameError
from counterfold.games import Matrix
from counterfold.tree import (
    Strategy,
    best_response,
    compile_game,
    evaluate,
    expected_values,
    exploitability,
    nash_conv,
    normalized,
    solve_linear_program,
    uniform_strategy,
)
from helpers.compiled_games import (
    LOSSLESS,
    compiled,
    player_slots,
    random_pure_strategy,
    random_strategy,
)

GAMES = ("kuhn", "leduc", "rps", "liars-dice(faces=3)", "goofspiel(3)", "nash-bargaining(3)", "toy")
ROUNDING = 1e-11  # of values below 13 in sums of 10^4 terms

seeds = st.builds(np.random.default_rng, st.integers(0, 2**32 - 1))


def deviate(strategy, player, other):
    """`strategy`, but `player` plays as in `other`."""
    mixed = strategy.probabilities.copy()
    own = player_slots(strategy.game, player)
    mixed[own] = other.probabilities[own]
    return Strategy(strategy.game, mixed)


@given(st.sampled_from(GAMES), st.sampled_from([random_strategy, random_pure_strategy]), seeds)
def test_no_deviation_is_better_than_a_best_response(name, draw, rng):
    game = compiled(name)
    strategy, other = random_strategy(game, rng), draw(game, rng)
    for player in range(game.game.n_players):
        best, _ = best_response(strategy, player)
        assert expected_values(deviate(strategy, player, other))[player] <= best + ROUNDING


@given(st.sampled_from(GAMES), seeds)
def test_a_best_response_gets_what_it_says_and_the_others_play_on(name, rng):
    strategy = random_strategy(compiled(name), rng)
    for player in range(strategy.game.game.n_players):
        best, response = best_response(strategy, player)
        assert expected_values(response)[player] == pytest.approx(best, abs=ROUNDING)
        np.testing.assert_array_equal(
            deviate(response, player, strategy).probabilities, strategy.probabilities
        )
        assert set(response.probabilities[player_slots(strategy.game, player)]) <= {0.0, 1.0}


@given(st.sampled_from(GAMES), seeds)
def test_figures_fit_together(name, rng):
    strategy = random_strategy(compiled(name), rng)
    found = evaluate(strategy)
    gains = np.subtract(found.responses, found.values)
    assert (gains >= -ROUNDING).all()
    assert found.nash_conv == nash_conv(strategy) == pytest.approx(gains.sum())
    assert found.values == tuple(expected_values(strategy))
    for player, best in enumerate(found.responses):
        assert best == best_response(strategy, player)[0]
    if strategy.game.game.zero_sum:
        assert sum(found.values) == pytest.approx(0.0, abs=ROUNDING)
    if strategy.game.is_two_player_zero_sum:
        assert found.exploitability == exploitability(strategy) == found.nash_conv / 2


def test_uniform_kuhn():
    strategy = uniform_strategy(compiled("kuhn"))
    assert nash_conv(strategy) == pytest.approx(11 / 12)  # REFERENCE.md, from OpenSpiel
    # Over the six deals showdowns are even, so only folds count, each worth the ante: player 1
    # folds in `bp`, a quarter of all plays, and player 0 in `pbp`, an eighth.
    assert expected_values(strategy)[0] == pytest.approx(1 / 4 - 1 / 8)


def test_rock_is_exploited_by_paper():
    game = compiled("rps")
    rock = normalized(game, [1, 0, 0, 1, 0, 0])
    value, response = best_response(rock, 0)
    assert value == 1.0
    assert response.at(0) == {"rock": 0.0, "paper": 1.0, "scissors": 0.0}
    assert nash_conv(rock) == 2.0
    assert exploitability(rock) == 1.0


def test_general_sum_games_have_nash_conv_but_no_exploitability():
    # The prisoner's dilemma, rows and columns being silence and betrayal.
    dilemma = compile_game(Matrix(((3, 0), (5, 1)), ((3, 5), (0, 1))))
    silent, betrayed = normalized(dilemma, [1, 0, 1, 0]), normalized(dilemma, [0, 1, 0, 1])
    assert nash_conv(silent) == 4.0  # each would gain 5 - 3
    assert nash_conv(betrayed) == 0.0
    assert evaluate(silent).exploitability is None
    with pytest.raises(UnsupportedGameError, match="two-player zero-sum games, and matrix"):
        exploitability(silent)


def test_three_players_have_nash_conv_but_no_exploitability(rng):
    strategy = random_strategy(compiled("toy"), rng)
    assert nash_conv(strategy) > 0
    with pytest.raises(UnsupportedGameError, match="use nash_conv"):
        exploitability(strategy)


@given(seeds)
def test_a_lossless_abstraction_keeps_value_and_exploitability(rng):
    strategy = random_strategy(compiled("leduc", LOSSLESS), rng)
    inside, outside = evaluate(strategy), evaluate(strategy.lift())
    assert inside.values == pytest.approx(outside.values, abs=ROUNDING)
    # Suits say nothing about the other's cards beyond ranks, so nothing is gained by seeing them.
    assert inside.responses == pytest.approx(outside.responses, abs=ROUNDING)
    assert not inside.bound


@given(st.sampled_from(["rank * board_rank", "rank * history", "board * history", "pot"]), seeds)
def test_an_abstraction_keeps_values_and_hides_exploitability(abstraction, rng):
    """The responder outside sees at least what the one inside sees."""
    strategy = random_strategy(compiled("leduc", abstraction), rng)
    inside, outside = evaluate(strategy), evaluate(strategy.lift())
    assert inside.values == pytest.approx(outside.values, abs=ROUNDING)
    for seen, all_seen in zip(inside.responses, outside.responses, strict=True):
        assert all_seen >= seen - ROUNDING
    assert inside.bound is not compiled("leduc", abstraction).perfect_recall


def test_an_equilibrium_of_a_lossy_abstraction_is_none_of_the_game():
    game = compiled("leduc", "rank * history")  # nobody sees the board
    strategy = solve_linear_program(game).strategy
    assert exploitability(strategy) == pytest.approx(0.0, abs=1e-8)
    # A responder who sees the board knows when it holds a pair; anything above rounding shows it.
    assert exploitability(strategy.lift()) > 0.01


def test_with_imperfect_recall_responses_are_bounds():
    game = compiled("kuhn", "nothing")
    strategy = uniform_strategy(game)
    found = evaluate(strategy)
    assert found.bound
    # Player 0 has one distribution, played at most twice in a history: try them all.
    for bet in np.linspace(0, 1, 101):
        forgetful = normalized(game, [1 - bet, bet, 0.5, 0.5])
        assert expected_values(forgetful)[0] <= found.responses[0] + ROUNDING
    with pytest.raises(UnsupportedGameError, match="recall is imperfect; lift the strategy"):
        best_response(strategy, 0)
