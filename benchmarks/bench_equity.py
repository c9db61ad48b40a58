"""Exact equity: seconds by street and size of ranges, and against a loop in Python with eval7.

python benchmarks/bench_equity.py [--json]
"""

import argparse
import json
import platform
import time
import warnings
from itertools import combinations

from counterfold.cards import parse_cards, parse_range, unindex_pair
from counterfold.cards.equity import equity
from counterfold.cards.long_boards import expected_strength, hand_strength, hand_strengths

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # eval7 calls pyparsing by names it no longer wants
    import eval7

EVAL7_CARDS = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
HAND = "AhKh"
TIGHT = "QQ+,AKs"
WIDE = "22+,A2s+,K9s+,Q9s+,J9s+,T9s,98s,87s,A9o+,KTo+,QJo"
FLOP = "2h7hTc"
N_SAMPLES = 20_000

QUESTIONS = [
    ("river", "random", "random", "2h7hTc3d3s"),
    ("flop", HAND, TIGHT, FLOP),
    ("flop", HAND, WIDE, FLOP),
    ("flop", HAND, "random", FLOP),
    ("flop", WIDE, WIDE, FLOP),
    ("flop", "random", "random", FLOP),
    ("preflop", HAND, "QcQd", ""),
    ("preflop", HAND, TIGHT, ""),
    ("preflop", HAND, WIDE, ""),
    ("preflop", WIDE, WIDE, ""),
    ("preflop", HAND, "random", ""),
    ("preflop", "AA", "random", ""),
    ("preflop", "random", "random", ""),
]


def loop_with_eval7(first, second, board):
    """Equity of one hand by a loop over run-outs, each hand evaluated once in each of them."""
    hand = unindex_pair(first.pairs[0])
    others = [unindex_pair(pair) for pair in second.pairs]
    others = [other for other in others if not {*hand, *board} & {*other}]
    cards = [(set(other), [EVAL7_CARDS[card] for card in other]) for other in others]
    rest = [card for card in range(52) if card not in (*hand, *board)]
    score = n = 0
    evaluate = eval7.evaluate
    for run_out in combinations(rest, 5 - len(board)):
        full = [EVAL7_CARDS[card] for card in (*board, *run_out)]
        own = evaluate(full + [EVAL7_CARDS[card] for card in hand])
        for held, other in cards:
            if not held.isdisjoint(run_out):
                continue
            theirs = evaluate(full + other)
            score += 2 if own > theirs else own == theirs
            n += 1
    return score / (2 * n)


def seconds(function, *arguments, repeats=5, **options):
    """The best of some runs, after one to warm up."""
    function(*arguments, **options)
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function(*arguments, **options)
        times.append(time.perf_counter() - start)
        if sum(times) > 3:
            break
    return min(times)


def measure():
    rows = []
    for street, first, second, board in QUESTIONS:
        question = parse_range(first), parse_range(second), parse_cards(board)
        names = [text if len(text) < 10 else "wide" for text in (first, second)]
        row = {"question": f"{street}: {names[0]} against {names[1]}"}
        row["seconds"] = seconds(equity, *question, threads=1)
        row["seconds on 2 threads"] = seconds(equity, *question, threads=2)
        if street == "flop" and first == HAND:
            expected = loop_with_eval7(*question)
            assert abs(equity(*question).equity - expected) < 1e-12
            row["seconds with eval7"] = seconds(loop_with_eval7, *question, repeats=3)
            row["ratio"] = row["seconds with eval7"] / row["seconds"]
        rows.append(row)

    hole, board = parse_cards(HAND), parse_cards("2h7hTc3d3h4d5h")
    for name, function, arguments in (
        ("strength of one hand, 7 board cards", hand_strength, (hole, board)),
        ("strength of all hands, 7 board cards", hand_strengths, (board,)),
    ):
        rows.append({"question": name, "seconds": seconds(function, *arguments)})
    row = {"question": f"{N_SAMPLES:,} runs of River of Blood from the flop"}
    arguments = (hole, parse_cards(FLOP), N_SAMPLES)
    row["seconds"] = seconds(expected_strength, *arguments, threads=1)
    row["seconds on 2 threads"] = seconds(expected_strength, *arguments, threads=2)
    return [*rows, row]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    as_json = parser.parse_args().json
    rows = measure()
    if as_json:
        machine = platform.processor() or platform.machine()
        print(json.dumps({"machine": machine, "rows": rows}, indent=2))
        return
    columns = ("seconds", "seconds on 2 threads", "seconds with eval7")
    print(f"{'':44}{'ms':>10}{'2 threads':>12}{'eval7 loop':>12}{'ratio':>8}")
    for row in rows:
        cells = [f"{1000 * row[name]:.2f}" if name in row else "" for name in columns]
        ratio = f"{row['ratio']:.0f}" if "ratio" in row else ""
        print(f"{row['question']:44}{cells[0]:>10}{cells[1]:>12}{cells[2]:>12}{ratio:>8}")


if __name__ == "__main__":
    main()
