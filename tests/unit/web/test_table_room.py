"""Tables over HTTP: hands go as the engine has them, and nothing is lost or leaked."""

import json
from pathlib import Path

import pytest

from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards.text import RANKS
from counterfold.games import parse_game
from counterfold.matches.replay import replay_hand
from counterfold.matches.session_folder import HANDS as HANDS_FILE
from counterfold.matches.session_folder import (
    SESSION,
    SessionFolder,
    SessionRecord,
    begin_session,
)
from counterfold.matches.session_luck import SessionLuck, rebuild_hand
from counterfold.tree.compiled_game import compile_game
from counterfold.tree.solve_run import solve
from counterfold.web import guard
from helpers.web_pages import client_of

VARIANTS = ("nolimit", "discard", "river-of-blood", "swap", "bounty", "auction", "toss")
HANDS = [20, pytest.param(2500, marks=pytest.mark.slow)]  # in each variant


@pytest.fixture(scope="module")
def folders(small_runs, tmp_path_factory):
    leduc = tmp_path_factory.mktemp("games") / "leduc"
    solve(compile_game(parse_game("leduc")), "dcfr", 5, folder=leduc)
    return [*(small_runs.path_of(name) for name in VARIANTS), leduc]


@pytest.fixture(autouse=True)
def tables(small_runs, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(small_runs.folder / "tables"))


@pytest.fixture
def client(folders, tmp_path):
    return client_of(*folders, sessions=tmp_path)


def sit(client, run="nolimit", seed=11):
    answer = client.post("/api/sit", {"run": run, "seed": seed})
    assert answer.status_code == 200, answer.text
    return answer.json()


def act(client, table, action):
    given = {key: table[key] for key in ("session", "hand", "step")}
    return client.post("/api/act", {**given, "action": action})


def deal(client, table):
    return client.post("/api/next", {"session": table["session"], "hand": table["hand"]}).json()


def random_action(table, rng):
    actions = [choice["action"] for choice in table["turn"]["choices"]]
    if free := table["turn"]["amount"]:
        actions.append(f"{free['letter']}{rng.integers(free['low'], free['high'] + 1)}")
    return str(rng.choice(actions))


def test_a_bounty_is_seen_by_its_owner(client, small_runs):
    table = sit(client, "bounty", seed=4)
    view = begin_session(
        TrainedBot(small_runs["bounty"]), SessionRecord(str(small_runs.path_of("bounty")), 4, 0.0)
    ).view
    assert table["bounty"] == RANKS[view.bounty]
    assert sit(client, "nolimit")["bounty"] == ""


@pytest.mark.parametrize("n_hands", HANDS)
@pytest.mark.parametrize("run", VARIANTS)
def test_random_hands_go_as_the_engine_has_them_chip_for_chip(
    client, tmp_path, small_runs, rng, monkeypatch, run, n_hands
):
    monkeypatch.setattr(guard, "REQUESTS_AT_ONCE", 1e9)
    table = sit(client, run)
    chips = []
    for number in range(n_hands):
        assert table["hand"] == number
        while not table["over"]:
            assert table["bot_cards"] == ""
            assert table["review"] is table["result"] is None
            table = act(client, table, random_action(table, rng)).json()
        chips.append(table["result"]["chips"])
        assert len(table["bot_cards"]) == 2 * table["n_cards"]
        assert table["score"]["chips"] == sum(chips)
        assert table["score"]["hands"] == number + 1
        table = deal(client, table)
    hands = SessionFolder(tmp_path / table["session"]).hands[:n_hands]
    variant = small_runs[run].plan.variant
    for number, (hand, won) in enumerate(zip(hands, chips, strict=True)):
        replay_hand(hand, variant)
        again = rebuild_hand(hand, variant, 11)  # the engine, asked for the same actions
        assert again.chips == hand.chips
        assert again.chips[number % 2] == won
    told = client.get("/api/told", params={"session": table["session"]}).json()["text"]
    assert told.count("seat 0 is") >= n_hands


def test_cards_of_the_bot_are_not_in_any_answer_before_the_end(client, small_runs):
    table = sit(client)
    while not table["over"]:
        hint = client.get("/api/hint", params={"session": table["session"]})
        assert hint.json()["cards"] == table["cards"]
        assert table["bot_cards"] == ""
        log = " ".join(table["log"])
        assert "shows" not in log
        table = act(client, table, table["turn"]["choices"][-1]["action"]).json()


