"""Card abstractions of a full deck: seconds to build once the strength tables exist, and look-ups.

Run `python benchmarks/bench_buckets.py`. The strength tables are taken from the cache folder, or
built there first, which is not counted; buckets are built in memory and not kept. Each build is
timed twice, by the clock and by the processor: on a busy machine only the second can be compared,
and `load_average` says how busy it was. k-means is measured against scikit-learn in the same run
(see `bench_kmeans.py`): on all flops, and on a part of the turns, since the peer needs reals. With
`--write` everything goes to `results/<date>-buckets.json`.
"""

import argparse
import datetime
import json
import os
import platform
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import bench_kmeans
from counterfold.buckets import STREETS, StrengthLookup, parse_bucketing, parse_card_abstraction
from counterfold.buckets.histories.history import HISTORY_PRESETS
from counterfold.buckets.histories.history_fit import fit
from counterfold.buckets.histories.history_streets import turn_levels
from counterfold.buckets.street_abstraction import StreetBuckets
from counterfold.cards import StrengthTables
from counterfold.cards.streets import BOARD_SIZES

RESULTS = Path(__file__).with_name("results")
BY_STREET = ("percentile(10)", "percentile(10, metric=ehs2)", "nested(5, 2)", "psopti(10)")
HISTORIES = ("cprg-5", "cprg-10", "cprg-10-nested")
N_DEALS = 1_000_000
N_SCALAR = 5_000
MOST_TURNS = 2_000_000  # of the peer


def timed(action):
    """Seconds by the clock and by the processor, and what came out."""
    clock, busy = time.perf_counter(), time.process_time()
    result = action()
    return (
        {
            "seconds": time.perf_counter() - clock,
            "processor_seconds": time.process_time() - busy,
        },
        result,
    )


def measure_builds(source):
    """All four streets of each abstraction, one after the other."""
    rows = {}
    for name in BY_STREET:
        bucketing = parse_bucketing(name)
        bucketing.label(source, "preflop")  # compiles

        def build(bucketing=bucketing):
            return [bucketing.label(source, street).size for street in STREETS]

        rows[name], _ = timed(build)
    for metric in ("ehs", "ehs2"):
        turn_levels(source, metric)  # made once for all histories, like the tables
    for name in HISTORIES:
        rows[name], _ = timed(lambda name=name: fit(HISTORY_PRESETS[name], source))
    return rows


def measure_turn_clusters(source, clusters):
    """All turns, by centers from a sample and an exact assignment of every class."""
    row, labels = timed(lambda: parse_bucketing(f"histogram({clusters})").label(source, "turn"))
    return row | {"clusters": int(labels.max()) + 1, "points": labels.size}


def measure_lookups(source):
    """Deals per second on one thread, and microseconds of a call for one hand."""
    buckets = parse_card_abstraction("lossless; flop: percentile(200)").build(source)
    product = parse_card_abstraction("cprg-5 * percentile(10)").build(source)
    rng = np.random.default_rng(0)
    deals = rng.random((N_DEALS, 52)).argpartition(7, axis=1)[:, :7].astype(np.uint8)
    rows = {}
    for street in STREETS:
        part = np.ascontiguousarray(deals[:, : 2 + BOARD_SIZES[street]])
        rows[f"by class, {street}"] = _look_up(buckets.buckets, part) | _call(buckets, part)
        rows[f"cprg-5 * percentile(10), {street}"] = _look_up(product.numbers, part)
    rows["cprg-5, sequences up to the river"] = _look_up(product.histories[0].sequences, deals)
    return rows


def _look_up(ask, deals):
    ask(deals)  # compiles, and reads the pages from disk
    runs = [timed(lambda: ask(deals))[0] for _ in range(5)]
    best = min(runs, key=lambda run: run["processor_seconds"])
    return {
        "deals_per_second": len(deals) / best["seconds"],
        "deals_per_processor_second": len(deals) / best["processor_seconds"],
    }


def _call(buckets: StreetBuckets, deals):
    hands = [(deal[:2], deal[2:]) for deal in deals[:N_SCALAR].tolist()]

    def ask():
        for hole, board in hands:
            buckets.bucket(hole, board)

    ask()
    runs = [timed(ask)[0]["processor_seconds"] for _ in range(3)]
    return {"microseconds_of_one_call": 1e6 * min(runs) / len(hands)}


def measure_kmeans(street, points, threads):
    options = SimpleNamespace(clusters=200, iterations=30, threads=threads, runs=1, seeding=False)
    histograms, weights = bench_kmeans.real(street, points, None, threads)
    result = bench_kmeans.compare(histograms, weights, options)
    return {"street": street, "points": len(histograms), "clusters": 200} | result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="to the folder of results")
    parser.add_argument("--only", action="append", help="a part by name; may be repeated")
    asked = parser.parse_args()
    source = StrengthLookup(StrengthTables(), threads=asked.threads)
    for street in ("flop", "preflop", "turn", "river"):
        source.strength.street(street, threads=asked.threads)
    content = {
        "machine": {
            "cpu": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
        },
        "threads": asked.threads,
    }
    parts = {
        "k-means, flop": lambda: measure_kmeans("flop", None, asked.threads),
        "k-means, part of the turn": lambda: measure_kmeans("turn", MOST_TURNS, asked.threads),
        "k-means, all of the turn": lambda: measure_turn_clusters(source, 200),
        "builds": lambda: measure_builds(source),
        "look-ups": lambda: measure_lookups(source),
    }
    path = RESULTS / f"{datetime.date.today().isoformat()}-buckets.json"
    if path.exists() and asked.write and asked.only:
        content = json.loads(path.read_text(encoding="utf-8"))
    for name, measure in parts.items():
        if asked.only and name not in asked.only:
            continue
        content[name] = measure() | {"load_average": os.getloadavg()[0]}
        print(name, json.dumps(content[name], indent=2), flush=True)
        if asked.write:  # part by part: a long run may be cut short
            path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
