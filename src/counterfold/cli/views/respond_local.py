"""`counterfold respond --local`: what a local best response wins from a bot, a lower bound."""

from pathlib import Path

from counterfold.cli.match_options import playing, stoppable
from counterfold.cli.views.respond_bound import keep_bound, rate_rows
from counterfold.responses.local_response import LocalResponse, local_response
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
    settings = {"local": True, "menu": found.menu}
    keep_bound(folder, run, run.name, found, settings, _rows(found, run.name), json)


def _rows(found: LocalResponse, name: str) -> list[tuple[str, str]]:
    streets = (f"{s.street} {s.mb:+,.1f} ({100 * s.hands:.0f}%)" for s in found.streets)
    meaning = "the responder looks one action ahead"
    return [
        ("response", f"local, to {name}, {found.hands:,} hands, seed {found.seed}"),
        ("bets", found.menu),
        *rate_rows(found.seats, found.exploitability, meaning),
        ("of which", f"{', '.join(streets)}, by the street on which hands ended"),
        ("rate", f"{found.hands_per_second:,.0f} hands/s"),
    ]
