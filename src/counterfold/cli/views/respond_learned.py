"""`counterfold respond --learned`: what a responder trained against a bot wins, a lower bound."""

import shlex
from pathlib import Path

import typer

from counterfold.cli import INTERRUPTED
from counterfold.cli.match_options import playing, stoppable
from counterfold.cli.output import print_json, print_rows, say
from counterfold.cli.train import rate_text, training_bar
from counterfold.matches.learned_response import LearnedResponse, measure_learned
from counterfold.responses.known_responses import add_known
from counterfold.responses.response_learning import learn_response
from counterfold.responses.response_run import strategy_digest
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
    strategy = strategy_digest(bot)
    settings = {"learned": True, "deals": found.deals, "hands": found.hands, "seed": found.seed}
    add_known(folder, {"strategy": strategy, "settings": settings, **found.to_dict()})
    if json:
        print_json({"bot": bot.name, "strategy": strategy, **found.to_dict()})
    else:
        print_rows(_rows(found, bot.name, out))
    if found.interrupted:
        say(f"interrupted after {found.deals:,} deals; the figure is that of what was learned")
        raise typer.Exit(INTERRUPTED)


def _rows(found: LearnedResponse, name: str, out: Path | None) -> list[tuple[str, str]]:
    metrics = found.responder.metrics
    meaning = "a lower bound: the responder has the betting and the buckets of the bot"
    if found.exploitability.mean < 0:
        meaning = "a lower bound that says nothing: the responder lost"
    rows = [
        ("response", f"learned, to {name}, {found.hands:,} hands, seed {found.seed}"),
        ("learned", f"from {found.deals:,} deals in {metrics.seconds:,.1f} s"),
        ("rate", rate_text(metrics, "deals")),
        *((f"seat {seat}", f"{rate} mb/g") for seat, rate in enumerate(found.seats)),
        ("exploitability", f"at least {found.exploitability} mb/g (95 % interval), {meaning}"),
    ]
    if out is not None:
        rows.append(("responder", f"counterfold show {shlex.quote(str(out))}"))
    return rows
