"""Buckets of many hole cards of their own against those of pairs, after the same seconds.

python benchmarks/strength/bench_long_hand_matches.py [--held N,N...] [--seconds S] [--hands N]
    [--seed N] > rows.jsonl

No-limit hold'em with four to six hole cards. Both train in turns on one thread; all seconds are of
the processor. A row is a line of JSON: deals that each trained on, and what the buckets of their
own won.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench_recipes import Training, train_in_turns, won_from
from counterfold.matches.entrants import run_entrant
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe

RULES = """
stack = 200
hole_cards = {held}
[[streets]]
first = 0
[[streets]]
cards = 3
[[streets]]
cards = 1
[[streets]]
cards = 1
"""


def make_recipe(held):
    """Buckets of equal use on all streets, as few as a quick recipe has."""
    entries = {
        "variant": f"hold'em of {held} cards",
        "rules": RULES.format(held=held),
        "cards": "percentile(50)",
        "bets": "50%, 100%, allin; cap 4",
        "features": "pot * to_call * raises * cards",
        "solver": {
            "algorithm": "external",
            "discounting": "linear",
            "prune_below_blinds": -5000,
            "epoch": 20_000,
        },
    }
    return parse_recipe(entries, f"{held} cards")


class Contender(Training):
    """Training by one of both rules."""

    def __init__(self, held, seed, by_pairs):
        self.by_pairs = by_pairs
        name = "pair" if by_pairs else "own"
        super().__init__(Plan(make_recipe(held), name), seed)

    def _new_solver(self, game):
        if self.by_pairs:
            self.card_map.own_bucketing = lambda held, n_board: None
        return super()._new_solver(game)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--held", default="4,5,6")
    parser.add_argument("--seconds", type=float, default=60.0, help="Of the processor, for each.")
    parser.add_argument("--hands", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for held in map(int, options.held.split(",")):
        trainings = [Contender(held, options.seed, by_pairs) for by_pairs in (False, True)]
        train_in_turns(trainings, options.seconds)
        own, pair = (each.run() for each in trainings)
        won = won_from(own, run_entrant(pair, pair.name), options.hands, 1000 + options.seed)
        deals = {run.name: run.metrics.iterations for run in (own, pair)}
        coverage = {run.name: run.blueprint.coverage for run in (own, pair)}
        infosets = own.blueprint.game.n_infosets
        row = {"held": held, "deals": deals, "trained": coverage, "infosets": infosets, "won": won}
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
