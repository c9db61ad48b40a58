import numpy as np
import pytest

from counterfold.errors import StrategyError
from counterfold.tree import Strategy, normalized, uniform_strategy
from helpers.compiled_games import LOSSLESS, compiled, random_strategy, slots


@pytest.mark.parametrize("size", [0, 23, 25, 936])
def test_a_wrong_number_of_probabilities_is_refused(size):
    # Kuhn has 12 information sets with two actions each.
    with pytest.raises(StrategyError, match=f"{size} probabilities, but kuhn has 24 actions"):
        Strategy(compiled("kuhn"), np.full(size, 0.5))


def test_a_table_of_two_dimensions_is_refused():
    with pytest.raises(StrategyError, match="24 probabilities, but kuhn has 24"):
        Strategy(compiled("kuhn"), np.full((12, 2), 0.5))


@pytest.mark.parametrize(
    "wrong", [(0.5, 0.6), (0.4, 0.5), (-0.1, 1.1), (np.nan, 0.5), (np.inf, 0.5), (0.0, 0.0)]
)
@pytest.mark.parametrize("i", [0, 5, 11])
def test_what_is_no_distribution_is_refused_with_its_place(i, wrong):
    game = compiled("kuhn")
    probabilities = np.full(24, 0.5)
    probabilities[slots(game, i)] = wrong
    with pytest.raises(StrategyError, match="is not a distribution") as caught:
        Strategy(game, probabilities)
    assert f"at {game.labels[i]!r} " in str(caught.value)


def test_rounding_of_single_precision_is_accepted(rng):
    game = compiled("leduc")
    rounded = random_strategy(game, rng).probabilities.astype(np.float32).astype(np.float64)
    assert Strategy(game, rounded).probabilities is rounded


def test_uniform_is_one_over_the_number_of_actions():
    game = compiled("leduc")
    strategy = uniform_strategy(game)
    for i, actions in enumerate(game.actions):
        assert strategy.at(i) == {action: 1 / len(actions) for action in actions}


def test_normalized_sums_are_proportional_and_uniform_where_they_vanish():
    game = compiled("kuhn")
    sums = np.zeros(24)
    sums[slots(game, 3)] = 1.0, 3.0
    sums[slots(game, 4)] = 1e-300, 0.0
    strategy = normalized(game, sums)
    assert strategy.at(3) == {"pass": 0.25, "bet": 0.75}
    assert strategy.at(4) == {"pass": 1.0, "bet": 0.0}
    assert strategy.at(5) == {"pass": 0.5, "bet": 0.5}


def test_lifting_plays_alike_wherever_the_abstraction_merges(rng):
    game = compiled("leduc", LOSSLESS)
    strategy = random_strategy(game, rng)
    lifted = strategy.lift()
    assert lifted.game.is_exact
    for k, i in enumerate(game.infoset_of):
        assert lifted.at(k) == strategy.at(int(i))


def test_lifting_an_exact_strategy_gives_itself(rng):
    strategy = random_strategy(compiled("leduc"), rng)
    assert strategy.lift() is strategy
