"""Rows of `bench_recipes.py` as results: by game, seconds and seed, then by recipe.

python benchmarks/strength/collect_rows.py GAME=rows.jsonl... [--load TEXT] [--names OLD=NEW,...]
    > benchmarks/results/DATE-equal-time.json
"""

import argparse
import json
import os
from pathlib import Path


def main():
    """Print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", help="GAME=FILE")
    parser.add_argument("--load", default="", help="The load average while they ran.")
    parser.add_argument("--names", default="", help="Other names for recipes.")
    options = parser.parse_args()
    names = dict(text.split("=") for text in filter(None, options.names.split(",")))
    results = {"machine": {"cores": os.cpu_count(), "load_average": options.load}}
    for file in options.files:
        game, _, path = file.partition("=")
        results[game] = collect(Path(path).read_text(encoding="utf-8").splitlines(), names)
    print(json.dumps(results, indent=1))


def collect(lines, names):
    """What every recipe won and lost, rounded, by seconds and seed."""
    found = {}
    for row in map(json.loads, lines):
        name = names.get(row["recipe"], row["recipe"])
        entry = {"deals": row["iterations"], "infosets": row["infosets"]}
        won = {names.get(other, other): pair for other, pair in row["mb_per_hand"].items()}
        bounds = {key: row[key] for key in ("local", "local_above_first", "learned") if key in row}
        entry |= {key: [round(each, 1) for each in pair] for key, pair in (won | bounds).items()}
        by_seed = found.setdefault(f"{row['seconds']:.0f}", {})
        by_seed.setdefault(str(row["seed"]), {})[name] = entry
    return found


if __name__ == "__main__":
    main()
