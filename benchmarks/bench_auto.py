"""External against public chance sampling on abstractions whose exploitability nobody can compute.

python benchmarks/bench_auto.py [--cases NAME,NAME...] [--seconds N,N...] [--hands N]
    [--pot-odds] [--json]

Both train the same recipe for the same seconds of the processor on one thread, without pruning, as
`solver.algorithm = "auto"` would run them, and then meet in a duplicate match. A positive result is
one for public chance sampling.
"""

import argparse
import json
import time

from counterfold.blueprints.blueprint import quantize
from counterfold.matches.entrants import baseline_entrant, run_entrant
from counterfold.matches.policy_match import play_policies
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from counterfold.training.solver_factory import build_solver, find_chance
from counterfold.training.train_folder import TrainedRun
from counterfold.training.train_metrics import MetricsGauge

METHODS = ("external", "public-chance")
QUICK = (
    "preflop: lossless; flop: percentile(50, metric=ehs2); turn: percentile(50, metric=ehs2); "
    "river: percentile(50)"
)
CLUSTERS = "preflop: lossless; flop: histogram({0}); turn: histogram({0}); river: percentile(200)"
MERGED, HISTORY = "pot * to_call * raises * cards", "history * cards"
CASES = {  # variant, cards, bets, features
    "quick-merged": ("nolimit", QUICK, "50%, 100%, allin; cap 4", MERGED),
    "best-merged": (
        "nolimit",
        CLUSTERS.format(300),
        "33%, 75%, 150%, allin; raises: 100%, allin; cap 5",
        MERGED,
    ),
    "limit-history": ("limit", CLUSTERS.format(200), "limit-4", HISTORY),
    "limit-merged": ("limit", QUICK, "limit-4", MERGED),
    "quick-history": ("nolimit", QUICK, "50%, 100%, allin; cap 4", HISTORY),
    "limit-recall": ("limit", "cprg-5", "limit-4", HISTORY),
    "shallow-recall": ("nolimit(stack=100)", "cprg-5", "50%, 100%, allin", HISTORY),
    "quick-recall": ("nolimit", "cprg-5", "50%, 100%, allin; cap 4", HISTORY),
    "pot-history": ("nolimit", QUICK, "100%, allin; cap 3", HISTORY),
    "pot-merged": ("nolimit", QUICK, "100%, allin; cap 3", MERGED),
}


def main():
    """Train and play all cases."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", default=",".join(CASES), help="Which, of all.")
    parser.add_argument("--seconds", default="10,30", help="Of the processor, for each method.")
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pot-odds", action="store_true", help="Play that baseline, too.")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    seconds = [float(text) for text in options.seconds.split(",")]
    for name in options.cases.split(","):
        for row in compare(name, seconds, options.hands, options.seed, options.pot_odds):
            print(json.dumps(row) if options.json else in_words(row), flush=True)


def compare(name, seconds, hands, seed, pot_odds):
    """A row for each number of seconds."""
    trained = [list(train(name, method, seconds, seed)) for method in METHODS]
    for at, limit in enumerate(seconds):
        external, public = (runs[at] for runs in trained)
        graph = public[0].plan.graph
        entrants = tuple(run_entrant(run, run.name) for run, _ in (public, external))
        variant = public[0].plan.variant
        result = play_policies(variant, entrants, hands, seed=seed + 100, threads=1)
        baseline = [
            against_pot_odds(each[0], hands, seed) for each in (public, external) if pot_odds
        ]
        yield {
            "case": name,
            "nodes": graph.n_nodes,
            "tree": graph.count_tree(),
            "infosets": public[0].blueprint.game.n_infosets,
            "seconds": limit,
            "boards": public[1],
            "deals": external[1],
            "trained": [each[0].blueprint.coverage for each in (public, external)],
            "mb_per_hand": result.mb,
            "interval": result.mb_interval,
            "against_pot_odds": baseline,
        }


def train(name, method, seconds, seed):
    """The run and its number of iterations after each of `seconds`."""
    variant, cards, bets, features = CASES[name]
    recipe = {"variant": variant, "cards": cards, "bets": bets, "features": features, "seed": seed}
    recipe["solver"] = {"algorithm": method, "threads": 1}
    plan = Plan(parse_recipe(recipe, name), f"{name} by {method}")
    card_map = plan.cards()
    solver = build_solver(plan, plan.game(card_map.n_buckets), find_chance(plan, card_map))
    build_solver(plan, solver.game, find_chance(plan, card_map)).run(1)  # compiles
    spent, chunk = 0.0, 1 if method == "public-chance" else 5_000
    for limit in seconds:
        while spent < limit:
            started = time.process_time()
            solver.run(chunk)
            spent += time.process_time() - started
        blueprint, _ = quantize(solver.game, solver.tables["averages"], 8, solver.layout)
        metrics = MetricsGauge(plan.recipe, solver).read(spent, 0.0, 0.0)
        yield TrainedRun(plan.name, plan, card_map, blueprint, metrics), solver.iterations


def against_pot_odds(run, hands, seed):
    """Rate and interval against a baseline."""
    variant = run.plan.variant
    entrants = (run_entrant(run, run.name), baseline_entrant("pot-odds", variant))
    result = play_policies(variant, entrants, hands, seed=seed + 200, threads=1)
    return result.mb, result.mb_interval


def in_words(row):
    """A line of the table."""
    odds = " · ".join(f"{rate:+.0f} ± {interval:.0f}" for rate, interval in row["against_pot_odds"])
    covered = " · ".join(f"{share:.0%}" for share in row["trained"])
    return (
        f"{row['case']}: {row['nodes']:,} nodes, tree {row['tree']:,.0f}, {row['seconds']:g} s: "
        f"{row['boards']:,} boards, {row['deals']:,} deals, trained {covered}, "
        f"{row['mb_per_hand']:+.0f} ± {row['interval']:.0f} mb/hand"
        + (f", against pot-odds {odds}" if odds else "")
    )


if __name__ == "__main__":
    main()
