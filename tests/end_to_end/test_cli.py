"""The command line as a user or a script meets it."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from counterfold import artifacts
from counterfold.cli import app
from counterfold.games import GAMES
from counterfold.tree import ALGORITHMS
from helpers.compiled_games import LOSSLESS

REQUIRED = {
    "game",
    "algorithm",
    "iterations",
    "value",
    "exploitability",
    "nash_conv",
    "seconds",
    "iterations_per_second",
    "infosets",
    "nodes",
}


def only_object(text):
    """The one JSON object that is all of `text`, a single line."""
    assert text.endswith("\n")
    assert text.count("\n") == 1

    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    found = json.loads(text, parse_constant=refuse)
    assert isinstance(found, dict)
    return found


@pytest.fixture
def solved(command, tmp_path):
    """A folder with a run of Kuhn poker."""
    folder = tmp_path / "kuhn"
    code, _, _ = command("solve", "kuhn", "-a", "cfr", "--iterations", 20, "--out", folder)
    assert code == 0
    return folder


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_solve_prints_one_json_object_with_all_keys(command, algorithm):
    code, out, _ = command("solve", "kuhn", "-a", algorithm, "--iterations", 50, "--json")
    found = only_object(out)
    assert code == 0
    assert found.keys() >= REQUIRED
    assert (found["game"], found["algorithm"]) == ("kuhn", algorithm)
    assert (found["infosets"], found["nodes"]) == (12, 58)  # REFERENCE.md; nine histories a deal
    assert found["exploitability"] == pytest.approx(found["nash_conv"] / 2)
    if algorithm == "lp":
        assert found["value"] == pytest.approx(-1 / 18)  # Kuhn 1950
    else:
        assert found["iterations"] == 50


def test_json_has_null_where_exploitability_is_not_defined(command):
    code, out, _ = command("solve", "nash-bargaining(3)", "--iterations", 20, "--json")
    found = only_object(out)
    assert code == 0
    assert found["exploitability"] is None
    assert found["nash_conv"] >= 0
    assert found["guarantee"].startswith("none")


def test_json_of_an_abstraction_has_figures_of_both_games(command):
    arguments = "--abstraction", "rank * history", "--iterations", 50, "--json"
    code, out, _ = command("solve", "leduc", *arguments)
    found = only_object(out)
    assert code == 0
    assert found["exact"]["exploitability"] > found["exploitability"]  # nobody saw the board
    assert found["exact"]["value"] == pytest.approx(found["value"])


def test_several_algorithms_are_one_json_object(command, tmp_path):
    arguments = "-a", "cfr,cfr+", "-a", "lp", "--iterations", 20, "--out", tmp_path / "runs"
    code, out, _ = command("solve", "kuhn", *arguments, "--json")
    assert code == 0
    assert [run["algorithm"] for run in only_object(out)["runs"]] == ["cfr", "cfr+", "lp"]
    assert {path.name for path in (tmp_path / "runs").iterdir()} == {"cfr", "cfr+", "lp"}


def test_results_go_to_stdout_and_remarks_to_stderr(command, tmp_path):
    folder, figure = tmp_path / "run", tmp_path / "kuhn.png"
    code, out, err = command("solve", "kuhn", "--iterations", 20, "--out", folder, "--plot", figure)
    assert code == 0
    assert "dcfr" in out
    assert "chips" in out
    assert f"counterfold show {folder}" in out
    assert "12 information sets, 58 nodes" in err
    assert "12 information sets" not in out
    assert figure.read_bytes().startswith(b"\x89PNG")


def test_games_lists_every_game(command):
    code, out, _ = command("games", "--json")
    rows = {row["game"]: row for row in only_object(out)["games"]}
    assert code == 0
    assert rows.keys() == GAMES.keys()
    assert rows["goofspiel"]["nodes"] == 1077  # every level branches evenly: exact
    assert rows["limit"]["infosets"] == 319_365_922_522_608
    assert (rows["nolimit"]["stack"], rows["nolimit"]["nodes"]) == (400, None)
    assert rows["matrix"]["players"] is None  # it has no default size
    code, out, _ = command("games")
    assert code == 0
    assert all(word in out for word in GAMES)


SMALL_VARIANT = """
name = "one card each"
deck = "QKA/cd"
hole_cards = 1
stack = 3

[[streets]]
first = 0

