"""What dealing, labeling and walking take where a deal is walked for one seating and for both.

python benchmarks/timing/seatings.py RECIPE... > rows.jsonl

By turns in one process, on one thread: batches whose deals all differ, batches in which each comes
twice, and the walks over both. Medians, in microseconds of the processor for each deal that is
walked.
"""

import argparse
import json
import statistics
import time

from counterfold.training.plan import make_plan
from counterfold.training.solver_factory import build_solver, find_chance

BATCH = 4_096
TRAINED = 200_000  # deals before, so that walks are those of a run
TURNS = 15


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recipes", nargs="+", help="Names or TOML files.")
    for name in parser.parse_args().recipes:
        print(json.dumps({"recipe": name, **measure(name)}), flush=True)


def measure(name):
    """Microseconds of each part for one deal, and of both ways together."""
    plan = make_plan(name, ["seed=1", "solver.threads=1"])
    cards = plan.cards()
    source = find_chance(plan, cards)
    solver = build_solver(plan, plan.game(cards.n_buckets), source)
    solver.run(TRAINED)
    taken = {"one": [], "both": [], "walk": []}
    for turn in range(TURNS):
        first = TRAINED + turn * BATCH
        timed(taken["one"], source._make, 1, first, BATCH)
        batch = timed(taken["both"], source.batch, 1, first, BATCH)
        timed(taken["walk"], solver._walk_batch, batch, first, 0)
    found = {part: statistics.median(times) for part, times in taken.items()}
    ratio = (found["both"] + found["walk"]) / (found["one"] + found["walk"])
    return {part: round(value, 2) for part, value in found.items()} | {"ratio": round(ratio, 3)}


def timed(times, function, *arguments):
    """What the function returns; the microseconds of a deal are added to `times`."""
    started = time.process_time()
    result = function(*arguments)
    times.append((time.process_time() - started) / BATCH * 1e6)
    return result


if __name__ == "__main__":
    main()
