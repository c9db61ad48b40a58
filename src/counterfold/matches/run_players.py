"""Players of matches, bots and exported bots from the folders of trained runs."""

from collections.abc import Callable
from pathlib import Path

from counterfold.bots.policy import make_policy
from counterfold.bots.policy_kernels import Policy
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.cards.table_files import Progress
from counterfold.contest.export.package import Package, export_bot
from counterfold.contest.export.targets import TARGETS
from counterfold.errors import UnknownNameError
from counterfold.matches import Player, strategy_player
from counterfold.training.train_folder import TrainedRun, load_trained


def policy_of(run: TrainedRun) -> Policy:
    """The arrays that play a run, as its recipe says how."""
    play = run.plan.recipe.play
    return make_policy(
        run.blueprint.game,
        run.plan.dealer,
        run.blueprint.quantised,
        run.cards.n_buckets,
        recalls=run.cards.recalls,
        rule=play.translation,
        threshold=play.threshold,
        purify=play.purify,
    )


def load_player(folder: Path, progress: Progress | None = None) -> tuple[TrainedRun, Player]:
    """A trained run, and the player of matches that it is."""
    run = load_trained(folder, progress)
    return run, strategy_player(folder.resolve().name, policy_of(run), run.cards, run.plan.dealer)


def bot_of(run: TrainedRun, seed: int = 0, player: int = 0) -> StrategyBot:
    """The bot that plays a run."""
    return StrategyBot(
        run.plan.variant,
        policy_of(run),
        run.cards,
        run.plan.dealer.order,
        seed=seed,
        player=player,
    )


def load_bot(
    folder: Path, progress: Progress | None = None, *, seed: int = 0
) -> tuple[TrainedRun, StrategyBot]:
    """A trained run, and the bot that plays it."""
    run = load_trained(folder, progress)
    return run, bot_of(run, seed)


def export_run(
    folder: Path,
    target: str,
    archive: Path,
    *,
    overwrite: bool = False,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Package:
    """Export the run in `folder` for the contest `target`, to `archive` and a folder beside it."""
    if target not in TARGETS:
        raise UnknownNameError("target", target, TARGETS)
    run, bot = load_bot(folder, progress)
    contest = TARGETS[target]
    return export_bot(run.name, bot, run.cards, contest, archive, overwrite=overwrite, say=say)
