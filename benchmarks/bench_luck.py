"""AIVAT between trained runs: variances of results in those of AIVAT, and its processor time.

    python benchmarks/bench_luck.py bounty-1 bounty-2 toss-1 toss-2 --json

takes runs two by two; `baseline:pot-odds` in place of the second is a baseline.
"""

import argparse
import json
import platform
from time import process_time

import numpy as np

from counterfold.matches.aivat.value_fit import fit_values
from counterfold.matches.batch import BatchRunner
from counterfold.matches.entrants import baseline_entrant, run_entrant
from counterfold.training.train_folder import load_trained

_BATCH = 500


def _interval(units):
    return float(1.96 * units.std(ddof=1) / np.sqrt(units.size))


def measure(first, second, n_deals):
    """A row: duplicate deals of the same seed with and without AIVAT."""
    one = run_entrant(load_trained(first), "one")
    variant = load_trained(first).plan.variant
    if second.startswith("baseline:"):
        two = baseline_entrant(second.removeprefix("baseline:"), variant)
    else:
        two = run_entrant(load_trained(second), "two")
    pair = one, two
    fitted = fit_values(variant, pair, 0, threads=1)
    seconds, found = [], None
    for values in (None, fitted.values):
        runner = BatchRunner(variant, pair, 0, values=values)
        runner.play(0, 1)
        started = process_time()
        found = [runner.play(at, min(_BATCH, n_deals - at)) for at in range(0, n_deals, _BATCH)]
        seconds.append((process_time() - started) / (2 * n_deals))
    plain, adjusted, less = (
        np.concatenate([getattr(each, name) for each in found], axis=1)
        for name in ("plain", "chips", "aivat")
    )
    pairs = [each.mean(axis=0) for each in (plain, adjusted, less)]
    mean = 1000 / variant.big_blind
    return {
        "name": variant.name,
        "against": second.removeprefix("baseline:") if ":" in second else "a run",
        "deals": n_deals,
        "imagined": runner.corrector.n_weighted,
        **{
            name: [mean * float(each.mean()), mean * _interval(each)]
            for name, each in zip(("plain", "less_luck"), (pairs[0], pairs[2]), strict=True)
        },
        "plain_variance": float(pairs[0].var() / pairs[2].var()),
        "adjusted_variance": float(pairs[1].var() / pairs[2].var()),
        "single_variance": float(plain[0].var() / less[0].var()),
        "microseconds": 1e6 * seconds[1],
        "time": seconds[1] / seconds[0],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--deals", type=int, default=3000)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    pairs = zip(options.runs[::2], options.runs[1::2], strict=True)
    rows = [measure(*pair, options.deals) for pair in pairs]
    if options.json:
        machine = platform.processor() or platform.machine()
        print(json.dumps({"machine": machine, "aivat": rows}, indent=2))
        return
    for row in rows:
        print(row)


if __name__ == "__main__":
    main()
