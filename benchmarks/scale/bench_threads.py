"""How speed grows with threads: training by each method, tables, matches and `respond`.

On a machine with 16 cores, all in one run, kernels and tables included, in about four minutes:

python benchmarks/scale/bench_threads.py --prepare --threads 1,4,16 --seconds 3 --apart --json

python benchmarks/scale/bench_threads.py [--threads 1,2,4,8,16] [--seconds S] [--only NAME;...]
                                         [--prepare] [--apart] [--json]

A row is one kind of work: units per second on each number of threads, that speed as a share of
linear, and how many processors were busy. Training runs in steps of half a second, as `train` does.
Card tables that are missing are built first, on all cores.

With --prepare, all kinds of work are done in small beforehand, each in a process of its own, so
their kernels are compiled side by side. With --apart, external sampling is also done by as many
trainings as there are threads, which share nothing: by processes, and by threads that share only
Python's lock. What shared tables cost is the difference. A last kind of work is arithmetic in
registers and nothing else: what it gains by more threads is what the machine has.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path

from numba import njit

from counterfold.api import train as train_bot
from counterfold.buckets.histories.history import History
from counterfold.buckets.histories.joint_walks import sample_pairs
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import Deck, StrengthTables
from counterfold.matches.entrants import enter
from counterfold.matches.match_play import play_match
from counterfold.responses.exact_response import ExactResponder
from counterfold.threads import thread_count
from counterfold.training.metered_loop import _least_chunk
from counterfold.training.plan import make_plan
from counterfold.training.solver_factory import build_solver, find_chance
from counterfold.training.train_folder import load_trained

PERCENTILES = (
    "cards=preflop: lossless; flop: percentile(200, metric=ehs2); "
    "turn: percentile(200, metric=ehs2); river: percentile(200)"
)
PLAIN = "solver.algorithm=public-chance"
STEP_SECONDS = 0.5
ROUNDS = 100_000_000  # of arithmetic in a second, about
HANDS = 400_000  # for each thread
BOARDS = 6_000  # for each thread
TURNS = 2  # for each thread
DECK, SMALL_DECK = Deck(9, 4), Deck(5, 4)
PREPARED = "--prepared"  # what a process that only prepares is told


@cache
def find_cards(recipe, *overrides):
    """Built once; plans that are made later open the same tables."""
    return make_plan(recipe, overrides).cards()


def make_trainer(recipe, *overrides, threads):
    """A solver that has walked its first deals or boards, and the fewest of them in a step."""
    find_cards(recipe, *overrides)
    plan = make_plan(recipe, [*overrides, f"solver.threads={threads}", "solver.device=cpu"])
    cards = plan.cards()
    solver = build_solver(plan, plan.game(cards.n_buckets), find_chance(plan, cards))
    least = _least_chunk(plan)
    solver.run(least)
    return solver, least


def run_steps(solver, least, seconds):
    """Iterations in about `seconds`."""
    begun, step, started = solver.iterations, least, time.perf_counter()
    while time.perf_counter() - started < seconds:
        before = time.perf_counter()
        solver.run(step)
        rate = step / (time.perf_counter() - before)
        step = max(least, min(int(rate * STEP_SECONDS), 4 * step))
    return solver.iterations - begun


def train(recipe, *overrides, threads, seconds):
    """Iterations in about `seconds`, in steps."""
    solver, least = make_trainer(recipe, *overrides, threads=threads)
    with Clock() as clock:
        done = run_steps(solver, least, seconds)
    return done, clock


def train_by_threads(recipe, *, threads, seconds):
    """The same by trainings of one thread each, with tables of their own."""
    trainers = [make_trainer(recipe, threads=1) for _ in range(threads)]
    with ThreadPoolExecutor(threads) as pool, Clock() as clock:
        done = sum(pool.map(lambda each: run_steps(*each, seconds), trainers))
    return done, clock


def train_by_processes(recipe, *, threads, seconds):
    """The same by processes."""
    command = [sys.executable, __file__, "--alone", recipe, "--seconds", str(seconds)]
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(threads)
    ]
    for each in running:
        each.stdout.readline()  # it is ready
    with Clock() as clock:
        for each in running:
            each.stdin.write("go\n")
            each.stdin.flush()
        done = sum(int(each.communicate()[0]) for each in running)
    clock.busy = threads * clock.wall
    return done, clock


def calculate(*, threads, seconds):
    """Rounds of arithmetic, which touch no memory."""
    n = int(ROUNDS * seconds)
    multiply_and_shift(1, 1)
    with ThreadPoolExecutor(threads) as pool, Clock() as clock:
        list(pool.map(partial(multiply_and_shift, n), range(threads)))
    return n * threads, clock


@njit(nogil=True)
def multiply_and_shift(n, seed):
    """Four chains of numbers, so that no processor waits for a result."""
    a, b, c, d = seed + 1, seed + 2, seed + 3, seed + 4
    for _ in range(n):
        a = a * 6364136223846793005 ^ a >> 17
        b = b * 6364136223846793005 ^ b >> 17
        c = c * 6364136223846793005 ^ c >> 17
        d = d * 6364136223846793005 ^ d >> 17
    return a ^ b ^ c ^ d


def train_alone(recipe, seconds):
    """What such a process does."""
    trainer = make_trainer(recipe, threads=1)
    print("ready", flush=True)
    sys.stdin.readline()
    print(run_steps(*trainer, seconds), flush=True)


def count_joint(*, threads, seconds):
    """Sampled boards for the joint tables of `cprg-5`; all of them take minutes on one core."""
    recalled = find_cards("cprg-5").buckets.with_perfect_recall()
    n = min(BOARDS, int(2000 * seconds)) * threads
    sample_pairs(recalled, 64 * threads, 0, threads, None)
    with Clock() as clock:
        sample_pairs(recalled, n, 0, threads, None)
    return n, clock


def build_strength(*, threads, seconds, deck=DECK):
    """All strength tables of the streets of a short deck, with those that they need."""
    with tempfile.TemporaryDirectory() as folder, Clock() as clock:
        tables = StrengthTables(deck, folder=Path(folder))
        for street in ("flop", "turn", "river"):
            tables.street(street, threads=threads)
    return 1, clock


def fit_buckets(*, threads, seconds, deck=DECK):
    """Buckets of `cprg-5` for a short deck, its strength tables built on all cores."""
    with tempfile.TemporaryDirectory() as folder:
        tables = StrengthTables(deck, folder=Path(folder))
        for street in ("preflop", "flop", "turn"):
            tables.street(street)
        with Clock() as clock:
            History(5).build(StrengthLookup(tables, threads, device="cpu"))
    return 1, clock


def play(*, threads, seconds):
    """Hands between two baselines that look at their cards."""
    variant, (one, two) = enter(["pot-odds", "hand-rank"], "nolimit", None)
    options = {"variant": variant, "threads": threads}
    n = min(HANDS, int(200_000 * seconds)) * threads
    play_match(one, two, hands=4096, **options)
    with Clock() as clock:
        play_match(one, two, hands=n, **options)
    return n, clock


def respond(*, threads, seconds):
    """Turns of limit hold'em, with all rivers, against a bot that has hardly learned."""
    responder = limit_responder()
    list(responder.respond(responder.sample(threads, 1, 3), threads))
    boards = responder.sample(min(TURNS, math.ceil(seconds)) * threads, 0, 2)
    with Clock() as clock:
        list(responder.respond(boards, threads))
    return len(boards), clock


