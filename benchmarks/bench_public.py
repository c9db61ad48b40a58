"""Public graphs, deals and sampled walks: how fast, how large, and against OpenSpiel.

python benchmarks/bench_public.py [--repetitions N] [--json]

Walks are external sampling with 200 buckets a street and all 169 hands before the flop. Which hand
has which bucket is made up: it costs the same to look up, and needs no tables. Nodes of walks count
per second of processor time as well, which other work on the machine disturbs less. OpenSpiel has
no abstraction; its tables grow with every iteration. An iteration is one deal walked for both.
"""

import argparse
import importlib.metadata
import json
import multiprocessing
import os
import platform
import threading
import time
from functools import partial
from statistics import median

import numpy as np

from counterfold.bets import parse_menu
from counterfold.buckets import StreetBuckets, StrengthLookup, parse_street_abstraction
from counterfold.cards.streets import BOARD_SIZES
from counterfold.games import parse_game
from counterfold.memory import resident_bytes
from counterfold.public.card_maps import TabledCards
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.public.walk_kernels import WalkDeals
from counterfold.public.walk_order import SampledDeals
from counterfold.training.deal_sampling import DealSamplingSolver

GRAPHS = [
    ("discard", "pineapple", False),
    ("nolimit", "50%, 100%, allin; cap 3", False),
    ("river-of-blood", "ep-white", True),
]
DEALT = ["limit", "discard", "river-of-blood", "swap"]
# Unmerged with about 100 MB of regrets and averages, and merged with 10 MB.
WALKED = [
    ("nolimit(stack=160)", "50%, 100%, allin; cap 3", "history * cards"),
    ("nolimit", "ep-white", "pot * to_call * raises * cards"),
]
FCPA = ("nolimit(stack=20000, blinds=(50, 100))", "fcpa", "history * cards")
UNIVERSAL_POKER = (
    "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,"
    "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack=20000 20000,"
    "bettingAbstraction=fcpa)"
)
N_BUCKETS = 200
N_DEALS = 1024  # at a time
N_REPEATED, N_TIMED = 16_384, 10_240  # deals that walks are timed with


def graph_of(name, menu, merge):
    return build_graph(parse_game(name), parse_menu(menu), merge=merge)


def measure_graph(asked):
    """Nodes, edges, seconds, bytes that stay and bytes at the peak; in a process of its own."""
    name, menu, merge = asked
    graph_of("kuhn-variant", "min", merge)  # loads or compiles the kernels
    before, peak, done = resident_bytes(), [0], threading.Event()

    def watch():
        while not done.wait(0.002):
            peak[0] = max(peak[0], resident_bytes())

    watcher = threading.Thread(target=watch)
    watcher.start()
    busy = time.process_time()
    graph = graph_of(name, menu, merge)
    busy = time.process_time() - busy
    done.set()
    watcher.join()
    return {
        "nodes": graph.n_nodes,
        "edges": graph.n_edges,
        "nodes_per_second": graph.n_nodes / busy,
        "bytes_per_node": graph.nbytes / graph.n_nodes,
        "peak_bytes_per_node": max(0, peak[0] - before) / graph.n_nodes,
    }


def measure_graphs():
    rows = {}
    for asked in GRAPHS:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            row = pool.apply(measure_graph, (asked,))
        row["gigabytes_for_two_million_nodes"] = 2e6 * row["peak_bytes_per_node"] / 1e9
        rows[f"{asked[0]}, {asked[1]}, {'merged' if asked[2] else 'tree'}"] = row
    return rows


def made_up_buckets():
    """Buckets of a full deck without strength tables: classes by a hash."""
    source = StrengthLookup()
    labels = {street: _hashed(source.n_classes(street)) for street in BOARD_SIZES}
    labels["preflop"] = np.arange(source.n_classes("preflop"), dtype=np.uint8)
    return StreetBuckets(parse_street_abstraction(f"percentile({N_BUCKETS})"), source, labels)


def _hashed(n):
    numbers = np.arange(n, dtype=np.uint32)
    numbers *= np.uint32(2654435761)
    return ((numbers >> np.uint32(16)) % np.uint32(N_BUCKETS)).astype(np.uint8)


def per_second(action, repetitions):
    """Median of how much `action` does, as it returns, per second of wall and of processor time."""
    walls, busies = [], []
    for _ in range(repetitions):
        wall, busy = time.perf_counter(), time.process_time()
        done = action()
        walls.append(done / (time.perf_counter() - wall))
        busies.append(done / (time.process_time() - busy))
    return median(walls), median(busies)


