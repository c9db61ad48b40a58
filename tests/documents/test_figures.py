"""Measured figures in README and docs are those of `benchmarks/results`."""

import importlib.util
import re
from pathlib import Path

import pytest

from counterfold import solve
from counterfold.tree.solve_run import DEFAULT_ALGORITHM

ROOT = Path(__file__).parents[2]
PLACEHOLDER = re.compile(r"\{[^{}]*\}")


def load_figures():
    path = ROOT / "benchmarks" / "figures.py"
    spec = importlib.util.spec_from_file_location("figures", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


figures = load_figures()
RESULTS = figures.load_results()
NAMES = sorted(path.stem for path in figures.TEMPLATES.rglob("*.md"))


def marked(path):
    return [found["name"] for found in figures.MARKED.finditer(path.read_text(encoding="utf-8"))]


MARKED = [path for path in figures.DOCUMENTS if marked(path)]


@pytest.mark.parametrize("document", MARKED, ids=lambda path: str(path.relative_to(ROOT)))
def test_documents_say_what_was_measured(document):
    text = document.read_text(encoding="utf-8")
    assert figures.fill(text, RESULTS) == text, "run `python benchmarks/figures.py`"


def test_every_template_is_used_once():
    assert sorted(name for document in MARKED for name in marked(document)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_no_figure_of_a_table_is_written_by_hand(name):
    """The first cell may have digits, in the name of what was measured, and so may code."""
    text = re.sub(r"`[^`]*`", "", PLACEHOLDER.sub("", figures.read_template(name)))
    for row in re.findall(r"^\|(?!---)[^|]*\|(.*)$", text, re.MULTILINE):
        assert not re.search(r"\d", row.replace("E[HS²]", "")), row


def test_no_table_of_results_is_written_by_hand():
    text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    rest = figures.MARKED.sub("", text)
    assert len(rest) < len(text)
    assert re.findall(r"^\|.*$", rest, re.MULTILINE) == []


def test_every_file_of_results_is_there_by_its_name():
    """The newest of a kind goes by the kind alone."""
    older, newer = (RESULTS[f"2026-11-{day}-search-bounds"] for day in (16, 18))
    assert RESULTS["search-bounds"] is newer
    assert older != newer


def test_formats_scale_invert_and_pair():
    assert f"{figures.Number(24_331_655):M.1f}" == "24.3"
    assert f"{figures.Number(0.155):/.1f}" == "6.5"
    assert f"{figures.Number(2.0):to .1f}" == "2.0"
    pair = figures.Pair((figures.Number(25.8), figures.Number(4.5)))
    assert (f"{pair:+.1f}", f"{pair:to .0f}") == ("+25.8 ± 4.5", "26 to 4")
    assert f"{figures.Number(53_609):k.0f}" == "54"
    assert f"{figures.Several(map(figures.Number, (1, 2, 6))):.1f}" == "3.0"


def test_a_stale_figure_is_noticed():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    stale = text.replace("1.182e-02", "1.179e-02")
    assert stale != text
    assert figures.fill(stale, RESULTS) == text


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr+", "cfr"])
def test_results_on_leduc_are_what_solving_gives(algorithm):
    known = RESULTS["small-games"]["leduc"]["rows"][algorithm]
    found = solve("leduc", algorithm, int(known["iterations"])).evaluation
    assert f"{found.exploitability:.3e}" == f"{known['exploitability']:.3e}"
    assert f"{found.values[0]:.6f}" == f"{known['value']:.6f}"


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr", "pcfr+", "hs-dcfr", "hs-pcfr+"])
def test_results_on_the_default_algorithm_are_what_solving_gives(algorithm):
    known = RESULTS["full-width"]["nash_conv"][100]["leduc"][algorithm]
    found = solve("leduc", algorithm, 100).evaluation
    assert f"{found.nash_conv:.2e}" == f"{known:.2e}"


@pytest.mark.parametrize("iterations", [100, 1000])
@pytest.mark.parametrize("game", ["leduc", "goofspiel(5)", "liars-dice(5)"])
def test_the_default_algorithm_is_first_in_short_runs(game, iterations):
    known = RESULTS["full-width"]["nash_conv"][iterations][game]
    assert min(known, key=known.get) == DEFAULT_ALGORITHM
