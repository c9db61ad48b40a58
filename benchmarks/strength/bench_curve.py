"""Exploitability of limit recipes over boards of training, by best responses in the real game.

python benchmarks/strength/bench_curve.py RECIPE@SEED:BOARDS,BOARDS... --out rows.jsonl
    [--flops N] [--seed N] [--exact] [--keep FOLDER] [--set KEY=VALUE...] [--opponent RECIPE:N]
    [--hands N]

Each recipe trains to each of the numbers of boards and is measured there on the same sampled flops.
With `--exact` the last training is measured on all flops, too, and then corrects the others: their
differences from it on the sampled flops vary less than they themselves do. An opponent, such as
`cprg-5:240` for 240 iterations, is trained first, measured as well, and met in duplicate hands by
all. A row is a line of JSON, in mb/g, written as soon as it is known; a run that is called again
continues with the trainings in `--keep` but measures anew. What each flop says is kept there, too.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from counterfold.intervals import mean_and_interval
from counterfold.matches.entrants import run_entrant
from counterfold.matches.policy_match import play_policies
from counterfold.responses.device.device_responder import find_library, respond_on_device
from counterfold.responses.exact_response import ExactResponder
from counterfold.training.train_folder import load_trained
from counterfold.training.train_run import train

PARTS = ("all", "preflop", "flop", "turn", "river")
MATCH_SEED = 5


def main():
    """Train and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trainings", nargs="+", help="RECIPE@SEED:BOARDS,BOARDS")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--flops", type=int, default=40)
    parser.add_argument("--seed", type=int, default=4, help="Of the flops.")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--keep", type=Path, default=Path("curve"))
    parser.add_argument("--set", action="append", default=[], help="For all but the opponent.")
    parser.add_argument("--opponent", help="RECIPE:ITERATIONS")
    parser.add_argument("--hands", type=int, default=1_000_000)
    options = parser.parse_args()
    Bench(options).run(options.trainings)


class Bench:
    """Trainings one after another, what is known of each, and the flops that all of them share."""

    def __init__(self, options):
        self.options = options
        self.opponent = None
        self.units = {}  # by training: [flops, parts] what responders win, in mb/g

    def run(self, trainings):
        """Every row as soon as it is known, then those that all flops of the last one correct."""
        options = self.options
        if options.opponent:
            name, _, iterations = options.opponent.partition(":")
            self.opponent = self.train(name, options.keep / Path(name).stem, int(iterations), [])
            self.measure(self.opponent, {"recipe": Path(name).stem, "iterations": int(iterations)})
        for text in trainings:
            recipe, _, boards = text.partition(":")
            name, _, seed = recipe.partition("@")
            folder = options.keep / f"{Path(name).stem}-{seed}"
            for n in map(int, boards.split(",")):
                run = self.train(name, folder, n, [f"seed={seed}", *options.set])
                row = {"recipe": Path(name).stem, "seed": int(seed), "boards": n}
                self.measure(run, row | {"training_seconds": round(run.metrics.seconds, 1)})
        if options.exact:
            self.correct(run)

    def train(self, recipe, folder, iterations, overrides):
        train(recipe, folder, iterations=iterations, overrides=overrides, resume=True)
        return load_trained(folder)

    def measure(self, run, row):
        """What responders win on the sampled flops, and what the run wins from the opponent."""
        responder = ExactResponder.of_run(run)
        began = time.monotonic()
        flops = responder.sample(self.options.flops, self.options.seed)
        units = in_parts(responder, self.respond(responder, flops))
        self.units[json.dumps(row)] = units
        np.save(self.options.keep / f"units-{len(self.units)}.npy", units)
        row |= {"flops": len(flops), "response_seconds": round(time.monotonic() - began, 1)}
        row |= estimates(units)
        if self.opponent is not None and run is not self.opponent:
            row["won"] = self.meet(run)
        self.write(row)

    def respond(self, responder, boards):
        """Rows of boards, in their order; of one that comes twice, one row twice."""
        different = list(dict.fromkeys(boards))
        library = find_library(responder, "auto")
        if library is not None:
            rows = list(respond_on_device(responder, different, library))
        else:
            rows = list(responder.respond(different))
        by_board = {row.board: row for row in rows}
        return [by_board[board] for board in boards]

    def meet(self, run):
        entrants = tuple(run_entrant(each, each.name) for each in (run, self.opponent))
        hands = self.options.hands
        result = play_policies(run.plan.variant, entrants, hands, seed=MATCH_SEED, threads=4)
        return [round(result.mb, 1), round(result.mb_interval, 1)]

    def correct(self, run):
        """The exact figures of the last training, and the others by their differences from it."""
        responder = ExactResponder.of_run(run)
        began = time.monotonic()
        result = responder.combine(self.respond(responder, responder.boards))
        figures = [result.exploitability, *result.losses]
        exact = np.array([result.in_mb(figure).mean for figure in figures])
        seats = [result.in_mb(seat.value).mean for seat in result.seats]
        own = [result.in_mb(seat.own).mean for seat in result.seats]
        *others, last = self.units
        row = json.loads(last) | {"exact": named(exact), "seats": seats, "own": own}
        self.write(row | {"response_seconds": round(time.monotonic() - began, 1)})
        for each in others:
            differences = self.units[each] - self.units[last]
            self.write(json.loads(each) | {"corrected": estimates(differences, exact)})

    def write(self, row):
        with self.options.out.open("a", encoding="utf-8") as file:
            print(json.dumps(row), file=file)


def in_parts(responder, rows):
    """[flops, parts] exploitability and its part by street, as each flop says, in mb/g."""
    seats = np.mean([responder.units(rows, seat) for seat in (0, 1)], axis=0)
    scale = 1000.0 / responder.variant.big_blind
    return np.column_stack([seats[:, 0], seats[:, :-1] - seats[:, 1:]]) * scale


def estimates(units, known=0.0):
    """Mean and interval of each part, beside what is known of it."""
    means = [mean_and_interval(column) for column in units.T]
    return {
        part: [round(mean + more, 2), round(half, 2)]
        for part, (mean, half), more in zip(PARTS, means, np.broadcast_to(known, 5), strict=True)
    }


def named(figures):
    return dict(zip(PARTS, np.round(figures, 2).tolist(), strict=True))


if __name__ == "__main__":
    main()