@pytest.mark.parametrize("run", VARIANTS)
def test_a_reload_and_a_restarted_server_change_nothing(folders, tmp_path, rng, run):
    client = client_of(*folders, sessions=tmp_path)
    table = sit(client, run)
    seen = {"session": table["session"]}
    for hand in range(2):
        while not table["over"]:
            assert client.get("/api/table", params=seen).json() == table
            table = act(client, table, random_action(table, rng)).json()
            if hand == 0:
                client = client_of(*folders, sessions=tmp_path)
        client = client_of(*folders, sessions=tmp_path)
        assert client.get("/api/table", params=seen).json() == table
        table = deal(client, table)


def test_a_second_click_does_nothing(client):
    table = sit(client)
    first = act(client, table, "c").json()
    assert act(client, table, "c").json() == first
    while not first["over"]:
        first = act(client, first, first["turn"]["choices"][0]["action"]).json()
    following = deal(client, first)
    assert deal(client, first) == following
    assert act(client, first, "c").json() == following


@pytest.mark.parametrize(
    "action", ["", "x", "r0", "r3", "r99999999999", "k", "dAh", "s", "c c", "r-4"]
)
def test_illegal_actions_are_refused_and_change_nothing(client, action):
    table = sit(client)
    assert act(client, table, action).status_code == 400
    seen = client.get("/api/table", params={"session": table["session"]}).json()
    assert seen == table


def test_sessions_are_listed_with_their_runs(client):
    assert client.get("/api/sessions").json()["sessions"] == []
    tables = [sit(client, run) for run in VARIANTS]
    found = client.get("/api/sessions").json()["sessions"]
    assert {(each["session"], each["run"], each["hands"]) for each in found} == {
        (table["session"], table["run"], 0) for table in tables
    }


@pytest.mark.parametrize("session", ["", "..", "../x", "a/b", "%2e%2e", "nothere", "a\x00b"])
def test_a_session_is_a_name_and_never_a_path(client, session):
    answer = client.get("/api/table", params={"session": session})
    assert answer.status_code == 404
    assert "unknown session" in answer.json()["error"]


def test_only_bots_can_be_played(client):
    answer = client.post("/api/sit", {"run": "leduc"})
    assert answer.status_code == 400
    assert "is not a trained bot" in answer.json()["error"]


def test_a_session_of_a_run_that_is_not_served_is_not_opened(client, folders, tmp_path):
    table = sit(client, "nolimit")
    other = client_of(folders[1], sessions=tmp_path)
    answer = other.get("/api/table", params={"session": table["session"]})
    assert answer.status_code == 404
    assert other.get("/api/sessions").json()["sessions"] == []


@pytest.mark.parametrize("actions", [["k", "k"], ["c", "r9999"], ["nonsense"], ["f", "f"]])
def test_a_hand_that_does_not_fit_is_dealt_again(client, folders, tmp_path, actions):
    table = sit(client)
    path = tmp_path / table["session"] / SESSION
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "actions": actions}))
    again = client_of(*folders, sessions=tmp_path)
    seen = again.get("/api/table", params={"session": table["session"]}).json()
    assert seen == table


def test_damaged_sessions_are_told_in_a_sentence(client, folders, tmp_path):
    table = sit(client)
    (tmp_path / table["session"] / HANDS_FILE).write_text("nonsense\n")
    again = client_of(*folders, sessions=tmp_path)
    answer = again.get("/api/table", params={"session": table["session"]})
    assert answer.status_code == 400
    assert "is damaged" in answer.json()["error"]
    assert again.get("/api/sessions").json()["sessions"] == []


def test_the_review_says_how_often_the_bot_does_the_same(client):
    table = sit(client)
    while not table["over"]:
        table = act(client, table, table["turn"]["choices"][0]["action"]).json()
    (mine,) = table["review"]["you"]
    assert mine["action"] == "fold"
    assert mine["share"] == dict(mine["shares"]).get("fold")
    assert table["result"]["chips"] == -1


def play_hand(client, table, rng):
    while not table["over"]:
        table = act(client, table, random_action(table, rng)).json()
    return table


def test_decisions_are_graded_and_the_session_is_reported(client, small_runs, rng):
    table = sit(client)
    seen = {"session": table["session"]}
    assert client.get("/api/report", params=seen).json()["aivat"] is None
    n_decisions = 0
    for _ in range(12):
        table = play_hand(client, table, rng)
        for mine in table["review"]["you"]:
            assert mine["word"] in ("best", "good", "rare", "never", "unknown")
            assert mine["ev_lost"] is None  # it is asked for apart
        n_decisions += len(table["review"]["you"])
        last, table = table, deal(client, table)
    report = client.get("/api/report", params=seen).json()
    luck = SessionLuck(TrainedBot(small_runs["nolimit"]), 11)
    hands = client_hands(client, table)
    luck.add_histories(hands)
    assert report["aivat"]["mb"]["mean"] == pytest.approx(luck.rates().mb, abs=1e-4)
    assert report["known"]
    assert report["hands"] == len(hands)
    if len(hands) == 12:  # else the bot folded the thirteenth hand at once
        assert sum(report["grades"]["counts"].values()) == n_decisions
    assert last["score"]["hands"] == 12


