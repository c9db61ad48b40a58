"""`counterfold spot`, and `show` and `evaluate` of what it leaves."""

import csv
import json
import re
import signal
import subprocess
import sys
import time
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from rich.color import Color, ColorSystem
from rich.console import Console
from rich.text import Text

import counterfold as cf
from counterfold import artifacts
from counterfold.cli.spot import progress_line, share_done
from counterfold.cli.views.show_spot import describe_cells, number_cell, terminal_colors
from counterfold.runs import Budget
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.spots.solved_spot import SpotPoint, SpotProgress
from counterfold.spots.strategy_grid import GridCell

RIVER = (
    "spot", "--board", "2c2d7h8s3d", "--ranges", "AA,QQ", "KK,JJ:0.5", "--pot", 100,
    "--stack", 100, "--bets", "50%, allin",
)  # fmt: skip


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spots") / "river"
    cf.spot(
        "2c2d7h8s3d", ("AA,QQ", "KK,JJ:0.5"), 100, 100, "50%, allin", folder=folder, target=0.001
    )
    return folder


def test_spot_prints_what_it_takes_and_what_it_found(command, tmp_path):
    code, out, err = command(*RIVER, "--out", tmp_path / "run")
    assert code == 0
    assert "1 board up to suits, 12 × 12 hands" in err
    assert "MB" in err
    assert re.search(r"^time: about \S+ s with 1 thread$", err, re.M)
    for word in ("% of the pot", "mb", "EV", "equity", "oop plays", "counterfold show"):
        assert word in out


def test_spot_prints_one_json_object(command):
    code, out, _ = command(*RIVER, "--iterations", 50, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["iterations"] == 50
    assert sum(found["ev"].values()) == pytest.approx(100, abs=1e-3)
    assert found["spot"]["oop"] == "AA,QQ"
    assert found["nodes"] > 0
    assert found["memory_bytes"] > 0


def test_progress_is_told_in_percent_of_the_pot_and_in_mb():
    points = (SpotPoint(10, 0.1, 8.0), SpotPoint(20, 0.2, 2.0))
    line = progress_line(SpotProgress(25, 0.25, points), pot=200, big_blind=10)
    assert line == "25 iterations  0.2 s  1% of the pot  200 mb"
    assert share_done(SpotProgress(25, 0.25, points), Budget(until=0.5)) == pytest.approx(0.5)
    assert share_done(SpotProgress(25, 0.25, points), Budget(30, 0.5)) == pytest.approx(25 / 30)
    assert share_done(SpotProgress(), Budget(until=0.5)) == 0.0


def test_options_override_a_file(command, tmp_path):
    file = tmp_path / "river.toml"
    file.write_text(
        'board = "2c2d7h8s3d"\nranges = ["AA,QQ", "KK,JJ:0.5"]\npot = 100\nstack = 100\n'
        'bets = "50%, allin"\niterations = 20\n'
    )
    _, out, _ = command("spot", file, "--stack", 150, "--json")
    found = json.loads(out)
    assert (found["spot"]["stack"], found["iterations"]) == (150, 20)


def test_a_run_is_resumed(command, tmp_path):
    folder = tmp_path / "run"
    command(*RIVER, "--iterations", 20, "--out", folder)
    code, out, _ = command(*RIVER, "--iterations", 40, "--out", folder, "--resume", "--json")
    assert code == 0
    assert json.loads(out)["iterations"] == 40
    code, _, err = command(*RIVER, "--iterations", 40, "--out", folder)
    assert code == 2
    assert "already holds a run; pass --resume" in err


BAD = {
    "blocked board": (("--board", "2c2c7h8s3d"), "2c"),
    "cards": (("--board", "2c2d7h8s3x"), "3x"),
    "board size": (("--board", "2c2d"), "a board of 2 cards does not begin a street"),
    "no hand": (("--ranges", "2c2d", "KK"), "has no hand beside the board"),
    "no pair": (("--ranges", "AcAd", "AcAd"), "shares a card with every hand of the other"),
    "pot": (("--pot", 0), "pot must be 1 chip or more, not 0"),
    "stack": (("--stack", 0), "stack must be 1 chip or more, not 0"),
    "size": (("--bets", "300"), "300"),
    "menu": (("--bets", "50%%"), "50%%"),
    "explodes": (
        ("--stack", 100000, "--bets", ",".join(f"{n}%" for n in range(10, 90, 2))),
        "nodes",
    ),
    "lock": (("--lock", "k b33 : c=1"), "'b33' does not fit"),
    "locked sum": (("--lock", "k : k=0.5"), "add up to 0.5"),
    "removed": (("--remove", "b33"), "'b33' does not fit"),
    "target": (("--target", "0.3"), "target must be a percentage"),
    "rake": (("--rake", "150%"), "rake must be a share of the pot"),
    "game": (("--game", "leduc"), "leduc is not a variant of hold'em"),
    "draws": (("--game", "discard"), "draws, swaps, auctions, runs or more"),
    "iterations": (("--iterations", 0), "iterations must be at least 1"),
}


SLOW = {"explodes"}  # builds all the nodes there may be; a smaller limit is tested by the tree


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(*case, id=name, marks=[pytest.mark.slow] if name in SLOW else [])
        for name, case in BAD.items()
    ],
)
def test_bad_input_is_one_sentence_and_nothing_is_written(command, tmp_path, change, message):
    code, out, err = command(*RIVER, *change, "--out", tmp_path / "run")
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert message in err
    assert not (tmp_path / "run").exists()


