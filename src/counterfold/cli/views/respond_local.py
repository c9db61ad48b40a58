"""`counterfold respond --local`: what a local best response wins from a bot, a lower bound."""

from pathlib import Path

from counterfold.cli.match_options import playing, stoppable
from counterfold.cli.output import print_json, print_rows
from counterfold.responses.known_responses import add_known
from counterfold.responses.local_response import LocalResponse, local_response
from counterfold.responses.response_run import strategy_digest
from counterfold.training.train_folder import TrainedRun


def respond_local(
    folder: Path,
    run: TrainedRun,
    hands: int,
    bets: str | None,
    seed: int,
    threads: int | None,
    json: bool,
) -> None:
    """Measure, keep what was found beside the bot, and print it."""
    with stoppable() as check, playing(check) as show:
        found = local_response(
            run,
            hands=hands,
            seed=seed,
            threads=threads,
            menu=bets,
            progress=lambda done, total: show(run.name, done, total),
        )
    strategy = strategy_digest(run)
    settings = {"local": True, "menu": found.menu, "hands": found.hands, "seed": found.seed}
    add_known(folder, {"strategy": strategy, "settings": settings, **found.to_dict()})
    if json:
        print_json({"bot": run.name, "strategy": strategy, **found.to_dict()})
    else:
        print_rows(_rows(found, run.name))


def _rows(found: LocalResponse, name: str) -> list[tuple[str, str]]:
    streets = (f"{s.street} {s.mb:+,.1f} ({100 * s.hands:.0f} %)" for s in found.streets)
    meaning = "a lower bound: the responder looks one action ahead"
    if found.exploitability.mean < 0:
        meaning = "a lower bound that says nothing: the responder lost"
    return [
        ("response", f"local, to {name}, {found.hands:,} hands, seed {found.seed}"),
        ("bets", found.menu),
        *((f"seat {seat}", f"{rate} mb/g") for seat, rate in enumerate(found.seats)),
        ("exploitability", f"at least {found.exploitability} mb/g (95 % interval), {meaning}"),
        ("of which", f"{', '.join(streets)}, by the street on which hands ended"),
        ("rate", f"{found.hands_per_second:,.0f} hands/s"),
    ]
