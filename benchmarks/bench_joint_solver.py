"""Full-width solving of limit hold'em with joint tables: time, iterations and exploitability.

python benchmarks/bench_joint_solver.py [--preset NAME] [--algorithm NAME,...] [--threads N]
                                        [--iterations N] [--target MB] [--json]

Fitted buckets and joint tables are taken from the cache folder, or built there first; that is not
counted, nor is evaluation. Processor time is given too: it says what a run costs on a machine that
has other work. The BLAS takes as many threads as its own settings say.
"""

import argparse
import json
import platform
import time

from counterfold.bets import parse_menu
from counterfold.buckets import StrengthLookup
from counterfold.buckets.histories.history import HISTORY_PRESETS
from counterfold.buckets.joint_tables import build_joint
from counterfold.games.holdem import VARIANTS
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.training.joint_cfr import JointSolver
from counterfold.tree import ALGORITHMS

MARKS = (10, 20, 50, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1000)


def prepare(preset, threads):
    """The public game of limit hold'em, and its tables."""
    source = StrengthLookup(threads=threads)
    buckets = HISTORY_PRESETS[preset].build(source)
    joint = build_joint(buckets, source.strength.folder, threads=threads)
    graph = build_graph(VARIANTS["limit"](), parse_menu("limit-4"), merge=False)
    features = parse_public_abstraction("history * cards")
    return classify(graph, features, joint.n_sequences), joint


def trajectory(game, joint, algorithm, threads, iterations, target):
    """Rows of figures until a mark lies beyond `iterations` or exploitability is below `target`."""
    method = ALGORITHMS[algorithm].method
    JointSolver(game, joint, method, threads=threads).run(1)  # loads or compiles the kernels
    solver = JointSolver(game, joint, method, threads=threads)
    wall = processor = 0.0
    for mark in (mark for mark in MARKS if mark <= iterations):
        started, used = time.perf_counter(), time.process_time()
        solver.run(mark - solver.iterations)
        wall += time.perf_counter() - started
        processor += time.process_time() - used
        found = solver.evaluate()
        yield {
            "algorithm": algorithm,
            "iterations": mark,
            "seconds": round(wall, 1),
            "processor_seconds": round(processor, 1),
            "value_mb": round(1000 * found.value / found.big_blind, 3),
            "exploitability_mb": round(found.exploitability_mb, 4),
        }
        if found.exploitability_mb < target:
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", default="cprg-5", choices=HISTORY_PRESETS)
    parser.add_argument("--algorithm", default="dcfr,hs-dcfr", help="several with commas between")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=400)
    parser.add_argument("--target", type=float, default=0.0, help="mb/g at which to stop")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    game, joint = prepare(options.preset, options.threads)
    rows = []
    for algorithm in options.algorithm.split(","):
        for row in trajectory(
            game, joint, algorithm, options.threads, options.iterations, options.target
        ):
            rows.append(row)
            if not options.json:
                print("  ".join(f"{key} {value}" for key, value in row.items()), flush=True)
    if options.json:
        print(json.dumps({"preset": options.preset, "machine": platform.machine(), "rows": rows}))


if __name__ == "__main__":
    main()