def test_resume_needs_a_folder(command):
    code, _, err = command(*RIVER, "--resume")
    assert code == 2
    assert "name it with --out" in err


def test_evaluate_prints_the_same_figures(command, solved):
    code, out, _ = command("evaluate", solved, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["exploitability_percent"] <= 0.1
    assert found["values"] == pytest.approx(cf.evaluate(solved).values)
    assert "exploitability" in command("evaluate", solved)[1]


def test_show_takes_a_line(command, solved):
    code, out, _ = command("show", solved, "--line", "k b50%")
    assert code == 0
    assert "to act  oop" in out
    assert "fold" in out
    code, _, err = command("show", solved, "--line", "k b33")
    assert code == 2
    assert "'b33' does not fit" in err


def test_show_prints_one_grid_of_numbers_without_colors(command, solved):
    code, out, err = command("show", solved, "--line", "k")
    lines = out.splitlines()
    header = next(at for at, line in enumerate(lines) if line.split()[:3] == ["A", "K", "Q"])
    kings = lines[header + 2].split()
    assert code == 0
    assert kings[0] == "K"
    assert len(kings[2].split("/")) == 2
    assert 0 <= sum(map(int, kings[2].split("/"))) <= 101
    assert kings[1] == "-"
    assert "cells are bet 50 / allin 100 in percent, and the rest is check" in err
    assert any(line.startswith("allin 100") for line in lines)


@pytest.mark.parametrize("n_actions", [1, 2, 3, 4, 6])
def test_thirteen_cells_of_numbers_fit_into_a_hundred_columns(n_actions):
    shares = (1.0,) + (0.0,) * (n_actions - 1)
    widest = 0
    for turn in range(n_actions):
        for mixed in (shares[-turn:] + shares[:-turn], (1 / n_actions,) * n_actions):
            widest = max(widest, len(number_cell(GridCell("AKs", 1.0, mixed, 0.0, 0.5))))
    assert 1 + 13 * (widest + 1) <= 100
    assert describe_cells([f"bet {n}" for n in range(n_actions)])


def test_cells_of_many_actions_have_a_digit_for_each():
    cell = GridCell("AKs", 1.0, (0.0, 0.7, 0.3, 0.0), 0.0, 0.5)
    assert number_cell(cell) == "0730"
    assert number_cell(replace(cell, shares=(1.0, 0.0, 0.0, 0.0))) == "X000"
    assert number_cell(replace(cell, shares=())) == "-"


def test_show_colors_cells_in_a_terminal(command, solved, monkeypatch):
    console = Console(force_terminal=True, color_system="truecolor", highlight=False, width=80)
    monkeypatch.setattr("counterfold.cli.views.show_spot.results", console)
    with console.capture() as captured:
        command("show", solved)
    out = captured.get()
    assert "\x1b[" in out
    assert "48;2;" in out  # a background in full color
    assert "AKs" in out
    assert all(len(Text.from_ansi(line)) <= 80 for line in out.splitlines() if "48;2;" in line)


@pytest.mark.parametrize("n_bets", [0, 1, 3, 5])
def test_actions_have_colors_of_their_own_in_a_terminal_of_sixteen(monkeypatch, n_bets):
    terminal = Console(force_terminal=True, color_system="standard")
    monkeypatch.setattr("counterfold.cli.views.show_spot.results", terminal)
    labels = ["fold", "call", *(f"{50 * (k + 1)}%" for k in range(n_bets))]
    found = terminal_colors(labels)
    shown = {Color.from_rgb(*each).downgrade(ColorSystem.STANDARD).number for each in found}
    assert len(shown) == len(labels)


def test_show_lists_hands_that_a_filter_names(command, solved):
    code, out, _ = command("show", solved, "--hands", "overpair", "--limit", 3)
    assert code == 0
    assert sum(line.startswith(("A", "Q")) and "%" in line for line in out.splitlines()) == 3
    code, _, err = command("show", solved, "--hands", "overpairs")
    assert code == 2
    assert "did you mean overpair" in err


def test_show_writes_files(command, solved, tmp_path):
    names = {kind: tmp_path / f"a.{kind}" for kind in ("png", "svg", "csv", "parquet")}
    arguments = [part for kind, path in names.items() for part in (f"--{kind}", path)]
    code, _, err = command("show", solved, *arguments)
    assert code == 0
    assert all(path.stat().st_size for path in names.values())
    assert names["csv"].read_text().count("\n") == 25  # 12 hands of each, and the names
    assert str(names["png"]) in err
    code, _, err = command("show", solved, "--csv", tmp_path / "no" / "a.csv")
    assert code == 2
    assert "there is no folder" in err


def test_show_writes_one_html_file(command, solved, small_runs, tmp_path):
    path = tmp_path / "river.html"
    code, _, err = command("show", solved, "--line", "k", "--html", path)
    assert code == 0, err
    assert f"page: {path}" in err.replace("\n", "")
    assert "strategy-grid" in path.read_text()
    code, _, err = command(
        *("show", small_runs.path_of("nolimit"), "--board", "Ac", "--history", "c k"),
        *("--html", tmp_path / "bot.html"),
    )
    assert code == 0, err
    assert '"line": "c k | Ac"' in (tmp_path / "bot.html").read_text()


def test_show_writes_every_decision_of_a_street(command, solved, tmp_path):
    file = tmp_path / "all.csv"
    code, _, err = command("show", solved, "--all-lines", "--csv", file)
    assert code == 0
    assert str(file) in err
    with open(file, newline="") as stream:
        rows = list(csv.DictReader(stream))
    lines = {row["line"] for row in rows}
    assert {"", "k", "k b50"} <= lines
    by_hand = defaultdict(float)
    for row in rows:
        by_hand[row["line"], row["hand"]] += float(row["share"])
    assert list(by_hand.values()) == pytest.approx([1] * len(by_hand))
    code, out, _ = command("show", solved, "--all-lines")
    assert len(out.splitlines()) == len(lines) + 1
    _, out, _ = command("show", solved, "--all-lines", "--json")
    assert {node["line"] for node in json.loads(out)["lines"]} == lines


def test_show_exploits_a_position(command, solved):
    _, out, _ = command("show", solved, "--exploit", "oop", "--json")
    _, plain, _ = command("show", solved, "--json")
    best, usual = (json.loads(text)["totals"]["ev"]["oop"] for text in (out, plain))
    assert best >= usual - 1e-3
    assert command("show", solved, "--exploit", "button")[0] == 2


@pytest.fixture(scope="module")
def turn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spots") / "turn"
    cf.spot("Kd7c2s9h", ("AA,KQs", "QQ,AKs"), 20, 40, "50%, allin", folder=folder, iterations=50)
    return folder


def test_show_compares_run_outs(command, turn, tmp_path):
    file = tmp_path / "cards.csv"
    code, out, _ = command("show", turn, "--line", "k k", "--runouts", "--csv", file)
    assert code == 0
    assert len(out.splitlines()) == 49
    assert file.read_text().count("\n") == 49
    _, out, _ = command("show", turn, "--line", "k k", "--runouts", "--json")
    found = json.loads(out)["runouts"]
    assert len(found) == 48
    assert found[0]["ev oop"] + found[0]["ev ip"] == pytest.approx(20, abs=1e-2)
    code, _, err = command("show", turn, "--runouts")
    assert code == 2
    assert "no card is dealt after" in err


def test_show_writes_the_decisions_of_a_later_street(command, turn, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "river.parquet"
    code, _, _ = command("show", turn, "--line", "k k | 3d", "--all-lines", "--parquet", file)
    assert code == 0
    table = parquet.read_table(file)
    assert set(table["board"].to_pylist()) == {"Kd7c2s9h3d"}
    assert {"k k | 3d", "k k | 3d | k"} <= set(table["line"].to_pylist())
    assert str(table.schema.field("ev").type) == "double"
    for options in (("--runouts",), ("--png", tmp_path / "a.png")):
        code, _, err = command("show", turn, "--line", "k k", "--all-lines", *options)
        assert code == 2
        assert "--all-lines" in err


def test_show_of_a_later_street_needs_its_card(command, turn):
    assert command("show", turn, "--line", "k k | 3d | k")[0] == 0
    code, _, err = command("show", turn, "--line", "k k")
    assert code == 2
    assert "name the card" in err


def test_options_of_other_runs_are_refused(command, solved, tmp_path):
    assert "use --line here" in command("show", solved, "--player", 0)[2]
    assert "--line and --hands for a spot" in command("show", solved, "--hand", "AhKs")[2]
    command("solve", "kuhn", "--iterations", 5, "--out", tmp_path / "kuhn")
    code, _, err = command("show", tmp_path / "kuhn", "--line", "k")
    assert code == 2
    assert "are for spots" in err


def test_the_api_looks_at_lines(solved):
    node = cf.show(solved, line="k b50%")
    assert node.position == "oop"
    assert "fold" in str(node)


def test_a_bot_may_be_the_source_of_a_spot(command, small_runs):
    bot = small_runs.path_of("nolimit-listed")
    arguments = "spot", "--from", bot, "--bets", "100%, allin", "--iterations", 20
    code, out, _ = command(*arguments, "--history", "c k | k", "--board", "Jc")
    assert code == 0
    assert "pot 4, 18 behind" in out
    assert "ip plays" in out
    assert out.rstrip().endswith("after k")
    code, _, err = command("spot", "--history", "c k", *RIVER[1:])
    assert code == 2
    assert "name its folder with --from" in err


def test_the_api_takes_a_bot_as_the_source_of_a_spot(small_runs):
    found = cf.spot(
        bot=small_runs.path_of("nolimit-listed"), history="c k | Jc | k", bets="100%, allin",
        iterations=20,
    )  # fmt: skip
    assert (found.spot.pot, found.spot.stack) == (4, 18)
    assert found.at("k").position == "ip"
    with pytest.raises(cf.CounterfoldError, match="pass the bot"):
        cf.spot("Jc", history="c k")
    with pytest.raises(cf.CounterfoldError, match="ranges and pot and stack are missing"):
        cf.spot("Jc")


SHORT_DECK = """
name = "short deck"
stack = 100
deck = "6789TJQKA/cdhs"

[[streets]]
first = 0

[[streets]]
cards = 3

[[streets]]
cards = 1

[[streets]]
cards = 1
"""


def test_the_variant_of_a_spot_may_be_a_file(command, tmp_path):
    file, folder = tmp_path / "short.toml", tmp_path / "run"
    file.write_text(SHORT_DECK)
    spot = "spot", "--board", "6c7d8h9sJd", "--ranges", "AA,TT", "KK,QQ", "--pot", 10, "--stack", 20
    code, _, _ = command(*spot, "--game", file, "--iterations", 10, "--out", folder)
    assert code == 0
    file.unlink()  # the run includes the rules
    code, out, _ = command("show", folder, "--json")
    assert code == 0
    assert json.loads(out)["board"] == "6c7d8h9sJd"
    file.with_suffix(".py").write_text("game = None")
    code, _, err = command(*spot, "--game", file.with_suffix(".py"), "--iterations", 10)
    assert code == 2
    assert "declare it in TOML" in " ".join(err.split())


# The command line, saving after every chunk of iterations.
PROGRAM = """
import sys
from counterfold.spots import spot_run
spot_run._CHECKPOINT_SECONDS, spot_run._CHUNK_SECONDS, spot_run._SAVING_SHARE = 0.0, 0.02, 1e9
from counterfold.cli import main
sys.argv[0] = "counterfold"
main()
"""
NEVER_REACHED = 10**9  # iterations
PATIENCE_SECONDS = 600.0  # never reached unless something hangs


def saved_iterations(folder):
    if not (folder / CHECKPOINT / artifacts.MANIFEST).exists():
        return 0
    return artifacts.load_manifest(folder / CHECKPOINT)["progress"]["iterations"]


def stop_halfway(folder, number):
    """Send a signal to a process once more of its iterations are on disk than before."""
    arguments = map(str, (*RIVER, "--iterations", NEVER_REACHED, "--out", folder, "--resume"))
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    before, deadline = saved_iterations(folder), time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and saved_iterations(folder) <= before:
        assert time.monotonic() < deadline, "no progress was saved"
        time.sleep(0.002)
    process.send_signal(number)
    _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    return process.returncode, errors


def test_a_run_that_is_killed_and_interrupted_ends_like_one_that_was_not(command, tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert stop_halfway(parts, signal.SIGKILL)[0] == -signal.SIGKILL
    code, errors = stop_halfway(parts, signal.SIGINT)
    assert code == 130
    assert "continue with --resume" in errors
    assert command("show", parts)[0] == 0
    iterations = saved_iterations(parts) + 50
    for folder in (parts, whole):
        arguments = "--iterations", iterations, "--out", folder, "--resume"
        assert command(*RIVER, *arguments)[0] == 0
    ours, theirs = (artifacts.load(folder / CHECKPOINT)[1] for folder in (parts, whole))
    for name, table in ours.items():
        np.testing.assert_array_equal(table, theirs[name])
