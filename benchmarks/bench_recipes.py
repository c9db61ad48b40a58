"""Recipes of one variant against each other, after the same seconds of the processor.

python benchmarks/bench_recipes.py RECIPE RECIPE... [--seconds N,N...] [--seeds N,N...]
    [--hands N] [--opponents N] [--local N] [--learn S] [--baselines NAME,...]
    [--play KEY=VALUE,...] [--keep FOLDER] > rows.jsonl

All train on one thread, in turns of a second, so that other load on the machine slows all alike.
After each of the seconds, every recipe meets the first `--opponents` in duplicate matches, and a
local best response plays each, all with the same deals; a response that learned for `--learn`
seconds does, too. `--play` adds all of them once more with other settings of play.
With `--keep` every training is saved when its seconds are over, for other commands to measure, and
the same line goes on from there later.
Each row is a line of JSON, with what the recipe won from each opponent, the local lower bound, and
by how much that bound is above the first recipe's, and the learned one.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from counterfold.blueprints.blueprint import quantize
from counterfold.bots.played_run import policy_of
from counterfold.intervals import mean_and_interval
from counterfold.matches.entrants import baseline_entrant, run_entrant
from counterfold.matches.learned_response import learned_response
from counterfold.matches.policy_match import play_policies
from counterfold.responses.local_response import find_responder
from counterfold.training.plan import Plan, make_plan
from counterfold.training.recipe import change_recipe
from counterfold.training.solver_factory import build_solver, find_chance
from counterfold.training.train_folder import (
    TrainedRun,
    resume_training,
    save_training,
)
from counterfold.training.train_metrics import MetricsGauge
from strength.bench_learned import FOREVER, ProcessorTime

TURN = 1.0  # seconds
DEALS = 32  # that a local best response plays at a time


def main():
    """Train, play and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recipes", nargs="+", help="Names or TOML files.")
    parser.add_argument("--seconds", default="60", help="Of the processor, for each recipe.")
    parser.add_argument("--seeds", default="1", help="Of training.")
    parser.add_argument("--hands", type=int, default=400_000)
    parser.add_argument("--opponents", type=int, default=1, help="Recipes that all others meet.")
    parser.add_argument("--match-seed", type=int, default=1000, help="Plus the seed of training.")
    parser.add_argument("--local", type=int, default=0, help="Hands of a local best response.")
    parser.add_argument("--learn", type=float, default=0.0, help="Seconds of the processor.")
    parser.add_argument("--baselines", default="", help="That all meet besides.")
    parser.add_argument("--play", default="", help="More settings, such as threshold=0.1.")
    parser.add_argument("--keep", type=Path, help="Folder of all trainings.")
    options = parser.parse_args()
    for seed in map(int, options.seeds.split(",")):
        trainings = [Training(name, seed, options.keep) for name in options.recipes]
        limits = [float(text) for text in options.seconds.split(",")]
        for limit in limits:
            if any(each.spent > limit for each in trainings):
                continue  # measured when they came by
            train_in_turns(trainings, limit)
            for row in measure([each.run() for each in trainings], seed, options):
                print(json.dumps({"seconds": limit, "seed": seed} | row), flush=True)


class Training:
    """A recipe and its solver, with the processor time that it has had."""

    def __init__(self, name, seed, keep):
        self.plan = make_plan(name, [f"seed={seed}", "solver.threads=1"])
        self.card_map = self.plan.cards()
        self.solver = self._new_solver(self.plan.game(self.card_map.n_buckets))
        self._new_solver(self.solver.game).run(1)  # compiles
        self.spent, self.chunk = 0.0, 1
        self.folder = keep and keep / f"{self.plan.name}-{seed}"
        if self.folder and self.folder.exists():
            self.spent = resume_training(self.folder, self.plan, self.solver)

    def _new_solver(self, game):
        return build_solver(self.plan, game, find_chance(self.plan, self.card_map))

    def take_turn(self, limit):
        """Train for about a second, and not beyond `limit`."""
        end = min(limit, self.spent + TURN)
        while self.spent < end:
            started = time.process_time()
            self.solver.run(self.chunk)
            took = time.process_time() - started
            self.spent += took
            if took < TURN / 8:
                self.chunk *= 2

    def run(self):
        """The strategy of this moment."""
        solver = self.solver
        blueprint, loss = quantize(solver.game, solver.tables["averages"], 8, solver.layout)
        metrics = MetricsGauge(self.plan.recipe, solver).read(self.spent, 0.0, 0.0)
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)
            save_training(self.folder, self.plan, solver, blueprint, loss, metrics)
        return TrainedRun(self.plan.name, self.plan, self.card_map, blueprint, metrics)


def train_in_turns(trainings, limit):
    """Train all until each has had `limit` seconds."""
    while any(each.spent < limit for each in trainings):
        for each in trainings:
            each.take_turn(limit)


def measure(runs, seed, options):
    """A row for each run, and for each with other settings of play."""
    opponents = runs[: options.opponents]
    entered = [*runs, *(replayed(run, each) for each in filter(None, options.play.split(","))
                        for run in runs)]  # fmt: skip
    first = None
    for run in entered:
        row = {
            "recipe": run.name,
            "iterations": run.metrics.iterations,
            "infosets": run.blueprint.game.n_infosets,
            "trained": run.blueprint.coverage,
            "mb_per_hand": {
                other.name: meet(run, other, options.hands, options.match_seed + seed)
                for other in opponents
                if other is not run
            },
        }
        for name in filter(None, options.baselines.split(",")):
            other = baseline_entrant(name, run.plan.variant)
            row["mb_per_hand"][name] = won_from(
                run, other, options.hands, options.match_seed + seed
            )
        if options.local:
            won = won_locally(run, options.local, options.match_seed + seed)
            first = won if first is None else first
            row["local"] = mean_and_interval(won)
            row["local_above_first"] = mean_and_interval(won - first)
        if options.learn:
            row["learned"] = won_by_learning(run, options.learn, options.hands, seed)
        yield row


def won_locally(run, hands, seed):
    """What a local best response wins in each deal, in mb/hand, both seats played."""
    responder = find_responder(run.plan.dealer, policy_of(run), run.cards)
    values = [responder.play(seed, first, DEALS) for first in range(0, hands // 2, DEALS)]
    won = np.concatenate([value for value, _ in values], axis=1).mean(axis=0)
    return won * (1000.0 / responder.variant.big_blind)


def won_by_learning(run, seconds, hands, seed):
    """What a response wins that learned for so long, and its interval, in mb/hand."""
    clock = ProcessorTime(seconds)
    found = learned_response(
        run,
        seconds=FOREVER,
        hands=hands,
        seed=seed,
        threads=1,
        observe=clock.watch,
        stop=clock.stop,
    )
    return [found.exploitability.mean, found.exploitability.interval]


def replayed(run, setting):
    """The same strategy, played with another setting."""
    recipe = change_recipe(run.plan.recipe, [f"play.{setting}"])
    name = f"{run.name}, {setting}"
    return TrainedRun(name, Plan(recipe, name), run.cards, run.blueprint, run.metrics)


def meet(run, first, hands, seed):
    """What the run wins from the first, and its interval, in mb/hand."""
    return won_from(run, run_entrant(first, first.name), hands, seed)


def won_from(run, opponent, hands, seed):
    """What the run wins from another entrant, and its interval, in mb/hand."""
    entrants = (run_entrant(run, run.name), opponent)
    result = play_policies(run.plan.variant, entrants, hands, seed=seed, threads=1)
    return [result.mb, result.mb_interval]


if __name__ == "__main__":
    main()
