"""`counterfold respond --learned`: what a responder trained against a bot wins, a lower bound."""

import shlex
from pathlib import Path

import typer

from counterfold.cli import INTERRUPTED
from counterfold.cli.match_options import playing, stoppable
from counterfold.cli.output import say
from counterfold.cli.train import rate_text, training_bar
from counterfold.cli.views.respond_bound import keep_bound, rate_rows
from counterfold.matches.learned_response import LearnedResponse, measure_learned
from counterfold.responses.response_learning import learn_response
from counterfold.runs.budget import Budget
from counterfold.training.train_folder import TrainedRun


def respond_learned(
    folder: Path,
    bot: TrainedRun,
    budget: Budget,
    hands: int,
    seed: int,
    threads: int | None,
    out: Path | None,
    json: bool,
) -> None:
    """Train a responder, measure it, keep what was found beside the bot, and print it."""
    with training_bar(f"response to {bot.name}", "deals", budget) as observe:
        learned = learn_response(
            bot, budget, seed=seed, threads=threads, folder=out, observe=observe
        )
    with stoppable() as check, playing(check) as show:
        found = measure_learned(
            bot,
            learned,
            hands,
            seed=seed,
            threads=threads,
            progress=lambda done, total: show(bot.name, done, total),
        )
    settings = {"learned": True, "deals": found.deals}
    keep_bound(folder, bot, bot.name, found, settings, _rows(found, bot.name, out), json)
    if found.interrupted:
        say(f"interrupted after {found.deals:,} deals; the figure is that of what was learned")
        raise typer.Exit(INTERRUPTED)


def _rows(found: LearnedResponse, name: str, out: Path | None) -> list[tuple[str, str]]:
    metrics = found.responder.metrics
    meaning = "the responder has the betting and the buckets of the bot"
    rows = [
        ("response", f"learned, to {name}, {found.hands:,} hands, seed {found.seed}"),
        ("learned", f"from {found.deals:,} deals in {metrics.seconds:,.1f} s"),
        ("rate", rate_text(metrics, "deals")),
        *rate_rows(found.seats, found.exploitability, meaning),
    ]
    if out is not None:
        rows.append(("responder", f"counterfold show {shlex.quote(str(out))}"))
    return rows
