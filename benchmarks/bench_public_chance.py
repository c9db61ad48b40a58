"""Public chance sampling against external sampling: seconds to the same exploitability.

python benchmarks/bench_public_chance.py [--games N,N...] [--seconds N] [--all] [--json]

Games are small enough to list all deals, so that exploitability is exact: in the game itself where
the cards are unabstracted, else inside the abstraction, whose buckets are shares of E[HS] with
perfect recall. Methods take turns, and seconds are those of the processor on one thread, without
what it takes to evaluate. With --all also unweighted averages and sampled actions of the opponent.
"""

import argparse
import json
import math
import platform
import time

import numpy as np

from counterfold.bets import parse_menu
from counterfold.blueprints.enumerated import EnumeratedGame, Knowledge
from counterfold.discounting import CFR, LINEAR
from counterfold.games import parse_game
from counterfold.public.boards import EnumeratedBoards
from counterfold.public.card_maps import ExactCards
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.public.walk_order import EnumeratedDeals
from counterfold.ranges.joint.joint_of_deals import joint_of_deals
from counterfold.ranges.joint.joint_values import evaluate_joint
from counterfold.training.boards.public_chance import PublicChanceSolver
from counterfold.training.deal_sampling import DealSamplingSolver

EXACT = 0
GAMES = [  # the last number is buckets of each street
    ("leduc-variant", "min", EXACT),
    ("limit(deck='9TJQKA/cd', board=(3,))", "min", EXACT),
    ("limit(deck='9TJQKA/cd', board=(3,))", "min", 5),
    ("limit(deck='9TJQKA/cd', board=(3,))", "min", 20),
    ("limit(bets=2, deck='9TJQKA/cd', board=(1, 1))", "min", EXACT),
    ("nolimit(stack=20, deck='9TJQKA/cd', board=(3,))", "50%, 100%, allin", EXACT),
    ("nolimit(stack=20, deck='9TJQKA/cd', board=(3,))", "50%, 100%, allin", 5),
    ("river-of-blood(stack=12, deck='TJQKA/cd', board=(1,))", "100%, allin", EXACT),
    ("limit(bets=3, deck='89TJQKA/cd', board=(3,))", "min", EXACT),
]
TARGETS = (0.05, 0.02, 0.01, 0.005)  # exploitability as a share of the big blind
FIRST, STEP = 0.4, 2.0  # seconds before the first evaluation, and how they grow


class Listed:
    """A game with all its deals."""

    def __init__(self, name, menu, n_buckets):
        self.name = f"{name}, {n_buckets} buckets a street" if n_buckets else f"{name}, all cards"
        variant = parse_game(name)
        self.dealer = Dealer(variant)
        self.deals = self.dealer.enumerate()
        cards = ExactCards(self.dealer, self.deals)
        self.buckets, counts = cards.label(self.deals), cards.n_buckets
        self.joint = None
        if n_buckets:
            self.buckets, counts = share_out(self.deals, self.buckets, n_buckets)
            self.joint = joint_of_deals(self.deals, self.buckets, [n_buckets] * len(counts))
        graph = build_graph(variant, parse_menu(menu), merge=False)
        public = parse_public_abstraction("history * cards")
        self.game = classify(graph, public, counts)
        self.unit = max(*variant.blinds, 2 * variant.ante)
        self.boards = EnumeratedBoards(self.dealer, self.deals, self.buckets)

    def exploitability(self, averages):
        """As a share of the big blind."""
        if self.joint:
            found = evaluate_joint(self.game, self.joint, averages.astype(float), threads=1)
            return found.exploitability / self.unit
        listed = EnumeratedGame(self.dealer, self.deals)
        knowledge = Knowledge(self.game, self.buckets)
        return listed.nash_conv(knowledge, normalize(self.game, averages)) / 2 / self.unit

    def external(self, discounting):
        source = EnumeratedDeals(self.deals, self.buckets)
        return DealSamplingSolver(
            self.game, self.dealer, source, discounting=discounting, threads=1
        )

    def public_chance(self, discounting, sampled=False):
        return PublicChanceSolver(
            self.game, self.dealer, self.boards, sampled, discounting=discounting, threads=1
        )


def share_out(deals, exact, n):
    """Buckets of equal probability by E[HS] within each bucket of the street before."""
    wins = np.sign(deals.strengths[:, 0, 0] - deals.strengths[:, 1, 0]).astype(float)
    buckets = np.zeros_like(exact)
    before = np.zeros(exact.shape[:2], np.int64)
    counts = []
    for stage in range(exact.shape[2]):
        known = exact[:, :, stage]
        weights = np.repeat(deals.weights, 2)
        mass = np.bincount(known.ravel(), weights)
        value = np.bincount(known.ravel(), weights * np.column_stack([wins, -wins]).ravel()) / mass
        parent = np.zeros(mass.size, np.int64)
        parent[known] = before
        bucket = np.zeros(mass.size, np.int64)
        for p in range(int(parent.max()) + 1):
            held = np.flatnonzero(parent == p)
            held = held[np.argsort(value[held], kind="stable")]
            middle = np.cumsum(mass[held]) - mass[held] / 2
            bucket[held] = p * n + np.minimum(n * middle / mass[held].sum(), n - 1).astype(int)
        before = bucket[known]
        buckets[:, :, stage] = before
        counts.append(n ** (stage + 1))
    return buckets, counts


