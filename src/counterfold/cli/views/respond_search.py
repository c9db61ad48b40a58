"""`counterfold respond --local --resolve`: lower bounds for a bot with and without search."""

from pathlib import Path

from counterfold.cli.match_options import playing, stoppable
from counterfold.cli.views.respond_bound import keep_bound
from counterfold.responses.search_response import SearchResponse, search_response
from counterfold.search.search_options import SearchOptions
from counterfold.search.searching_bot import SearchingBot
from counterfold.training.train_folder import TrainedRun

DEFAULT_HANDS = 1_000  # each that comes to the river is solved
_STREETS = {1: "rivers", 2: "turns"}


def respond_search(
    folder: Path,
    run: TrainedRun,
    options: SearchOptions,
    hands: int | None,
    bets: str | None,
    seed: int,
    json: bool,
) -> None:
    """Measure, keep what was found beside the bot, and print it."""
    bot = SearchingBot(run, options)
    with stoppable() as check, playing(check) as show:
        found = search_response(
            bot,
            hands=hands or DEFAULT_HANDS,
            seed=seed,
            menu=bets,
            progress=lambda done, total: show(bot.name, done, total),
        )
    settings = {
        "local": True,
        "resolve": options.mode,
        "iterations": options.iterations,
        "streets": options.streets,
        "menu": found.menu,
    }
    keep_bound(folder, run, bot.name, found, settings, _rows(found, bot.name), json)


def _rows(found: SearchResponse, name: str) -> list[tuple[str, str]]:
    return [
        ("response", f"local, to {name}, {found.hands:,} hands, seed {found.seed}"),
        ("bets", found.menu),
        ("without search", f"at least {found.alone} mb/g (95% interval)"),
        ("with search", f"at least {found.searched} mb/g"),
        ("difference", f"{found.difference} mb/g, from the same hands"),
        (
            _STREETS[found.streets],
            f"{found.reached:,}, of which {found.unsearched:,} left to the strategy",
        ),
        ("rate", f"{found.hands / max(found.seconds, 1e-9):,.1f} hands/s"),
    ]