@cache
def limit_responder():
    """Against `limit-best` after a few boards."""
    find_cards("limit-best", PERCENTILES)
    with tempfile.TemporaryDirectory() as folder:
        train_bot(
            "limit-best", Path(folder) / "bot", iterations=2, device="cpu", overrides=[PERCENTILES]
        )
        return ExactResponder.of_run(load_trained(Path(folder) / "bot"))


WORK = {
    "external, no-limit": ("deals", partial(train, "nolimit-quick")),
    "external, River of Blood": ("deals", partial(train, "river-of-blood-quick")),
    "public chance, limit": ("boards", partial(train, "limit-safe", PERCENTILES, PLAIN)),
    "cfr-br, limit": ("boards", partial(train, "limit-best", PERCENTILES)),
    "joint tables, cprg-5": ("iterations", partial(train, "cprg-5")),
    "matches": ("hands", play),
    "respond": ("turns", respond),
    "strength tables": ("builds", build_strength),
    "history buckets": ("builds", fit_buckets),
    "joint tables counted": ("boards", count_joint),
}
APART = {
    f"{name}, by {way}": ("deals", partial(work, recipe))
    for name, recipe in (
        ("no-limit", "nolimit-quick"),
        ("River of Blood", "river-of-blood-quick"),
    )
    for way, work in (("threads", train_by_threads), ("processes", train_by_processes))
} | {"arithmetic alone": ("rounds", calculate)}
SMALLER = {
    "strength tables": partial(build_strength, deck=SMALL_DECK),
    "history buckets": partial(fit_buckets, deck=SMALL_DECK),
}


class Clock:
    """Seconds that passed, and those of all processors together."""

    def __enter__(self):
        self._wall, self._busy = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_):
        self.wall = time.perf_counter() - self._wall
        self.busy = time.process_time() - self._busy


def prepare(names):
    """Do all kinds of work in small, each in its own process; tell what went wrong."""
    command = [sys.executable, __file__, PREPARED]
    running = {name: subprocess.Popen([*command, name]) for name in names}
    failed = [name for name, process in running.items() if process.wait()]
    if failed:
        sys.exit(f"could not prepare {'; '.join(failed)}")


def measure(names, counts, seconds):
    """A row of figures for each kind of work and number of threads."""
    for name in names:
        unit, work = (WORK | APART)[name]
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
    parser.add_argument("--prepare", action="store_true", help="compile kernels side by side")
    parser.add_argument("--apart", action="store_true", help="with trainings that share nothing")
    parser.add_argument("--json", action="store_true")
    parser.add_argument(PREPARED, help=argparse.SUPPRESS)
    parser.add_argument("--alone", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.prepared:
        name = options.prepared
        SMALLER.get(name, WORK[name][1])(threads=2, seconds=0.01)
        return
    if options.alone:
        train_alone(options.alone, options.seconds)
        return
    cores, started = thread_count(), time.perf_counter()
    powers = [2**k for k in range(10) if 2**k <= cores]
    counts = [int(n) for n in options.threads.split(",")] if options.threads else powers
    names = options.only.split(";")
    if options.prepare:
        prepare(names)
        print(f"prepared in {time.perf_counter() - started:,.0f} s", file=sys.stderr, flush=True)
    for row in measure([*names, *(APART if options.apart else ())], counts, options.seconds):
        if options.json:
            print(json.dumps(row), flush=True)
            continue
        (rate,) = (value for key, value in row.items() if key.endswith("_per_second"))
        print(
            f"{row['work']:34} {row['threads']:4} threads {rate:14,.3f}/s "
            f"{row['of_linear']:5.2f} of linear {row['processors_busy']:6.1f} busy",
            flush=True,
        )
    print(f"all of it in {time.perf_counter() - started:,.0f} s", file=sys.stderr)


if __name__ == "__main__":
    os.environ.pop("COUNTERFOLD_THREADS", None)
    main()
