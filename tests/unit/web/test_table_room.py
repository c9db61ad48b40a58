"""Tables over HTTP: hands go as the engine has them, and nothing is lost or leaked."""

import json

import pytest

from counterfold.games import parse_game
from counterfold.matches.replay import replay_hand
from counterfold.matches.session_folder import HANDS, SESSION, SessionFolder
from counterfold.tree.compiled_game import compile_game
from counterfold.tree.solve_run import solve
from helpers.web_pages import client_of

VARIANTS = ("nolimit", "discard", "river-of-blood")


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
    if spread := table["turn"]["raise"]:
        actions.append(f"r{rng.integers(spread['low'], spread['high'] + 1)}")
    return str(rng.choice(actions))


@pytest.mark.parametrize("run", VARIANTS)
def test_random_hands_go_as_the_rules_have_them(client, tmp_path, small_runs, rng, run):
    table = sit(client, run)
    chips = 0
    for number in range(25):
        assert table["hand"] == number
        while not table["over"]:
            assert table["bot_cards"] == ""
            assert table["review"] is table["result"] is None
            table = act(client, table, random_action(table, rng)).json()
        chips += table["result"]["chips"]
        assert len(table["bot_cards"]) == 2 * table["n_cards"]
        assert table["score"]["chips"] == chips
        assert table["score"]["hands"] == number + 1
        table = deal(client, table)
    hands = SessionFolder(tmp_path / table["session"]).hands
    variant = small_runs[run].plan.variant
    for hand in hands:
        replay_hand(hand, variant)
    assert sum(hand.chips[hand.players.index("you")] for hand in hands) == chips
    told = client.get("/api/told", params={"session": table["session"]}).json()["text"]
    assert told.count("hand ") >= 25


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
    (tmp_path / table["session"] / HANDS).write_text("nonsense\n")
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
