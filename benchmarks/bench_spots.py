"""Spots: time to a given exploitability beside postflop-solver's, memory, how time grows, starts.

python benchmarks/bench_spots.py [--threads N] [--flop] [--json FILE]

The peer is the fastest open solver, in Rust. Its times and answers on the river and the turn were
measured on two idle cores of a machine like this one, with exploitability looked at every ten
iterations and counted; so it is here. The flop is a published one with published iterations and
memory (80 iterations to 0.5% of the pot, 958 MB); its times were those of another machine.
"""

import argparse
import json
import platform
import resource
import time
from dataclasses import replace
from statistics import median

from counterfold.ranges.range_solver import RangeSolver
from counterfold.ranges.spot import Spot

OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
BETS = (
    "bets: 60%, e, allin; raises: 2.5x; river: donk: 50%; "
    "add allin 150%; force allin 15%; merge 10%"
)
RIVER = Spot(board="Td9d6hQc7s", oop=OOP, ip=IP, pot=200, stack=900, bets=BETS)
TURN = Spot(board="Td9d6hQc", oop=OOP, ip=IP, pot=200, stack=900, bets=BETS)
WIDE = Spot(board="Td9d6hQc2s", oop="random", ip="random", pot=200, stack=900, bets=BETS)
FLOP = Spot(
    board="QsJh2h", oop=OOP, ip=IP, pot=180, stack=910,
    bets="bets: 52%; raises: 2.5x; add allin 100%; force allin 15%; merge 10%",
)  # fmt: skip

# Spot, percent of the pot, repetitions, the peer's milliseconds on one and on two threads.
ROWS = (
    ("river", RIVER, 0.1, 21, 2.3, 2.3),
    ("river", RIVER, 0.01, 21, 11.5, 11.5),
    ("turn", TURN, 0.5, 5, 1290.0, 650.0),
    ("turn", TURN, 0.1, 5, None, 1440.0),
    ("river, 1081 hands each", WIDE, 0.1, 7, 40.0, 40.0),  # a goal, not a peer
)
FLOP_ROW = ("flop", FLOP, 0.5, 1, 60_000.0, 60_000.0)  # a goal for two threads

TWO_OF_CLUBS = 0  # which is on no board above


def solve(solver, target):
    """Iterate until exploitability is below `target` percent of the pot."""
    while True:
        solver.run(10)
        if 100 * solver.exploitability() <= target * solver.pot:
            return solver.evaluate()


def measure(name, spot, target, repetitions, one, two, threads):
    first = spot.solver(threads=threads)
    first.run(1)  # loads or compiles the kernels
    wall, processor = [], []
    for _ in range(repetitions):
        # One run alone keeps its tables: two sets of those of a flop would double the memory.
        solver = first if repetitions == 1 else RangeSolver(first.passes, spot.pot)
        started, used = time.perf_counter(), time.process_time()
        found = solve(solver, target)
        wall.append(time.perf_counter() - started)
        processor.append(time.process_time() - used)
    against = one if threads == 1 else two
    oop = spot.positions[0]
    return {
        "name": f"{name} {target} on {threads}",
        "spot": name,
        "target_percent": target,
        "threads": threads,
        "iterations": solver.iterations,
        "exploitability_chips": round(found.exploitability, 4),
        "ev_oop": round(found.values[oop] + spot.pot / 2, 4),
        "milliseconds": round(1000 * median(wall), 2),
        "least_milliseconds": round(1000 * min(wall), 2),
        "processor_milliseconds": round(1000 * min(processor), 2),
        "of_the_other": against and round(1000 * median(wall) / against, 2),
        "least_of_the_other": against and round(1000 * min(wall) / against, 2),
        "table_megabytes": round(sum(t.nbytes for t in solver.tables.values()) / 1e6, 2),
        "peak_megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3),
    }


def grow(threads):
    """Seconds per iteration of one slot as boards, lines and hands grow."""
    for name, spot in (("river", RIVER), ("wide river", WIDE), ("turn", TURN)):
        solver = spot.solver(threads=threads)
        solver.run(3)
        started = time.process_time()
        solver.run(20)
        seconds = (time.process_time() - started) / 20
        slots = int(solver.passes.n_slots.sum())
        yield {"name": name, "slots": slots, "nanoseconds_a_slot": round(1e9 * seconds / slots, 2)}


def start(repetitions=50):
    """Milliseconds from a description or from other cards to a solver that has not begun.

    Of one thread, in processor time: a spot as text, and another board with a solver that is kept.
    """
    for name, spot in (("river", RIVER), ("river, 1081 hands each", WIDE), ("turn", TURN)):
        solver = spot.solver(threads=1)
        board, weights = spot.cards_on_board, spot.weights
        other = (*board[:-1], TWO_OF_CLUBS)
        anew, again = [], []
        for turn in range(repetitions):
            began = time.process_time()
            replace(spot).solver(threads=1)
            anew.append(time.process_time() - began)
            began = time.process_time()
            solver.restart(board if turn % 2 else other, weights)
            again.append(time.process_time() - began)
        yield {
            "name": name,
            "start_milliseconds": round(1000 * median(anew), 2),
            "restart_milliseconds": round(1000 * median(again), 2),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--flop", action="store_true", help="the flop, too: about a minute")
    parser.add_argument("--json", help="write the figures to this file")
    options = parser.parse_args()
    rows = ROWS + ((FLOP_ROW,) if options.flop else ())
    figures = []
    for row in rows:
        for threads in options.threads:
            figures.append(measure(*row, threads))
            print(json.dumps(figures[-1]), flush=True)
    growth = list(grow(1))
    for line in growth:
        print(json.dumps(line))
    starts = list(start())
    for line in starts:
        print(json.dumps(line))
    if options.json:
        content = {
            "processor": platform.processor(),
            "figures": figures,
            "growth": growth,
            "starts": starts,
        }
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(content, file, indent=1)


if __name__ == "__main__":
    main()
