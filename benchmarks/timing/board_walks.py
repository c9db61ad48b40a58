"""Boards of CFR-BR along lines against node by node, by turns, on one thread: ms of a board.

python benchmarks/timing/board_walks.py [--recipe NAME] [--boards N] [--turns N] > FILE

Card tables that are missing are built first. A turn walks the same boards both ways; the ratio is
the median over turns, in seconds of the processor.
"""

import argparse
import json
import statistics
import time
from functools import partial

import numpy as np

from counterfold.public.boards import most_hands
from counterfold.training.boards.public_chance import PublicChanceSolver
from counterfold.training.boards.public_chance_kernels import Answers
from counterfold.training.plan import make_plan
from counterfold.training.solver_factory import build_solver, find_chance

TRAINED = 40  # boards before, so that strategies are not uniform


def measure(solver, boards, responding, turns):
    """Processor time of a board both ways, and the ratio of each turn."""
    responders = solver._responder_regrets if responding else solver.regrets[:0]
    tables = solver.regrets, solver.averages, responders
    solver._responders = lambda epoch: responders
    n, ways = len(boards.lengths), {}
    walks = {
        "along lines": partial(solver._lines.walk, boards, 1, 0, tables, 0),
        "by node": partial(PublicChanceSolver._walk_batch, solver, boards, 0, 0),
    }
    for _ in range(turns + 1):
        for name, walk in walks.items():
            started = time.process_time()
            walk()
            ways.setdefault(name, []).append((time.process_time() - started) / n * 1e3)
    found = {name: spent[1:] for name, spent in ways.items()}  # the first turn compiles
    ratios = [a / b for a, b in zip(*found.values(), strict=True)]
    best = {f"{name}, ms": round(min(spent), 1) for name, spent in found.items()}
    return best | {"ratio": round(statistics.median(ratios), 3)}


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--recipe", default="limit-best")
    parser.add_argument("--boards", type=int, default=10)
    parser.add_argument("--turns", type=int, default=7)
    options = parser.parse_args()
    plan = make_plan(options.recipe, ["solver.threads=1", "solver.device=cpu"])
    cards = plan.cards()
    source = find_chance(plan, cards)
    solver = build_solver(plan, plan.game(cards.n_buckets), source)
    solver.run(TRAINED)
    n_nodes, n_hands = solver.game.graph.n_nodes, most_hands(plan.dealer)
    solver._answers = [Answers(np.zeros(n_nodes, bool), np.zeros((n_nodes, n_hands), np.uint8))]
    boards = source.batch(2, 0, options.boards)
    kinds = {"responders": True, "self-play": False}
    rows = {name: measure(solver, boards, each, options.turns) for name, each in kinds.items()}
    print(json.dumps({"recipe": options.recipe, "threads": 1, **rows}, indent=1))


if __name__ == "__main__":
    main()