def measure_deals(buckets, repetitions):
    rows = {}
    for name in DEALT:
        dealer = Dealer(parse_game(name))
        cards = TabledCards(dealer, buckets)
        sources = {
            "deals_per_second": partial(dealer.sample, 1, 0, N_DEALS),
            "with_buckets_per_second": partial(SampledDeals(dealer, cards).batch, 1, 0, N_DEALS),
        }
        rows[name] = {}
        for figure, deal in sources.items():
            deal()
            rows[name][figure] = per_second(partial(_deal, deal), repetitions)[1]
    return rows


def _deal(deal):
    deal()
    return N_DEALS


class Repeated:
    """Batches that were dealt before, so that walks alone are timed."""

    def __init__(self, source, n):
        self.deals = source.batch(1, 0, n)

    def batch(self, seed, first, n):
        start = first % (len(self.deals.lengths) - n + 1)
        return WalkDeals(*(array[start : start + n] for array in self.deals))


def make_solver(asked, buckets, threads=1, repeated=0):
    name, menu, features = asked
    variant, abstraction = parse_game(name), parse_public_abstraction(features)
    graph = build_graph(variant, parse_menu(menu), merge=not abstraction.needs_histories)
    dealer = Dealer(variant)
    cards = TabledCards(dealer, buckets)
    source = SampledDeals(dealer, cards)
    game = classify(graph, abstraction, cards.n_buckets)
    deals = Repeated(source, repeated) if repeated else source
    return DealSamplingSolver(game, dealer, deals, threads=threads, epoch=10**9)


def measure_walks(buckets, repetitions):
    rows = {}
    for asked in WALKED:
        row = {}
        for threads in (1, 2):
            solver = make_solver(asked, buckets, threads, repeated=N_REPEATED)
            solver.run(N_REPEATED)

            def walk(solver=solver):
                before = solver.visited
                solver.run(N_TIMED)
                return solver.visited - before

            wall, busy = per_second(walk, repetitions)
            row[f"nodes_per_second_{threads}_threads"] = wall
            row[f"nodes_per_second_of_processor_time_{threads}_threads"] = busy
        row["megabytes_of_tables"] = sum(t.nbytes for t in solver.tables.values()) / 1e6
        row["graph_nodes"] = solver.game.graph.n_nodes
        for measured in ("nodes_per_second", "nodes_per_second_of_processor_time"):
            one, two = (row[f"{measured}_{threads}_threads"] for threads in (1, 2))
            # What two threads do in a second of wall time, were both cores theirs alone.
            shared = 1 if measured == "nodes_per_second" else 2
            row[f"two_threads_over_one_by_{measured}"] = shared * two / one
        rows[" | ".join(asked)] = row
    return rows


def measure_against_openspiel(buckets, repetitions):
    """Iterations per second of both, in turns; deals and their look-ups are part of ours."""
    try:
        import pyspiel

        peer = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game(UNIVERSAL_POKER), seed=1)
    except Exception as error:  # an OpenSpiel built without it
        return {"missing": f"universal_poker cannot be loaded: {error}"}
    solver = make_solver(FCPA, buckets)
    solver.run(1_024)
    ours, theirs = [], []

    def run():
        solver.run(N_TIMED)
        return N_TIMED

    def run_peer():
        for _ in range(500):
            peer.run_iteration()
        return 500

    for _ in range(repetitions):
        ours.append(per_second(run, 1)[1])
        theirs.append(per_second(run_peer, 1)[1])
    return {
        "iterations_per_second": median(ours),
        "openspiel_iterations_per_second": median(theirs),
        "ratio": median(ours) / median(theirs),
        "nodes_per_iteration": solver.visited / solver.iterations,
        "infosets": solver.game.n_infosets,
        "open_spiel": importlib.metadata.version("open_spiel"),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    buckets = made_up_buckets()
    figures = {
        "graphs": measure_graphs(),
        "deals": measure_deals(buckets, asked.repetitions),
        "walks": measure_walks(buckets, asked.repetitions),
        "no-limit fcpa": measure_against_openspiel(buckets, asked.repetitions),
    }
    if asked.json:
        machine = {
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "load_average": os.getloadavg()[0],
            "python": platform.python_version(),
        }
        print(json.dumps({"machine": machine, **figures}, indent=2))
        return
    for part, rows in figures.items():
        print(part)
        for name, row in rows.items() if part != "no-limit fcpa" else [("", rows)]:
            for figure, value in row.items():
                text = f"{value:,.3g}" if isinstance(value, float) and value < 100 else value
                text = f"{value:,.0f}" if isinstance(value, (int, float)) and value >= 100 else text
                print(f"  {name:62} {figure:44} {text:>14}")


if __name__ == "__main__":
    main()
