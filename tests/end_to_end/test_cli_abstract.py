"""`counterfold abstract` as people call it, on a deck of twelve cards."""

import json
import re
import sys
from contextlib import nullcontext

import numpy as np
import pytest
from typer.testing import CliRunner

from counterfold.buckets import STREETS
from counterfold.cli import app, main
from helpers.processes.cluster_jobs import Traveling

DECK = "9TJQKA/cd"
SPEC = "lossless; flop: percentile(5); turn: histogram(4); river: nested(2, 2); recall: sequence"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def call(monkeypatch, capsys, home):
    """Run the command in this process: exit code, stdout and stderr."""
    monkeypatch.setenv("COUNTERFOLD_HOME", str(home))

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["counterfold", "abstract", *arguments, "--deck", DECK])
        with pytest.raises(SystemExit) as exit_info:
            main()
        captured = capsys.readouterr()
        return exit_info.value.code or 0, captured.out, captured.err

    return run


def test_prints_a_row_and_examples_for_each_street(call):
    code, out, err = call(SPEC)
    assert code == 0
    rows = {line.split()[0]: line.split() for line in out.splitlines() if "%" in line}
    assert list(rows) == list(STREETS)
    assert [rows[street][2] for street in STREETS] == ["36", "5", "4", "4"]
    for street in STREETS:
        assert f"\n{street}: 0: " in out
    assert re.search(r"about \d+ s with 1 thread, \d+ MB of memory and \d+ MB on disk", err)


def test_the_table_fits_eighty_columns(call):
    _, out, _ = call("lossless")
    header, *rows = out.splitlines()[:5]
    assert header.split()[-2:] == ["explained", "EMD"]
    assert "…" not in out
    assert max(map(len, (header, *rows))) <= 80


@pytest.mark.parametrize(
    "spec",
    ["history(2)", pytest.param("cprg-5", marks=pytest.mark.slow), "history(2) * ochs(3)"],
)
def test_sequences_have_figures_on_all_streets(call, tmp_path, spec):
    code, out, _ = call(spec, "--json", "--report", str(tmp_path))
    assert code == 0
    rows = json.loads(out)["streets"]
    assert [row["street"] for row in rows] == list(STREETS)
    assert all(0.0 < row["explained"] <= 1.0 for row in rows)
    sampled = [row["n_samples"] for row in rows]
    assert sampled == ([None, None, 400_000, 400_000] if "*" in spec else [None] * 4)
    assert (tmp_path / "sizes.png").exists()


def test_workers_count_what_threads_count(call, home, tmp_path, monkeypatch):
    asked = ("history(2)", "--joint", "--json")
    _, out, _ = call(*asked)
    here = read_joint(home, json.loads(out)["joint"])
    workers = Traveling(2)
    handed = []

    def open_workers(address, n_workers):
        handed.append((address, n_workers))
        return nullcontext(workers)

    monkeypatch.setattr("counterfold.cli.abstract.open_workers", open_workers)
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    call_there = ["abstract", *asked, "--deck", DECK, "--cluster", "auto", "--workers", "2"]
    result = CliRunner().invoke(app, call_there)
    assert result.exit_code == 0, result.output
    there = json.loads(result.stdout)
    assert handed == [("auto", 2)]
    for street, values in read_joint(tmp_path, there["joint"]).items():
        np.testing.assert_array_equal(values, here[street])


def read_joint(folder, found):
    return {s: np.load(folder / name / "values.npy") for s, name in found["folders"].items()}


@pytest.mark.parametrize("spec", ["history(2)", "percentile(2); recall: sequence"])
def test_joint_tables_are_counted_and_kept(call, home, spec):
    code, out, _ = call(spec, "--joint", "--json")
    assert code == 0
    found = json.loads(out)["joint"]
    assert found["n_buckets"] == [2, 2, 2, 2]
    assert found["n_sequences"] == [2, 4, 8, 16]
    assert (found["samples"], found["seed"], found["probability_error"]) == (None, None, 0.0)
    tables = read_joint(home, found)
    assert list(tables) == list(STREETS)
    for street, values in tables.items():
        assert values.shape == (2 ** (STREETS.index(street) + 1),) * 2
        assert values.sum() == pytest.approx(1.0)
    net = np.load(home / found["folders"]["river"] / "net.npy")
    assert (net == -net.T).all()
    assert net.any()
    _, out, _ = call(spec, "--joint", "--estimate", "--json")  # they are found again
    needs = json.loads(out)
    assert (needs["memory_bytes"], needs["disk_bytes"]) == (0, 0)
    assert needs["seconds"] < 0.2  # for the figures


def test_joint_tables_can_be_sampled(call, home):
    code, out, _ = call("history(2)", "--joint", "--samples", "500", "--seed", "3", "--json")
    assert code == 0
    found = json.loads(out)["joint"]
    assert (found["samples"], found["seed"]) == (500, 3)
    assert 0.0 < found["probability_error"] < 0.2
    assert (home / found["folders"]["river"] / "errors.npy").exists()
    _, out, _ = call("history(2)", "--joint", "--samples", "500", "--seed", "3")
    assert "pairs of 16 sequences from 500 boards, total error of the probabilities 0.0" in out
    for name in found["folders"].values():
        assert f"joint: {home / name}" in out


