"""The server as a whole: its page, what leads nowhere, and who may reach it."""

import re
import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfold.errors import ServeError
from counterfold.games import parse_game
from counterfold.tree.compiled_game import compile_game
from counterfold.tree.solve_run import solve
from counterfold.web.server import STATIC, listen, make_access
from helpers.web_pages import client_of

MOST_STATIC_BYTES = 200_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served") / "runs"
    solve(compile_game(parse_game("kuhn")), "cfr", 5, folder=folder / "kuhn")
    (folder.parent / "secret.txt").write_text("secret")
    return folder


@pytest.fixture(scope="module")
def client(folder):
    return client_of(folder)


def test_the_page_and_all_that_it_names_are_served(client):
    page = client.get("/")
    assert page.status_code == 200
    named = re.findall(r'(?:src|href)="(/[^"]+)"', page.text)
    assert len(named) >= 3
    for path in named:
        assert client.get(path).status_code == 200
    assert "<script>" not in page.text
    assert not re.search(r"\son\w+=|style=", page.text)


def test_modules_import_what_exists_and_nothing_from_elsewhere():
    for path in STATIC.rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r'(?:from|import) "(.*?)"', text):
            assert (path.parent / name).is_file(), (path.name, name)
        assert "innerHTML" not in text, path.name
        plain = text.replace("http://www.w3.org/2000/svg", "")  # a name, which nobody asks for
        assert not re.search(r"https?://", plain), path.name


def imports_of(name):
    """The modules that a module needs, those of its own imports included."""
    path = STATIC / name
    found = {name}
    for other in re.findall(r'^import .*"([\w./-]+\.js)";', path.read_text(), re.MULTILINE):
        found |= imports_of(str((path.parent / other).resolve().relative_to(STATIC)))
    return found


def test_modules_of_the_first_page_are_asked_for_at_once(client):
    """Else a browser finds out about them one after another, as they import each other."""
    named = set(re.findall(r'"/static/([\w/-]+\.js)"', client.get("/").text))
    assert named == imports_of("main.js") | imports_of("pages/runs-page.js")


def test_every_module_belongs_to_a_page():
    (listed,) = re.findall(r"const PAGES = \[(.*)\]", (STATIC / "main.js").read_text())
    pages = [f"pages/{name}-page.js" for name in re.findall(r"\w+", listed)]
    needed = imports_of("main.js").union(*map(imports_of, pages))
    assert needed == {str(path.relative_to(STATIC)) for path in STATIC.rglob("*.js")}


def test_the_front_end_is_small():
    assert sum(path.stat().st_size for path in STATIC.rglob("*.*")) < MOST_STATIC_BYTES


def test_runs_are_listed(client):
    (run,) = client.get("/api/runs").json()["runs"]
    assert (run["name"], run["kind"], run["game"]) == ("runs/kuhn", "solve", "kuhn")


def test_a_run_has_its_curve(client):
    found = client.get("/api/curve", params={"run": "runs/kuhn"}).json()
    (curve,) = found["curves"]
    assert curve["title"] == "NashConv"
    assert curve["points"][-1][0] == 5
    assert curve["points"][-1][1] > 0


@pytest.mark.parametrize("path", [
    "/static/../server.py",
    "/static/%2e%2e/server.py",
    "/static/..%2fserver.py",
    "/static/%2e%2e%2fserver.py",
    "/static/%252e%252e/server.py",
    "/static/..\\server.py",
    "/static//etc/passwd",
    "/static/%00",
    "/static/",
    "/etc/passwd",
    "/api/nothing",
])  # fmt: skip
def test_nothing_else_is_served(client, path):
    answer = client.get(path)
    assert answer.status_code in (400, 404)
    assert "error" in answer.json()


@pytest.mark.parametrize("run", [
    "",
    "..",
    "runs/..",
    "runs/../secret.txt",
    "runs/kuhn/../kuhn",
    "../runs/kuhn",
    "/etc",
    "runs/kuhn\x00",
    "runs%2fkuhn",
    "runs/kuhn/manifest.json",
])  # fmt: skip
def test_a_run_is_a_name_and_never_a_path(client, run):
    answer = client.get("/api/infosets", params={"run": run})
    assert answer.status_code == 404
    assert answer.json()["error"].startswith("unknown run")


def test_other_methods_and_extra_parameters_are_errors(client):
    assert client.get("/api/runs", params={"extra": 1}).json()["error"].startswith("extra: ")
    assert client.request("PUT", "/api/runs", json={}).status_code == 405
    assert client.get("/api/infosets").json()["error"].startswith("run: ")


@settings(max_examples=100)
@given(
    st.sampled_from(
        [
            "runs",
            "look",
            "hands",
            "infosets",
            "sessions",
            "sit",
            "table",
            "act",
            "next",
            "hint",
            "told",
            "curve",
            "range",
            "estimate",
            "solve",
            "stop",
            "progress",
            "nothing",
        ]
    ),
    st.sampled_from(["GET", "POST", "PUT"]),
    st.dictionaries(
        st.sampled_from(
            ["run", "line", "hands", "cell", "player", "match", "limit", "session", "x"]
        ),
        st.one_of(st.just("runs/kuhn"), st.text(max_size=20), st.integers().map(str)),
        max_size=4,
    ),
    st.one_of(st.none(), st.binary(max_size=30), st.just(b'{"run":"\\ud800"}')),
)
def test_whatever_is_asked_is_answered_in_a_sentence(client, what, method, query, body):
    headers = {"content-type": "application/json"}
    answer = client.request(method, f"/api/{what}", params=query, content=body, headers=headers)
    assert answer.status_code in (200, 400, 404, 405, 414, 429)
    if answer.status_code != 200:
        sentence = answer.json()["error"]
        assert sentence
        assert "\n" not in sentence.rstrip("\n")


def test_mistakes_of_ours_are_told_without_details(folder, monkeypatch, caplog):
    client = client_of(folder)
    client.forgiving = True
    monkeypatch.setattr("counterfold.web.run_list._describe", lambda run: 1 / 0)
    answer = client.get("/api/runs")
    assert answer.status_code == 500
    assert answer.json() == {"error": "the server made a mistake here; its terminal says which"}
    assert "ZeroDivisionError" in caplog.text


def test_loopback_needs_no_token_and_other_addresses_do():
    access = make_access("127.0.0.1", 8017)
    assert access.token == ""
    assert access.hosts == {"127.0.0.1:8017", "localhost:8017", "[::1]:8017"}
    assert len(make_access("0.0.0.0", 8017).token) >= 32
    assert make_access("0.0.0.0", 8017).token != make_access("0.0.0.0", 8017).token


def test_answers_are_sent_at_once():
    """Else each waits for the last one's acknowledgment: asyncio looks at the protocol."""
    with listen("127.0.0.1", 0) as bound:
        assert bound.proto == socket.IPPROTO_TCP


def test_a_port_that_is_taken_is_an_error():
    taken = pytest.raises(ServeError, match=r"cannot listen on 127\.0\.0\.1")
    with listen("127.0.0.1", 0) as bound, taken:
        listen("127.0.0.1", bound.getsockname()[1])
