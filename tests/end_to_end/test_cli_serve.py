"""`counterfold serve` as it is called: what it refuses, and a server that runs until Ctrl-C."""

import http.client
import importlib.util
import json
import re
import signal
import subprocess
import sys

import pytest

from counterfold.games import parse_game
from counterfold.tree.compiled_game import compile_game
from counterfold.tree.solve_run import solve


@pytest.fixture
def folder(tmp_path):
    solve(compile_game(parse_game("kuhn")), "cfr", 5, folder=tmp_path / "runs" / "kuhn")
    return tmp_path / "runs"


def test_a_missing_folder_is_told(command, tmp_path):
    code, _, err = command("serve", tmp_path / "nowhere")
    assert code == 2
    assert "there is no folder" in err


def test_other_machines_are_let_in_on_purpose_alone(command, folder):
    code, _, err = command("serve", folder, "--host", "0.0.0.0")
    assert code == 2
    assert "--expose" in err


def test_a_missing_library_is_told_in_one_sentence(command, folder, monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "uvicorn" else found(name)
    )
    code, _, err = command("serve", folder)
    assert code == 2
    assert "pip install 'counterfold[web]'" in " ".join(err.split())


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent as a signal")
def test_a_server_runs_until_it_is_interrupted(folder, tmp_path):
    arguments = ["serve", folder, "--port", "0", "--sessions", tmp_path / "sessions"]
    server = subprocess.Popen(
        [sys.executable, "-m", "counterfold", *map(str, arguments)],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        line = next(line for line in server.stderr if "the page is at" in line)
        port = int(re.search(r"127\.0\.0\.1:(\d+)/", line)[1])
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/api/runs")
        answer = connection.getresponse()
        assert json.loads(answer.read())["runs"][0]["name"] == "runs/kuhn"
        assert answer.getheader("server") is None
        connection.close()
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0
        assert "Traceback" not in server.stderr.read()
    finally:
        server.kill()
        server.wait()
        server.stderr.close()
