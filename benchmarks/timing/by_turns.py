"""Two checkouts of Counterfold in turns: how much slower or faster the benchmarks of one are.

python benchmarks/timing/by_turns.py BEFORE AFTER [--rounds N] [--only SUITE] [--like TEXT]
    [--out FILE]

Each checkout has a process of its own, which imports its package and its benchmarks, and takes from
them what they would time. Then blocks of at least 0.15 s alternate between the two, in the order
ABBA. What counts is the processor time of a block, that of processes it starts included: of
neighbors the ratio, and of all ratios the median, with the interval that order statistics give.
Other work on the machine slows neighbors alike, so that a busy one tells differences of 1%, too.
"""

import argparse
import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from math import comb
from pathlib import Path
from statistics import median

BLOCK_SECONDS = 0.15
LEAST_ROUNDS, MOST_SECONDS = 8, 10.0  # of each contender
_COVERED = 0.95


class Recorded:
    """Stands for a figure that was not timed, whatever a benchmark calculates from it."""

    def __init__(self, number):
        self.number = number

    def _same(self, *_):
        return self

    __truediv__ = __rtruediv__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __getitem__ = _same

    def __lt__(self, _):
        return False

    def __iter__(self):
        return iter((self, self))


class Recorder:
    """What the benchmarks of this checkout would time, in their order."""

    def __init__(self):
        self.blocks: list[Callable[[int], object]] = []
        self.labels: dict[int, str] = {}

    def run(self, run):
        """Keep a function of the number of iterations."""
        self.blocks.append(run)
        return Recorded(len(self.blocks) - 1)

    def call(self, function, *arguments, **options):
        """Keep a function that does one iteration."""
        action = partial(function, *arguments, **options)

        def run(n):
            for _ in range(n):
                found = action()
            return found

        return self.run(run)

    def label(self, path, found):
        """Name what was kept by where its figure stands among the results of its benchmark."""
        if isinstance(found, Recorded):
            self.labels.setdefault(found.number, path)
        elif isinstance(found, dict):
            for key, value in found.items():
                self.label(f"{path}: {key}", value)
        elif isinstance(found, (list, tuple)):
            for row in found:
                name = row.get("question") or row.get("match") if isinstance(row, dict) else None
                self.label(f"{path}: {name}" if name else path, row)


def record_figures(name, recorder):
    """A benchmark of `run.py`: the first of those it compares is ours."""
    bench = importlib.import_module(f"bench_{name}")
    bench.rates = lambda *runs: [recorder.run(runs[0])] + [Recorded(-1)] * (len(runs) - 1)
    for figure in bench.figures():
        recorder.label(figure.name, figure.ours)


def record_end_to_end(recorder):
    bench = importlib.import_module("bench_end_to_end")
    bench.medians = lambda *samples, **_: (
        [recorder.call(_silent, each) for each in samples[:3]] + [Recorded(-1)] * (len(samples) - 3)
    )
    for figure in bench.figures():
        recorder.label(figure.name, figure.ours)


def _silent(action):
    """Do it, and return nothing: seconds are no result to compare."""
    action()


def record_commands(recorder):
    import processes

    cache = tempfile.mkdtemp()
    for arguments in ("leduc", "leduc -a external"):
        work = partial(processes.solve, arguments, cache)
        work()
        recorder.label(f"solve {arguments}, kernels on disk", recorder.call(_silent, work))


def record_ranking(recorder):
    bench = importlib.import_module("bench_ranking")
    bench.rate = lambda n, function, *arguments: recorder.call(function, *arguments)
    bench.N_CALLS = 1000
    recorder.label("ranks", bench.measure())


def record_isomorphism(recorder):
    bench = importlib.import_module("bench_isomorphism")
    bench.best_seconds = lambda work, runs: recorder.call(work)
    np, full = bench.np, bench.FULL
    decks = np.random.default_rng(0).permuted(np.tile(full.cards, (100_000, 1)), axis=1)
    for street, rounds in bench.STREETS.items():
        recorder.label(f"isomorphism, {street}", bench.measure(rounds, decks, 1))


def record_equity(recorder):
    bench = importlib.import_module("bench_equity")
    bench.loop_with_eval7 = lambda *question: bench.equity(*question).equity
    bench.seconds = lambda function, *arguments, repeats=5, **options: recorder.call(
        function, *arguments, **options
    )
    recorder.label("equity", bench.measure())


