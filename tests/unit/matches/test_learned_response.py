"""Learned lower bounds: closed forms, best responses as limits, every variant, fresh deals."""

import numpy as np
import pytest

from counterfold.blueprints.enumerated import evaluate_enumerated
from counterfold.errors import BudgetError, MatchError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.matches import learned_response as learned
from counterfold.matches.batch import BatchRunner
from counterfold.matches.learned_response import learned_response
from helpers.leduc_callers import won_from_a_caller
from helpers.small_recipes import plan
from helpers.trained_runs import RECIPES, always, randomized, scripted_run, untrained_run


def test_a_bot_that_always_folds_loses_its_blind(small_runs):
    bot = scripted_run(small_runs["limit"], always(betting.FOLD))
    found = learned_response(bot, deals=3_000, hands=400, threads=1)
    assert [(rate.mean, rate.interval) for rate in found.seats] == [(1000, 0), (500, 0)]
    assert (found.exploitability.mean, found.exploitability.interval) == (750, 0)


def test_a_bot_that_always_calls_is_bet_into_with_the_better_half():
    bot = scripted_run(untrained_run(plan()), always(betting.CALL))
    found = learned_response(bot, deals=30_000, hands=40_000, threads=1)
    for rate in (found.exploitability, *found.seats):
        assert rate.mean == pytest.approx(1000 * won_from_a_caller(), abs=2 * rate.interval)


# Those whose cards are exact and whose deals can be listed: the best response is known.
LISTED = ("nolimit", "limit", "bounty-exact", "auction-sealed", "discard-history", "toss")


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("name", LISTED)
def test_no_learned_response_wins_more_than_the_best_response(small_runs, name, seed):
    """Twice the interval, about four standard errors: one alarm in 10,000 figures."""
    bot = randomized(small_runs[name], seed)
    _, figures = evaluate_enumerated(bot.blueprint, bot.cards, *bot.plan.exact)
    found = learned_response(bot, deals=20_000, hands=20_000, seed=seed, threads=1)
    to_mb = 1000 / bot.plan.variant.big_blind
    for rate, best in zip(found.seats, figures.responses, strict=True):
        assert rate.mean - 2 * rate.interval <= to_mb * best
    most = to_mb * sum(figures.responses) / 2
    assert found.exploitability.mean > 0.4 * most  # after a few deals


@pytest.mark.parametrize("name", RECIPES)
def test_every_variant_that_trains_has_a_learned_bound(small_runs, name):
    found = learned_response(small_runs[name], deals=500, hands=200, threads=1)
    assert found.deals == 500
    assert np.isfinite([found.exploitability.mean, found.exploitability.interval]).all()
    assert found.to_dict()["kind"] == "learned lower bound"


def test_the_match_has_other_deals_than_the_training(small_runs, monkeypatch):
    seeds = []
    bot = small_runs["nolimit"]

    class Watched(BatchRunner):
        def __init__(self, variant, entrants, seed):
            seeds.append(seed)
            super().__init__(variant, entrants, seed)

    monkeypatch.setattr(learned, "BatchRunner", Watched)
    found = learned_response(bot, deals=100, hands=40, seed=7, threads=1)
    assert found.responder.plan.recipe.seed == 7
    assert seeds == [7 + (0x5EED << 40)]


def test_threads_play_the_same_match(small_runs, monkeypatch):
    monkeypatch.setattr(learned, "_BATCH", 64)
    bot = small_runs["discard"]
    one = learned_response(bot, deals=500, hands=600, threads=1)
    trained = learned.LearnedRun(one.responder, interrupted=False)
    assert learned.measure_learned(bot, trained, 600, threads=2) == one


def test_progress_is_told(small_runs, monkeypatch):
    monkeypatch.setattr(learned, "_BATCH", 20)
    done, metrics = [], []
    bot = small_runs["nolimit"]
    found = learned_response(
        bot,
        seconds=0.2,
        hands=100,
        threads=1,
        observe=metrics.append,
        progress=lambda *at: done.append(at),
    )
    assert done == [(20, 50), (40, 50), (50, 50)]
    assert metrics[-1].iterations == found.deals
    assert "at least" in str(found)
    assert "by a response learned from" in str(found)


def test_what_cannot_be_measured_is_refused(small_runs):
    with pytest.raises(BudgetError, match="for a time or from a number of deals"):
        learned_response(small_runs["nolimit"])
    with pytest.raises(MatchError, match="at least four hands, not 3"):
        learned_response(small_runs["nolimit"], deals=1, hands=3)
