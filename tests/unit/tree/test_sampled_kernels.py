"""Sampled walks: each step against plain Python, and their mean against the full-width walk."""

from functools import cache

import numpy as np
import pytest

from counterfold.jit.random import stream_key
from counterfold.tree import ALGORITHMS, Sampling, make_solver, normalized, sampled_kernels
from helpers.compiled_games import compiled, player_slots, slots
from helpers.naive import textbook_cfr

# The published parameters of average-strategy sampling explore nearly everything in so small a
# game; these leave actions out often.
SPARSE = Sampling(epsilon=0.2, tau=1.0, beta=0.5)

METHODS = {
    "chance": ALGORITHMS["chance"].method,
    "external": ALGORITHMS["external"].method,
    "outcome": ALGORITHMS["outcome"].method,
    "average": ALGORITHMS["average"].method,
    "average-sparse": SPARSE,
}


@cache
def solver_for(game, method):
    return make_solver(compiled(game), METHODS[method])


def walk_once(solver, player, weight, stream, regrets, averages):
    """One walk of the solver's method, accumulated in the tables; `stream` is seed and number."""
    tree, plan, stack = solver._tree, solver.sampling, solver._stack
    key = np.uint64(stream_key(*stream))  # the type is lost on the way through Python
    if plan.single:
        sampled_kernels.follow(tree, player, plan.epsilon, weight, key, regrets, averages, stack)
    else:
        sampled_kernels.walk(tree, player, plan, weight, key, regrets, averages, stack)


@pytest.mark.parametrize("game", ["kuhn", "toy"])
def test_chance_is_sampled_by_its_probabilities(game):
    tree = solver_for(game, "external")._tree
    for node in np.flatnonzero(tree.player == -1):
        children = np.arange(tree.first_child[node], tree.first_child[node + 1])
        edges = np.concatenate(([0.0], np.cumsum(tree.chance[children])))
        for low, high, child in zip(edges[:-1], edges[1:], children, strict=True):
            for number in (low + 1e-9, (low + high) / 2, high - 1e-9):
                assert sampled_kernels.sample_chance(tree, node, number) == child


WALKS = 10_000
WEIGHT = 3.0


@cache
def increments(name, method):
    """Tables before, and what each of many walks for each player adds to regrets and averages."""
    game, solver = compiled(name), solver_for(name, method)
    rng = np.random.default_rng(1)
    regrets = rng.normal(size=game.n_slots)
    averages = rng.exponential(size=game.n_slots)
    added = np.empty((game.game.n_players, WALKS, 2, game.n_slots))
    for player in range(game.game.n_players):
        for k in range(WALKS):
            after = regrets.copy(), averages.copy()
            walk_once(solver, player, WEIGHT, (5, k), *after)
            added[player, k] = after[0] - regrets, after[1] - averages
    return regrets, added


def full_width(name, regrets):
    """Per player: counterfactual regrets, and Σ over histories of nature × own reach × σ."""
    game = compiled(name)
    strategy = {
        infoset: textbook_cfr.match(regrets[slots(game, i)].tolist())
        for i, infoset in enumerate(game.tree.infosets)
    }
    root = textbook_cfr.unfold(game.game.root())
    expected = np.zeros((game.game.n_players, 2, game.n_slots))
    for player in range(game.game.n_players):
        sums = textbook_cfr.Sums()
        textbook_cfr.traverse(root, strategy, player, sums)
        for i, infoset in enumerate(game.tree.infosets):
            if infoset.player == player:
                expected[player, 0, slots(game, i)] = sums.regrets[infoset]
                played = sums.visits[infoset] * np.array(strategy[infoset])
                expected[player, 1, slots(game, i)] = played
    return expected


def assert_mean(samples, expected):
    """The mean is within five standard errors everywhere, or exact where nothing varies.

    A right mean fails in one slot with probability 6e-7, so in all the tests here, which compare
    about 500 slots, with 3e-4; the seed is fixed.
    """
    error = samples.std(axis=0, ddof=1) / len(samples) ** 0.5
    assert (np.abs(samples.mean(axis=0) - expected) <= 5 * error + 1e-12).all()


