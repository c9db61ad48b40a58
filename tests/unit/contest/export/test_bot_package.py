"""What an export says of itself: every figure with its limit, as a table and as data."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from counterfold.contest.export.bot_figures import Figures
from counterfold.contest.export.bot_package import Package

FIGURES = Figures(
    load_seconds=1.25,
    hands=200,
    chips=-30,
    faults=0,
    refused=0,
    decisions=400,
    mean_ms=0.5,
    max_ms=7.25,
    peak_bytes=60_000_000,
)
PACKAGE = Package("mit-2023", Path("bot"), Path("bot.zip"), 6_000_000, 18_000_000, FIGURES)


def test_a_package_prints_its_figures_beside_the_limits():
    lines = str(PACKAGE).splitlines()
    rows = dict(PACKAGE.rows())
    assert [line.split("  ")[0] for line in lines] == list(rows)
    assert rows["zipped"] == "6 MB of 100 MB"
    assert rows["unpacked"] == "18 MB of 1,000 MB"
    assert rows["time to connect"] == "1.25 s of 10 s"
    assert rows["per decision"] == "0.5 ms of 5 ms, 7.25 ms at most, 400 decisions"
    assert "searched" not in rows
    assert len({line.index(rows[name]) for name, line in zip(rows, lines, strict=True)}) == 1


@pytest.mark.parametrize(
    ("target", "use"),
    [("mit-2023", "1 s of 30 s in 1000 hands"), ("acpc", "0.001 s of 7 s per hand")],
)
def test_search_is_told_by_the_clock_of_the_contest(target, use):
    figures = replace(FIGURES, searched=3, unsearched=1)
    rows = dict(replace(PACKAGE, target=target, figures=figures).rows())
    assert rows["searched"] == f"3 of 4 decisions on the last street, {use}"
    assert rows["per decision"] == "0.5 ms, 7.25 ms at most, 400 decisions"


def test_without_search_a_decision_has_its_share_of_the_clock():
    """The ACPC gives 7,000 s for 1,000 hands, which are taken for 6,000 decisions."""
    rows = dict(replace(PACKAGE, target="acpc").rows())
    assert rows["per decision"] == "0.5 ms of 1,166.7 ms, 7.25 ms at most, 400 decisions"


def test_all_figures_are_data():
    content = json.loads(json.dumps(PACKAGE.to_dict()))
    assert (content["target"], content["archive"], content["folder"]) == (
        "mit-2023",
        "bot.zip",
        "bot",
    )
    assert content["figures"]["max_ms"] == 7.25


def test_a_frame_of_a_package_has_one_row(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=list))
    (row,) = PACKAGE.to_frame()
    assert (row["zip_bytes"], row["figures.max_ms"]) == (6_000_000, 7.25)
