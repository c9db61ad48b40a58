"""Exported bots as a contest meets them: a folder, a zip, a process with NumPy and nothing else."""

import errno
import json
import os
import shutil
import socket
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from counterfold.bots import BASELINES
from counterfold.bots.played_run import bot_of
from counterfold.contest import Limits, Program, host_match, load_program
from counterfold.contest.export import TARGETS, export_bot, measure_bot
from counterfold.contest.export import package as package_module
from counterfold.contest.export.package import export_run, write_bot
from counterfold.contest.exported.exported_data import load_bot, load_manifest, save_array
from counterfold.contest.wire import PROTOCOLS
from counterfold.errors import ArtifactError, ExportError
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem.variant_content import read_variant, write_variant
from helpers.exported_bots import bare_python, exported_hands
from helpers.self_play import play_hands
from helpers.trained_runs import RECIPES, random_bot

SEED = 11
CONTESTS = {"river-of-blood": "mit-2023", "limit": "acpc", "nolimit": "mit-plain"}


@pytest.fixture(scope="module")
def runs(small_runs):
    return small_runs


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    return tmp_path_factory.mktemp("bare")


@pytest.fixture(scope="module")
def packages(runs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bots")
    return {
        name: export(runs[name], contest, folder / f"{name}.zip")
        for name, contest in CONTESTS.items()
    }


def export(run, target, archive, **options):
    target = TARGETS[target] if isinstance(target, str) else target
    return export_bot(run.name, bot_of(run), run.cards, target, archive, hands=20, **options)


@pytest.mark.parametrize("n_hands", [100, pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", RECIPES)
def test_an_exported_bot_decides_as_the_strategy_bot(name, n_hands, runs, bare, tmp_path):
    run = runs[name]
    write_bot(name, bot_of(run), run.cards, TARGETS["mit-2023"], tmp_path)
    bots = [bot_of(run, SEED, player) for player in (0, 1)]
    ours = json.loads(json.dumps(play_hands(bots, SEED, n_hands)))
    assert exported_hands(tmp_path, bare, SEED, n_hands) == ours
    assert sum(len(traces) for _, _, traces in ours) > n_hands


LINES = [f"mit-{year}" for year in ("2017", "plain", "2020", "2022", "2023", "2024", "2025")]


@pytest.mark.parametrize("name", [*LINES, "acpc"])
def test_an_exported_bot_plays_over_a_socket(name, bare, tmp_path):
    protocol = PROTOCOLS[TARGETS[name].protocol]
    bot, cards = random_bot(protocol.variant())
    write_bot(name, bot, cards, TARGETS[name], tmp_path)
    words = (*bare_python(bare), "player.py", *TARGETS[name].run[2:])
    result = host_match(
        (Program(words, tmp_path), BASELINES["random"](1)),
        protocol,
        n_hands=60,
        limits=Limits(connect_seconds=60.0),
    )
    assert result.n_hands == 60
    assert result.n_faults == (0, 0), result.log
    figures = json.loads(result.output[0].splitlines()[-1])
    assert figures["hands"] == 60
    assert figures["chips"] == result.chips[0]
    assert figures["faults"] == 0


def test_figures_are_measured(runs, packages, bare):
    name = "river-of-blood"
    figures = measure_bot(
        packages[name].folder,
        runs[name].plan.variant,
        TARGETS["mit-2023"],
        hands=10,
        python=bare_python(bare),
    )
    assert (figures.hands, figures.faults) == (10, 0)
    assert figures.decisions > 0
    assert 0.0 < figures.mean_ms <= figures.max_ms
    assert figures.load_seconds > 0.0
    assert figures.peak_bytes == 0 or 10**7 < figures.peak_bytes < 10**9


@pytest.mark.parametrize("name", CONTESTS)
def test_the_zip_holds_the_folder(name, packages):
    package = packages[name]
    files = {
        path.relative_to(package.folder).as_posix(): path
        for path in package.folder.rglob("*")
        if path.is_file()
    }
    with zipfile.ZipFile(package.archive) as archive:
        assert {*archive.namelist()} == {*files}
        for name, path in files.items():
            assert archive.read(name) == path.read_bytes()
        modes = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
    assert all(mode & 0o111 for name, mode in modes.items() if name.endswith(".sh"))
    assert package.zip_bytes == package.archive.stat().st_size


def test_contests_start_their_bots(packages):
    folder = packages["river-of-blood"].folder
    commands = json.loads((folder / "commands.json").read_text())
    assert commands == {"build": [], "run": ["python3", "player.py"]}
    limit = packages["limit"].folder
    assert load_program(limit).run == ("sh", "startme.sh", "localhost")
    assert os.access(limit / "startme.sh", os.X_OK)
    assert (limit / "README").is_file()
    assert TARGETS["mit-2017"].run == ("sh", "pokerbot.sh")
    assert {"pokerbot.sh", "player.py", "commands.json"} <= {*TARGETS["mit-2017"].files}


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ({"unpacked_bytes": 1000}, "MB unpacked, but mit-2023 allows 0.001 MB"),
        ({"zip_bytes": 1000}, "MB zipped, but mit-2023 allows 0.001 MB"),
        ({"memory_bytes": 10**6}, "MB of memory, but mit-2023 allows 1 MB"),
        ({"mean_seconds": 1e-9}, "ms a decision, but mit-2023 allows 1e-06 ms"),
        ({"connect_seconds": 0.02}, "connected|did not connect"),
    ],
)
def test_what_breaks_a_limit_is_refused_with_the_figure(limit, message, runs, tmp_path):
    target = replace(TARGETS["mit-2023"], **limit)
    with pytest.raises(ExportError, match=message):
        export(runs["river-of-blood"], target, tmp_path / "bot.zip")
    assert not [*tmp_path.iterdir()]


def test_an_export_replaces_exports_only_and_only_if_told(runs, packages, tmp_path):
    run, archive = runs["limit"], tmp_path / "bot.zip"
    (tmp_path / "bot").mkdir()
    for overwrite in (False, True):
        with pytest.raises(ExportError, match="holds something else"):
            export(run, "acpc", archive, overwrite=overwrite)
    with pytest.raises(ExportError, match="such as bot"):
        export(run, "acpc", tmp_path / "bot.tar")
    export(run, "acpc", tmp_path / "other.zip")
    with pytest.raises(ExportError, match="exists; pass --overwrite"):
        export(run, "acpc", tmp_path / "other.zip")
    export(run, "acpc", tmp_path / "other.zip", overwrite=True)


@pytest.mark.parametrize("name", ["data/small.npz", "data/bot.json", "counterfold/errors.py"])
def test_a_bot_with_a_flipped_byte_says_so_in_one_sentence(name, packages, bare, tmp_path):
    shutil.copytree(packages["limit"].folder, tmp_path / "bot")
    file = tmp_path / "bot" / name
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    assert start(bare, tmp_path / "bot") == (
        f"this bot is damaged: {name} has changed since it was exported; unpack it again, or "
        "delete checksums.json if the change is yours"
    )
    file.unlink()
    assert (
        start(bare, tmp_path / "bot") == f"this bot is damaged: {name} is missing; unpack it again"
    )
    (tmp_path / "bot" / "checksums.json").write_text("{")
    assert "checksums.json cannot be read" in start(bare, tmp_path / "bot")


def test_line_ends_of_another_system_are_no_damage(packages, bare, tmp_path):
    shutil.copytree(packages["limit"].folder, tmp_path / "bot")
    for file in (tmp_path / "bot").rglob("*.py"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    with socket.create_server(("localhost", 0), backlog=1) as listener:
        listener.settimeout(600)
        words = [*bare_python(bare), str(tmp_path / "bot" / "player.py"), "localhost"]
        port = str(listener.getsockname()[1])
        process = subprocess.Popen([*words, port], stderr=subprocess.PIPE, text=True)
        listener.accept()[0].close()  # it has found nothing wrong with itself
        _, errors = process.communicate(timeout=600)
    assert "damaged" not in errors


def start(bare, folder):
    """What a bot says that is started without a match to play."""
    words = [*bare_python(bare), str(folder / "player.py"), "localhost", "1"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 1
    return done.stderr.strip()


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_full_disk_leaves_the_bot_that_was_there(runs, tmp_path, monkeypatch):
    archive = tmp_path / "bot.zip"
    export(runs["limit"], "acpc", archive)
    before = contents(tmp_path)

    def refuse(*arguments, **options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for name in ("save_data", "_zip", "hash_file"):
        with monkeypatch.context() as patch:
            patch.setattr(package_module, name, refuse)
            sentence = r"cannot write '.*bot.zip': No space left on device; nothing there was"
            with pytest.raises(ExportError, match=sentence):
                export(runs["limit"], "acpc", archive, overwrite=True)
        assert contents(tmp_path) == before


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
def test_an_array_that_does_not_fit_on_the_disk_says_so():
    with pytest.raises(OSError, match="No space left on device"):
        save_array(Path("/dev/full"), np.zeros(100_000))


def test_arrays_are_written_as_numpy_does(tmp_path):
    for array in (np.arange(12, dtype=np.int32).reshape(3, 4), np.zeros((0, 2)), np.eye(3)[:, :2]):
        save_array(tmp_path / "ours.npy", array)
        np.save(tmp_path / "theirs.npy", np.ascontiguousarray(array))
        ours, theirs = (tmp_path / f"{name}.npy" for name in ("ours", "theirs"))
        assert ours.read_bytes() == theirs.read_bytes()


def test_what_a_killed_export_left_goes_with_the_next(runs, tmp_path):
    for name in (".bot.zip.4711", ".bot.zip.mine"):
        (tmp_path / name).touch()
    export(runs["limit"], "acpc", tmp_path / "bot.zip")
    assert {path.name for path in tmp_path.iterdir()} == {"bot", "bot.zip", ".bot.zip.mine"}


def test_places_that_cannot_be_written_to_are_one_sentence(runs, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    (tmp_path / "folder.zip").mkdir()
    for place in ("file/bot.zip", "file/deep/bot.zip"):
        with pytest.raises(ExportError, match=r"cannot write .*: Not a directory; nothing there"):
            export(runs["limit"], "acpc", tmp_path / place)
    with pytest.raises(ExportError, match="is a folder"):
        export(runs["limit"], "acpc", tmp_path / "folder.zip", overwrite=True)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_where_no_file_can_be_made_no_other_process_is_blamed(runs):
    with pytest.raises(ExportError, match=r"cannot write '/proc/bot.zip': .*; nothing there was"):
        export(runs["limit"], "acpc", Path("/proc/bot.zip"))


def test_of_two_exports_to_one_zip_the_second_is_refused(runs, tmp_path):
    archive = tmp_path / "bot.zip"

    def say(text):
        if text.startswith("playing"):
            with pytest.raises(ExportError, match=r"another process is exporting to .*; wait for"):
                export(runs["limit"], "acpc", archive)

    export(runs["limit"], "acpc", archive, say=say)
    assert {path.name for path in tmp_path.iterdir()} == {"bot", "bot.zip"}


def test_a_contest_that_has_no_such_game_is_refused(runs, tmp_path):
    sentence = r"cannot export to mit-2023: .* not support draws.*; no contest plays it$"
    with pytest.raises(ExportError, match=sentence):  # on eight cards
        export(runs["discard"], "mit-2023", tmp_path / "bot.zip")
    bot, cards = random_bot(VARIANTS["discard"]())
    sentence = r"cannot export to mit-2023: .* not support draws.*; pass --to mit-2017$"
    with pytest.raises(ExportError, match=sentence):
        export_bot("bot", bot, cards, TARGETS["mit-2023"], tmp_path / "bot.zip", hands=2)


@pytest.mark.parametrize(
    ("name", "contest", "reason"),
    [
        ("nolimit", "mit-2022", "is played with swaps; pass --to mit-plain"),
        ("nolimit", "mit-2026", "is played with tosses; pass --to mit-plain"),
        ("nolimit", "mit-2020", "is played with permuted ranks; pass --to mit-plain"),
        ("swap", "mit-plain", "does not support swaps; pass --to mit-2022"),
        ("swap", "mit-2017", "plays only Discard Hold'em; pass --to mit-2022"),
        ("river-of-blood", "mit-plain", "is played without runs; pass --to mit-2023"),
        ("limit", "mit-2023", "is played with runs; pass --to acpc"),
        ("limit", "mit-plain", "is played without fixed limits; pass --to acpc"),
        ("short-deck", "acpc", "with the usual ranking of hands; pass --to mit-plain"),
        ("short-deck", "mit-2023", "is played with runs; pass --to mit-plain"),
        ("permuted", "acpc", "with the usual ranking of hands; no contest plays it"),
        ("permuted", "mit-2020", "learn the order of all 13 ranks; no contest plays it"),
    ],
)
def test_a_mismatch_names_the_right_contest(name, contest, reason, runs, tmp_path):
    with pytest.raises(ExportError, match=f"^cannot export to {contest}: .*{reason}$"):
        export(runs[name], contest, tmp_path / "bot.zip")


@pytest.mark.parametrize(
    ("name", "contest"),
    [("swap", "mit-2022"), ("limit", "acpc"), ("short-deck", "mit-plain")],
)
def test_the_contest_follows_from_the_variant(name, contest, runs, tmp_path):
    package = export_run(runs[name], None, tmp_path / "bot.zip")
    assert package.target == contest
    assert load_manifest(package.folder / "data")["protocol"] == contest


def test_a_game_that_no_contest_plays_says_so_without_a_target(runs, tmp_path):
    sentence = "^cannot export: no contest plays this game; .* learn the order of all 13 ranks$"
    with pytest.raises(ExportError, match=sentence):
        export_run(runs["permuted"], None, tmp_path / "bot.zip")


@pytest.mark.parametrize("name", VARIANTS)
def test_variants_are_read_back(name):
    variant = VARIANTS[name]()
    assert read_variant(json.loads(json.dumps(write_variant(variant)))) == variant


def test_damaged_data_are_refused(tmp_path):
    with pytest.raises(ArtifactError, match="cannot read the bot"):
        load_manifest(tmp_path)
    (tmp_path / "bot.json").write_text('{"format": 99}')
    with pytest.raises(ArtifactError, match="does not hold a bot of format 3"):
        load_bot(tmp_path, 0)


@pytest.mark.parametrize(
    ("name", "trained", "played"),
    [
        ("acpc", VARIANTS["nolimit"](), PROTOCOLS["acpc"].variant()),
        ("mit-2017", VARIANTS["discard"](), VARIANTS["discard"](300)),
    ],
)
def test_an_exported_bot_plays_where_the_chips_are_others(name, trained, played, bare, tmp_path):
    bot, cards = random_bot(trained)
    write_bot(name, bot, cards, TARGETS[name], tmp_path)
    words = (*bare_python(bare), "player.py", *TARGETS[name].run[2:])
    result = host_match(
        (Program(words, tmp_path), BASELINES["all-in"](1)),
        PROTOCOLS[name],
        variant=played,
        n_hands=40,
        limits=Limits(connect_seconds=60.0),
    )
    assert result.n_hands == 40
    assert result.n_faults == (0, 0), result.log
    assert result.output[0].count(b"trained for") == 1
    assert result.n_answers[0] > 0
    assert not result.forfeits[0]


LINES = [f"mit-{year}" for year in ("2017", "plain", "2020", "2022", "2023", "2024", "2025")]


@pytest.mark.parametrize("name", [*LINES, "acpc"])
def test_a_bot_that_python_unpacked_starts(name, tmp_path, monkeypatch):
    """`zipfile` does not restore run bits."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    protocol = PROTOCOLS[name]
    bot, cards = random_bot(protocol.variant())
    package = export_bot("bot", bot, cards, TARGETS[name], tmp_path / "bot.zip", hands=2)
    with zipfile.ZipFile(package.archive) as archive:
        archive.extractall(tmp_path / "unpacked")
    program = load_program(tmp_path / "unpacked")
    result = host_match(
        (program, BASELINES["random"](1)),
        protocol,
        n_hands=2,
        limits=Limits(connect_seconds=60.0),
    )
    assert result.n_faults == (0, 0), result.output
    assert result.n_answers[0] > 0
