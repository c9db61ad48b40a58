"""What buckets of many hole cards leave of the chance to win, and what looking them up costs.

python benchmarks/strength/bench_long_hands.py [--buckets N] [--hands N] [--showdowns N] [--json]

Random hands meet random hands of as many cards at showdowns, and the variance of how often they win
within buckets is compared with all of it, both less what the showdowns themselves vary. Buckets in
use are the exponential of their entropy. Microseconds are of the processor, on one thread.
"""

import argparse
import json
import time

import numpy as np

from counterfold.buckets import StrengthLookup, long_hand_buckets_kernels
from counterfold.buckets.abstraction_text import parse_card_abstraction
from counterfold.buckets.bucketing import Percentile
from counterfold.buckets.long_hand_buckets import LongHandBuckets
from counterfold.buckets.long_hand_strength import LEAST_HELD, LongHandStrength
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.streets import BOARD_SIZES

HELD = (3, 4, 5, 6)
FINAL = BOARD_SIZES["river"]
SEED = 11
TIMED = 20_000  # hands, the best of three times


def deal(n, n_cards, seed):
    """[n, n_cards] random hands and boards."""
    shuffled = np.random.default_rng(seed).random((n, 52)).argsort(axis=1)
    return shuffled[:, :n_cards].astype(np.uint8)


def play_out(hands, held, n_showdowns):
    """How often each hand wins."""
    wins, left = np.empty(len(hands)), np.empty(52, np.uint8)
    n_to_come = FINAL + held - hands.shape[1]
    deck, by_mask = np.arange(52, dtype=np.uint8), rank_tables().by_mask
    long_hand_buckets_kernels.play_out(
        hands, held, 0, n_to_come, n_showdowns, deck, by_mask, left, wins
    )
    return wins


def left_within(labels, wins, n_showdowns):
    """The share of the variance of the chance to win that is within buckets."""
    noise = (wins * (1 - wins)).mean() / n_showdowns
    counts, sums = np.bincount(labels), np.bincount(labels, wins)
    several = counts[labels] > 1
    means = sums[labels] / counts[labels]
    scale = (counts / np.maximum(counts - 1, 1))[labels]  # a mean of few is too near to them
    within = ((wins - means) ** 2 * scale)[several].mean() - noise
    return within / (wins.var(ddof=1) - noise)


def in_use(labels):
    """The exponential of the entropy of buckets."""
    shares = np.bincount(labels) / labels.size
    shares = shares[shares > 0]
    return np.exp(-(shares * np.log(shares)).sum())


def microseconds(label, hands):
    """Of the processor, for a hand."""
    label(hands[:10])
    times = []
    for _ in range(3):
        started = time.process_time()
        label(hands)
        times.append(time.process_time() - started)
    return 1e6 * min(times) / len(hands)


def measure(arguments):
    """By rule and hole cards: the share left and the time by street, and buckets in use."""
    source = StrengthLookup(threads=1)
    n = arguments.buckets
    pairs, percentile = parse_card_abstraction(f"percentile({n})").build(source), Percentile(n)
    found = {"pair": {}, "own": {}}
    for held in HELD:
        rules = {"pair": LongHandBuckets(pairs, held).label}
        if held >= LEAST_HELD:
            own = LongHandStrength(held, FINAL, source)
            rules["own"] = lambda hands, own=own: own.label(hands, percentile)
        for name in rules:
            found[name][held] = {"in_use": {}, "microseconds": {}}
        for street in ("flop", "turn", "river"):
            n_cards = held + BOARD_SIZES[street]
            hands, timed = deal(arguments.hands, n_cards, SEED), deal(TIMED, n_cards, SEED + 1)
            wins = play_out(hands, held, arguments.showdowns)
            for name, label in rules.items():
                row, labels = found[name][held], label(hands)
                row[street] = float(left_within(labels, wins, arguments.showdowns))
                row["in_use"][street] = float(in_use(labels))
                row["microseconds"][street] = microseconds(label, timed)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--buckets", type=int, default=50)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--showdowns", type=int, default=2_000, help="of each hand")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = measure(arguments)
    if arguments.json:
        print(json.dumps({**vars(arguments), **found}, indent=1))
        return
    print("rule  cards  street  left  in use  microseconds")
    for name, rows in found.items():
        for held, row in rows.items():
            for street in ("flop", "turn", "river"):
                used, cost = row["in_use"][street], row["microseconds"][street]
                print(f"{name}  {held}  {street:5}  {row[street]:6.2%}  {used:5.1f}  {cost:5.2f}")


if __name__ == "__main__":
    main()
