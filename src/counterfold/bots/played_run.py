"""How a trained run is played: its policy as arrays, and the bot that plays it."""

from counterfold.bots.policy import make_policy
from counterfold.bots.policy_kernels import Policy
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.training.train_folder import TrainedRun


def policy_of(run: TrainedRun) -> Policy:
    """The arrays that play a run in the way that its recipe says."""
    play = run.plan.recipe.play
    return make_policy(
        run.blueprint.game,
        run.plan.dealer,
        run.blueprint.quantized,
        run.cards.n_buckets,
        recalls=run.cards.recalls,
        rule=play.translation,
        threshold=play.threshold,
        purify=play.purify,
    )


def bot_of(
    run: TrainedRun, seed: int = 0, player: int = 0, policy: Policy | None = None
) -> StrategyBot:
    """The bot that plays a run; for `seed` and `player` see `StrategyBot`.

    A `policy` of the run that exists already can be shared by many bots.
    """
    plan = run.plan
    return StrategyBot(
        plan.variant,
        policy or policy_of(run),
        run.cards,
        plan.dealer.order,
        plan.dealer.lay_order,
        seed=seed,
        player=player,
    )
