"""Draws what responses win by training time, from results, into docs/images/bounds.png.

python benchmarks/strength/bounds_figure.py
"""

import json
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"
TITLES = {"nolimit": "no-limit hold'em", "discard": "Discard Hold'em", "blood": "River of Blood"}
LOOKS = {"quick": ("C0", "o"), "best": ("C3", "s")}


def draw_game(axes, name, by_seconds):
    """A line for each recipe and seed, with the intervals of its bounds."""
    seconds = sorted(by_seconds, key=float)
    seeds = sorted({seed for rows in by_seconds.values() for seed in rows}, key=int)
    recipes = by_seconds[seconds[0]][seeds[0]]
    for kind, (recipe, shift) in zip(LOOKS, zip(recipes, (0.97, 1.03), strict=True), strict=True):
        color, marker = LOOKS[kind]
        for seed in seeds:
            known = [each for each in seconds if recipe in by_seconds[each].get(seed, {})]
            bounds = [by_seconds[each][seed][recipe]["learned"] for each in known]
            axes.errorbar(
                [shift * float(each) for each in known],
                [mean for mean, _ in bounds],
                [half for _, half in bounds],
                color=color,
                marker=marker,
                markersize=4,
                linewidth=1,
                capsize=2,
                label=recipe if seed == seeds[0] else None,
            )
    axes.set(title=TITLES[name], xscale="log", xlabel="seconds of training, one thread")
    axes.set_xticks([float(each) for each in seconds], seconds)
    axes.minorticks_off()
    axes.axhline(0.0, color="0.7", linewidth=0.8, zorder=0)
    axes.legend(fontsize=8, frameon=False)


def draw_limit(axes, before, curve, by_responder):
    """Best responses in limit hold'em, over sampled flops or, before, over all."""
    safe, large = by_responder["limit-safe"], by_responder["limit-safe-large"]
    early = large["early"]
    points = curve["limit-best"]["11"].values()
    lines = {
        "limit-best before": [(60.0, (before["limit-best"]["exploitability"], 0.0))],
        "limit-best": [(each["training_seconds"], each["all"]) for each in points],
        "limit-safe": [(safe["seconds"], safe["response"]["exploitability"])],
        "limit-safe-large": [
            (early["seconds"], early["response"]["exploitability"]),
            (large["seconds"], large["response"]["exploitability"]),
        ],
    }
    looks = zip(("C0", "C1", "C2", "C3"), "oD^s", strict=True)
    for (name, points), (color, marker) in zip(lines.items(), looks, strict=True):
        means, halves = zip(*(pair for _, pair in points), strict=True)
        axes.errorbar(
            [seconds for seconds, _ in points],
            means,
            halves,
            color=color,
            marker=marker,
            markersize=4,
            linewidth=1,
            capsize=2,
            label=name,
        )
    axes.axhline(curve["cprg-5"]["all"][0], color="0.5", linestyle="--", label="cprg-5, solved")
    axes.set(title="limit hold'em", xscale="log", xlabel="seconds of training, one H200")
    axes.set_xticks([5, 10, 20, 60, 140], ["5", "10", "20", "60", "140"])
    axes.minorticks_off()
    axes.set_ylim(0, 500)  # with room for the legend
    axes.set_ylabel("best response wins, mb/hand")
    axes.legend(fontsize=8, frameon=False)


def read_newest(kind):
    """The newest results of a kind."""
    return json.loads(sorted(RESULTS.glob(f"*-{kind}.json"))[-1].read_text(encoding="utf-8"))


def main():
    """Write the picture."""
    results = read_newest("best-by-time")
    games = [name for name in TITLES if name in results]
    figure, axes = plt.subplots(
        1, len(games) + 1, figsize=(3.6 * (len(games) + 1), 3.2), layout="constrained"
    )
    curve = read_newest("limit-curve")["bots"]
    draw_limit(axes[0], read_newest("exact-response"), curve, read_newest("cfr-br"))
    for each, name in zip(axes[1:], games, strict=True):
        draw_game(each, name, results[name])
    axes[1].set_ylabel("learned response wins at least, mb/hand")
    figure.savefig(ROOT / "docs" / "images" / "bounds.png", dpi=110)


if __name__ == "__main__":
    main()