def client_hands(client, table):
    folder = client.get("/api/sessions").json()["folder"]
    return SessionFolder(Path(folder) / table["session"]).hands


def test_a_bot_that_searches_knows_what_a_decision_cost(client, folders, tmp_path):
    answer = client.post("/api/sit", {"run": "nolimit", "seed": 4, "search": "unsafe"})
    table = answer.json()
    assert table["search"] == "unsafe"
    assert table["can_search"]
    lost = []
    for _ in range(6):
        while not table["over"]:
            quiet = [each["action"] for each in table["turn"]["choices"] if each["key"] in "kc"]
            table = act(client, table, quiet[0]).json()
        again = client_of(*folders, sessions=tmp_path)
        seen = {"session": table["session"]}
        assert again.get("/api/table", params=seen).json() == table
        lost += [mine["ev_lost"] for mine in table["review"]["you"]]
        table = deal(client, table)
    known = [each for each in lost if each is not None]
    assert known
    assert min(known) >= 0.0


def test_what_a_decision_cost_by_the_strategy_is_told_after_the_hand(client, folders, tmp_path):
    table = sit(client)
    for _ in range(20):
        while not table["over"]:
            quiet = [each["action"] for each in table["turn"]["choices"] if each["key"] in "kc"]
            table = act(client, table, quiet[0]).json()
        before = table["review"]["you"]
        answer = client.post("/api/value", {"session": table["session"]})
        assert answer.status_code == 200, answer.text
        found = answer.json()
        assert (found["hand"], len(found["grades"])) == (table["hand"], len(before))
        for trace, grade in zip(before, found["grades"], strict=True):
            assert grade["word"] == trace["word"]
            assert grade["ev_lost"] is None if not trace["board"] else grade["ev_lost"] >= 0
        table = deal(client, table)
    totals = ask_report(client, table)["grades"]
    assert totals["ev_known"] > 20
    assert totals["ev_lost"] > 0
    again = client_of(*folders, sessions=tmp_path)
    assert ask_report(again, table)["grades"] == totals
    answer = client.post("/api/value", {"session": table["session"]})
    assert answer.json() == {"hand": table["hand"], "grades": []}


def ask_report(client, table):
    answer = client.get("/api/report", params={"session": table["session"]})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_search_is_refused_where_it_cannot_be(client):
    assert not sit(client, "discard")["can_search"]
    answer = client.post("/api/sit", {"run": "discard", "search": "unsafe"})
    assert answer.status_code == 400
    assert "search in play needs two hole cards" in answer.json()["error"]
    assert client.post("/api/sit", {"run": "nolimit", "search": "x"}).status_code == 400


OPERATIONS = ("act", "next", "hint", "told", "table")


@pytest.mark.parametrize("n_requests", [150, pytest.param(5000, marks=pytest.mark.slow)])
def test_whatever_is_asked_no_mistake_is_made_and_nothing_is_lost(
    client, tmp_path, rng, monkeypatch, small_runs, n_requests
):
    """Random operations with random and with fitting parameters, at three tables."""
    monkeypatch.setattr(guard, "REQUESTS_AT_ONCE", 1e9)
    tables = [sit(client, run) for run in VARIANTS[:3]]
    junk = ["", "x", "r0", "r7", "f", "k", "c", "s", "dAh", "r" + "9" * 9, "é", "..", "\x00"]
    for _ in range(n_requests):
        at = int(rng.integers(3))
        table = tables[at]
        operation = str(rng.choice(OPERATIONS))
        given = {"session": table["session"]}
        if operation in ("act", "next"):
            near = rng.random() < 0.7
            given["hand"] = table["hand"] if near else int(rng.integers(-1, 5))
        if operation == "act":
            given["step"] = table["step"] if near else int(rng.integers(-1, 9))
            legal = not table["over"] and rng.random() < 0.6
            given["action"] = random_action(table, rng) if legal else str(rng.choice(junk))
        posts = operation in ("act", "next")
        path = f"/api/{operation}"
        answer = client.post(path, given) if posts else client.get(path, params=given)
        assert answer.status_code in (200, 400), answer.text
        if answer.status_code == 400:
            assert answer.json()["error"]
        tables[at] = client.get("/api/table", params={"session": table["session"]}).json()
        assert tables[at]["hand"] >= table["hand"]
    for table, run in zip(tables, VARIANTS, strict=False):
        for hand in SessionFolder(tmp_path / table["session"]).hands:
            replay_hand(hand, small_runs[run].plan.variant)
