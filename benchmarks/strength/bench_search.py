"""Search in play: exact exploitability on a reduced deck by mode, and matches against no search.

python benchmarks/strength/bench_search.py deck [--json]
python benchmarks/strength/bench_search.py turns [--json]
python benchmarks/strength/bench_search.py flops [--modes M,M] [--json]
python benchmarks/strength/bench_search.py match RUN [--hands N] [--modes M,M] [--streets N]
    [--iterations N] [--seed N] [--json]
python benchmarks/strength/bench_search.py bounds RUN [--hands N] [--modes M,M] [--bets MENU]
    [--streets N] [--boards N] [--iterations N] [--seed N] [--json]

On the deck every last street of every betting line is searched by both seats, so that the whole is
a strategy of the exact game; for turns the last two are, and for flops the last three. Blueprints
are trained with few buckets, or are random numbers. Bounds are what a responder wins from a run
with and without search; see `responses.search_response`.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import counterfold as cf
from counterfold.search.search_options import MODES, SearchOptions
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from counterfold.training.train_folder import load_trained
from counterfold.training.train_run import train

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from helpers.searched_games import blueprint_of, random_blueprint, search_all

DECK = "limit(bets=2, deck='JQKA/cd', board=(1,))"
LEDUC = "leduc-variant"
TURNS = "limit(bets=1, deck='QKA/cd', board=(1, 1), hole_cards=1)"
FLOPS = "limit(bets=1, deck='QKA/cd', board=(1, 1, 1), hole_cards=1)"
FLOP_ITERATIONS = 60
ITERATIONS = {DECK: 100, LEDUC: 200}


def trained(buckets, folder):
    """A blueprint of few buckets at each street after the first."""
    content = {
        "variant": DECK,
        "cards": f"listed-percentile({buckets})",
        "bets": "min",
        "seed": 1,
        "solver": {"algorithm": "external"},
    }
    train(Plan(parse_recipe(content, "deck"), "deck"), folder, iterations=20_000)
    return blueprint_of(load_trained(folder))


def measure_deck():
    """Exploitability in thousandths of a big blind, by blueprint and mode."""
    rows = {}
    with tempfile.TemporaryDirectory() as home:
        blueprints = {
            "2 buckets": trained(2, Path(home) / "two"),
            "4 buckets": trained(4, Path(home) / "four"),
            "random": random_blueprint(LEDUC, np.random.default_rng(0)),
            "nearly pure": random_blueprint(LEDUC, np.random.default_rng(1), sharpness=3.0),
        }
        for name, found in blueprints.items():
            in_mb = 1000.0 / found.plan.variant.big_blind
            row = {"blueprint": in_mb * cf.exploitability(found.strategy())}
            for mode in MODES:
                searched, _ = search_all(found, mode, ITERATIONS[found.plan.recipe.variant])
                row[mode] = in_mb * cf.exploitability(searched)
            rows[name] = row
            print(name, {key: round(value, 1) for key, value in row.items()}, flush=True)
    return rows


def measure_turns():
    """The same with the last two streets: the last alone, both, and both solved once."""
    rows = {}
    for name, seed, sharpness in (("random", 0, 1.0), ("nearly pure", 1, 3.0)):
        found = random_blueprint(TURNS, np.random.default_rng(seed), sharpness=sharpness)
        rows[name] = {"blueprint": cf.exploitability(found.strategy())}
        for mode in MODES:
            for title, streets in (
                ("river", {"streets": 1}),
                ("turn and river", {"streets": 2}),
                ("turn to the end", {"streets": 2, "again": False}),
            ):
                searched, _ = search_all(found, mode, 200, **streets)
                rows[name][f"{mode}, {title}"] = cf.exploitability(searched)
        print(name, {key: round(value, 3) for key, value in rows[name].items()}, flush=True)
    return rows


def measure_flops(modes):
    """The same with the last three, also without bets on the river where nothing is promised."""
    rows = {}
    for name, seed, sharpness in (("random", 0, 1.0), ("nearly pure", 1, 3.0)):
        found = random_blueprint(FLOPS, np.random.default_rng(seed), sharpness=sharpness)
        rows[name] = {"blueprint": cf.exploitability(found.strategy())}
        for mode in modes:
            for title, streets in (
                ("river", {"streets": 1}),
                ("turn and river", {"streets": 2}),
                ("all", {"streets": 3}),
                ("flop to the end", {"streets": 3, "again": False}),
                ("river checked down", {"streets": 3, "down": True}),
            ):
                if streets.get("down") and SearchOptions(mode).has_promise:
                    continue
                searched, _ = search_all(found, mode, FLOP_ITERATIONS, **streets)
                rows[name][f"{mode}, {title}"] = cf.exploitability(searched)
                print(name, mode, title, round(rows[name][f"{mode}, {title}"], 3), flush=True)
    return rows


def measure_matches(folder, modes, hands, seed, **options):
    """What the bot wins from itself by searching, and how long its decisions take."""
    bot = cf.load_bot(folder)
    rows = {}
    for mode in modes:
        started = time.process_time()
        searcher = cf.with_search(bot, mode, **options)
        result = cf.match(searcher, bot, hands=hands, seed=seed, aivat=True)
        side = result.sides[0]
        rows[mode] = {
            "mb_per_hand": [result.mb, result.mb_interval],
            "aivat": [result.aivat.mb, result.aivat.mb_interval],
            "hands": result.hands,
            "seed": seed,
            "searched": side.searched,
            "unsearched": side.unsearched,
            "processor_seconds": time.process_time() - started,
            "mean_ms": 1000 * side.mean_seconds,
            "slowest_ms": 1000 * side.slowest_seconds,
        }
        print(folder, mode, rows[mode], flush=True)
    return rows


def measure_bounds(folder, modes, *, streets, iterations, **options):
    """Lower bounds with and without search, from the same hands."""
    bot = cf.load_bot(folder)
    rows = {}
    for mode in modes:
        started = time.process_time()
        searcher = cf.with_search(bot, mode, streets=streets, iterations=iterations)
        found = cf.search_response(searcher, **options)
        rows[mode] = {
            "alone": [found.alone.mean, found.alone.interval],
            "searched": [found.searched.mean, found.searched.interval],
            "difference": [found.difference.mean, found.difference.interval],
            "hands": found.hands,
            "seed": found.seed,
            "menu": found.menu,
            "streets": streets,
            "iterations": iterations,
            "boards": options["boards"],
            "reached": found.reached,
            "unsearched": found.unsearched,
            "processor_seconds": time.process_time() - started,
        }
        print(folder, mode, rows[mode], flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["deck", "turns", "flops", "match", "bounds"])
    parser.add_argument("run", nargs="?")
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--streets", type=int, default=1)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bets")
    parser.add_argument("--boards", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if arguments.what == "deck":
        rows = measure_deck()
    elif arguments.what == "turns":
        rows = measure_turns()
    elif arguments.what == "flops":
        rows = measure_flops(arguments.modes.split(","))
    elif arguments.what == "match":
        rows = measure_matches(
            arguments.run,
            arguments.modes.split(","),
            arguments.hands,
            arguments.seed,
            streets=arguments.streets,
            iterations=arguments.iterations,
        )
    else:
        rows = measure_bounds(
            arguments.run,
            arguments.modes.split(","),
            streets=arguments.streets,
            iterations=arguments.iterations,
            hands=arguments.hands,
            seed=arguments.seed,
            menu=arguments.bets,
            boards=arguments.boards,
        )
    if arguments.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
