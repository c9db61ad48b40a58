"""A run is played as its recipe says."""

from counterfold.bots.bid_kernels import PSEUDO_HARMONIC
from counterfold.bots.played_run import bot_of, policy_of
from helpers.trained_runs import train_small


def test_a_run_is_played_as_its_recipe_says(tmp_path):
    run = train_small("limit", tmp_path / "limit", iterations=50)
    policy = policy_of(run)
    assert (policy.purify, policy.threshold, policy.rule) == (True, 0.0, PSEUDO_HARMONIC)
    assert policy.quantized is run.blueprint.quantized
    bot = bot_of(run, 3, 1)
    assert (bot.variant, bot.cards, bot.order) == (
        run.plan.variant,
        run.cards,
        run.plan.dealer.order,
    )
    assert (bot.numbers.seed, bot.numbers.player) == (3, 1)
