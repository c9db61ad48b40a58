"""A responder that learns: CFR for one player, against a bot that does not change.

The responder has the betting and the buckets of the bot. Each deal is walked for it in either seat:
all its own actions are explored, and the bot's are drawn from what the bot plays. An opponent that
stays the same leaves a problem for one player, who need not mix: it plays what the bot itself would
play, but for information sets where an action gained more than that by more than its standard
error. So what was hardly tried costs nothing, neither in play nor in what is learned before it.

What it wins while it learns bounds nothing; see `matches.learned_response`.
"""

import threading
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from counterfold.blueprints.blueprint import Blueprint, RoundingError, quantize
from counterfold.bots.played_run import policy_of
from counterfold.discounting import LINEAR
from counterfold.responses import frozen_opponent_kernels
from counterfold.responses.frozen_opponent import freeze
from counterfold.responses.response_run import strategy_digest
from counterfold.runs.budget import Budget
from counterfold.runs.run_folder import claimed_folder
from counterfold.training.deal_sampling import DealSamplingSolver
from counterfold.training.metered_loop import MeteredLoop, Observer
from counterfold.training.plan import Plan
from counterfold.training.recipe import BudgetRecipe, PlayRecipe, SolverRecipe
from counterfold.training.solver_factory import labeled_deals, sampling_of
from counterfold.training.train_folder import KIND, TrainedRun, save_response

_EPOCH = 20_000  # deals
# In the place of averages are sums of squares, which fade as the squares of gains do.
_LINEAR_WITH_SQUARES = replace(LINEAR, gamma=2.0)


@dataclass(frozen=True, eq=False)
class LearnedRun:
    """A responder, as a run like that of its opponent."""

    run: TrainedRun
    interrupted: bool


class ResponseSolver(DealSamplingSolver):
    """Learns to respond to `bot`; `plan` is the bot's but for its seed, solver and play."""

    def __init__(self, bot: TrainedRun, plan: Plan) -> None:
        super().__init__(
            bot.blueprint.game,
            plan.dealer,
            labeled_deals(plan, bot.cards),
            sampling_of(plan.recipe.solver, plan.variant.big_blind),
            _LINEAR_WITH_SQUARES,
            plan.epoch,
            plan.recipe.seed,
            plan.recipe.solver.threads,
        )
        self._frozen = self._bot = freeze(policy_of(bot), self.game, self.layout)

    def best_actions(self) -> tuple[Blueprint, RoundingError]:
        """What the bot plays, but for actions that are known to be better; the end of learning."""
        game, frozen = self.game, self._bot
        # Tables are large: the strategy takes the place of the squares, row by row.
        table = self.averages
        frozen_opponent_kernels.respond(
            self.regrets,
            self.averages,
            frozen.steps,
            game.n_buckets,
            game.n_actions,
            self.layout,
            frozen.evidence,
            table,
        )
        blueprint, loss = quantize(game, table, layout=self.layout)
        return replace(blueprint, visits=None), loss


def learn_response(
    bot: TrainedRun,
    budget: Budget,
    *,
    seed: int = 0,
    threads: int | None = None,
    folder: Path | None = None,
    observe: Observer | None = None,
    stop: threading.Event | None = None,
) -> LearnedRun:
    """Train a responder to `bot`, and keep it in `folder` if one is given.

    Ctrl-C, or `stop` once it is set, ends training early.
    """
    plan = response_plan(bot, seed, threads)
    digest = strategy_digest(bot)
    claim = nullcontext() if folder is None else claimed_folder(folder, KIND, {}, resume=False)
    with claim:
        solver = ResponseSolver(bot, plan)
        loop = _LearningLoop(plan, solver, budget, observe, stop=stop)
        interrupted = loop.run()
        blueprint, loss = solver.best_actions()
        metrics = replace(loop.metrics(), trained_infosets=blueprint.coverage)
        run = TrainedRun(plan.name, plan, bot.cards, blueprint, metrics)
        if folder is not None:
            save_response(folder, run, loss, digest)
    return LearnedRun(run, interrupted)


def response_plan(bot: TrainedRun, seed: int = 0, threads: int | None = None) -> Plan:
    """How a responder to `bot` is trained, and plays."""
    recipe = bot.plan.recipe
    solver = SolverRecipe(
        algorithm="external",
        epoch=_EPOCH,
        threads=threads,
    )
    changes = {
        "about": f"a learned response to {bot.name}",
        "seed": seed,
        "solver": solver,
        "budget": BudgetRecipe(),
        "play": PlayRecipe(translation=recipe.play.translation),
    }
    return bot.plan.with_recipe(recipe.model_copy(update=changes), f"response to {bot.name}")


class _LearningLoop(MeteredLoop):
    """Keeps nothing on the way."""

    def save(self) -> None:
        """An interrupted run is measured with what it has learned so far."""
