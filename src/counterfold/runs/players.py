"""Players of matches from the folders of trained runs."""

from pathlib import Path

from counterfold.cards.table_files import Progress
from counterfold.compiled.agents import make_agent
from counterfold.compiled.card_maps import TabledCards
from counterfold.kernels.agent import Agent
from counterfold.matches import Player, strategy_player
from counterfold.runs.trained import TrainedRun, load_training


def agent_of(run: TrainedRun) -> Agent:
    """The arrays that play a run, as its recipe says how."""
    play = run.plan.recipe.play
    return make_agent(
        run.blueprint.game,
        run.plan.dealer,
        run.blueprint.steps,
        run.cards.n_buckets,
        recalls=isinstance(run.cards, TabledCards) and run.cards.recalls,
        rule=play.translation,
        threshold=play.threshold,
        purify=play.purify,
    )


def load_player(folder: Path, progress: Progress | None = None) -> tuple[TrainedRun, Player]:
    """A trained run, and the player of matches that it is."""
    run = load_training(folder, progress)
    return run, strategy_player(run.name, agent_of(run), run.cards, run.plan.dealer)
