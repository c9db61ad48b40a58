"""Draws how rates and memory grow, from measured files alone, into docs/images/growth.png.

python benchmarks/scale/growth_figure.py
"""

import json
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"
NAMES = {
    "external, no-limit": "external, no-limit",
    "external, River of Blood": "external, River of Blood",
    "public chance, limit": "public chance, limit",
    "matches": "matches",
    "joint tables, cprg-5": "joint tables",
}


def newest(name):
    return json.loads(sorted(RESULTS.glob(f"*-{name}.json"))[-1].read_text(encoding="utf-8"))


def draw_threads(axes):
    """Speed as a multiple of one thread, of one machine."""
    rows = newest("threads")["later"]["first_machine"]
    for work, label in NAMES.items():
        own = [row for row in rows if row["work"] == work]
        threads = [row["threads"] for row in own]
        axes.plot(threads, [row["of_linear"] * row["threads"] for row in own], "o-", label=label)
    axes.plot([1, 16], [1, 16], color="0.7", linestyle=":", label="linear")
    axes.set(xscale="log", yscale="log", xlabel="threads", ylabel="times one thread")
    axes.set_xticks([1, 2, 4, 8, 16], ["1", "2", "4", "8", "16"])
    axes.set_yticks([1, 2, 4, 8, 16], ["1", "2", "4", "8", "16"])
    axes.minorticks_off()
    axes.legend(fontsize=7, frameon=False)


def draw_rates(axes):
    """Iterations per second by how large the game is."""
    labels = {
        "buckets": "deals/s, more buckets",
        "nodes": "deals/s, more betting",
        "boards": "boards/s, more buckets",
    }
    for kind, label in labels.items():
        own = [row for row in newest("growth")["rows"] if row["kind"] == kind]
        rates = [row["iterations"] / row["seconds"] for row in own]
        axes.plot([row["slots"] for row in own], rates, "o-", label=label)
    axes.set(xscale="log", yscale="log", xlabel="actions of information sets", ylabel="per second")
    axes.legend(fontsize=7, frameon=False)


def draw_memory(axes):
    """Memory of training beside the program, and its estimate."""
    rows = newest("memory")["rows"][1:]  # the first shows what the program takes
    slots = [row["slots"] for row in rows]
    axes.plot(slots, [row["measured"] / 1e9 for row in rows], "o-", label="occupied")
    axes.plot(slots, [row["training_bytes"] / 1e9 for row in rows], "x--", label="estimate")
    axes.set(xscale="log", yscale="log", xlabel="actions of information sets", ylabel="GB")
    axes.set_xticks([3e7, 1e8, 3e8, 1e9], ["30 M", "100 M", "300 M", "1,000 M"])
    axes.set_yticks([0.3, 1, 3, 10], ["0.3", "1", "3", "10"])
    axes.minorticks_off()
    axes.legend(fontsize=7, frameon=False)


def main():
    """Write the picture."""
    figure, axes = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
    for draw, each in zip((draw_threads, draw_rates, draw_memory), axes, strict=True):
        draw(each)
    figure.savefig(ROOT / "docs" / "images" / "growth.png", dpi=110)


if __name__ == "__main__":
    main()
