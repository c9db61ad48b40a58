"""Trained runs at the table, measured and on their way to a contest, by the command line."""

import json
import sys
from functools import partial

import pytest

from counterfold.bots.trained_bot import load_bot
from counterfold.contest import Limits
from counterfold.contest.export.package import export_run
from counterfold.matches import match_play
from counterfold.matches.session_folder import SessionFolder, SessionRecord, begin_session
from counterfold.matches.session_luck import SessionLuck
from counterfold.responses.known_responses import known_responses
from counterfold.training.train_folder import load_trained
from helpers.trained_runs import train_small


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Programs may take long to start on a machine that does other things."""
    monkeypatch.setattr(match_play, "Limits", partial(Limits, connect_seconds=120.0))


@pytest.fixture(scope="module")
def trained(small_runs):
    return small_runs.path_of("river-of-blood")


def test_play_ends_politely_with_its_input(command, trained):
    code, out, err = command("play", trained, "--seed", 3)
    assert code == 0
    assert "hand 1: you deal; no hand played" in out
    assert out.endswith("you leave with no hand played\n")
    assert "--seed 3" in err


def test_play_is_the_same_with_the_same_seed(command, trained):
    # Calls where it can, else checks; what is neither is asked for again.
    typed = "c\nk\n" * 40
    first = command("play", trained, "--seed", 5, "--hands", 3, "--explain", typed=typed)
    again = command("play", trained, "--seed", 5, "--hands", 3, "--explain", typed=typed)
    assert first[:2] == again[:2]
    assert first[0] == 0
    assert "hand 3: you deal" in first[1]
    assert "in 3 hands" in first[1].splitlines()[-1]
    assert "node" in first[1]


def test_play_tells_the_bots_thoughts_when_asked(command, trained):
    _, out, _ = command("play", trained, "--seed", 5, typed="f\ne\nq\n")
    assert "the bot wins 1" in out
    assert "the bot had nothing to decide" in out
    assert "-1 chips in 1 hand, -500 mb/hand" in out


def test_play_reports_the_luck_of_a_session(command, trained):
    typed = "c\nk\n" * 60
    code, out, err = command(
        "play", trained, "--seed", 5, "--hands", 4, "--explain", "--aivat", typed=typed
    )
    assert code == 0, err
    told = out.splitlines()[-1]
    assert told.startswith(
        "adjusted for the luck of the cards and the choices of the bot (AIVAT): "
    )
    assert told.endswith("bb/100")


def test_a_session_is_replayed_less_luck(command, trained, tmp_path):
    bot = load_bot(trained)
    folder, record = SessionFolder(tmp_path), SessionRecord(str(trained), 6, 0.0)
    folder.save(record)
    play = begin_session(bot, record)
    for _ in range(5):
        while not play.over:
            play.act(play.view.plain_actions()[-1])
        folder.add_hand(play)
        play.next_hand()
    record.number = play.number
    folder.save(record)
    luck = SessionLuck(bot, 6)
    luck.add_histories(folder.hands)
    code, out, err = command("replay", tmp_path / "hands.jsonl", "--aivat", "--json")
    assert code == 0, err
    assert json.loads(out)["aivat"]["chips"] == luck.rates().chips
    (tmp_path / "session.json").unlink()
    code, _, err = command("replay", tmp_path / "hands.jsonl", "--aivat")
    assert code == 2
    assert "there is no session in" in err


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
    for word in ("zipped", "unpacked", "time to connect", "memory", "per decision"):
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
    [("mit-2099", "mit-2026"), ("mit-2017", "Discard"), ("acpc", "without draws, swaps, runs")],
)
def test_export_refuses_what_does_not_fit(command, trained, tmp_path, target, message):
    code, _, err = command("export", trained, "--to", target, "--out", tmp_path / "bot.zip")
    assert code == 2
    assert message in err.replace("\n", " ")
    assert not [*tmp_path.iterdir()]


@pytest.fixture(scope="module")
def exported(trained, tmp_path_factory):
    """The folder of an exported bot, and the variant that it plays."""
    folder = tmp_path_factory.mktemp("exported") / "bot"
    export_run(load_trained(trained), "mit-2023", folder.with_suffix(".zip"))
    return folder


def start_with(exported, *words):
    """Let a contest start the bot in `exported` by this Python, with `words`."""
    commands = {"build": [], "run": [sys.executable, "-B", "player.py", *words]}
    (exported / "commands.json").write_text(json.dumps(commands))


def test_an_exported_bot_wins_what_its_run_wins(command, trained, exported):
    # The numbers of a match with seed 4 are those of a first player with seed 5.
    start_with(exported, "--seed", "5")
    options = ("--hands", 60, "--seed", 4, "--json")
    variant = ("--variant", "river-of-blood(stack=20, deck='QKA/cd', board=(1,))")
    code, out, err = command("match", exported, "random", *variant, *options)
    assert code == 0, err
    hosted = json.loads(out)
    assert hosted["sides"][0]["name"] == "bot"
    assert hosted["sides"][0]["untrained"] is None
    assert [side["faults"] for side in hosted["sides"]] == [0, 0]
    _, out, _ = command("match", trained, "random", "--no-adjust", *options)
    played = json.loads(out)
    for key in ("hands", "chips", "chips_interval", "mb_per_hand", "mb_interval"):
        assert hosted[key] == played[key]


def test_a_match_with_a_program_is_told(command, trained, exported):
    start_with(exported)
    code, out, err = command("match", trained, exported, "--hands", 20)
    assert code == 0, err
    assert "20 duplicate hands" in out
    assert "% untrained" in out
    assert "ms at most, 0 faults" in out


def test_a_tournament_with_a_program(command, trained, exported):
    start_with(exported)
    players = (exported, trained, "always-call")
    code, out, err = command("tournament", *players, "--hands", 20, "--json")
    assert code == 0, err
    matches = json.loads(out)["matches"]
    assert [match["hands"] for match in matches] == [20, 20, 20]
    assert all(match["forfeits"] == [[], []] for match in matches)


def test_a_program_that_crashes_forfeits(command, exported):
    (exported / "commands.json").write_text(
        json.dumps({"build": [], "run": [sys.executable, "-S", "-E", "-c", QUITTER]})
    )
    variant = ("--variant", "nolimit")
    code, out, err = command("match", exported, "all-in", *variant, "--hands", 10)
    assert code == 0, err
    assert "forfeited, match 1: disconnected in hand 1, after printing 'enough'" in out
    assert "-750.0 ± 0.0 mb/hand" in out
    code, out, err = command("tournament", exported, "all-in", *variant, "--hands", 10)
    assert "bot forfeited against all-in, match 2: disconnected" in err.replace("\n", " ")


QUITTER = """
import socket, sys
with socket.create_connection(("localhost", int(sys.argv[-1]))) as raw:
    raw.recv(1000)
