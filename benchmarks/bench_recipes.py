"""Recipes of one variant against each other, after the same seconds of the processor.

python benchmarks/bench_recipes.py RECIPE RECIPE... [--seconds N,N...] [--seeds N,N...]
    [--processes N] [--hands N] [--opponents N] [--local N] [--learn S] [--baselines NAME,...]
    [--play KEY=VALUE,...] [--keep FOLDER] > rows.jsonl

Every recipe trains with every seed on one thread of a process of its own, `--processes` of them at
a time. After each of the seconds it meets the first `--opponents` in duplicate matches, and a local
best response plays it, all with the same deals; a response that learned for `--learn` seconds does,
too.
`--play` adds all of them once more with other settings of play.
With `--keep` every training is saved when its seconds are over, for other commands to measure, and
the same line goes on from there later.
Each row is a line of JSON, with what the recipe won from each opponent, the local lower bound, and
by how much that bound is above the first recipe's, and the learned one.
"""

import argparse
import json
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, wait
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace

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
    load_trained,
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
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--hands", type=int, default=400_000)
    parser.add_argument("--opponents", type=int, default=1, help="Recipes that all others meet.")
    parser.add_argument("--match-seed", type=int, default=1000, help="Plus the seed of training.")
    parser.add_argument("--local", type=int, default=0, help="Hands of a local best response.")
    parser.add_argument("--learn", type=float, default=0.0, help="Seconds of the processor.")
    parser.add_argument("--baselines", default="", help="That all meet besides.")
    parser.add_argument("--play", default="", help="More settings, such as threshold=0.1.")
    parser.add_argument("--keep", type=Path, help="Folder of all trainings.")
    options = parser.parse_args()
    spawn = get_context("spawn")  # a fork would inherit locks of threads
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(options.processes, spawn) as pool,
    ):
        bench = Bench(pool, options, options.keep or Path(folder))
        for rows in bench.stages():
            for row in rows:
                print(json.dumps(row()), flush=True)


class Bench:
    """All trainings and what is measured of them, in a pool of processes."""

    def __init__(self, pool, options, keep):
        self.pool, self.options, self.keep = pool, options, keep
        self.names = [Path(name).stem for name in options.recipes]
        self.limits = [float(text) for text in options.seconds.split(",")]
        self.seeds = [int(text) for text in options.seeds.split(",")]
        self.settings = ["", *filter(None, options.play.split(","))]

    def stages(self):
        """For each of the seconds functions that wait for its rows, while the next stage trains."""
        before = None
        for limit in self.limits:
            trained = [
                self._train(name, seed, before, limit)
                for seed in self.seeds
                for name in self.options.recipes
            ]
            rows = self._measure_all(before) if before else []
            for each in wait(trained).done:
                each.result()
            yield rows
            before = limit
        yield self._measure_all(before)

    def _train(self, name, seed, before, limit):
        stem = Path(name).stem
        begun = before and self._folder(stem, seed, before)
        return self.pool.submit(train, name, seed, self._folder(stem, seed, limit), begun, limit)

    def _measure_all(self, limit):
        return [row for seed in self.seeds for row in self._measure(limit, seed)]

    def _folder(self, name, seed, limit):
        return self.keep / f"{name}-{seed}-{limit:.0f}"

    def _start(self, folder, setting, work, *more):
        return self.pool.submit(work, folder, setting, *more)

    def _measure(self, limit, seed):
        """A function for each row, which waits for its figures."""
        options, jobs = self.options, []
        deals = options.match_seed + seed
        for setting in self.settings:
            for name in self.names:
                folder = self._folder(name, seed, limit)
                start = partial(self._start, folder, setting)
                job = SimpleNamespace(folder=folder, won={}, setting=setting)
                for other in self.names[: options.opponents]:
                    if setting or other != name:
                        opponent = self._folder(other, seed, limit)
                        job.won[other] = start(meet, opponent, options.hands, deals)
                for other in filter(None, options.baselines.split(",")):
                    job.won[other] = start(meet, other, options.hands, deals)
                job.local = options.local and start(won_locally, options.local, deals)
                job.learned = options.learn and start(
                    won_by_learning, options.learn, options.hands, seed
                )
                jobs.append(job)
        begun = {"seconds": limit, "seed": seed}
        return [lambda job=job: begun | read_row(job, jobs[0]) for job in jobs]


