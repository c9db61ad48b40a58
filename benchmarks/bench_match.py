"""Matches of kernels: hands per second, what adjusting an all-in costs, AIVAT, and replays.

python benchmarks/bench_match.py [--threads N] [--json]

Two players that are always all-in are the worst case: every hand is adjusted.
"""

import argparse
import json
import platform
import tempfile
import time
from pathlib import Path

import numpy as np

from counterfold.games import parse_game
from counterfold.matches import (
    policy_match_kernels,
    replay_histories,
    writing_histories,
)
from counterfold.matches.aivat.value_fit import fit_values
from counterfold.matches.batch import BatchRunner
from counterfold.matches.entrants import baseline_entrant, run_entrant
from counterfold.matches.policy_match import play_policies
from counterfold.training.train_folder import load_trained
from counterfold.training.train_run import train

VARIANTS = ("nolimit", "discard", "river-of-blood", "swap")
PAIRS = (("all-in", "all-in"), ("random", "random"))
N_HANDS = 40_000
N_WRITTEN = 4000
RECIPES = ("nolimit-quick", "discard-quick", "river-of-blood-quick")
TRAINING_SECONDS = 20.0


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
    for name in VARIANTS:
        variant = parse_game(name)
        for names in PAIRS:
            players = tuple(baseline_entrant(each, variant) for each in names)
            row = {"match": f"{name}: {names[0]} against {names[1]}"}
            for adjust in (False, True):
                row["adjusted" if adjust else "plain"] = best_rate(
                    N_HANDS,
                    lambda variant=variant, players=players, adjust=adjust: play_policies(
                        variant, players, N_HANDS, adjust=adjust, threads=threads
                    ),
                )
            rows.append(row)
    return rows


def measure_streets():
    """Microseconds to adjust a hand of no-limit hold'em that is all-in on each street."""
    variant = parse_game("nolimit")
    player = baseline_entrant("all-in", variant)
    table = BatchRunner(variant, (player, player), 0)
    n = 2000
    deals = table.dealer.sample(0, 0, n)
    chips, adjusted, swaps = np.zeros(n), np.zeros(n, np.uint8), np.zeros(n, np.uint8)
    found = {}
    for street, word in enumerate(("preflop", "flop", "turn")):
        ends = np.zeros((n, policy_match_kernels.N_END_COLUMNS), np.int64)
        ends[:, policy_match_kernels.SETTLED] = street
        rate = best_rate(
            n, lambda ends=ends: table.adjust_hands(deals, 0, ends, swaps, chips, adjusted)
        )
        found[word] = 1e6 / rate
    return found


def measure_aivat(folder, n_hands=4000):
    """Variances of results in those of AIVAT, and its time in times of a match without it.

    Two runs of the same recipe play, trained for a moment with different seeds.
    """
    rows = []
    for name in RECIPES:
        runs = []
        for seed in (1, 2):
            path = Path(folder) / f"{name}-{seed}"
            train(name, path, seconds=TRAINING_SECONDS, overrides=[f"seed={seed}"])
            runs.append(run_entrant(load_trained(path), f"{name}-{seed}"))
        pair, variant = (runs[0], runs[1]), runs[0].variant
        fitted = fit_values(variant, pair, 0)
        seconds = []
        for values in (None, fitted.values):
            runner = BatchRunner(variant, pair, 0, values=values)
            seconds.append(1 / best_rate(1, lambda runner=runner: runner.play(0, n_hands // 2), 1))
        found = runner.play(0, n_hands // 2)
        plain, adjusted, less = (
            units.mean(axis=0).var() for units in (found.plain, found.chips, found.aivat)
        )
        rows.append(
            {
                "recipe": name,
                "plain_variance": float(plain / less),
                "adjusted_variance": float(adjusted / less),
                "time": seconds[1] / seconds[0],
            }
        )
    return rows


def measure_histories():
    """Hands per second that are played and written, and that are replayed."""
    variant = parse_game("nolimit")
    players = tuple(baseline_entrant(each, variant) for each in PAIRS[1])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "hands.jsonl"

        def write():
            file.unlink(missing_ok=True)
            with writing_histories(file) as add:
                play_policies(variant, players, N_WRITTEN, histories=add)

        written = best_rate(N_WRITTEN, write)
        return {
            "written": written,
            "replayed": best_rate(N_WRITTEN, lambda: replay_histories(file)),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    rows, streets, histories = measure(options.threads), measure_streets(), measure_histories()
    with tempfile.TemporaryDirectory() as folder:
        aivat = measure_aivat(folder)
    if options.json:
        machine = platform.processor() or platform.machine()
        found = {"hands_per_second": rows, "adjust_microseconds": streets, "histories": histories}
        found["aivat"] = aivat
        print(json.dumps({"machine": machine, "threads": options.threads, **found}, indent=2))
        return
    print(f"{'hands/s, threads: ' + str(options.threads):44}{'plain':>12}{'adjusted':>12}")
    for row in rows:
        print(f"{row['match']:44}{row['plain']:12,.0f}{row['adjusted']:12,.0f}")
    for word, cost in streets.items():
        print(f"{'all-in ' + word + ', µs to adjust':44}{cost:24.2f}")
    for row in aivat:
        ratios = f"{row['plain_variance']:.1f} plain, {row['adjusted_variance']:.1f} adjusted"
        print(f"{row['recipe'] + ', variances of AIVAT':44}{ratios:>30}, {row['time']:.0f}× time")
    for word, rate in histories.items():
        print(f"{'hands ' + word + ', 1/s on one thread':44}{rate:24,.0f}")


if __name__ == "__main__":
    main()