def record_strength(recorder):
    bench = importlib.import_module("bench_strength")
    for name, columns, n in bench.TABLES:
        if n:
            work, _ = bench.make_work(name, columns, max(2, n // 20))
            recorder.label(f"tables: {name}, {columns}".rstrip(", "), recorder.call(work))


def record_public(recorder):
    bench = importlib.import_module("bench_public")
    for asked in bench.GRAPHS:
        recorder.label(f"graph: {asked[0]}, {asked[1]}", recorder.call(bench.graph_of, *asked))
    bench.per_second = lambda action, repetitions: (
        recorder.call(action)
        if getattr(action, "__name__", "") != "run_peer"
        else (Recorded(-1), Recorded(-1))
    )
    buckets = bench.made_up_buckets()
    recorder.label("deals", bench.measure_deals(buckets, 1))
    recorder.label("walks", bench.measure_walks(buckets, 1))
    recorder.label("fcpa", bench.measure_against_openspiel(buckets, 1))


def record_match(recorder):
    bench = importlib.import_module("bench_match")
    bench.N_HANDS, bench.N_WRITTEN = 10_000, 500
    bench.best_rate = lambda n, action, **_: recorder.call(action)
    for threads in (1, 2):
        recorder.label(f"matches, {threads} threads", bench.measure(threads))
    recorder.label("all-in, adjusted", bench.measure_streets())
    bench.tempfile.TemporaryDirectory = Kept
    recorder.label("histories", bench.measure_histories())


class Kept:
    """A temporary folder that outlives its context."""

    def __enter__(self):
        return tempfile.mkdtemp()

    def __exit__(self, *_):
        return None


SUITES = {
    "full_width": partial(record_figures, "full_width"),
    "sampled": partial(record_figures, "sampled"),
    "evaluation": partial(record_figures, "evaluation"),
    "end_to_end": record_end_to_end,
    "commands": record_commands,
    "ranking": record_ranking,
    "isomorphism": record_isomorphism,
    "equity": record_equity,
    "strength": record_strength,
    "public": record_public,
    "match": record_match,
}


def serve(suite):
    """Be the process of one checkout: run the blocks of a suite that standard input names."""
    replies = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what benchmarks print is no reply
    recorder = Recorder()
    SUITES[suite](recorder)
    labels = [recorder.labels.get(k, f"{suite} {k}") for k in range(len(recorder.blocks))]
    print(json.dumps(labels), file=replies)
    for line in sys.stdin:
        k, n = map(int, line.split())
        before = processor_seconds()
        found = recorder.blocks[k](n)
        spent = processor_seconds() - before
        done = float(found) if isinstance(found, (int, float)) else None
        print(json.dumps([spent, done]), file=replies)


def processor_seconds():
    """Of this process and of those it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


class Contender:
    """The process of a checkout."""

    def __init__(self, checkout, suite):
        paths = [checkout / "src", checkout / "benchmarks", checkout / "benchmarks" / "timing"]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "NUMBA_CACHE_DIR": str(checkout / ".cache" / "numba-by-turns"),
            "OMP_NUM_THREADS": "1",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__, "--serve", suite],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.labels = json.loads(self._process.stdout.readline())

    def block(self, k, n):
        """Seconds of the processor for `n` iterations of benchmark `k`, and what they returned."""
        print(k, n, file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def close(self):
        self._process.stdin.close()
        self._process.wait()


def compare(before, after, k, rounds):
    """Ratios of seconds, after over before, of neighbors; fewer of blocks that take long."""
    contenders = before, after
    for each in contenders:
        each.block(k, 1)  # compiles
    n = 1
    while (seconds := max(each.block(k, n)[0] for each in contenders)) < BLOCK_SECONDS:
        n *= 2
    ratios, same = [], True
    for turn in range(min(rounds, max(LEAST_ROUNDS, int(MOST_SECONDS / seconds)))):
        order = contenders if turn % 2 == 0 else contenders[::-1]
        found = {each: each.block(k, n) for each in order}
        ratios.append(found[after][0] / found[before][0])
        same &= found[after][1] == found[before][1]
    return ratios, same


def median_interval(ratios):
    """Order statistics around the median that hold it with 95%."""
    n, ordered = len(ratios), sorted(ratios)
    outside, k = 0.0, 0
    while outside + 2 * comb(n, k) / 2**n <= 1 - _COVERED:
        outside += 2 * comb(n, k) / 2**n
        k += 1
    return ordered[max(0, k - 1)], ordered[min(n - 1, n - k)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="*", type=Path, metavar="BEFORE AFTER")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--only", choices=SUITES, action="append", help="may be repeated")
    parser.add_argument("--like", default="", help="only benchmarks whose name contains this")
    parser.add_argument("--out", type=Path, help="a JSON file")
    parser.add_argument("--serve", choices=SUITES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return
    before, after = (folder.resolve() for folder in options.checkouts)
    rows = []
    for suite in options.only or SUITES:
        contenders = Contender(before, suite), Contender(after, suite)
        labels = contenders[0].labels
        assert len(labels) == len(contenders[1].labels), (labels, contenders[1].labels)
        for k, label in enumerate(labels):
            if options.like not in label:
                continue
            ratios, same = compare(*contenders, k, options.rounds)
            low, high = median_interval(ratios)
            row = {"benchmark": label, "ratio": median(ratios), "low": low, "high": high}
            rows.append(row | {"same_results": same})
            flag = "" if same else "  other results"
            print(f"{label:70}{median(ratios):7.3f} {low:7.3f} {high:7.3f}{flag}", flush=True)
        for each in contenders:
            each.close()
        if options.out:
            options.out.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