def read_row(job, first):
    """What was measured of a training, once it is there."""
    run = load_trained(job.folder)
    row = {
        "recipe": run.name + (job.setting and f", {job.setting}"),
        "iterations": run.metrics.iterations,
        "infosets": run.blueprint.game.n_infosets,
        "trained": run.blueprint.coverage,
        "mb_per_hand": {name: each.result() for name, each in job.won.items()},
    }
    if job.local:
        won = job.local.result()
        row["local"] = mean_and_interval(won)
        row["local_above_first"] = mean_and_interval(won - first.local.result())
    if job.learned:
        row["learned"] = job.learned.result()
    return row


class Training:
    """A recipe and its solver, with the processor time that it has had."""

    def __init__(self, name, seed):
        self.plan = make_plan(name, [f"seed={seed}", "solver.threads=1"])
        self.card_map = self.plan.cards()
        self.solver = self._new_solver(self.plan.game(self.card_map.n_buckets))
        self._new_solver(self.solver.game).run(1)  # compiles
        self.spent, self.chunk = 0.0, 1

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

    def run(self, folder=None):
        """The strategy of this moment, saved if there is a folder."""
        solver = self.solver
        blueprint, loss = quantize(solver.game, solver.tables["averages"], 8, solver.layout)
        metrics = MetricsGauge(self.plan.recipe, solver).read(self.spent, 0.0, 0.0)
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            save_training(folder, self.plan, solver, blueprint, loss, metrics)
        return TrainedRun(self.plan.name, self.plan, self.card_map, blueprint, metrics)


def train(name, seed, folder, before, limit):
    """Train for `limit` seconds of the processor, from what is in `before` on, into `folder`."""
    if folder.exists():
        return
    training = Training(name, seed)
    if before:
        training.spent = resume_training(before, training.plan, training.solver)
    while training.spent < limit:
        training.take_turn(limit)
    training.run(folder)


def train_in_turns(trainings, limit):
    """Train all until each has had `limit` seconds."""
    while any(each.spent < limit for each in trainings):
        for each in trainings:
            each.take_turn(limit)


def open_run(folder, setting):
    """A trained strategy, played with another setting if one is given."""
    run = load_trained(folder)
    if not setting:
        return run
    recipe = change_recipe(run.plan.recipe, [f"play.{setting}"])
    name = f"{run.name}, {setting}"
    return TrainedRun(name, Plan(recipe, name), run.cards, run.blueprint, run.metrics)


def won_locally(folder, setting, hands, seed):
    """What a local best response wins in each deal, in mb/hand, both seats played."""
    run = open_run(folder, setting)
    responder = find_responder(run.plan.dealer, policy_of(run), run.cards)
    values = [responder.play(seed, first, DEALS) for first in range(0, hands // 2, DEALS)]
    won = np.concatenate([value for value, _ in values], axis=1).mean(axis=0)
    return won * (1000.0 / responder.variant.big_blind)


def won_by_learning(folder, setting, seconds, hands, seed):
    """What a response wins that learned for so long, and its interval, in mb/hand."""
    clock = ProcessorTime(seconds)
    found = learned_response(
        open_run(folder, setting),
        seconds=FOREVER,
        hands=hands,
        seed=seed,
        threads=1,
        observe=clock.watch,
        stop=clock.stop,
    )
    return [found.exploitability.mean, found.exploitability.interval]


def meet(folder, setting, other, hands, seed):
    """What the run wins from another's folder or a baseline, and its interval, in mb/hand."""
    run = open_run(folder, setting)
    if isinstance(other, Path):
        opponent = load_trained(other)
        return won_from(run, run_entrant(opponent, opponent.name), hands, seed)
    return won_from(run, baseline_entrant(other, run.plan.variant), hands, seed)


def won_from(run, opponent, hands, seed):
    """What the run wins from another entrant, and its interval, in mb/hand."""
    entrants = (run_entrant(run, run.name), opponent)
    result = play_policies(run.plan.variant, entrants, hands, seed=seed, threads=1)
    return [result.mb, result.mb_interval]


if __name__ == "__main__":
    main()
