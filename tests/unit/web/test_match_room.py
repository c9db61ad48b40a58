"""Matches over HTTP: the same as those of the API, stopped, and refused in a sentence."""

import time

import pytest

from counterfold.matches import play_match
from counterfold.matches.entrants import run_entrant
from counterfold.web import match_room
from helpers.web_pages import client_of


@pytest.fixture
def client(small_runs, tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(small_runs.folder / "tables"))
    folders = [small_runs.path_of(name) for name in ("nolimit", "discard")]
    return client_of(*folders, sessions=tmp_path)


def watch(client):
    """The matches once they are over."""
    while not (told := client.get("/api/match").json()["match"])["done"]:
        time.sleep(0.02)
    return told


def test_matches_are_those_of_the_api(client, small_runs):
    assert client.get("/api/match").json() == {"match": None}
    names = ["nolimit", "always-call", "random"]
    answer = client.post("/api/match", {"entrants": names, "hands": 400, "seed": 3})
    assert answer.status_code == 200, answer.text
    told = watch(client)
    assert told["error"] == ""
    pairs = [(row["first"], row["second"]) for row in told["rows"]]
    assert pairs == [("nolimit", "always-call"), ("nolimit", "random"), ("always-call", "random")]
    expected = play_match(run_entrant(small_runs["nolimit"]), "always-call", hands=400, seed=3)
    assert told["rows"][0]["mb"] == pytest.approx(expected.mb, abs=1e-4)
    assert told["rows"][0]["interval"] == pytest.approx(expected.mb_interval, abs=1e-4)
    assert told["rows"][0]["aivat"] is None


def test_matches_are_stopped(client):
    client.post("/api/match", {"entrants": ["nolimit", "random"], "hands": 2_000_000})
    refused = client.post("/api/match", {"entrants": ["nolimit", "random"], "hands": 100})
    told = client.get("/api/match").json()["match"]
    assert told["done"] or "other matches are being played" in refused.json()["error"]
    client.post("/api/leave", {})
    assert watch(client)["stopped"]


def test_matches_of_one_second_are_told_apart(client, monkeypatch):
    monkeypatch.setattr(match_room.time, "time", lambda: 1_800_000_000.0)
    for _ in range(2):
        client.post("/api/match", {"entrants": ["nolimit", "random"], "hands": 100})
        watch(client)
    played = client.get("/api/matches").json()["matches"]
    assert [each["begun"] for each in played] == [1_800_000_001, 1_800_000_000]


def test_who_can_play_is_listed(client):
    found = client.get("/api/entrants").json()
    assert {run["name"] for run in found["runs"]} == {"nolimit", "discard"}
    assert "always-call" in found["baselines"]


@pytest.mark.parametrize(
    "given",
    [
        {"entrants": ["nolimit"], "hands": 100},
        {"entrants": ["nolimit", "nobody"], "hands": 100},
        {"entrants": ["nolimit", "../x"], "hands": 100},
        {"entrants": ["nolimit", "random"], "hands": 1},
        {"entrants": ["nolimit", "random"], "hands": 10**9},
        {"entrants": ["random"] * 13, "hands": 100},
    ],
)
def test_what_cannot_be_played_is_refused(client, given):
    assert client.post("/api/match", given).status_code in (400, 404)
    assert client.get("/api/match").json() == {"match": None}


def test_runs_of_different_games_do_not_play(client):
    client.post("/api/match", {"entrants": ["nolimit", "discard"], "hands": 100})
    told = watch(client)
    assert told["error"]
    assert told["rows"] == []


def test_matches_outlive_the_server(client, small_runs, tmp_path):
    assert client.get("/api/matches").json() == {"matches": []}
    for seed in (1, 2):
        client.post("/api/match", {"entrants": ["nolimit", "random"], "hands": 200, "seed": seed})
        told = watch(client)
        assert told["error"] == ""
    again = client_of(small_runs.path_of("nolimit"), sessions=tmp_path)
    assert again.get("/api/match").json() == {"match": None}
    kept = again.get("/api/matches").json()["matches"]
    assert sorted(played["seed"] for played in kept) == [1, 2]
    assert told["rows"] in [played["rows"] for played in kept]


def test_damaged_matches_are_left_out(client, tmp_path):
    client.post("/api/match", {"entrants": ["nolimit", "random"], "hands": 200})
    watch(client)
    (kept,) = (tmp_path / "matches").iterdir()
    for number, text in enumerate(["", "{", "[]", kept.read_text()[:-9], "null"]):
        (kept.parent / f"170000000{number}-0000000a.json").write_text(text)
    (kept.parent / "notes.json").write_text(kept.read_text())
    assert len(client.get("/api/matches").json()["matches"]) == 1


def test_matches_that_cannot_be_kept_are_still_told(client, tmp_path):
    (tmp_path / "matches").write_text("a file where the folder should be")
    client.post("/api/match", {"entrants": ["nolimit", "random"], "hands": 200})
    told = watch(client)
    assert "cannot be kept" in told["error"]
    assert len(told["rows"]) == 1
