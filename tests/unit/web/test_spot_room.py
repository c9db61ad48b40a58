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
    endless = {**RIVER, "target": 1e-12}
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
