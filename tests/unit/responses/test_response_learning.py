"""Responders that learn: they begin as the bot, come near the best response, and can be kept."""

import threading

import numpy as np
import pytest

from counterfold.blueprints.enumerated import EnumeratedGame, Knowledge, evaluate_enumerated
from counterfold.errors import ArtifactError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.responses.frozen_opponent import EVIDENCE
from counterfold.responses.response_learning import (
    ResponseSolver,
    learn_response,
    response_plan,
)
from counterfold.runs.budget import Budget
from counterfold.training.train_folder import load_trained
from counterfold.training.train_run import train
from helpers.small_recipes import plan
from helpers.trained_runs import randomized, untrained_run


def test_a_responder_begins_as_the_bot(small_runs):
    bot = randomized(small_runs["nolimit"], 0)
    played = ResponseSolver(bot, response_plan(bot)).best_actions()[0]
    assert_alike(played.probabilities(), bot.blueprint.probabilities())


def assert_alike(played, usual):
    """Steps are rounded."""
    np.testing.assert_allclose(played, usual, atol=1 / 255)


def test_the_action_that_gained_most_is_played_where_it_is_no_accident(small_runs, rng):
    bot = randomized(small_runs["nolimit"], 0)
    solver = ResponseSolver(bot, response_plan(bot))
    solver.regrets[:] = rng.normal(size=solver.regrets.size)
    solver.averages[:] = rng.random(solver.averages.size)
    game, gains, squares = solver.game, *map(solver.by_class, ("regrets", "averages"))
    usual = bot.blueprint.probabilities()
    played = solver.best_actions()[0].probabilities()
    n_better = 0
    for c in range(game.n_classes):
        rows, width = slice(game.offsets[c], game.offsets[c + 1]), game.n_actions[c]
        some, errors = (x[rows].reshape(-1, width) for x in (gains, np.sqrt(squares)))
        best = some.argmax(axis=1)[:, None]
        better = np.take_along_axis(some / errors, best, axis=1) > EVIDENCE
        expected = np.where(better, np.eye(width)[best[:, 0]], usual[rows].reshape(-1, width))
        assert_alike(played[rows].reshape(-1, width), expected)
        n_better += better.sum()
    assert 0.2 < n_better / game.n_infosets < 0.8


def test_one_accident_changes_nothing(small_runs):
    """An action that was tried once may have gained a whole stack."""
    bot = randomized(small_runs["nolimit"], 0)
    found = learn_response(bot, Budget(iterations=1), seed=3, threads=1)
    assert_alike(found.run.blueprint.probabilities(), bot.blueprint.probabilities())


def test_learning_comes_near_the_best_response():
    bot = randomized(untrained_run(plan()), 1)  # of Leduc
    found = learn_response(bot, Budget(iterations=100_000), seed=3, threads=1)
    assert share_of_best(bot, found.run) > 0.98


@pytest.mark.parametrize("name", ["nolimit", "bounty-exact", "auction-sealed", "discard-history"])
def test_learning_wins_most_of_what_the_best_response_wins(small_runs, name):
    bot = randomized(small_runs[name], 1)
    found = learn_response(bot, Budget(iterations=50_000), seed=3, threads=1)
    assert share_of_best(bot, found.run) > 0.6


def share_of_best(bot, responder):
    """What a responder wins, as a share of what the best response wins."""
    deals = bot.plan.exact[0]
    _, best = evaluate_enumerated(bot.blueprint, bot.cards, *bot.plan.exact)
    listed = EnumeratedGame(bot.plan.dealer, deals)
    known = Knowledge(bot.blueprint.game, bot.cards.label(deals))
    values = []
    for seat in (0, 1):
        profile = mixed_profile(bot, responder, seat)
        value = listed.expected_value(known, profile)
        values.append(value if seat == 0 else -value)
    assert all(value <= most + 1e-9 for value, most in zip(values, best.responses, strict=True))
    return sum(values) / sum(best.responses)


def mixed_profile(bot, responder, seat):
    """[Q] what the responder plays in `seat` and the bot in the other."""
    game = bot.blueprint.game
    actors = np.zeros(game.n_classes, np.int64)
    nodes = game.graph.decisions
    actors[game.classes[nodes]] = game.graph.field(betting.ACTOR)[nodes]
    profile = bot.blueprint.probabilities().copy()
    learned = responder.blueprint.probabilities()
    for c in np.flatnonzero(actors == seat):
        rows = slice(game.offsets[c], game.offsets[c + 1])
        profile[rows] = learned[rows]
    return profile


def test_learning_can_be_stopped(small_runs):
    stop = threading.Event()
    stop.set()
    found = learn_response(small_runs["nolimit"], Budget(seconds=60.0), stop=stop, threads=1)
    assert found.interrupted
    assert found.run.metrics.iterations == 1


def test_one_thread_and_a_seed_give_the_same_responder(small_runs):
    bot = small_runs["nolimit"]
    one, two, other = (
        learn_response(bot, Budget(iterations=2_000), seed=seed, threads=1).run.blueprint.quantized
        for seed in (3, 3, 4)
    )
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_a_responder_is_kept_as_a_run_that_cannot_be_trained_further(small_runs, tmp_path):
    bot = small_runs["nolimit"]
    folder = tmp_path / "responder"
    found = learn_response(bot, Budget(iterations=500), threads=1, folder=folder)
    kept = load_trained(folder)
    assert kept.name == f"response to {bot.name}"
    assert np.array_equal(kept.blueprint.quantized, found.run.blueprint.quantized)
    with pytest.raises(ArtifactError, match="no checkpoint to resume from"):
        train(kept.plan, folder, iterations=1_000, resume=True)
    with pytest.raises(ArtifactError, match="already holds a run"):
        learn_response(bot, Budget(iterations=500), threads=1, folder=folder)
