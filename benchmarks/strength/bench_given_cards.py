"""Hands that must give cards away: buckets of what is left of them against those of all of them.

python benchmarks/strength/bench_given_cards.py [--games NAME,...] [--seconds S] [--hands N]
    [--seed N] > rows.jsonl

Both train in turns on one thread; all seconds are of the processor. By all of them a hand has the
bucket that a hand of as many cards has anywhere, and actions name its cards from the lowest up. A
row is a line of JSON: deals that each trained on, and what buckets of what is left won.
"""

import argparse
import json
import sys
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench_recipes import Training, train_in_turns, won_from
from counterfold.matches.entrants import run_entrant
from counterfold.public import card_spec
from counterfold.public.card_maps import TabledCards
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe

RULES = """
stack = 200
hole_cards = {held}
deck = "{deck}"
[[streets]]
first = 0
[[streets]]
cards = 3
steps = [{{ kind = "discard", forced = true, redraw = false, {step} }}]
[[streets]]
cards = 1
{river}
"""
RIVER = "[[streets]]\ncards = 1\n"
GAMES = {
    "drop": {"held": 3, "deck": "full", "step": "count = 1", "river": RIVER},
    "lay": {"held": 3, "deck": "full", "step": "to_board = true", "river": ""},
    "show": {"held": 5, "deck": "23456789A/cdh", "step": "count = 3, shown = true", "river": RIVER},
}


def make_recipe(game, discards):
    """Buckets of equal use on all streets, as few as a quick recipe has."""
    entries = {
        "variant": game,
        "rules": RULES.format(**GAMES[game]),
        "cards": "preflop: percentile(50); flop: percentile(30); river: percentile(30)",
        "discards": discards,
        "bets": "50%, 100%, allin; cap 3",
        "features": "pot * to_call * raises * cards",
        "solver": {
            "algorithm": "external",
            "discounting": "linear",
            "prune_below_blinds": -5000,
            "epoch": 20_000,
        },
    }
    return parse_recipe(entries, game)


class Contender(Training):
    """Training by what is left or by whole hands."""

    def __init__(self, game, seed, whole):
        name = "whole" if whole else "left"
        plan = Plan(make_recipe(game, "by-rank" if whole else "by-strength"), name)
        made_for = (lambda dealer: TabledCards) if whole else card_spec._made_for
        with mock.patch.object(card_spec, "_made_for", new=made_for):
            super().__init__(plan, seed)


def main():
    """Train and play all, a line of JSON each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--seconds", type=float, default=60.0, help="Of the processor, for each.")
    parser.add_argument("--hands", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for game in options.games.split(","):
        trainings = [Contender(game, options.seed, whole) for whole in (False, True)]
        train_in_turns(trainings, options.seconds)
        left, whole = (each.run() for each in trainings)
        won = won_from(left, run_entrant(whole, whole.name), options.hands, 1000 + options.seed)
        row = {
            "game": game,
            "deals": {run.name: run.metrics.iterations for run in (left, whole)},
            "infosets": {run.name: run.blueprint.game.n_infosets for run in (left, whole)},
            "won": won,
        }
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
