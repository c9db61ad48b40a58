"""Full-width iterations of limit hold'em as a GPU does them: CuPy, or NumPy where there is none.

python benchmarks/scale/bench_joint_arrays.py [--library numpy|cupy] [--buckets N] [--iterations N]
                                        [--json]

Joint tables are made up: products take as long with any numbers. Up to 700 bucket sequences the
kernels, which are the faster way on a CPU, do the same iterations, for time and for the difference
of all regrets, as a share of the largest.
"""

import argparse
import importlib
import json
import time

import numpy as np

from counterfold.bets import parse_menu
from counterfold.buckets.joint_tables import JointTable, JointTables
from counterfold.games.holdem import VARIANTS
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.ranges.device.device_pass import DevicePass
from counterfold.training.joint_cfr import JointSolver

N_STREETS = 4
MOST_COMPARED = 700  # sequences


def make_up_joint(n_buckets):
    """Symmetric joint tables that sum to one, each the sum of the next."""
    rng = np.random.default_rng(1)
    sizes = [n_buckets ** (k + 1) for k in range(N_STREETS)]
    river = rng.random((sizes[-1], sizes[-1]), np.float32)
    river /= river.sum(dtype=np.float64)
    strength = rng.random(sizes[-1], np.float32)
    net = river * (strength[:, None] - strength)
    joint = [river]
    for n in sizes[-2::-1]:
        joint.append(joint[-1].reshape(n, n_buckets, n, n_buckets).sum(axis=(1, 3)))
    tables = tuple(JointTable(values) for values in joint[::-1])
    return JointTables((n_buckets,) * N_STREETS, tables, JointTable(net))


def time_iterations(solver, iterations, wait):
    """Seconds of an iteration, after one that is not counted."""
    solver.run(1)
    wait()
    started = time.perf_counter()
    solver.run(iterations)
    wait()
    return (time.perf_counter() - started) / iterations


def main():
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", default="numpy", choices=("numpy", "cupy"))
    parser.add_argument("--buckets", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    xp = importlib.import_module(options.library)
    joint = make_up_joint(options.buckets)
    graph = build_graph(VARIANTS["limit"](), parse_menu("limit-4"), merge=False)
    game = classify(graph, parse_public_abstraction("history * cards"), joint.n_sequences)
    arrays = JointSolver(game, joint, passes=DevicePass(game, joint, xp))
    wait = xp.cuda.runtime.deviceSynchronize if options.library == "cupy" else lambda: None
    found = {
        "library": options.library,
        "sequences": joint.n_sequences[-1],
        "slots": game.n_slots,
        "seconds": time_iterations(arrays, options.iterations, wait),
    }
    if joint.n_sequences[-1] <= MOST_COMPARED:
        kernels = JointSolver(game, joint)
        found["seconds_of_kernels"] = time_iterations(kernels, options.iterations, lambda: None)
        ours = kernels.tables["regrets"]
        theirs = arrays.tables["regrets"]
        theirs = theirs.get() if options.library == "cupy" else theirs
        found["difference"] = float(np.abs(ours - theirs).max() / np.abs(ours).max())
    if options.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:20} {value}")


if __name__ == "__main__":
    main()
