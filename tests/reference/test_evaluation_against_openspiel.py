"""Values and NashConv of random profiles are OpenSpiel's, computed on the transferred policy."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import exploitability as oracle
from open_spiel.python.algorithms.expected_game_score import policy_value

from counterfold.games import Goofspiel, LiarsDice, Matrix, NashBargaining, RockPaperScissors
from counterfold.tree import compile_game, evaluate
from helpers import openspiel_walk
from helpers.compiled_games import compiled, random_pure_strategy, random_strategy
from helpers.openspiel_walk import walk_together

DILEMMA = ((3, 0), (5, 1)), ((3, 5), (0, 1))  # general-sum
LOPSIDED = ((1, -2, 0.5), (-1, 3, 0)), None


def bargaining(units):
    asks = range(units + 1)
    return [
        [[(mine, yours)[p] * (mine + yours <= units) for yours in asks] for mine in asks]
        for p in (0, 1)
    ]


# Our rules, OpenSpiel's, and the number of an action there.
PAIRS = {
    "kuhn": (compiled("kuhn").game, pyspiel.load_game("kuhn_poker"), openspiel_walk.kuhn_number),
    "leduc": (compiled("leduc").game, openspiel_walk.leduc(), openspiel_walk.leduc_number),
    "liars-dice(3)": (
        LiarsDice(3),
        openspiel_walk.liars_dice(3, 1),
        openspiel_walk.liars_dice_number(3, 1),
    ),
    "liars-dice(2, 2)": (
        LiarsDice(2, 2),
        openspiel_walk.liars_dice(2, 2),
        openspiel_walk.liars_dice_number(2, 2),
    ),
    "goofspiel(3)": (Goofspiel(3), openspiel_walk.goofspiel(3), openspiel_walk.goofspiel_number),
    "goofspiel(4)": (Goofspiel(4), openspiel_walk.goofspiel(4), openspiel_walk.goofspiel_number),
    "goofspiel(3, random)": (
        Goofspiel(3, "random"),
        openspiel_walk.goofspiel(3, "random"),
        openspiel_walk.goofspiel_number,
    ),
    "rps": (
        RockPaperScissors(),
        pyspiel.load_game("turn_based_simultaneous_game(game=matrix_rps())"),
        openspiel_walk.rps_number,
    ),
    "matrix": (Matrix(*LOPSIDED), openspiel_walk.matrix(*LOPSIDED), int),
    "dilemma": (Matrix(*DILEMMA), openspiel_walk.matrix(*DILEMMA), int),
    "nash-bargaining(4)": (NashBargaining(4), openspiel_walk.matrix(*bargaining(4)), int),
}


def transfer(strategy, other, found):
    """`strategy` as a policy of OpenSpiel's game."""
    game = strategy.game
    policy = policies.TabularPolicy(other)
    assert len(policy.state_lookup) == game.n_infosets
    for i, infoset in enumerate(game.tree.infosets):
        _, text = found.strings[infoset]
        row = policy.action_probability_array[policy.state_lookup[text]]
        row[:] = 0.0
        row[list(found.actions[infoset])] = list(strategy.at(i).values())
    return policy


@pytest.mark.parametrize("name", PAIRS)
def test_value_and_nash_conv(name, rng):
    rules, other, number = PAIRS[name]
    game = compile_game(rules)
    found = walk_together(rules, other, number)
    for draw in (random_strategy, random_strategy, random_pure_strategy):
        strategy = draw(game, rng)
        policy = transfer(strategy, other, found)
        ours = evaluate(strategy)
        values = policy_value(other.new_initial_state(), [policy, policy])
        assert ours.values == pytest.approx(tuple(np.ravel(values)), abs=1e-9)
        theirs = oracle.nash_conv(other, policy, return_only_nash_conv=False)
        assert ours.nash_conv == pytest.approx(theirs.nash_conv, abs=1e-9)
        gains = np.subtract(ours.responses, ours.values)
        assert gains == pytest.approx(np.ravel(theirs.player_improvements), abs=1e-9)
        if game.is_two_player_zero_sum:
            half = oracle.exploitability(other, policy)
            assert ours.exploitability == pytest.approx(half, abs=1e-9)
