"""Local best responses: hands per second on one core, beside plain matches of the same bots.

python benchmarks/bench_respond.py [--threads N] [--json]

Bots are trained for moments: what they play hardly changes how long a hand takes. Card tables come
from the cache, or are built first.
"""

import argparse
import json
import platform
import tempfile
import time
from pathlib import Path

from counterfold.matches import play_match
from counterfold.responses.local_response import local_response
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from counterfold.training.train_folder import load_trained
from counterfold.training.train_run import train

CARDS = "preflop: lossless; flop: percentile(50); turn: percentile(50); river: percentile(50)"
RECIPES = {
    "limit": "min; cap 4",
    "nolimit": "50%, 100%, allin; cap 4",
    "discard": "50%, 100%, allin; cap 4",
    "river-of-blood": "50%, 100%, allin; cap 4",
    "swap": "50%, 100%, allin; cap 4",
}
N_DEALS = 200_000  # of training
N_HANDS, N_MATCH_HANDS = 2000, 200_000


def trained(variant, bets, folder):
    content = {
        "variant": variant,
        "cards": CARDS,
        "bets": bets,
        "features": "pot * to_call * raises * cards",
        "seed": 1,
        "solver": {"algorithm": "external"},
    }
    train(Plan(parse_recipe(content, variant), variant), folder, iterations=N_DEALS)
    return load_trained(folder)


def best_rate(n, action, repetitions=3):
    """Times `n` per second of the best of some calls, after one to warm up."""
    action()
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return n / min(times)


def measure(threads):
    rows = []
    with tempfile.TemporaryDirectory() as home:
        for variant, bets in RECIPES.items():
            folder = Path(home) / variant
            run = trained(variant, bets, folder)
            local = best_rate(
                N_HANDS, lambda run=run: local_response(run, hands=N_HANDS, threads=threads)
            )
            match = best_rate(
                N_MATCH_HANDS,
                lambda folder=folder: play_match(
                    str(folder), str(folder), hands=N_MATCH_HANDS, threads=threads
                ),
            )
            rows.append({"variant": variant, "local": local, "match": match})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    rows = measure(options.threads)
    if options.json:
        machine = platform.processor() or platform.machine()
        print(json.dumps({"machine": machine, "threads": options.threads, "rows": rows}, indent=2))
        return
    print(f"{'hands/s, threads: ' + str(options.threads):24}{'local':>12}{'match':>12}{'ratio':>9}")
    for row in rows:
        ratio = row["match"] / row["local"]
        print(f"{row['variant']:24}{row['local']:12,.0f}{row['match']:12,.0f}{ratio:9.0f}")


if __name__ == "__main__":
    main()
