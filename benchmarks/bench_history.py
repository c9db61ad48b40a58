"""History bucketing of a full deck: seconds to fit, to count joint tables, and to look up deals.

python benchmarks/bench_history.py [--preset NAME] [--threads N] [--samples N] [--all] [--json]

The strength tables are taken from the cache folder, or built there first; that is not counted.
"""

import argparse
import json
import platform
import tempfile
import time
from pathlib import Path

import numpy as np

from counterfold.buckets.histories.history import HISTORY_PRESETS
from counterfold.buckets.histories.history_fit import fit
from counterfold.buckets.histories.history_streets import N_LEVELS
from counterfold.buckets.joint_tables import build_joint
from counterfold.buckets.label_numbers import percentiles
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import Deck, StrengthTables

N_DEALS = 1_000_000


def seconds(function, *arguments, **options):
    start = time.perf_counter()
    function(*arguments, **options)
    return time.perf_counter() - start


def warm_up(history):
    """Load or compile every kernel, on a small deck."""
    with tempfile.TemporaryDirectory() as folder:
        source = StrengthLookup(StrengthTables(Deck(5, 3), folder=Path(folder)))
        fitted = history.build(source)
        fitted.sequences([fitted.deck.cards[:7]])
        build_joint(fitted, Path(folder))
        build_joint(fitted, Path(folder), samples=2)


class Watch:
    """Seconds of each table, from what it reports while it is counted."""

    def __init__(self):
        self.restart()

    def restart(self):
        self.starts = {}
        self.seconds = {}
        self.last = time.perf_counter()

    def __call__(self, name, done, total):
        self.starts.setdefault(name, self.last)
        self.last = time.perf_counter()
        self.seconds[name] = self.last - self.starts[name]


def measure(history, threads, samples, count_all):
    warm_up(history)
    watch = Watch()
    source = StrengthLookup(StrengthTables(), threads=threads, progress=watch)
    for street in ("flop", "turn", "preflop", "river"):
        source.strength.street(street, threads=threads)
    fitted = history.build(source)  # and what it needs of levels
    values, weights = source.order("ehs2", "turn"), source.weights("turn")
    rows = {"levels of the turn, once per metric": seconds(percentiles, values, weights, N_LEVELS)}
    watch.restart()
    busy = time.process_time()
    rows["fit, all streets"] = seconds(fit, history, source)
    busy = time.process_time() - busy
    rows["  of which turn"] = watch.seconds["history-turn"]
    rows["  of which river"] = watch.seconds["history-river"]

    rng = np.random.default_rng(0)
    deals = rng.random((N_DEALS, 52)).argpartition(7, axis=1)[:, :7].astype(np.uint8)
    fitted.sequences(deals)  # from disk
    rows["sequences of 1,000,000 deals, 1 thread"] = seconds(fitted.sequences, deals)

    with tempfile.TemporaryDirectory() as folder:
        watch = Watch()
        options = {"samples": samples, "seed": 1, "threads": threads, "progress": watch}
        joint = build_joint(fitted, Path(folder), **options)
        rows["joint, flop, all boards"] = watch.seconds["joint-flop"]
        rows["joint, turn, all boards"] = watch.seconds["joint-turn"]
        rows[f"joint, river, {samples:,} boards"] = watch.seconds["joint-river"]
        figures = {
            "processor seconds of the fit": busy,
            "sampled boards per second": samples / watch.seconds["joint-river"],
            "expected error of probabilities, summed": joint.probabilities[-1].overall_error,
            "expected error of wins less losses, summed": joint.net.overall_error,
        }
        if count_all:
            watch = Watch()
            exact = build_joint(fitted, Path(folder), threads=threads, progress=watch)
            rows["joint, river, all boards"] = watch.seconds["joint-river"]
            for name, ours, theirs in (
                ("probabilities", joint.probabilities[-1], exact.probabilities[-1]),
                ("wins less losses", joint.net, exact.net),
            ):
                off = float(np.abs(ours.values - theirs.values).sum(dtype=float))
                figures[f"actual error of {name}, summed"] = off
    return rows, figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", choices=HISTORY_PRESETS, default="cprg-5")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--samples", type=int, default=20_000)
    parser.add_argument("--all", action="store_true", help="count all boards of the river, too")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    rows, figures = measure(HISTORY_PRESETS[asked.preset], asked.threads, asked.samples, asked.all)
    if asked.json:
        machine = platform.processor() or platform.machine()
        content = {"machine": machine, "preset": asked.preset, "threads": asked.threads}
        print(json.dumps({**content, "seconds": rows, "figures": figures}, indent=2))
        return
    print(f"{asked.preset} on {asked.threads} threads")
    for name, took in rows.items():
        print(f"{name:44}{took:10.2f} s")
    for name, figure in figures.items():
        print(f"{name:44}{figure:10.4g}")


if __name__ == "__main__":
    main()