[[streets]]
cards = 1
"""


def test_a_file_is_a_game(command, tmp_path):
    file, folder = tmp_path / "small.toml", tmp_path / "run"
    file.write_text(SMALL_VARIANT)
    code, out, _ = command("games", "--check", file)
    assert code == 0
    assert "one card each is sound" in out
    assert "all of them" in out
    assert "seat 0 posts 1, seat 1 posts 2" in out
    code, out, _ = command("games", "--check", file, "--seed", 4, "--json")
    found = only_object(out)
    assert (found["game"], found["sound"], found["complete"]) == ("one card each", True, True)
    assert found["play"][0] == "seat 0 posts 1, seat 1 posts 2"
    code, _, _ = command("solve", file, "-a", "lp", "--out", folder)
    assert code == 0
    file.unlink()  # a run knows its rules
    code, out, _ = command("evaluate", folder, "--json")
    assert code == 0
    assert only_object(out)["exploitability"] < 1e-8
    code, out, _ = command("show", folder, "--json")
    assert code == 0
    assert only_object(out)["rows_in_all"] > 0


PEEK = """
from dataclasses import dataclass
from counterfold.games import Kuhn


@dataclass(frozen=True)
class Peek(Kuhn):
    word = "peek"


game = Peek()
"""


def test_a_game_of_a_python_file_is_solved_shown_and_evaluated(command, tmp_path):
    file, folder = tmp_path / "my peek.py", tmp_path / "run"
    file.write_text(PEEK)
    code, out, _ = command("solve", file, "--iterations", 20, "--out", folder)
    assert code == 0
    (hint,) = re.findall(r"strategy: counterfold (.*)", out)  # it works as it stands
    code, out, _ = command(*shlex.split(hint), "--json")
    assert code == 0
    assert only_object(out)["game"] == "peek"
    code, out, _ = command("evaluate", folder, "--game", file, "--json")
    assert code == 0
    assert only_object(out)["iterations"] == 20


def test_a_folder_runs_no_code(command, tmp_path):
    file, folder = tmp_path / "my game.py", tmp_path / "run"
    file.write_text(PEEK)
    assert command("solve", file, "--iterations", 20, "--out", folder)[0] == 0
    ran = tmp_path / "ran"
    file.write_text(f"open({str(ran)!r}, 'w')\n" + PEEK)
    for name in ("show", "evaluate"):
        code, out, errors = command(name, folder)
        assert (code, out) == (2, "")
        assert f"if you trust it, pass --game '{file}'" in errors
        assert not ran.exists()


@pytest.mark.parametrize(("name", "nodes"), [("leduc", 20_000), ("river-of-blood", 2_000)])
def test_check_a_game_by_name(command, name, nodes, monkeypatch):
    monkeypatch.setattr("counterfold.cli.games._CHECKED_NODES", nodes)
    code, out, _ = command("games", "--check", name, "--json")
    found = only_object(out)
    assert code == 0
    assert found["sound"]
    assert found["infosets"] > 100
    assert len(found["play"]) > 3


def test_check_refuses_bad_files_in_one_sentence(command, tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(SMALL_VARIANT.replace("stack = 3", "stack = 1"))
    code, out, err = command("games", "--check", file)
    assert (code, out) == (2, "")
    assert (
        err == f"counterfold: {file}: one card each: stack 1 is below the 2 chips of blind "
        "and ante\n"
    )


def test_evaluate_and_show_read_what_solve_wrote(command, solved):
    code, out, _ = command("evaluate", solved, "--json")
    found = only_object(out)
    assert code == 0
    assert (found["game"], found["algorithm"], found["iterations"]) == ("kuhn", "cfr", 20)
    code, out, _ = command("show", solved, "--json")
    rows = only_object(out)
    assert code == 0
    assert rows["rows_in_all"] == len(rows["rows"]) == 12
    for row in rows["rows"]:
        assert sum(row["actions"].values()) == pytest.approx(1.0)
    code, out, _ = command("show", solved, "--player", 1, "--match", "card=K", "--json")
    assert {row["knows"] for row in only_object(out)["rows"]} == {
        "card=K history=p",
        "card=K history=b",
    }
    for name in ("evaluate", "show"):
        code, out, _ = command(name, solved)
        assert code == 0
        assert out


def test_evaluate_measures_an_abstraction_in_the_exact_game(command, tmp_path):
    folder = tmp_path / "run"
    command("solve", "leduc", "--abstraction", LOSSLESS, "--iterations", 20, "--out", folder)
    code, out, _ = command("evaluate", folder, "--json")
    found = only_object(out)
    assert code == 0
    assert found["exact"]["exploitability"] == pytest.approx(found["exploitability"])


def test_a_run_is_resumed(command, tmp_path):
    folder = tmp_path / "run"
    for iterations in (10, 30):
        arguments = "-a", "cfr", "--iterations", iterations, "--out", folder, "--resume"
        code, out, _ = command("solve", "kuhn", *arguments, "--json")
        assert code == 0
        assert only_object(out)["iterations"] == iterations


BAD = {
    "unknown game": (("solve", "kunh"), "unknown game 'kunh'; did you mean kuhn?"),
    "strange game": (("solve", "qqq"), "unknown game 'qqq'; known: auction, bounty, discard"),
    "unreadable game": (("solve", "leduc("), "cannot read the game 'leduc('"),
    "unknown parameter": (("solve", "kuhn(cards=3)"), "parameters of kuhn: ranks"),
    "wrong parameter": (("solve", "kuhn(99)"), "ranks must be an integer from 2 to 12, not 99"),
    "unknown algorithm": (("solve", "kuhn", "-a", "cfr*"), "unknown algorithm 'cfr*'; did you m"),
    "one of several": (("solve", "kuhn", "-a", "cfr,xyz"), "unknown algorithm 'xyz'; known: "),
    "negative iterations": (
        ("solve", "kuhn", "--iterations", -5),
        "iterations must be at least 1, not -5",
    ),
    "no iterations": (("solve", "kuhn", "--iterations", 0), "must be at least 1, not 0"),
    "bad time": (("solve", "kuhn", "--time", "soon"), "cannot read the time 'soon'; write it like"),
    "no time": (("solve", "kuhn", "--time", "0s"), "must be a number of seconds above 0, not 0"),
    "bad goal": (("solve", "kuhn", "--until", "-1"), "must be a number above 0, not -1"),
    "no number": (("solve", "kuhn", "--until", "nan"), "must be a number above 0, not nan"),
    "no end": (("solve", "kuhn", "--until", "inf"), "must be a number above 0, not inf"),
    "twice": (("solve", "kuhn", "-a", "cfr,cfr"), "algorithm 'cfr' is given twice"),
    "general-sum after another": (
        ("solve", "nash-bargaining(3)", "-a", "cfr,lp", "--out", "run"),
        "the linear program needs a two-player zero-sum game",
    ),
    "general-sum": (
        ("solve", "nash-bargaining(3)", "-a", "lp"),
        "the linear program needs a two-player zero-sum game",
    ),
    "imperfect recall": (
        ("solve", "kuhn", "-a", "lp", "--abstraction", "card"),
        "the linear program needs perfect recall",
    ),
    "too large": (("solve", "goofspiel(13)"), "GiB of memory are free; use smaller parameters"),
    "unknown feature": (
        ("solve", "leduc", "--abstraction", "rnk"),
        "unknown feature of leduc 'rnk'; did you mean rank",
    ),
    "no feature": (("solve", "leduc", "--abstraction", ""), "unknown feature of leduc ''; known: "),
    "unknown ending": (
        ("solve", "kuhn", "--plot", "figure.xyz"),
        "cannot draw to 'figure.xyz': its suffix must be one of ",
    ),
    "plot into nowhere": (
        ("solve", "kuhn", "--plot", "new/figure.png"),
        "cannot draw to 'new/figure.png': there is no folder 'new'; create it first",
    ),
    "resume nothing": (
        ("solve", "kuhn", "--resume"),
        "--resume continues the run in a folder; name it with --out",
    ),
    "contradictory tables": (
        ("tables", "--build", "--estimate"),
        "--estimate only estimates; leave out --estimate or --build",
    ),
    "match without interval": (
        ("match", "random", "all-in", "--variant", "limit", "--hands", 3),
        "a match of 3 hands has no interval; play 4 at least (a duplicate deal counts as two",
    ),
    "evaluate a file": (("evaluate", __file__), "is a file; pass the folder of a run, its --out"),
    "evaluate nothing": (("evaluate", "nowhere"), "there is no folder 'nowhere'"),
    "show nothing": (("show", "nowhere"), "there is no folder 'nowhere'"),
}


def assert_refused(outcome, message):
    """Exit code 2, nothing on stdout, one sentence on stderr."""
    code, out, err = outcome
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("counterfold: ")
    assert message in err


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_answered_with_one_sentence(command, tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    arguments, message = BAD[case]
    assert_refused(command(*arguments, "--json"), message)
    assert not list(tmp_path.iterdir())  # nothing was begun


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve",),
        ("solve", "kuhn", "--iterations", "many"),
        ("solve", "kuhn", "--seed", 10**30),
        ("solve", "kuhn", "--no-such-option"),
        ("show", "x", "--limit", -1),
        ("no-such-command",),
    ],
    ids=lambda arguments: " ".join(map(str, arguments)),
)
def test_usage_errors_are_one_sentence_like_all_others(command, arguments):
    path = "counterfold" if arguments[0] == "no-such-command" else f"counterfold {arguments[0]}"
    assert_refused(command(*arguments), f"; see {path} --help")


def test_a_match_that_finds_nothing_says_so(command, tmp_path):
    command("solve", "kuhn", "--iterations", 5, "--out", tmp_path / "run")
    outcome = command("show", tmp_path / "run", "--match", "zzz")
    assert_refused(outcome, "no information set has 'zzz' in its text, which is like 'card=")


def test_json_has_all_rows_unless_a_limit_is_given(command, tmp_path):
    command("solve", "leduc", "--iterations", 5, "--out", tmp_path / "run")
    all_rows = only_object(command("show", tmp_path / "run", "--json")[1])
    assert len(all_rows["rows"]) == all_rows["rows_in_all"] == 936
    some = only_object(command("show", tmp_path / "run", "--json", "--limit", 3)[1])
    assert (len(some["rows"]), some["rows_in_all"]) == (3, 936)


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("resume", [(), ("--resume",)], ids=["new", "resume"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("leduc", "-a", "cfr"),
        ("kuhn(4)", "-a", "cfr"),
        ("kuhn", "-a", "dcfr"),
        ("kuhn", "-a", "lp"),
        ("kuhn", "-a", "cfr", "--seed", 1),
        ("kuhn", "-a", "cfr", "--abstraction", "card"),
    ],
    ids=lambda arguments: " ".join(map(str, arguments)),
)
def test_the_folder_of_another_run_is_refused_and_kept(command, solved, arguments, resume):
    before = contents(solved)
    outcome = command("solve", *arguments, "--iterations", 40, "--out", solved, *resume, "--json")
    assert_refused(outcome, "another folder")
    assert contents(solved) == before


def damage_array(folder):
    path = next(folder.glob("*.npy"))
    path.write_bytes(path.read_bytes()[:-8])


def damage_manifest(folder):
    path = folder / artifacts.MANIFEST
    path.write_text(path.read_text()[:-40])


def lose_an_array(folder):
    next(folder.glob("*.npy")).unlink()


@pytest.mark.parametrize("damage", [damage_array, damage_manifest, lose_an_array])
@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("solve", "kuhn", "-a", "cfr", "--iterations", 40, "--resume", "--out"), "checkpoint"),
        (("evaluate",), ""),
        (("show",), ""),
    ],
    ids=["solve", "evaluate", "show"],
)
def test_a_damaged_folder_is_refused_and_kept(command, solved, damage, arguments, part):
    damage(solved / part)
    before = contents(solved)
    assert_refused(command(*arguments, solved, "--json"), "is damaged")
    assert contents(solved) == before


def test_a_folder_of_somebody_else_is_refused_and_kept(command, tmp_path):
    np.save(tmp_path / "mine.npy", np.arange(3))
    before = contents(tmp_path)
    outcome = command("solve", "kuhn", "--iterations", 5, "--out", tmp_path, "--json")
    assert_refused(outcome, "is not empty; choose another folder")
    assert_refused(command("evaluate", tmp_path, "--json"), "was not written by counterfold")
    assert contents(tmp_path) == before


def test_a_player_who_is_not_there_is_refused(command, solved):
    assert_refused(command("show", solved, "--player", 2, "--json"), "unknown player '2'")


def installed(*arguments, cwd):
    script = Path(sys.executable).with_name("counterfold")
    return subprocess.run(
        [script, *arguments], capture_output=True, text=True, cwd=cwd, env=os.environ, timeout=600
    )


def test_the_installed_command_solves(tmp_path):
    found = installed("solve", "kuhn", "-a", "lp", "--json", cwd=tmp_path)
    assert found.returncode == 0
    assert only_object(found.stdout)["value"] == pytest.approx(-1 / 18)  # Kuhn 1950


def test_the_installed_command_refuses_without_a_traceback(tmp_path):
    found = installed("solve", "kunh", cwd=tmp_path)
    assert_refused((found.returncode, found.stdout, found.stderr), "did you mean kuhn?")


@pytest.mark.parametrize("name", ["", *(command.name for command in app.registered_commands)])
def test_help_has_an_example(command, name):
    code, out, _ = command(*([name] if name else []), "--help")
    assert code == 0
    assert "Usage: " in out
    assert not name or f"Example: counterfold {name}" in out
