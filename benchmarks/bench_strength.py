"""How long the tables of exact hand strength take: E[HS] and E[HS²] alone, and with all the rest.

Run `python benchmarks/bench_strength.py`, with `--json` for one JSON object on standard output. Of
each table a sample of boards, spread over all, is worked on by one thread, and the best of several
runs extrapolated to all boards. `--full` builds the tables in a temporary folder instead, each in a
process of its own, and reports seconds with compiled kernels, peak memory (mapped files included)
and size on disk.
"""

import argparse
import json
import multiprocessing
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from counterfold.cards import FULL, draws_kernels, strength_kernels
from counterfold.cards.clusters import EIGHT_RANGES
from counterfold.cards.draws import DrawTables
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.strength import N_FINAL, StrengthTables

BARE, ALL = "E[HS], E[HS²]", "and histograms, OCHS"
RIVER, RIVER_OCHS = "HS", "OCHS"
WITH_OCHS = {"clusters": EIGHT_RANGES}
OPTIONS = {BARE: {"bins": 0}, ALL: WITH_OCHS, RIVER: {"bins": 0}, RIVER_OCHS: WITH_OCHS}
# Name, columns, boards of a sample. Preflop is a sum over the flop table and is not sampled.
TABLES = [
    ("flop", BARE, 10),
    ("flop", ALL, 10),
    ("preflop", ALL, 0),
    ("turn", BARE, 100),
    ("turn", ALL, 100),
    ("river", RIVER, 2000),
    ("river-ochs", RIVER_OCHS, 500),
    ("draws-flop", "", 3),
    ("draws-turn", "", 100),
]


def find_tables(name, columns, folder):
    """The tables that have `name`, and the street that its boards are of."""
    street = name.removeprefix("draws-").removesuffix("-ochs")
    if name.startswith("draws-"):
        return DrawTables(folder=folder), street
    return StrengthTables(**OPTIONS[columns], folder=folder), street


def make_work(name, columns, n):
    """Work on `n` boards, and the number of all boards."""
    tables, street = find_tables(name, columns, Path())
    every = StrengthTables().boards(street)
    boards = every[np.linspace(0, len(every) - 1, n).astype(int)]
    spec = tables.spec(street if name.startswith("draws-") else name)
    arrays = {key: np.zeros(column.shape, column.dtype) for key, column in spec.columns.items()}
    common = (boards, 0, n, FULL.cards, rank_tables(), tables.isomorphism(street).tables)
    if name.startswith("draws-"):
        kernel = (
            draws_kernels.tabulate_flop_draws
            if street == "flop"
            else draws_kernels.tabulate_turn_draws
        )
        scratch = draws_kernels.make_draw_scratch(FULL.n_cards)
        return lambda: kernel(*common, scratch, *arrays.values()), len(every)
    clusters = tables.clusters
    cluster_of = np.zeros(0, np.uint8) if clusters is None else clusters.cluster_of
    scratch = strength_kernels.make_scratch(FULL.n_cards, N_FINAL, tables.bins, cluster_of)
    if name == "river":
        return lambda: strength_kernels.tabulate_rivers(*common, scratch, arrays["sums"]), len(
            every
        )
    if name == "river-ochs":
        kernel = strength_kernels.tabulate_river_ochs
        return lambda: kernel(*common, cluster_of, scratch, arrays["ochs"]), len(every)
    small = np.uint16 if street == "flop" else np.uint8
    outputs = (
        arrays["sums"],
        arrays["squares"],
        arrays.get("histograms", np.zeros((0, 0), small)),
        arrays.get("ochs", np.zeros((0, 0), np.float32)),
    )
    kernel = strength_kernels.tabulate_boards
    return lambda: kernel(*common, tables.bin_of, cluster_of, scratch, *outputs), len(every)


def sample(name, columns, n, runs):
    work, n_boards = make_work(name, columns, n)
    work()  # warm-up: compiles, and gets the pages of the arrays
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return {
        "boards": n_boards,
        "sampled": n,
        "ms_per_board": 1e3 * min(seconds) / n,
        "core_seconds": min(seconds) / n * n_boards,
    }


def build(name, columns, folder, threads):
    """Build one table in this process, which must be a fresh one."""
    tables, street = find_tables(name, columns, folder)
    extra = {"river_ochs": True} if name == "river-ochs" else {}
    spec = tables.spec(street if name.startswith("draws-") else name)
    if name != "preflop":
        make_work(name, columns, 1)[0]()  # compiles
    start = time.perf_counter()
    tables.street(street, threads=threads, **extra)
    return {
        "seconds": time.perf_counter() - start,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
        "disk_mb": sum(f.stat().st_size for f in (folder / spec.folder_name).iterdir()) / 1e6,
    }


def build_all(names, threads):
    with tempfile.TemporaryDirectory() as folder:
        for name, columns, _ in TABLES:
            if names is None or name in names:
                with multiprocessing.get_context("spawn").Pool(1) as pool:
                    yield name, columns, pool.apply(build, (name, columns, Path(folder), threads))


def sample_all(names, share, runs):
    for name, columns, n in TABLES:
        if n and (names is None or name in names):
            yield name, columns, sample(name, columns, max(1, round(n * share)), runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = sorted({name for name, _, _ in TABLES})
    parser.add_argument("--only", choices=names, action="append", help="may be repeated")
    parser.add_argument("--share", type=float, default=1.0, help="of the usual sample of boards")
    parser.add_argument("--runs", type=int, default=3, help="timed runs, of which the best counts")
    parser.add_argument("--full", action="store_true", help="build the tables: minutes, and 2.6 GB")
    parser.add_argument("--threads", type=int, default=2, help="for --full")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()

    rows = []
    found = (
        build_all(options.only, options.threads)
        if options.full
        else sample_all(options.only, options.share, options.runs)
    )
    for name, columns, figures in found:
        rows.append({"table": name, "columns": columns} | figures)
        if options.json:
            continue
        if len(rows) == 1:
            print(f"{'table':12}{'columns':22}" + "".join(f"{key:>14}" for key in figures))
        cells = (f"{x:14,}" if isinstance(x, int) else f"{x:14,.2f}" for x in figures.values())
        print(f"{name:12}{columns:22}" + "".join(cells), flush=True)
    if options.json:
        threads = options.threads if options.full else 1
        print(json.dumps({"full": options.full, "threads": threads, "results": rows}))


if __name__ == "__main__":
    main()
