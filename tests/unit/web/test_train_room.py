"""Trainings over HTTP: begun from a recipe, watched, stopped and kept."""

import time

import pytest
import tomli_w

from counterfold.training.train_folder import load_trained
from counterfold.web import train_room
from helpers.small_recipes import content
from helpers.web_pages import client_of


@pytest.fixture
def client(tmp_path, monkeypatch):
    """Of a server whose only recipe trains in moments."""
    recipe = tmp_path / "small.toml"
    recipe.write_text(tomli_w.dumps(content()))
    monkeypatch.setattr(train_room, "shipped_recipes", lambda: {"small": recipe})
    (tmp_path / "runs").mkdir()
    return client_of(tmp_path / "runs")


def watch(client):
    """The training once it is done."""
    while not (told := client.get("/api/training").json()["training"])["done"]:
        time.sleep(0.02)
    return told


def test_recipes_are_listed_and_estimated(client):
    (found,) = client.get("/api/recipes").json()["recipes"]
    assert found["name"] == "small"
    assert found["variant"] == "leduc-variant"
    cost = client.get("/api/cost", params={"recipe": "small"}).json()
    assert cost["infosets"] > 0
    assert cost["training_bytes"] > 0


def test_a_training_is_watched_to_its_end(client, tmp_path):
    assert client.get("/api/training").json() == {"training": None}
    begun = client.post("/api/train", {"recipe": "small", "seconds": 0.3})
    assert begun.status_code == 200, begun.text
    told = watch(client)
    assert told["error"] == ""
    assert not told["stopped"]
    assert told["iterations"] > 0
    run = load_trained(tmp_path / told["run"])
    assert run.blueprint.coverage > 0
    assert client.get("/api/curve", params={"run": told["run"]}).json()["curves"][0]["points"]


def test_a_training_is_stopped_and_kept(client, tmp_path):
    assert client.post("/api/end", {}).json() == {"training": None}
    client.post("/api/train", {"recipe": "small", "seconds": 600})
    second = client.post("/api/train", {"recipe": "small", "seconds": 1})
    assert second.status_code == 400
    assert "another recipe is being trained" in second.json()["error"]
    while not client.get("/api/training").json()["training"]["iterations"]:
        time.sleep(0.02)
    client.post("/api/end", {})
    told = watch(client)
    assert told["stopped"]
    assert load_trained(tmp_path / told["run"]).blueprint.coverage > 0
    client.post("/api/train", {"recipe": "small", "seconds": 0.1})
    assert watch(client)["run"] != told["run"]


@pytest.mark.parametrize(
    "given",
    [
        {"recipe": "x", "seconds": 1},
        {"recipe": "../small", "seconds": 1},
        {"recipe": "small"},
        {"recipe": "small", "seconds": 0},
        {"recipe": "small", "seconds": 1e12},
        {"recipe": "small", "seconds": 1, "threads": 0},
        {"recipe": "small", "seconds": 1, "out": "/tmp"},
    ],
)
def test_what_cannot_be_trained_is_refused(client, given):
    assert client.post("/api/train", given).status_code in (400, 404)
    assert client.get("/api/training").json() == {"training": None}
