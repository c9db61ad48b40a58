"""Bounds of bots that search: below exact best responses, the same as solvers find, paired."""

import numpy as np
import pytest

from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import MatchError, UnsupportedGameError
from counterfold.responses.search_response import search_response
from counterfold.search.search_bot import SearchBot
from counterfold.search.searching_bot import with_search
from counterfold.tree import evaluate
from helpers.searched_games import blueprint_of, search_all
from helpers.trained_runs import randomized, train_small

FEW_BUCKETS = {
    "variant": "limit(bets=2, deck='JQKA/cd', board=(1,))",
    "cards": "listed-percentile(2)",
    "bets": "min",
    "play": {},
    "solver": {"algorithm": "external"},
}


@pytest.fixture(scope="module")
def few_buckets(tmp_path_factory):
    return train_small("limit", tmp_path_factory.mktemp("few") / "run", 5000, **FEW_BUCKETS)


THREE_STREETS = FEW_BUCKETS | {
    "variant": "limit(bets=1, deck='QKA/cd', board=(1, 1), hole_cards=1)",
    "cards": "listed-percentile(2)",
}


def searching(run, mode="unsafe", **options):
    return with_search(TrainedBot(run), mode, **{"iterations": 20, **options})


@pytest.mark.parametrize("mode", ["unsafe", "combined"])
def test_no_more_is_won_than_by_the_best_response(few_buckets, mode):
    """The last street of every line is searched: the exploitability of the whole is known."""
    run, blueprint = few_buckets, blueprint_of(few_buckets)
    in_mb = 1000 / run.plan.variant.big_blind
    alone = in_mb * sum(evaluate(blueprint.strategy()).responses) / 2
    whole, _ = search_all(blueprint, mode, 20)
    searched = in_mb * sum(evaluate(whole).responses) / 2
    found = search_response(searching(run, mode), hands=1500, seed=2)
    assert found.alone.mean - 1.5 * found.alone.interval <= alone
    assert found.searched.mean - 1.5 * found.searched.interval <= searched
    # The blueprint is bad on the river, and both bounds see that.
    assert found.difference.mean > found.difference.interval
    assert found.difference.interval < 0.8 * found.alone.interval
    assert found.reached > 300
    assert found.unsearched == 0


@pytest.mark.parametrize("mode", ["unsafe", pytest.param("maxmargin", marks=pytest.mark.slow)])
def test_no_more_is_won_than_by_the_best_response_from_the_turn_on(tmp_path, mode):
    run = randomized(train_small("limit", tmp_path / "run", 10, **THREE_STREETS), 3)
    blueprint, in_mb = blueprint_of(run), 1000 / run.plan.variant.big_blind
    alone = in_mb * sum(evaluate(blueprint.strategy()).responses) / 2
    whole, _ = search_all(blueprint, mode, 20, streets=2)
    searched = in_mb * sum(evaluate(whole).responses) / 2
    found = search_response(searching(run, mode, streets=2), hands=200, seed=2, boards=1)
    assert found.alone.mean - 1.5 * found.alone.interval <= alone
    assert found.searched.mean - 1.5 * found.searched.interval <= searched
    assert found.difference.mean > found.difference.interval
    assert (found.streets, found.unsearched) == (2, 0)
    assert found.reached > 100


def test_without_a_solution_both_bounds_are_the_same(small_runs, monkeypatch):
    monkeypatch.setattr(SearchBot, "_search", lambda bot, view: "no time")
    found = search_response(searching(small_runs["nolimit-listed"]), hands=60)
    assert found.unsearched == found.reached > 0
    assert (found.difference.mean, found.difference.interval) == (0.0, 0.0)


def test_the_same_seed_finds_the_same(small_runs):
    bot = searching(small_runs["nolimit-listed"])
    ticks = []
    found = [
        search_response(bot, hands=40, seed=5, progress=lambda *done: ticks.append(done))
        for _ in range(2)
    ]
    assert found[0] == found[1]
    assert ticks == [(20, 20)] * 2
    assert found[0].to_dict()["difference"]["mean"] == found[0].difference.mean
    assert "less (95% intervals)" in str(found[0])


def test_what_cannot_be_measured_is_refused(small_runs):
    run = small_runs["nolimit-listed"]
    with pytest.raises(MatchError, match="at least four hands"):
        search_response(searching(run), hands=3)
    assert search_response(searching(run), hands=4).hands == 4
    with pytest.raises(MatchError, match="boards must be 1 or more, not 0"):
        search_response(searching(run), hands=4, boards=0)
    with pytest.raises(UnsupportedGameError, match="is for the last 2 streets, not for 3"):
        search_response(searching(run, streets=3), hands=40)


def test_estimates_are_of_all_hands(small_runs):
    """Hands that end early are worth the same with search."""
    found = search_response(searching(small_runs["nolimit-listed"]), hands=64, seed=1)
    assert found.hands == 64
    assert found.reached < 64
    assert np.isfinite([found.alone.mean, found.searched.mean]).all()
