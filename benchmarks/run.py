"""Runs all benchmarks, prints one table, and writes `results/<date>.json`.

Each figure is measured against its peer in this run, on this machine, on the same game.
"""

import argparse
import datetime
import importlib.metadata
import json
import os
import platform
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from timing.measure import Figure

# Modules `bench_*`, imported when they run: only those that need a peer import it.
BENCHMARKS = ("full_width", "end_to_end", "sampled", "evaluation", "memory", "first_call")
_RESULTS = Path(__file__).with_name("results")
_PACKAGES = ("counterfold", "numba", "numpy", "open_spiel", "LiteEFG")
_ROW = "{:<38} {:<9} {:>9} {:>9} {:<7} {:>8} {:>8} {:>4}"


def main() -> None:
    """Run what was asked for; only a complete run is written to a file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=BENCHMARKS, action="append", help="may be repeated")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    arguments = parser.parse_args()
    if not arguments.json:
        print(_ROW.format("figure", "against", "ours", "peer", "unit", "ratio", "target", "met"))
    figures = []
    for name in arguments.only or BENCHMARKS:
        for figure in import_module(f"bench_{name}").figures():
            figures.append(figure)
            if not arguments.json:
                print(_ROW.format(*_cells(figure)), flush=True)
    content = {"machine": _machine(), "figures": [_as_json(figure) for figure in figures]}
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    if arguments.json:
        print(text, end="")
    else:
        aimed = [figure.met for figure in figures if figure.met is not None]
        print(f"{sum(aimed)} of {len(aimed)} targets met")
    if arguments.only is None:
        _RESULTS.mkdir(exist_ok=True)
        path = _RESULTS / f"{datetime.date.today().isoformat()}.json"
        path.write_text(text, encoding="utf-8")


def _cells(figure: Figure) -> tuple[str, ...]:
    target = "-"
    if figure.least_ratio is not None:
        target = f"≥ {figure.least_ratio:g}x"
    elif figure.most is not None:
        target = f"≤ {figure.most:g}"
    return (
        figure.name,
        figure.against or "-",
        _number(figure.ours),
        "-" if figure.peer is None else _number(figure.peer),
        figure.unit,
        "-" if figure.ratio is None else f"{_number(figure.ratio)}x",
        target,
        {True: "yes", False: "no", None: "-"}[figure.met],
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _as_json(figure: Figure) -> dict[str, Any]:
    return asdict(figure) | {"ratio": figure.ratio, "met": figure.met}


def _machine() -> dict[str, Any]:
    """What a reader needs to judge the numbers, and nothing that names the machine."""
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        cpu = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "load_average": os.getloadavg()[0],
        "python": platform.python_version(),
        **{name: _version(name) for name in _PACKAGES},
    }


def _version(name: str) -> str | None:
    """None if a peer is not installed, which `--only` allows."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


if __name__ == "__main__":
    main()
