"""Hands ranked per second on one core: ours from arrays, and others by calls from Python.

python benchmarks/bench_ranking.py [--json]
"""

import argparse
import json
import platform
import time
import warnings

import numpy as np
from phevaluator import _pheval

from counterfold.cards import ranking_kernels
from counterfold.cards.ranking import rank, rank_hands
from counterfold.jit.compiler import kernel

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # eval7 calls pyparsing by names it no longer wants
    import eval7

N_HANDS = 2_000_000
N_CALLS = 100_000
N_BOARDS = 10_000
REPEATS = 5


@kernel
def rank_boards(boards, rests, tables, out):
    """Rank all pairs on each board, one after the other into the same `out`."""
    for i in range(boards.shape[0]):
        ranking_kernels.rank_board(boards[i], rests[i], False, tables, out)


def rate(n, function, *arguments):
    """Work per second in the best of some runs, after one to warm up."""
    function(*arguments)
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        function(*arguments)
        seconds.append(time.perf_counter() - start)
    return n / min(seconds)


def measure():
    rng = np.random.default_rng(0)
    deals = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (N_HANDS, 1)), axis=1)
    tables = ranking_kernels.rank_tables()
    ranks = np.empty(N_HANDS, dtype=np.int16)
    rates = {}
    for n_cards in (5, 6, 7, 8, 12, 33):
        hands = np.ascontiguousarray(deals[:, :n_cards])
        rates[f"kernel, {n_cards} cards"] = rate(
            N_HANDS, ranking_kernels.rank_hands, hands, False, tables, ranks
        )
    hands = np.ascontiguousarray(deals[:, :7])
    rates["rank_hands with checks, 7 cards"] = rate(N_HANDS, rank_hands, hands)

    for n_board in (3, 4, 5, 10):
        boards = np.ascontiguousarray(deals[:N_BOARDS, :n_board])
        rests = np.sort(deals[:N_BOARDS, n_board:], axis=1)
        n_pairs = rests.shape[1] * (rests.shape[1] - 1) // 2
        rates[f"rank_board, {n_board} cards"] = rate(
            N_BOARDS * n_pairs, rank_boards, boards, rests, tables, ranks[:n_pairs]
        )

    # Arguments are made beforehand in the form that each function wants.
    calls = hands[:N_CALLS].tolist()
    deck = [eval7.Card(r + s) for r in "23456789TJQKA" for s in "cdhs"]
    eval7_calls = [[deck[card] for card in hand] for hand in calls]
    rates["rank by calls, 7 cards"] = rate(N_CALLS, lambda: [rank(h) for h in calls])
    # Its public function, which also takes cards as text, is four times slower.
    rates["phevaluator by calls, 7 cards"] = rate(
        N_CALLS, lambda: [_pheval.evaluate_7cards(*h) for h in calls]
    )
    rates["eval7 by calls, 7 cards"] = rate(
        N_CALLS, lambda: [eval7.evaluate(h) for h in eval7_calls]
    )
    return rates


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    as_json = parser.parse_args().json
    rates = measure()
    others = {name: rates[f"{name} by calls, 7 cards"] for name in ("phevaluator", "eval7")}
    if as_json:
        ratios = {
            f"{way} / {name}": rates[way] / other for way in rates for name, other in others.items()
        }
        result = {"machine": platform.processor() or platform.machine(), "unit": "hands/s"}
        print(json.dumps({**result, "rates": rates, "ratios": ratios}, indent=2))
        return
    print(f"{'':34}{'M hands/s':>10}{'× phevaluator':>16}{'× eval7':>10}")
    for way, hands_per_second in rates.items():
        ratios = [hands_per_second / other for other in others.values()]
        print(f"{way:34}{hands_per_second / 1e6:10.2f}{ratios[0]:16.1f}{ratios[1]:10.1f}")


if __name__ == "__main__":
    main()
