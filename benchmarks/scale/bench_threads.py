"""How speed grows with threads: training by each method, joint tables, strength tables, matches.

python benchmarks/scale/bench_threads.py [--threads 1,2,4,8,16] [--seconds S] [--only NAME;...]
                                         [--json]

A row is one kind of work: units per second on each number of threads, that speed as a share of
linear, and how many processors were busy. Training runs in steps of half a second, as `train` does.
Card tables that are missing are built first, on all cores.
"""

import argparse
import json
import os
import tempfile
import time
from functools import cache, partial
from pathlib import Path

from counterfold.buckets.histories.history import History
from counterfold.buckets.histories.joint_walks import sample_pairs
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import Deck, StrengthTables
from counterfold.matches.entrants import enter
from counterfold.matches.match_play import play_match
from counterfold.threads import thread_count
from counterfold.training.metered_loop import _least_chunk
from counterfold.training.plan import make_plan
from counterfold.training.solver_factory import build_solver, find_chance

PERCENTILES = (
    "cards=preflop: lossless; flop: percentile(200, metric=ehs2); "
    "turn: percentile(200, metric=ehs2); river: percentile(200)"
)
STEP_SECONDS = 0.5
HANDS = 400_000  # for each thread
BOARDS = 20_000  # for each thread
DECK = Deck(9, 4)


@cache
def find_cards(recipe, *overrides):
    """Built once; plans that are made later open the same tables."""
    return make_plan(recipe, overrides).cards()


def train(recipe, *overrides, threads, seconds):
    """Iterations in about `seconds`, in steps."""
    find_cards(recipe, *overrides)
    plan = make_plan(recipe, [*overrides, f"solver.threads={threads}", "solver.device=cpu"])
    cards = plan.cards()
    solver = build_solver(plan, plan.game(cards.n_buckets), find_chance(plan, cards))
    least = _least_chunk(plan)
    solver.run(least)
    begun, step, started = solver.iterations, least, time.perf_counter()
    with Clock() as clock:
        while time.perf_counter() - started < seconds:
            before = time.perf_counter()
            solver.run(step)
            rate = step / (time.perf_counter() - before)
            step = max(least, min(int(rate * STEP_SECONDS), 4 * step))
    return solver.iterations - begun, clock


def count_joint(*, threads, seconds):
    """Sampled boards for the joint tables of `cprg-5`; all of them take minutes on one core."""
    recalled = find_cards("cprg-5").buckets.with_perfect_recall()
    sample_pairs(recalled, 64 * threads, 0, threads, None)
    with Clock() as clock:
        sample_pairs(recalled, BOARDS * threads, 0, threads, None)
    return BOARDS * threads, clock


def build_strength(*, threads, seconds):
    """All strength tables of the streets of a short deck, with those that they need."""
    with tempfile.TemporaryDirectory() as folder, Clock() as clock:
        tables = StrengthTables(DECK, folder=Path(folder))
        for street in ("flop", "turn", "river"):
            tables.street(street, threads=threads)
    return 1, clock


def fit_buckets(*, threads, seconds):
    """Buckets of `cprg-5` for a short deck, its strength tables built on all cores."""
    with tempfile.TemporaryDirectory() as folder:
        tables = StrengthTables(DECK, folder=Path(folder))
        for street in ("preflop", "flop", "turn"):
            tables.street(street)
        with Clock() as clock:
            History(5).build(StrengthLookup(tables, threads, device="cpu"))
    return 1, clock


def play(*, threads, seconds):
    """Hands between two baselines that look at their cards."""
    variant, (one, two) = enter(["pot-odds", "hand-rank"], "nolimit", None)
    options = {"variant": variant, "threads": threads}
    play_match(one, two, hands=4096, **options)
    with Clock() as clock:
        play_match(one, two, hands=HANDS * threads, **options)
    return HANDS * threads, clock


WORK = {
    "external, no-limit": ("deals", partial(train, "nolimit-quick")),
    "external, River of Blood": ("deals", partial(train, "river-of-blood-quick")),
    "public chance, limit": ("boards", partial(train, "limit-best", PERCENTILES)),
    "joint tables, cprg-5": ("iterations", partial(train, "cprg-5")),
    "matches": ("hands", play),
    "strength tables": ("builds", build_strength),
    "history buckets": ("builds", fit_buckets),
    "joint tables counted": ("boards", count_joint),
}


class Clock:
    """Seconds that passed, and those of all processors together."""

    def __enter__(self):
        self._wall, self._busy = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_):
        self.wall = time.perf_counter() - self._wall
        self.busy = time.process_time() - self._busy


def measure(names, counts, seconds):
    """A row of figures for each kind of work and number of threads."""
    for name in names:
        unit, work = WORK[name]
        alone = None
        for threads in counts:
            done, clock = work(threads=threads, seconds=seconds)
            rate = done / clock.wall
            alone = alone or rate / threads
            yield {
                "work": name,
                "threads": threads,
                f"{unit}_per_second": rate,
                "of_linear": rate / (alone * threads),
                "processors_busy": clock.busy / clock.wall,
            }


def main():
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", default="")
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--only", default=";".join(WORK), help="names, with ';' between them")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    cores = thread_count()
    powers = [2**k for k in range(10) if 2**k <= cores]
    counts = [int(n) for n in options.threads.split(",")] if options.threads else powers
    for row in measure(options.only.split(";"), counts, options.seconds):
        if options.json:
            print(json.dumps(row), flush=True)
            continue
        (rate,) = (value for key, value in row.items() if key.endswith("_per_second"))
        print(
            f"{row['work']:28} {row['threads']:4} threads {rate:14,.3f}/s "
            f"{row['of_linear']:5.2f} of linear {row['processors_busy']:6.1f} busy",
            flush=True,
        )


if __name__ == "__main__":
    os.environ.pop("COUNTERFOLD_THREADS", None)
    main()
