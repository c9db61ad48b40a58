"""Spots over HTTP: ranges both ways, estimates, and a spot that is solved, watched and stopped."""

import json

import pytest

from counterfold.cards.ranges import parse_range
from counterfold.ranges.spot import Spot
from counterfold.spots.spot_cost import estimate_spot
from counterfold.spots.spot_folder import load_spot
from helpers.web_pages import client_of

RIVER = {
    "board": "Td9d6hQc2s",
    "oop": "AA,KQs",
    "ip": "TT,KJs",
    "pot": 100,
    "stack": 300,
    "bets": "50%, allin",
    "target": 0.5,
}


@pytest.fixture
def client(tmp_path):
    (tmp_path / "runs").mkdir()
    return client_of(tmp_path / "runs")


def watch(client, job):
    """What was told about a spot until it was done."""
    answer = client.get("/api/progress", params={"job": job})
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = answer.text.removesuffix("\n\n").split("\n\n")
    return [json.loads(event.removeprefix("data: ")) for event in events]


@pytest.mark.parametrize("text", ["random", "none", "TT+,AJs+,KQs", "22:0.5,AKo", "A2s-A5s:0.25"])
def test_ranges_become_grids_and_text_again(client, text):
    found = client.get("/api/range", params={"text": text}).json()
    weights = parse_range(text).weights
    assert found["hands"] == pytest.approx(weights.sum())
    assert len(found["weights"]) == 169
    written = client.post("/api/range", {"weights": found["weights"]}).json()["text"]
    assert (parse_range(written).weights == weights).all()


@pytest.mark.parametrize(
    "weights", [{"AX": 1}, {"AAs": 1}, {"AA": -1}, {"AA": None}, {"AA": "x"}, []]
)
def test_bad_grids_are_refused(client, weights):
    assert client.post("/api/range", {"weights": weights}).status_code == 400


def test_an_estimate_is_that_of_the_command(client):
    cost = estimate_spot(Spot("Td9d6hQc2s", "AA,KQs", "TT,KJs", 100, 300, "50%, allin"))
    found = client.post("/api/estimate", RIVER).json()
    assert found["nodes"] == cost.nodes
    assert found["memory_bytes"] == cost.total_bytes
    assert found["expected_seconds"] > 0


def test_a_spot_is_solved_and_kept(client, tmp_path):
    job = client.post("/api/solve", RIVER).json()["job"]
    told = watch(client, job)
    assert told[-1]["done"]
    assert told[-1]["error"] == ""
    assert told[-1]["points"][-1][1] <= 0.5
    assert told[-1]["run"] == f"runs/spots/{job}"
    solved = load_spot(tmp_path / "runs" / "spots" / job)
    assert solved.evaluation.exploitability <= 0.5
    place = client.get("/api/look", params={"run": told[-1]["run"]}).json()
    assert place["actor"] == "oop"


def test_a_spot_is_stopped_and_kept(client, tmp_path):
    # A turn of wide ranges takes a minute to its last iteration, two requests a moment.
    endless = {**RIVER, "board": "Td9d6hQc", "oop": "random", "ip": "random", "target": 1e-12}
    job = client.post("/api/solve", endless).json()["job"]
    refused = client.post("/api/solve", RIVER)
    assert client.post("/api/stop", {"job": job}).json() == {}
    last = watch(client, job)[-1]
    assert last["done"]
    assert last["stopped"]
    assert refused.status_code == 400
    assert "another spot is being solved" in refused.json()["error"]
    assert load_spot(tmp_path / "runs" / "spots" / job).progress.iterations == last["iterations"]


@pytest.mark.parametrize(("changes", "words"), [
    ({"board": "Td9d"}, "board"),
    ({"board": "TdTd9d6h"}, "Td"),
    ({"oop": "nonsense"}, "nonsense"),
    ({"pot": 0}, "pot"),
    ({"stack": 10**9}, "stack"),
    ({"bets": "50%%"}, "50%%"),
    ({"target": 0}, "target"),
    ({"game": "/etc/passwd.toml"}, "game"),
])  # fmt: skip
def test_bad_spots_get_a_sentence(client, changes, words):
    for path in ("estimate", "solve"):
        answer = client.post(f"/api/{path}", {**RIVER, **changes})
        assert answer.status_code == 400
        assert words in answer.json()["error"]


def test_spots_need_a_folder_that_is_not_a_run(client, tmp_path):
    job = client.post("/api/solve", RIVER).json()["job"]
    watch(client, job)
    alone = client_of(tmp_path / "runs" / "spots" / job)
    answer = alone.post("/api/solve", RIVER)
    assert answer.status_code == 400
    assert "serve a folder of runs" in answer.json()["error"]


def test_nobody_watches_what_is_not_solved(client):
    assert client.get("/api/progress", params={"job": "x"}).status_code == 404
    assert client.post("/api/stop", {"job": "x"}).status_code == 404


def test_rake_and_locks_are_those_of_the_command(client, tmp_path):
    given = {**RIVER, "rake": 5, "rake_cap": 3, "locks": ["k : b50%=1", "k b50% : AA : c=1"]}
    job = client.post("/api/solve", given).json()["job"]
    run = watch(client, job)[-1]["run"]
    spot = load_spot(tmp_path / "runs" / "spots" / job).spot
    assert (spot.rake, spot.rake_cap) == (0.05, 3.0)
    assert [lock.line for lock in spot.locks] == ["k", "k b50%"]
    place = client.get("/api/look", params={"run": run, "line": "k"}).json()
    assert next(each["share"] for each in place["actions"] if each["word"] != "k") == 1.0
    described = client.get("/api/spot", params={"run": run}).json()
    assert described["locks"] == ["k : random : b50%=1", "k b50% : AA : c=1"]
    again = client.post("/api/solve", {**described, "target": 0.5})
    assert again.status_code == 200
    watch(client, again.json()["job"])


@pytest.mark.parametrize(
    "changes",
    [
        {"locks": ["k"]},
        {"locks": ["k : b50%=0.4"]},
        {"locks": ["z : k=1"]},
        {"locks": ["k : k=1"] * 51},
        {"rake": 100},
        {"rake": -1},
        {"rake_cap": -1},
    ],
)
def test_what_cannot_be_locked_or_raked_is_refused(client, changes):
    answer = client.post("/api/solve", {**RIVER, **changes})
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_a_best_response_wins_at_least_as_much(client):
    run = watch(client, client.post("/api/solve", RIVER).json()["job"])[-1]["run"]
    plain = client.get("/api/look", params={"run": run}).json()
    for name in ("oop", "ip"):
        best = client.get("/api/look", params={"run": run, "exploit": name}).json()
        assert best["totals"][name]["ev"] >= plain["totals"][name]["ev"] - 1e-4
        assert best["note"] == f"{name} plays its best response from here on"
    assert client.get("/api/look", params={"run": run, "exploit": "x"}).status_code == 400
