"""Learned lower bounds of recipes after short training, beside the local ones where there are any.

python benchmarks/strength/bench_learned.py RUNS RECIPE... [--train S] [--learn S] [--hands N]
    [--seed N] [--local N] [--set KEY=VALUE] [--json]

Bots are kept in the folder RUNS, and those that are there are measured as they are. All seconds are
of the processor, on one thread, so that a busy machine gives the same figures as an idle one.
"""

import argparse
import json
import threading
import time
from pathlib import Path

from counterfold.errors import CounterfoldError
from counterfold.matches.learned_response import learned_response
from counterfold.responses.local_response import local_response
from counterfold.training.train_folder import load_trained
from counterfold.training.train_run import train

FOREVER = 86_400.0  # seconds by the clock


class ProcessorTime:
    """Sets `stop` once this process has worked for some seconds since the first call."""

    def __init__(self, seconds):
        self.seconds, self.stop, self.began = seconds, threading.Event(), None

    def watch(self, metrics):
        """Called with metrics twice a second; compilation and tables come before the first."""
        now = time.process_time()
        self.began = now if self.began is None else self.began
        if now - self.began >= self.seconds:
            self.stop.set()


def train_bot(recipe, folder, seconds, overrides):
    """The run in `folder`, trained if it is not there."""
    if not folder.exists():
        clock = ProcessorTime(seconds)
        train(
            recipe,
            folder,
            seconds=FOREVER,
            threads=1,
            overrides=overrides,
            observe=clock.watch,
            stop=clock.stop,
        )
    return load_trained(folder)


def measure(run, arguments):
    """The row of a bot."""
    row = {"trained": run.metrics.iterations, "unit": run.plan.unit}
    if arguments.learn:
        row |= learn(run, arguments)
    if arguments.local:
        row |= respond(run, arguments)
    return row


def learn(run, arguments):
    """What a response that learned wins."""
    clock = ProcessorTime(arguments.learn)
    began = time.process_time()
    found = learned_response(
        run,
        seconds=FOREVER,
        hands=arguments.hands,
        seed=arguments.seed,
        threads=1,
        observe=clock.watch,
        stop=clock.stop,
    )
    return {
        "deals": found.deals,
        "hands": found.hands,
        "learned": _pair(found.exploitability),
        "seats": [_pair(seat) for seat in found.seats],
        "processor_seconds": round(time.process_time() - began, 1),
    }


def respond(run, arguments):
    """What a local best response wins."""
    try:
        local_response(run, hands=8, seed=arguments.seed + 1, threads=1)  # compiles
        began = time.process_time()
        found = local_response(run, hands=arguments.local, seed=arguments.seed, threads=1)
    except CounterfoldError as error:
        return {"no_local": str(error)}
    return {
        "local": _pair(found.exploitability),
        "local_seats": [_pair(seat) for seat in found.seats],
        "local_hands_per_processor_second": round(found.hands / (time.process_time() - began)),
    }


def _pair(estimate):
    return [round(estimate.mean, 1), round(estimate.interval, 1)]


def main():
    """Measure the recipes one after another."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path)
    parser.add_argument("recipes", nargs="+")
    parser.add_argument("--train", type=float, default=60.0)
    parser.add_argument("--learn", type=float, default=60.0, help="0 for none.")
    parser.add_argument("--hands", type=int, default=400_000)
    parser.add_argument("--local", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = {}
    for recipe in arguments.recipes:
        run = train_bot(recipe, arguments.runs / recipe, arguments.train, arguments.set)
        rows[recipe] = measure(run, arguments)
        if not arguments.json:
            print(recipe, rows[recipe], flush=True)
    if arguments.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
