"""The explorer says what the API says."""

import json
import threading
import tomllib

import numpy as np
import pytest

from counterfold.blueprints.action_values import ValueEstimate
from counterfold.blueprints.blueprint_grid import find_table_cells
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards.text import format_cards
from counterfold.games import parse_game
from counterfold.responses.known_responses import add_known
from counterfold.responses.response_run import strategy_digest
from counterfold.runs import Budget
from counterfold.spots.spot_run import solve_spot
from counterfold.spots.strategy_grid import find_cells
from counterfold.training.recipe import parse_recipe
from counterfold.tree.compiled_game import compile_game
from counterfold.tree.profile_table import find_rows
from counterfold.tree.solve_run import solve
from helpers.toy_games import turn
from helpers.web_pages import client_of


@pytest.fixture(scope="module")
def spot(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spots") / "turn"
    return solve_spot(turn(), Budget(iterations=30), folder=folder)


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games") / "leduc"
    return solve(compile_game(parse_game("leduc")), "dcfr", 20, folder=folder), folder


@pytest.fixture(scope="module")
def client(small_runs, spot, solved, tmp_path_factory):
    folders = [small_runs.path_of(name) for name in ("nolimit", "discard", "river-of-blood")]
    spots = next(tmp_path_factory.getbasetemp().glob("spots*/turn"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COUNTERFOLD_HOME", str(small_runs.folder / "tables"))
        yield client_of(*folders, spots, solved[1])


def ask(client, what, **given):
    answer = client.get(f"/api/{what}", params=given)
    assert answer.status_code == 200, answer.text
    return answer.json()


def assert_same_cells(shown, cells):
    cells = [cell for row in cells for cell in row]
    assert [cell[0] for cell in shown] == [cell.name for cell in cells]
    for (_, weight, shares, *_), cell in zip(shown, cells, strict=True):
        assert weight == pytest.approx(cell.weight, abs=1e-5)
        assert shares == pytest.approx(list(cell.shares), abs=1e-5)


def test_three_steps_with_a_bot(client, small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    place = ask(client, "look", run="nolimit")
    for label in ("call", "check"):
        table = bot.strategy(history=place["line"])
        assert_same_cells(place["cells"], find_table_cells(table, bot.reach(table)))
        assert sum(action["share"] for action in place["actions"]) == pytest.approx(1.0, abs=1e-4)
        (line,) = [action["line"] for action in place["actions"] if action["label"] == label]
        place = ask(client, "look", run="nolimit", line=line)
    assert (place["end"], place["due"], place["pot"]) == ("deal", 1, 4)
    place = ask(client, "look", run="nolimit", line=place["line"] + " | Ac")
    assert place["line"] == "c k | Ac"
    assert [step.get("cards") for step in place["steps"]] == [None, None, "Ac"]
    table = bot.strategy(history=place["line"])
    assert_same_cells(place["cells"], find_table_cells(table, bot.reach(table)))


def test_hands_of_a_class_of_a_bot(client, small_runs):
    table = TrainedBot(small_runs["nolimit"]).strategy(history="c")
    rows = {format_cards(row.hand): row for row in table.rows}
    found = ask(client, "hands", run="nolimit", line="c", cell="AKo")["hands"]
    assert {hand["hand"] for hand in found} == {"AcKd", "AdKc"}
    for hand in found:
        row = rows[hand["hand"]]
        trained = None if row.probabilities is None else row.probabilities.tolist()
        assert hand["shares"] == pytest.approx(trained, abs=1e-5)
        assert hand["visits"] == pytest.approx(row.visits, abs=1e-4)
        assert hand["buckets"] == list(row.buckets)
    assert len(ask(client, "hands", run="nolimit", line="c")["hands"]) == len(rows)


def compute(client, **given):
    """Compute values to their end; returns the events that were told."""
    answer = client.get("/api/values", params=given)
    assert answer.status_code == 200, answer.text
    return [json.loads(event.removeprefix("data: ")) for event in answer.text.split("\n\n")[:-1]]


@pytest.mark.parametrize("line", ["c", "c k | Ac | k"])
def test_values_are_those_of_the_bot(client, small_runs, line):
    bot = TrainedBot(small_runs["nolimit"])
    table = bot.strategy(history=line)
    expected = bot.values(table)
    before = ask(client, "look", run="nolimit", line=line)
    assert before["values"] == {}
    assert {cell[3] for cell in before["cells"]} == {None}
    assert "ev" not in ask(client, "hands", run="nolimit", line=line, cell="KQs")["hands"][0]
    *_, last = compute(client, run="nolimit", line=line)
    assert (last["runouts"], last["wanted"]) == (expected.n_runouts, expected.n_runouts)
    after = ask(client, "look", run="nolimit", line=line)
    assert after["values"]["told"] == expected.describe()
    ranges = [ev["mean"] for ev in after["values"]["ranges"].values()]
    assert ranges == pytest.approx([each.mean for each in expected.ranges], abs=1e-5)
    cells = find_table_cells(table, bot.reach(table), expected)
    evs = {cell.name: cell.ev for row in cells for cell in row}
    for name, _, _, ev, _ in after["cells"]:
        assert np.isnan(evs[name]) if ev is None else ev == pytest.approx(evs[name], abs=1e-5)
    found = ask(client, "hands", run="nolimit", line=line)["hands"]
    assert len(found) == len(table.rows)
    for at, hand in enumerate(found):
        assert hand["hand"] == format_cards(table.rows[at].hand)
        assert hand["ev"] == pytest.approx(expected.mixed[at], abs=1e-5)
        assert hand["evs"] == pytest.approx(expected.means[at].tolist(), abs=1e-5)
        assert hand["ev_interval"] == 0


def test_values_of_the_last_street_come_with_the_hands(client, small_runs):
    bot, line = TrainedBot(small_runs["nolimit"]), "c k | Ac | k k | Kd |"
    table = bot.strategy(history=line)
    expected = bot.values(table)
    rows = {format_cards(row.hand): at for at, row in enumerate(table.rows)}
    for hand in ask(client, "hands", run="nolimit", line=line, cell="QJs")["hands"]:
        means = expected.means[rows[hand["hand"]]]
        assert hand["evs"] == pytest.approx(means.tolist(), abs=1e-5)


def test_a_sample_of_run_outs_has_intervals_and_filters_keep_them(client):
    given = {"run": "nolimit", "line": "c k | Ad |"}
    assert compute(client, **given, runouts=3)[-1]["runouts"] == 3
    told = ask(client, "look", **given)["values"]["told"]
    assert told == "estimated from 3 of 7 run-outs, with 95% intervals"
    found = ask(client, "hands", **given)["hands"]
    assert any(hand["ev_interval"] for hand in found)
    (hand,) = ask(client, "hands", **given, hands="clubs")["hands"][:1]
    assert hand in found


def test_others_look_at_a_run_while_its_values_are_computed(client, monkeypatch):
    """A run-out does not end before the others have their answers."""
    begun, answered, in_time = threading.Event(), threading.Event(), []
    add_runout = ValueEstimate.add_runout

    def wait_for_others(estimate):
        begun.set()
        in_time.append(answered.wait(60))
        return add_runout(estimate)

    monkeypatch.setattr(ValueEstimate, "add_runout", wait_for_others)
    given, told = {"run": "nolimit", "line": "r4"}, []
    thread = threading.Thread(target=lambda: told.extend(compute(client, **given, runouts=3)))
    thread.start()
    try:
        assert begun.wait(60)
        assert ask(client, "look", **given)["values"] == {}  # not yet
        assert ask(client, "hands", **given, cell="KQs")["hands"]
        assert ask(client, "runouts", run="nolimit", line="c k")["rows"]
    finally:
        answered.set()
        thread.join()
    assert in_time == [True, True, True]
    assert told[-1]["runouts"] == 3


@pytest.mark.parametrize(
    ("run", "word"), [("discard", "never change"), ("river-of-blood", "fixed")]
)
def test_why_there_are_no_values_is_told(client, run, word):
    assert word in ask(client, "look", run=run)["values"]["refused"]
    answer = client.get("/api/values", params={"run": run})
    assert answer.status_code == 400
    assert word in answer.json()["error"]


def test_what_does_not_go_on_cannot_be_ended(client):
    assert client.post("/api/settle", {"work": "nothing"}).status_code == 404
    assert client.get("/api/values", params={"run": "turn"}).status_code == 400


def test_discards_are_named_and_reach_is_not_claimed(client):
    place = ask(client, "look", run="discard", line="c k | Jd |")
    assert [action["label"] for action in place["actions"]] == [
        "keep",
        "discard first",
        "discard second",
    ]
    assert "not known" in place["note"]
    (hand, *_) = ask(client, "hands", run="discard", line="c k | Jd |", cell="AKs")["hands"]
    assert hand["weight"] is None
    assert "".join(sorted(hand["discards"])) == hand["hand"]


def test_a_run_of_river_of_blood(client):
    place = ask(client, "look", run="river-of-blood", line="c k | Ac | k k")
    assert place["end"] in ("deal", "over", "decision")
    place = ask(client, "look", run="river-of-blood", line="c k | Ad | k k")
    assert (place["end"], place["due"]) == ("deal", 1)


def test_lines_of_a_spot(client, spot):
    for line in ("", "k", "k b50%"):
        place = ask(client, "look", run="turn", line=line)
        node = spot.at(line)
        assert place["actor"] == node.position
        assert place["pot"] == node.pot
        assert_same_cells(place["cells"], find_cells(node))
        assert place["totals"]["oop"]["ev"] == pytest.approx(node.totals()["ev"]["oop"], abs=1e-4)
        found = ask(client, "hands", run="turn", line=line)["hands"]
        assert [hand["hand"] for hand in found] == node.actor.texts
        evs = [[ev if ev is not None else np.nan for ev in hand["evs"]] for hand in found]
        np.testing.assert_allclose(np.array(evs).T, node.action_ev, atol=1e-4)
    assert ask(client, "look", run="turn", line="k k")["end"] == "deal"


def test_hands_may_be_filtered(client, spot):
    found = ask(client, "hands", run="turn", hands="set")["hands"]
    assert 0 <= len(found) < len(spot.at().actor.texts)
    answer = client.get("/api/look", params={"run": "turn", "hands": "nonsense"})
    assert answer.status_code in (400, 404)


def test_information_sets_of_a_solved_game(client, solved):
    rows = find_rows(solved[0].strategy, 1, "card=Q")
    found = ask(client, "infosets", run="leduc", player=1, match="card=Q", limit=5)
    assert found["rows_in_all"] == len(rows)
    assert [row["knows"] for row in found["rows"]] == [row.knows for row in rows[:5]]


@pytest.mark.parametrize(("what", "given", "sentence"), [
    ("look", {"run": "leduc"}, "is a solved game"),
    ("hands", {"run": "leduc"}, "is a solved game"),
    ("infosets", {"run": "nolimit"}, "is not a solved game"),
    ("look", {"run": "nolimit", "line": "k"}, "offered are"),
    ("look", {"run": "nolimit", "line": "c k / k"}, "has 1 card here"),
    ("hands", {"run": "nolimit", "line": "c k"}, "has 1 card here"),
    ("hands", {"run": "nolimit", "cell": "XY"}, "'X'"),
    ("look", {"run": "turn", "line": "f"}, "offered are check"),
    ("hands", {"run": "turn", "line": "k k"}, "ends with a deal"),
])  # fmt: skip
def test_bad_questions_get_a_sentence(client, what, given, sentence):
    answer = client.get(f"/api/{what}", params=given)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


def test_what_was_measured_is_told(client, small_runs):
    entry = {
        "strategy": strategy_digest(small_runs["nolimit"]),
        "settings": {"hands": 1000, "seed": 3, "menu": ""},
        "kind": "local lower bound",
        "exploitability": {"mean": 1234.56, "interval": 7.8},
        "unit": "mb/hand",
    }
    path = small_runs.path_of("nolimit")
    assert ask(client, "measures", run="nolimit") == {"measures": []}
    try:
        for known in (entry, entry | {"strategy": "another"}):
            add_known(path, known)
        told = ask(client, "measures", run="nolimit")["measures"]
    finally:
        (path / "responses.json").unlink()
    assert told == ["local lower bound: 1,234.6 ± 7.8 mb/hand (hands 1000, seed 3)"]
    assert ask(client, "measures", run="turn") == {"measures": None}


def test_a_run_has_its_recipe(client, small_runs):
    told = ask(client, "curve", run="nolimit")["recipe"]
    assert told["name"] == "nolimit"
    assert parse_recipe(tomllib.loads(told["text"]), "a test") == small_runs["nolimit"].plan.recipe
    for run, key in (("turn", "board"), ("leduc", "game")):
        told = ask(client, "curve", run=run)["recipe"]
        assert told["name"] == ""
        assert key in tomllib.loads(told["text"])


def test_curves_of_bots_and_spots(client, small_runs, spot):
    curves = ask(client, "curve", run="nolimit")["curves"]
    assert [curve["unit"] for curve in curves] == ["chips", "%", ""]
    assert "bounds nothing" in curves[0]["title"]
    assert curves[0]["points"][-1][0] == small_runs["nolimit"].metrics.iterations
    (curve,) = ask(client, "curve", run="turn")["curves"]
    last = spot.progress.points[-1]
    assert curve["points"][-1][0] == last.iterations
    assert curve["points"][-1][1] == pytest.approx(
        100 * last.exploitability / spot.spot.pot, abs=1e-4
    )


def test_run_outs_of_a_spot_and_of_a_bot(client, spot, small_runs):
    found = ask(client, "runouts", run="turn", line="k k")
    expected = dict(spot.view.runouts("k k"))
    assert [row["card"] for row in found["rows"]] == list(expected)
    for row in found["rows"]:
        node = expected[row["card"]]
        totals = node.totals()
        shares = [totals["strategy"][label] for label in node.labels]
        np.testing.assert_allclose(row["shares"], shares, atol=1e-5)
        assert row["actor"] == node.position
        assert row["figures"]["ip EV"] == pytest.approx(totals["ev"]["ip"], abs=1e-4)
        assert ask(client, "look", run="turn", line=row["line"])["end"] == "decision"
    bot = TrainedBot(small_runs["nolimit"])
    found = ask(client, "runouts", run="nolimit", line="c k")
    assert len(found["rows"]) == 8
    for row, (card, table) in zip(found["rows"], bot.runouts("c k"), strict=True):
        assert row["card"] == card
        place = ask(client, "look", run="nolimit", line=row["line"])
        assert [action["share"] for action in place["actions"]] == row["shares"]
        assert [offer.text for offer in table.offered] == [
            action["label"] for action in found["actions"]
        ]


def test_run_outs_need_a_line_that_ends_a_street(client):
    for run, line in (("turn", "k"), ("nolimit", "c"), ("solved/leduc", "")):
        answer = client.get("/api/runouts", params={"run": run, "line": line})
        assert answer.status_code in (400, 404)


def test_hands_are_filtered_by_suit_before_the_flop(client):
    found = ask(client, "hands", run="nolimit", hands="suited")["hands"]
    assert found
    assert all(hand["hand"][1] == hand["hand"][3] for hand in found)
