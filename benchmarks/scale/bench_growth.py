"""How time and memory grow with buckets, with nodes of the betting, and with types of a board.

python benchmarks/scale/bench_growth.py [--seconds S] [--threads N] [--only KIND,...]
python benchmarks/scale/bench_growth.py --gigabytes 0.3,1,3,6,10,20
python benchmarks/scale/bench_growth.py --crowds 1,2,4,8,16

Each row is one `counterfold train` in a process of its own: sizes and memory as estimated before,
memory as it was, and the rate. Card tables that are missing are built first, not timed.

With --gigabytes, games whose training is estimated at so much memory, until they have faded twice,
so that every page has been written, and were saved. Memory, `own_bytes`, is then the most that the
process had of its own at any moment: resident less file-backed pages, rss - shared of psutil, since
card tables are mapped files. `measured` is that less what the program itself takes, which the first
row shows, a game of a few megabytes; `ratio` is `measured` to the estimate, `training_bytes`.

With --crowds, the memory of one game on so many threads, whether there are cores for them or not.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from counterfold.training.cost import training_bytes
from counterfold.training.plan import make_plan


def percentiles(n):
    """As many buckets on every street after the first."""
    street = f"percentile({n}, metric=ehs2)"
    return f"cards=preflop: lossless; flop: {street}; turn: {street}; river: percentile({n})"


MENUS = (
    "100%, allin; cap 2",
    "100%, allin; cap 4",
    "50%, 100%, allin; cap 3",
    "50%, 100%, allin; cap 5",
    "33%, 75%, 150%, allin; cap 4",
    "33%, 50%, 75%, 100%, 150%, allin; cap 4",
)
KINDS = {
    "buckets": ("nolimit-quick", [[percentiles(n)] for n in (50, 200, 800, 3200, 12800)]),
    "nodes": ("nolimit-quick", [[percentiles(200), f"bets={menu}"] for menu in MENUS]),
    "boards": (
        "limit-safe",
        [[percentiles(n), "solver.algorithm=public-chance"] for n in (25, 50, 100, 200, 400, 800)],
    ),
}
KEPT = (
    "nodes",
    "infosets",
    "slots",
    "training_bytes",
    "tables_bytes",
    "memory_bytes",
    "iterations",
    "seconds",
    "unit",
)


# Betting that grows with memory, and the most gigabytes that each is for.
LARGE = ((0.5, MENUS[2]), (1.5, MENUS[3]), (8.0, MENUS[4]), (float("inf"), MENUS[5]))
RIVER = 6400  # buckets; its table is the largest, and the same for all
LEAST = 50  # buckets of the game that shows what the program takes
EPOCHS = {"solver.epoch": 4000}
DEALS = 8_000
SPARE = 1e9  # bytes of memory beside what is measured


def run(recipe, overrides, *limits, threads=1):
    """What one training says of itself, in a process of its own, and the most memory it had."""
    make_plan(recipe, overrides).cards()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "counterfold", "train", recipe, "--json", *limits]
        command += ["--out", str(Path(folder) / "run")]
        command += ["--threads", str(threads), "--set", "solver.device=cpu"]
        for key in overrides:
            command += ["--set", key]
        with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
            child = subprocess.Popen(command, stdout=output, stderr=errors)
            most = watch(child)
            output.seek(0)
            errors.seek(0)
            if child.returncode:
                sys.exit(errors.read())
            found = json.loads(output.read())
    return {key: found[key] for key in KEPT} | {"own_bytes": most}


def watch(child):
    """The most bytes that a process had apart from mapped files, looked at all the time."""
    process, most = psutil.Process(child.pid), 0
    while child.poll() is None:
        try:
            memory = process.memory_info()
        except psutil.NoSuchProcess:
            break
        most = max(most, memory.rss - memory.shared)
        time.sleep(0.02)
    child.wait()
    return most


def large_game(gigabytes):
    """Overrides of a game whose training is estimated at so much memory, and the estimate."""
    menu = next(menu for most, menu in LARGE if gigabytes <= most)

    def size(n):
        street = f"percentile({n}, metric=ehs2)"
        cards = f"cards=preflop: lossless; flop: {street}; turn: {street}; "
        overrides = [f"{cards}river: percentile({min(n, RIVER)})", f"bets={menu}"]
        overrides += [f"{key}={value}" for key, value in EPOCHS.items()]
        plan = make_plan("nolimit-quick", overrides)
        return overrides, training_bytes(plan, plan.game(plan.most_buckets()), 8)

    if gigabytes == 0:
        return size(LEAST)
    few, many = size(RIVER)[1], size(2 * RIVER)[1]
    if gigabytes * 1e9 < few:
        return size(round(RIVER * gigabytes * 1e9 / few))
    return size(RIVER + round((gigabytes * 1e9 - few) / (many - few) * RIVER))


def measure_memory(sizes):
    """A row for each of the sizes in gigabytes, as long as the machine has so much free."""
    program = 0
    for at, gigabytes in enumerate((0, 0, *sizes)):  # the first run compiles, and does not count
        overrides, expected = large_game(gigabytes)
        check_free(gigabytes, expected)
        row = run("nolimit-quick", overrides, "--iterations", str(DEALS))
        if gigabytes == 0:
            program = row["own_bytes"] - row["training_bytes"]
        measured = row["own_bytes"] - program
        if at:
            what = {"name": f"{gigabytes:g} GB", "kind": "memory", "changed": overrides[:2]}
            ratio = measured / row["training_bytes"]
            print(json.dumps({**what, **row, "measured": measured, "ratio": ratio}), flush=True)


def measure_crowds(crowds, limits):
    """A row for each number of threads."""
    recipe, settings = KINDS["buckets"]
    for threads in (crowds[0], *crowds):  # the first run compiles, and does not count
        row = run(recipe, settings[1], *limits, threads=threads)
        what = {"kind": "threads", "changed": settings[1][0], "threads": threads}
        print(json.dumps({**what, **row}), flush=True)


def check_free(gigabytes, expected):
    """Refuse what does not fit beside everything else on this machine."""
    needed, needed_disk = 1.05 * expected + SPARE, 2 * expected
    with tempfile.TemporaryDirectory() as folder:
        disk = shutil.disk_usage(folder).free
    free = psutil.virtual_memory().available
    if needed > free or needed_disk > disk:
        sys.exit(
            f"{gigabytes:g} GB need {needed / 1e9:.1f} GB of free memory and "
            f"{needed_disk / 1e9:.1f} GB of disk for checkpoints, but {free / 1e9:.1f} and "
            f"{disk / 1e9:.1f} GB are free; stop other programs or ask for less"
        )


def main():
    """Print a line for each training."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default=",".join(KINDS))
    parser.add_argument("--crowds", help="numbers of threads to measure the memory of instead")
    parser.add_argument("--gigabytes", help="estimated sizes to measure the memory of instead")
    options = parser.parse_args()
    if options.gigabytes:
        measure_memory([float(size) for size in options.gigabytes.split(",")])
        return
    limits = ("--time", f"{options.seconds}s")
    if options.crowds:
        measure_crowds([int(n) for n in options.crowds.split(",")], limits)
        return
    for kind in options.only.split(","):
        recipe, settings = KINDS[kind]
        for overrides in settings:
            row = run(recipe, overrides, *limits, threads=options.threads)
            what = {"kind": kind, "changed": overrides[-1], "threads": options.threads}
            print(json.dumps({**what, **row}), flush=True)


if __name__ == "__main__":
    main()
