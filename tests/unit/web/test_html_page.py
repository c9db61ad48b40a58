"""A decision as one file: the data is that of the API, and nothing is asked for."""

import json
import re

import pytest

from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import ArtifactError, IllegalActionError
from counterfold.runs import Budget
from counterfold.spots.spot_run import solve_spot
from counterfold.web.html_page import write_html
from helpers.toy_games import turn


@pytest.fixture(scope="module")
def spot(tmp_path_factory):
    return solve_spot(turn(), Budget(iterations=30), folder=tmp_path_factory.mktemp("a") / "turn")


def read(path):
    text = path.read_text(encoding="utf-8")
    (content,) = re.findall(r'<script type="application/json" id="decision">(.*)</script>', text)
    return text, json.loads(content)


def test_a_decision_of_a_spot(spot, tmp_path):
    path = tmp_path / "turn.html"
    write_html(path, "<b>&", spot, "k", "suited")
    text, content = read(path)
    assert "<b>&" not in text
    assert content["title"] == "<b>&"
    node = spot.at("k")
    totals = node.totals()["strategy"]
    assert len(content["place"]["actions"]) == len(totals)
    assert all(hand["hand"][1] == hand["hand"][3] for hand in content["hands"])
    for word in ("import ", "export ", 'src="', 'href="', "fetch(", "http://www.w3.org/1"):
        assert word not in text
    assert len(path.read_bytes()) < 300_000


def test_a_decision_of_a_bot(small_runs, tmp_path):
    bot = TrainedBot(small_runs["nolimit"])
    path = tmp_path / "bot.html"
    write_html(path, "bot", bot, bot.write_line("Ac", "c k"))
    _, content = read(path)
    table = bot.strategy(history="c k | Ac |")
    assert content["place"]["line"] == "c k | Ac"
    assert len(content["hands"]) == len(table.rows)


def test_what_cannot_be_drawn_is_refused(small_runs, spot, tmp_path):
    bot = TrainedBot(small_runs["nolimit"])
    with pytest.raises(IllegalActionError, match="nobody acts after"):
        write_html(tmp_path / "a.html", "bot", bot, "c k")
    with pytest.raises(ArtifactError, match="cannot write"):
        write_html(tmp_path / "nowhere" / "a.html", "turn", spot)
