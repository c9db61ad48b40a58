"""`counterfold spot`, and `show` and `evaluate` of what it leaves."""

import json

import pytest

import counterfold as cf

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
    "draws": (("--game", "discard"), "draws, swaps or runs"),
    "iterations": (("--iterations", 0), "iterations must be at least 1"),
}


@pytest.mark.parametrize(("change", "message"), BAD.values(), ids=BAD)
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
    assert "oop plays" in out
    assert "fold" in out
    code, _, err = command("show", solved, "--line", "k b33")
    assert code == 2
    assert "'b33' does not fit" in err
