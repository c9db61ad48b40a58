"""How time and memory grow with buckets, with nodes of the betting, and with types of a board.

python benchmarks/scale/bench_growth.py [--seconds S] [--threads N] [--only KIND,...]

Each row is one `counterfold train` in a process of its own: sizes and memory as estimated before,
memory as it was, and the rate. Card tables that are missing are built first, not timed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

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
    "boards": ("limit-best", [[percentiles(n)] for n in (25, 50, 100, 200, 400, 800)]),
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


def run(recipe, overrides, seconds, threads):
    """What one training says of itself, in a process of its own."""
    make_plan(recipe, overrides).cards()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "counterfold", "train", recipe, "--json"]
        command += ["--out", str(Path(folder) / "run"), "--time", f"{seconds}s"]
        command += ["--threads", str(threads), "--set", "solver.device=cpu"]
        for key in overrides:
            command += ["--set", key]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return {key: found[key] for key in KEPT}


def main():
    """Print a line for each training."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default=",".join(KINDS))
    options = parser.parse_args()
    for kind in options.only.split(","):
        recipe, settings = KINDS[kind]
        for overrides in settings:
            row = run(recipe, overrides, options.seconds, options.threads)
            what = {"kind": kind, "changed": overrides[-1], "threads": options.threads}
            print(json.dumps({**what, **row}), flush=True)


if __name__ == "__main__":
    main()