print("enough")
"""


def test_programs_that_cannot_play(command, exported, tmp_path):
    start_with(exported)
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "commands.json").write_text('{"build": [], "run": ["./bot"]}')
    words = ("match", exported, "random", "--variant")
    for arguments, message in (
        ((*words, "discard", "--protocol", "mit-2023"), "--protocol may be mit-2017"),
        ((*words, "nolimit", "--protocol", "mit-23"), "did you mean mit-2023"),
        (("match", foreign, "random"), "such as --variant"),
        (("match", exported.with_suffix(".zip"), "random"), "unpack it"),
        (("match", tmp_path, "random"), "neither manifest.json"),
        (("match", tmp_path / "nothing", "random"), "unknown baseline or folder"),
    ):
        code, _, err = command(*arguments)
        assert code == 2
        assert message in err.replace("\n", " ")
    (exported / "commands.json").write_text('{"build": [], "run": ["./nothing"]}')
    code, _, err = command(*words, "nolimit")
    assert code == 2
    assert "did not start" in err
    assert "commands.json" in err


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A bot of its own: what is measured is kept beside it."""
    path = tmp_path_factory.mktemp("respond") / "run"
    train_small("discard-history", path)
    return path


def test_a_local_response_is_told_as_a_lower_bound(command, measured):
    code, out, _ = command("respond", measured, "--local", "--hands", "200")
    assert code == 0
    rows = dict(line.split(maxsplit=1) for line in out.splitlines() if not line.startswith("seat"))
    assert rows["response"] == "local, to discard-history, 200 hands, seed 0"
    assert rows["exploitability"].startswith("at least ")
    assert "a lower bound" in rows["exploitability"]
    assert "preflop " in out
    assert "seat 0" in out
    assert "seat 1" in out


def test_figures_are_kept_beside_the_bot(command, measured):
    arguments = (
        "respond",
        measured,
        "--local",
        "--hands",
        "100",
        "--bets",
        "100%, allin",
        "--json",
    )
    code, out, _ = command(*arguments)
    assert code == 0
    found = json.loads(out)
    assert found["kind"] == "local lower bound"
    assert found["menu"] == "100%, allin"
    assert found["exploitability"]["interval"] > 0
    kept = [
        entry for entry in known_responses(measured, found["strategy"]) if entry["hands"] == 100
    ]
    assert [entry["exploitability"] for entry in kept] == [found["exploitability"]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--local", "--flops", "8"), "--local plays hands"),
        (("--local", "--all"), "--local plays hands"),
        (("--hands", "100"), "--hands goes with --local"),
    ],
)
def test_options_of_the_other_kind_are_refused(command, measured, options, message):
    code, _, err = command("respond", measured, *options)
    assert code != 0
    assert message in err
