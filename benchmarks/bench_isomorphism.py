"""Indexes, standard deals and weights per second and core, for each street of hold'em.

Run `python benchmarks/bench_isomorphism.py`, with `--json` for one JSON object on standard output.
The deals are random, checked and indexed through the public functions; the best of several runs
counts. For comparison: the C library hand-isomorphism indexes 11 million river deals per second.
"""

import argparse
import json
import time

import numpy as np

from counterfold.cards import FULL, Isomorphism

STREETS = {
    "preflop": (2,),
    "flop": (2, 3),
    "turn": (2, 4),
    "river": (2, 5),
    "turn, order kept": (2, 3, 1),
    "river, order kept": (2, 3, 1, 1),
    "flop board": (3,),
    "river board": (5,),
}


def best_seconds(work, runs):
    work()  # warm-up: compiles, and fills the tables
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def measure(rounds, decks, runs):
    start = time.perf_counter()
    isomorphism = Isomorphism(rounds)
    size = isomorphism.size
    build_seconds = time.perf_counter() - start
    deals = np.ascontiguousarray(decks[:, : isomorphism.n_cards])
    classes = isomorphism.index_many(deals)
    n = len(deals)
    return {
        "rounds": list(rounds),
        "classes": size,
        "build_ms": 1e3 * build_seconds,
        "index_per_second": n / best_seconds(lambda: isomorphism.index_many(deals), runs),
        "unindex_per_second": n / best_seconds(lambda: isomorphism.unindex_many(classes), runs),
        "weigh_per_second": n / best_seconds(lambda: isomorphism.weights(classes), runs),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=1_000_000, help="random deals per street")
    parser.add_argument("--runs", type=int, default=5, help="timed runs, of which the best counts")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()

    rng = np.random.default_rng(0)
    decks = rng.permuted(np.tile(FULL.cards, (options.deals, 1)), axis=1)
    results = {street: measure(rounds, decks, options.runs) for street, rounds in STREETS.items()}
    if options.json:
        print(json.dumps({"deals": options.deals, "runs": options.runs, "results": results}))
        return
    print("million per second      index  unindex    weigh        classes  build (ms)")
    for street, row in results.items():
        rates = [row[f"{what}_per_second"] / 1e6 for what in ("index", "unindex", "weigh")]
        columns = "  ".join(f"{rate:7.1f}" for rate in rates)
        print(f"{street:18}    {columns}  {row['classes']:13,}  {row['build_ms']:10.1f}")


if __name__ == "__main__":
    main()