def test_an_estimate_of_joint_tables_counts_nothing(call, tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path / "home"))
    needs = {}
    for options in ([], ["--joint"], ["--joint", "--samples", "100"]):
        _, out, _ = call("history(3)", "--estimate", "--json", *options)
        needs[len(options)] = json.loads(out)
    n = 81
    values = 8 * sum(k * k for k in (3, 9, 27, n, n))  # and results at showdown
    assert needs[1]["disk_bytes"] - needs[0]["disk_bytes"] == values
    assert needs[3]["disk_bytes"] - needs[1]["disk_bytes"] == 2 * 4 * n * n  # standard errors
    assert not list(tmp_path.rglob("*.npy"))


def test_json_is_one_object(call):
    code, out, _ = call(SPEC, "--json")
    assert code == 0
    content = json.loads(out)
    assert content["abstraction"].startswith("preflop: lossless; flop: percentile(5); turn: hist")
    assert content["recall"] == "sequence"
    assert [row["street"] for row in content["streets"]] == list(STREETS)
    for row, n in zip(content["streets"], (36, 5, 4, 4), strict=True):
        assert row["n_buckets"] == n == len(row["shares"]) == len(row["means"])
        assert sum(row["shares"]) == pytest.approx(1.0)
        assert 0.0 <= row["explained"] <= 1.0
    assert content["streets"][3]["emd"] is None


def test_a_report_has_figures_and_the_same_object(call, tmp_path):
    folder = tmp_path / "deep" / "report"
    code, out, _ = call(SPEC, "--report", str(folder), "--json")
    assert code == 0
    # The grid of 13 × 13 hands is for full decks.
    assert {path.name for path in folder.iterdir()} == {"report.json", "sizes.png", "metrics.png"}
    assert json.loads((folder / "report.json").read_text(encoding="utf-8")) == json.loads(out)
    for name in ("sizes.png", "metrics.png"):
        assert (folder / name).read_bytes().startswith(b"\x89PNG")


def test_the_place_of_the_report_is_printed(call, tmp_path):
    _, out, _ = call("uniform(3)", "--report", str(tmp_path / "report"))
    assert out.splitlines()[-1] == f"report: {tmp_path / 'report'}"


def test_an_estimate_builds_nothing(call, tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path / "home"))
    report = tmp_path / "report"
    code, out, err = call("percentile(5)", "--estimate", "--report", str(report))
    assert (code, out) == (0, "")
    assert re.search(r"about \d+ s with 1 thread, \d+ MB of memory and \d+ MB on disk", err)
    code, out, _ = call("percentile(5)", "--estimate", "--json")
    needs = json.loads(out)
    assert needs.keys() == {"abstraction", "seconds", "memory_bytes", "disk_bytes"}
    assert needs["seconds"] > 0
    assert needs["memory_bytes"] > 0
    assert needs["disk_bytes"] > 36 + 3960 + 6960 + 8316  # labels of a byte, and the tables
    assert not report.exists()
    assert not list(tmp_path.rglob("*.npy"))


def test_what_is_built_costs_nothing_more(call):
    call("percentile(5)")
    _, out, _ = call("percentile(5)", "--estimate", "--json")
    needs = json.loads(out)
    assert (needs["memory_bytes"], needs["disk_bytes"]) == (0, 0)
    assert needs["seconds"] < 0.2  # for the figures


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["percntile(5)"], "unknown bucketing 'percntile'; did you mean percentile"),
        (["losless"], "unknown bucketing 'losless'; did you mean lossless"),
        (["lossless; trun: uniform(3)"], "unknown street 'trun'; did you mean run or turn"),
        (["percentile(5, metric=ehs3)"], "unknown metric 'ehs3'"),
        (["percentile(5"], r"cannot read the bucketing 'percentile\(5'"),
        (["psopti(5, weak=0.9)"], "0 < weak < strong < 1, not weak 0.9 and strong 0.8"),
        (["psopti(5, weak=low)"], "weak of psopti must be a number, not 'low'"),
        (["lossless; recall: perfect"], "unknown recall 'perfect'"),
        (["lossless; flop: cprg-5"], "'cprg-5' has buckets for all streets at once"),
        (["history(2) * ochs(3)", "--joint"], "joint tables .* not the product 'history"),
        (["percentile(2)", "--joint"], "players forget in .* add 'recall: sequence'"),
        (
            ["history(2)", "--joint", "--samples", "1"],
            "a sample must have 2 to 4,000,000 boards, not 1",
        ),
        (["history(2)", "--samples", "100"], "--samples 100 is for joint tables only; add --joint"),
        (["cprg-5 * och(3)"], "unknown bucketing 'och'; did you mean ochs"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(call, arguments, message):
    code, out, err = call(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("counterfold: ")
    assert err.count("\n") == 1
    assert re.search(message, err)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["histogram(40)"], "40 buckets from the 36 classes of the preflop; ask for fewer"),
        (["lossless; flop: ochs(4000)"], "4,000 buckets from the 3,960 classes of the flop"),
        (["lossless; flop: psopti(4)", "--bins", "0"], "no histograms; set bins above 0"),
    ],
)
def test_what_does_not_fit_the_deck_is_one_sentence_and_exit_code_2(call, arguments, message):
    code, out, err = call(*arguments)
    assert (code, out) == (2, "")
    (sentence,) = (line for line in err.splitlines() if line.startswith("counterfold: "))
    assert re.search(message, sentence)
    assert "Traceback" not in err


def test_a_report_that_cannot_be_written(call, tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    code, _, err = call("uniform(3)", "--report", str(tmp_path / "file"))
    assert code == 2
    assert "cannot write a report to" in err
