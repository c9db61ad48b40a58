"""What learned discards win from fixed rules: a run against itself with a rule in their place.

python benchmarks/strength/bench_discards.py RUN [--hands N] [--seed N] > discards.json

The run is one of Discard Hold'em whose recipe has `discards` among the buckets of flop and turn, so
that a bucket tells whether an exchange improves E[HS], and `discards = "by-strength"`, so that an
action tells which exchange is better. The bets of both sides are those that were learned beside the
learned discards. Every rule is met twice: as the run plays, and with the likeliest actions alone.
"""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from counterfold.blueprints.blueprint import LEVELS, Blueprint
from counterfold.cards.draws_kernels import KEEP_BOTH
from counterfold.cards.streets import STREETS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.matches.entrants import run_entrant
from counterfold.matches.policy_match import play_policies
from counterfold.training.train_folder import load_trained

KEEP, BETTER, WORSE = np.eye(3)  # edges of a node that discards, in the order of their amounts


def rules(improves):
    """By name, the weights ``[buckets, 3]`` of keeping, the better and the worse exchange."""
    always = np.ones((len(improves), 1))
    return {
        "never": always * KEEP,
        "any": always * np.full(3, 1 / 3),
        "always": always * BETTER,
        "improves": np.where(improves[:, None], BETTER, KEEP),
    }


def find_improving(run, street):
    """Whether the hands of each bucket of a street would rather exchange a card."""
    buckets = run.cards.buckets
    labels = np.asarray(buckets.factors.by_street.labels[street])
    choice = buckets.source.draws.street(street).choice != KEEP_BOTH
    counts = np.bincount(labels), np.bincount(labels, choice)
    shares = counts[1] / counts[0]
    if not np.isin(shares, (0.0, 1.0)).all():
        raise SystemExit(f"buckets of the {street} mix hands that keep and that discard")
    return shares > 0.0


def with_rule(run, rule):
    """The run with a rule in place of its discards."""
    game, steps = run.blueprint.game, run.blueprint.quantized.copy()
    graph, levels = game.graph, LEVELS[8]
    weights = {at: rules(find_improving(run, STREETS[at]))[rule] for at in (1, 2)}
    for node in np.flatnonzero(graph.phase == betting.DRAW):
        kinds = graph.kinds[graph.starts[node] : graph.starts[node + 1]]
        assert kinds.tolist() == [betting.KEEP, betting.DISCARD, betting.DISCARD]
        at, c = int(graph.situations[node, betting.STREET]), game.classes[node]
        steps[game.offsets[c] : game.offsets[c + 1]] = np.rint(levels * weights[at]).ravel()
    return replace(run, blueprint=Blueprint(game, steps, game.n_infosets))


def purified(run):
    """The run, playing its likeliest actions alone."""
    recipe = run.plan.recipe
    play = recipe.play.model_copy(update={"purify": True})
    changed = recipe.model_copy(update={"play": play})
    return replace(run, plan=run.plan.with_recipe(changed, run.name))


def main():
    """Play all rules and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--hands", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    run = load_trained(options.run)
    found = {
        "unit": "mb/hand",
        "recipe": run.name,
        "deals": run.metrics.iterations,
        "hands": options.hands,
    }
    for rule in ("never", "any", "always", "improves"):
        row = {}
        ways = {"won": lambda run: run, "purified": purified}
        if rule == "any":
            del ways["purified"]  # there is no likeliest action
        for name, change in ways.items():
            sides = (
                run_entrant(change(run), "learned"),
                run_entrant(change(with_rule(run, rule)), rule),
            )
            result = play_policies(
                run.plan.variant, sides, options.hands, seed=options.seed, threads=1
            )
            row[name] = [result.mb, result.mb_interval]
        found[rule] = row
        print(rule, row, file=sys.stderr, flush=True)
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