def normalize(game, averages):
    """Probabilities of all slots from sums of strategies."""
    strategy = np.empty(averages.size)
    for c in range(game.n_classes):
        slots = slice(game.offsets[c], game.offsets[c + 1])
        sums = averages[slots].reshape(-1, game.n_actions[c]).astype(float)
        total = sums.sum(axis=1, keepdims=True)
        even = np.full_like(sums, 1 / game.n_actions[c])
        np.divide(sums, total, out=even, where=total > 0)
        strategy[slots] = even.ravel()
    return strategy


class Contender:
    """A solver with the seconds it has used and what they brought."""

    def __init__(self, name, solver):
        self.name, self.solver = name, solver
        solver.run(1)  # compiles
        self.block = 16
        self.seconds = 0.0
        self.curve = []  # seconds, exploitability

    def run_until(self, seconds):
        while self.seconds < seconds:
            start = time.process_time()
            self.solver.run(self.block)
            took = time.process_time() - start
            self.seconds += took
            if took < 0.05:
                self.block *= 2

    def seconds_to(self, target):
        """Where the curve passes the target for good, between two points on logarithmic scales."""
        if not self.curve or self.curve[-1][1] > target:
            return None
        after = before = self.curve[-1]
        for point in reversed(self.curve):
            if point[1] > target:
                before = point
                break
            after = point
        if before[1] <= target:
            return after[0]  # the first point already is
        part = math.log(before[1] / target) / math.log(before[1] / after[1])
        return before[0] * (after[0] / before[0]) ** part


def race(listed, seconds, every):
    methods = {
        "external, linear": lambda: listed.external(LINEAR),
        "public chance, linear": lambda: listed.public_chance(LINEAR),
    }
    if every:
        methods |= {
            "external": lambda: listed.external(CFR),
            "public chance": lambda: listed.public_chance(CFR),
            "public chance, sampled, linear": lambda: listed.public_chance(LINEAR, True),
        }
    contenders = [Contender(name, make()) for name, make in methods.items()]
    until = FIRST
    while until <= seconds:
        for contender in contenders:
            contender.run_until(until)
            found = listed.exploitability(contender.solver.by_class("averages"))
            contender.curve.append((contender.seconds, found))
        until *= STEP
    return contenders


def report(listed, contenders):
    rows = []
    for target in TARGETS:
        seconds = {c.name: c.seconds_to(target) for c in contenders}
        ours, peer = seconds["public chance, linear"], seconds["external, linear"]
        ratio = peer / ours if ours and peer else None
        rows.append({"target": target, "seconds": seconds, "ratio": ratio})
    graph = listed.game.graph
    return {
        "game": listed.name,
        "deals": len(listed.deals),
        "boards": len(listed.boards),
        "nodes": graph.n_nodes,
        "infosets": listed.game.n_infosets,
        "targets": rows,
        "last": {c.name: c.curve[-1][1] for c in contenders},
        "samples": {c.name: c.solver.iterations for c in contenders},
    }


def show(row):
    print(
        f"\n{row['game']}: {row['deals']:,} deals, {row['boards']:,} boards, "
        f"{row['nodes']:,} nodes, {row['infosets']:,} information sets"
    )
    print(f"{'':32}" + "".join(f"{f'to {target:.1%}':>10}" for target in TARGETS) + f"{'last':>10}")
    for name, last in row["last"].items():
        found = [at["seconds"][name] for at in row["targets"]]
        cells = "".join(f"{'—' if s is None else f'{s:.2f} s':>10}" for s in found)
        print(f"{name:32}{cells}{last:10.3%}", flush=True)
    ratios = ("—" if at["ratio"] is None else f"{at['ratio']:.1f}" for at in row["targets"])
    print(f"{'external over public chance':32}" + "".join(f"{ratio:>10}" for ratio in ratios))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    every = ",".join(str(at) for at in range(len(GAMES)))
    parser.add_argument("--games", default=every, help="which of the games, from 0 on")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each method and game")
    parser.add_argument("--all", action="store_true", help="more methods")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    rows = []
    for at in asked.games.split(","):
        listed = Listed(*GAMES[int(at)])
        rows.append(report(listed, race(listed, asked.seconds, asked.all)))
        if not asked.json:
            show(rows[-1])
    if asked.json:
        machine = platform.processor() or platform.machine()
        print(json.dumps({"machine": machine, "seconds": asked.seconds, "games": rows}, indent=2))


if __name__ == "__main__":
    main()