@pytest.mark.parametrize("method", METHODS)
def test_sampled_regrets_are_on_average_the_counterfactual_regrets(method):
    game = compiled("kuhn")
    regrets, added = increments("kuhn", method)
    expected = full_width("kuhn", regrets)
    for player in (0, 1):
        assert_mean(added[player, :, 0], WEIGHT * expected[player, 0])
        other = player_slots(game, 1 - player)
        assert not added[player, :, 0, other].any()  # a walk teaches its traverser only


@pytest.mark.parametrize("method", METHODS)
def test_sampled_strategies_are_weighted_by_the_reach_of_their_player(method):
    """The traverser's average where all is explored, else that of the player after it."""
    regrets, added = increments("kuhn", method)
    expected = full_width("kuhn", regrets)
    for player in (0, 1):
        learner = player if METHODS[method].expand else 1 - player
        assert_mean(added[player, :, 1], WEIGHT * expected[learner, 1])


@pytest.mark.parametrize("method", METHODS)
def test_a_walk_is_determined_by_its_key(method):
    solver = solver_for("leduc", method)
    first, second, other = (np.zeros((2, solver.game.n_slots)) for _ in range(3))
    for player in (0, 1):
        walk_once(solver, player, 1.0, (0, 1), *first)
        walk_once(solver, player, 1.0, (0, 1), *second)
        walk_once(solver, player, 1.0, (0, 2), *other)
    np.testing.assert_array_equal(first, second)
    assert (first != other).any()


@pytest.mark.parametrize(
    ("game", "iterations"),
    # Later some actions of goofspiel(4) are worth exactly the same, and rounding chooses.
    [("goofspiel(3)", 5), ("goofspiel(4)", 1), ("matrix", 20), ("rps", 5)],
)
def test_chance_sampling_without_chance_is_full_width(game, iterations):
    """Nothing is left to sample, so one walk a player is one iteration of alternating CFR.

    A player does not see the other's action in these games, so a walk meets an infoset repeatedly.
    """
    sampled, full = (make_solver(compiled(game), ALGORITHMS[a].method) for a in ("chance", "cfr"))
    for _ in range(iterations):
        sampled.run(1)
        full.run(1)
        assert sampled.regrets == pytest.approx(full.regrets, abs=1e-12)
    # Sums are per history there and per infoset here; what is played is the same.
    played = normalized(sampled.game, sampled.averages), normalized(full.game, full.averages)
    assert played[0].probabilities == pytest.approx(played[1].probabilities, abs=1e-12)


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_an_iteration_is_one_walk_per_player_with_its_own_stream(method, linear):
    plan = METHODS[method]._replace(linear=linear)
    solver = make_solver(compiled("kuhn"), plan, seed=42)
    regrets, averages = np.zeros(24), np.zeros(24)  # Kuhn has 12 infosets of 2 actions
    for t in range(1, 21):
        for player in (0, 1):
            weight = float(t) if linear else 1.0
            walk_once(solver, player, weight, (42, 2 * t + player), regrets, averages)
    solver.run(20)
    np.testing.assert_array_equal(solver.regrets, regrets)
    np.testing.assert_array_equal(solver.averages, averages)


@pytest.mark.parametrize("game", ["kuhn", "toy", "leduc"])
@pytest.mark.parametrize("method", METHODS)
def test_iterations_do_not_depend_on_how_they_are_grouped(game, method):
    together, apart = (make_solver(compiled(game), METHODS[method], seed=3) for _ in range(2))
    together.run(100)
    for iterations in (1, 0, 60, 39):
        apart.run(iterations)
    np.testing.assert_array_equal(together.regrets, apart.regrets)
    np.testing.assert_array_equal(together.averages, apart.averages)
