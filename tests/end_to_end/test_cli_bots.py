"""Trained runs at the table and on their way to a contest, by the command line."""

import io
import json
import sys

import pytest

from counterfold.cli import main
from trained import train_small


@pytest.fixture
def command(capsys, monkeypatch):
    """Runs `counterfold` in this process; gives exit code, stdout and stderr."""

    def run(*arguments, typed=""):
        monkeypatch.setattr(sys, "argv", ["counterfold", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as caught:
            main()
        captured = capsys.readouterr()
        return caught.value.code, captured.out, captured.err

    return run


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "blood"
    train_small("river-of-blood", folder)
    return folder


def test_play_ends_politely_with_its_input(command, trained):
    code, out, err = command("play", trained, "--seed", 3)
    assert code == 0
    assert "hand 1: you deal; no hand played" in out
    assert out.endswith("you leave with no hand played\n")
    assert "--seed 3" in err


def test_play_is_the_same_with_the_same_seed(command, trained):
    # Calls where it can, else checks; what is neither is asked for again.
    typed = "c\nk\n" * 40
    first = command("play", trained, "--seed", 5, "--hands", 3, "--thoughts", typed=typed)
    again = command("play", trained, "--seed", 5, "--hands", 3, "--thoughts", typed=typed)
    assert first[:2] == again[:2]
    assert first[0] == 0
    assert "hand 3: you deal" in first[1]
    assert "in 3 hands" in first[1].splitlines()[-1]
    assert "node" in first[1]


def test_play_tells_the_bots_thoughts_when_asked(command, trained):
    _, out, _ = command("play", trained, "--seed", 5, typed="f\n?\nq\n")
    assert "the bot wins 1" in out
    assert "it had nothing to decide" in out
    assert "-1 chips in 1 hand, -500 mb/g" in out


def test_play_stops_at_ctrl_c(command, trained, monkeypatch):
    def interrupted(prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    code, out, _ = command("play", trained)
    assert code == 0
    assert "you leave with no hand played" in out


def test_play_needs_a_trained_run(command, tmp_path):
    code, _, err = command("play", tmp_path / "nothing")
    assert code == 2
    assert "nothing" in err


def test_export_writes_a_bot_and_its_figures(command, trained, tmp_path):
    archive = tmp_path / "bot.zip"
    code, out, err = command("export", trained, "--to", "mit-2023", "--out", archive)
    assert code == 0, err
    assert archive.exists()
    assert (tmp_path / "bot" / "commands.json").exists()
    for word in ("zipped", "unpacked", "until connected", "memory", "a decision"):
        assert word in out
    code, out, err = command("export", trained, "--out", archive, "--json")
    assert code == 2
    assert "--overwrite" in err
    code, out, err = command("export", trained, "--out", archive, "--overwrite", "--json")
    figures = json.loads(out)
    assert code == 0
    assert figures["zip_bytes"] == archive.stat().st_size
    assert figures["figures"]["faults"] == 0


@pytest.mark.parametrize(
    ("target", "message"),
    [("mit-2099", "mit-2023"), ("mit-2017", "Discard"), ("acpc", "without draws, swaps, runs")],
)
def test_export_refuses_what_does_not_fit(command, trained, tmp_path, target, message):
    code, _, err = command("export", trained, "--to", target, "--out", tmp_path / "bot.zip")
    assert code == 2
    assert message in err.replace("\n", " ")
    assert not [*tmp_path.iterdir()]
