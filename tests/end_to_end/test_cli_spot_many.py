"""`counterfold spot` of many spots: a folder of files, or a list of boards."""

import csv
import json
import signal
import subprocess
import sys
import time

import pytest

import counterfold.cli.views.spot_many as view
from counterfold.cluster.workers import LocalWorkers
from counterfold.spots.bulk_run import BulkProgress

BOARDS = ("2c2d7h8s3d", "2c2d7h8s4d", "AcKd7h8s4d")
ASKED = (
    "--ranges", "AA,QQ", "KK,JJ:0.5", "--pot", 100, "--stack", 100, "--bets", "50%, allin",
    "--iterations", 20,
)  # fmt: skip


@pytest.fixture
def boards(tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text("\n".join(BOARDS))
    return path


@pytest.fixture
def here(monkeypatch):
    """Solve in this process: workers have tests of their own."""
    asked = []

    def open_here(*how):
        asked.append(how)
        return LocalWorkers()

    monkeypatch.setattr(view, "open_processes", open_here)
    return asked


def test_a_list_of_boards_has_a_row_for_each(command, boards, tmp_path, here):
    out = tmp_path / "run"
    code, text, err = command("spot", "--boards", boards, *ASKED, "--out", out, "--strategies")
    assert code == 0
    assert "3 spots" in err
    assert here == [(None, None, None, 3)]
    lines = text.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == list(BOARDS)
    assert "oop: " in lines[1]
    with open(out / "spots.csv") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == list(BOARDS)
    assert float(rows[0]["ev_oop"]) + float(rows[0]["ev_ip"]) == pytest.approx(100, abs=0.01)
    code, text, _ = command("show", out / "strategies" / BOARDS[1], "--line", "k")
    assert code == 0
    assert "ip" in text


def test_a_folder_of_files_goes_on_after_one_that_is_wrong(command, tmp_path, here):
    folder = tmp_path / "many"
    folder.mkdir()
    text = 'ranges = ["AA", "KK"]\npot = 20\nstack = 40\nboard = "2c2d7h8s3d"\n'
    (folder / "good.toml").write_text(text)
    (folder / "wrong.toml").write_text(text + "street = 3")
    code, out, err = command("spot", folder, "--iterations", 10, "--json")
    assert code == 2
    found = json.loads(out)
    assert [row["name"] for row in found["spots"]] == ["good"]
    assert found["failures"].keys() == {"wrong"}
    assert "wrong was not solved: unknown key of a spot 'street'" in err


def test_what_is_solved_is_not_solved_again(command, boards, tmp_path, here):
    out = tmp_path / "run"
    boards.write_text(BOARDS[0])
    assert command("spot", "--boards", boards, *ASKED, "--out", out, "--json")[0] == 0
    boards.write_text("\n".join(BOARDS))
    code, text, _ = command("spot", "--boards", boards, *ASKED, "--out", out, "--resume", "--json")
    assert code == 0
    assert [row["name"] for row in json.loads(text)["spots"]] == list(BOARDS)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--board", BOARDS[0], *ASKED, "--cluster", "auto"], "are for many spots"),
        (["--board", BOARDS[0], *ASKED, "--workers", 2], "are for many spots"),
        (["--board", BOARDS[0], *ASKED, "--strategies"], "are for many spots"),
        (["--boards", "boards", "--from", "bot"], "one spot from a bot"),
        (["--boards", "boards", *ASKED, "--strategies"], "name it with --out"),
        (["--boards", "boards", *ASKED, "--workers", 2], "goes with --cluster"),
        (["--boards", "boards", *ASKED, "--board", BOARDS[0]], "leave out --board"),
    ],
)
def test_options_that_need_many_spots_or_one_are_refused(command, boards, options, why):
    code, _, err = command("spot", *(boards if each == "boards" else each for each in options))
    assert code == 2
    assert why in err


def test_progress_has_rate_and_time_left():
    progress = BulkProgress(30, 50, 2, 4.0, 10, "Td9d6h")
    assert view.progress_line(progress) == "30 of 50 spots  2 failed  2.5/s  8 s left  Td9d6h"


@pytest.mark.slow
def test_ctrl_c_loses_nothing_that_is_solved(boards, tmp_path):
    out = tmp_path / "run"
    ranks = "23456789TJQKA"
    runs = list(zip(*(ranks[k:] for k in range(4)), strict=False))
    suits = ("cdhs", "dhsc", "hscd", "scdh")  # as many as not to be done when Ctrl-C comes late
    many = ["".join(map("".join, zip(run, order, strict=True))) for order in suits for run in runs]
    boards.write_text("\n".join(many))
    asked = [*map(str, ASKED[:-1]), "400"]
    call = [sys.executable, "-m", "counterfold", "spot", "--boards", str(boards), *asked]
    call += ["--out", str(out), "--threads", "2"]
    process = subprocess.Popen(call, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 600
    while not list(out.glob("rows/*.json")) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    err = process.communicate(timeout=600)[1]
    assert process.returncode == 130
    assert "continue with --out" in err
    before = {path: path.read_bytes() for path in out.glob("rows/*.json")}
    assert 0 < len(before) < len(many)
    again = subprocess.run([*call, "--resume", "--json"], capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert [row["name"] for row in json.loads(again.stdout)["spots"]] == many
    for path, content in before.items():
        assert path.read_bytes() == content
