"""Who is answered: pages of this server, and nobody else's; so much at a time, and no more."""

import asyncio
import json

import pytest

from counterfold.web.guard import (
    MOST_BODY_BYTES,
    MOST_URL_BYTES,
    REQUESTS_AT_ONCE,
    REQUESTS_PER_SECOND,
    Access,
    Guard,
)

HOST = "127.0.0.1:8017"
OPEN = Access(frozenset({HOST, "localhost:8017"}))


async def echo(scope, receive, send):
    """An application that answers with the size of what it got."""
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message["body"])
        more = message["more_body"]
    headers = [(b"content-type", b"text/plain"), (b"cache-control", b"public")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"%d" % size})


def ask(guard, path="/api/runs", method="GET", body=b"", query=b"", client="1.2.3.4", **headers):
    """Status, headers and body of one request; `None` takes a header away."""
    given = {"host": HOST, "content_type": "application/json", **headers}
    pairs = [
        (key.replace("_", "-").encode(), value.encode())
        for key, value in given.items()
        if value is not None
    ]
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "headers": pairs,
        "client": (client, 999),
    }
    parts = [body[at : at + 10_000] for at in range(0, len(body), 10_000)] or [b""]
    sent = []

    async def receive():
        part = parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message):
        sent.append(message)

    asyncio.run(guard(scope, receive, send))
    start, *rest = sent
    found = {key.decode(): value.decode() for key, value in start["headers"]}
    return start["status"], found, b"".join(message["body"] for message in rest)


def refusal(answer):
    status, headers, body = answer
    assert headers["content-type"] == "application/json"
    return status, json.loads(body)["error"]


def test_the_page_is_answered():
    for headers in (
        {},
        {"origin": f"http://{HOST}"},
        {"host": "localhost:8017", "origin": "http://localhost:8017"},
        {"sec_fetch_site": "same-origin", "sec_fetch_mode": "cors"},
        {"sec_fetch_site": "none", "sec_fetch_mode": "navigate"},
    ):
        for method in ("GET", "POST"):
            assert ask(Guard(echo, OPEN), method=method, **headers)[0] == 200


@pytest.mark.parametrize(
    "host", [None, "", "evil.example", "evil.example:8017", "127.0.0.1", "127.0.0.1:80"]
)
def test_another_name_for_this_server_is_refused(host):
    """A page whose name was bound to this address anew still names itself in `Host`."""
    assert refusal(ask(Guard(echo, OPEN), host=host))[0] == 403


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "DELETE"])
@pytest.mark.parametrize("headers", [
    {"origin": "http://evil.example"},
    {"origin": "http://127.0.0.1:9999"},
    {"origin": "http://localhost:8017"},  # the other name of this machine is another origin
    {"origin": "null"},
    {"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors"},
    {"sec_fetch_site": "same-site", "sec_fetch_mode": "cors"},
])  # fmt: skip
def test_pages_of_other_sites_are_refused(method, headers):
    assert refusal(ask(Guard(echo, OPEN), method=method, **headers))[0] == 403


def test_a_link_from_another_site_leads_to_the_page_alone():
    arrives = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
    assert ask(Guard(echo, OPEN), "/", **arrives)[0] == 200
    assert ask(Guard(echo, OPEN), "/api/runs", **arrives)[0] == 403
    assert ask(Guard(echo, OPEN), "/", method="POST", **arrives)[0] == 403


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded"])
def test_what_a_form_of_another_site_could_send_is_refused(kind):
    assert refusal(ask(Guard(echo, OPEN), method="POST", content_type=kind))[0] == 415


@pytest.mark.parametrize(
    "sent", [None, "", "Bearer ", "Bearer wrong", "secret", "Basic secret", "Bearer söcret"]
)
def test_a_token_is_needed_for_what_is_asked(sent):
    guard = Guard(echo, Access(None, "secret"))
    assert refusal(ask(guard, authorization=sent))[0] == 401
    assert ask(guard, authorization="Bearer secret")[0] == 200
    assert ask(guard, "/static/main.js", authorization=sent)[0] == 200  # nothing secret there


def test_answers_forbid_scripts_of_others_and_frames():
    for answer in (ask(Guard(echo, OPEN)), ask(Guard(echo, OPEN), host="evil.example")):
        headers = answer[1]
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert not {key for key in headers if key.startswith(("access-control", "set-cookie"))}


def test_sizes_are_bounded():
    guard = Guard(echo, OPEN)
    assert ask(guard, method="POST", body=b"x" * MOST_BODY_BYTES)[2] == b"%d" % MOST_BODY_BYTES
    assert refusal(ask(guard, method="POST", body=b"x" * (MOST_BODY_BYTES + 1)))[0] == 413
    assert refusal(ask(guard, query=b"x" * MOST_URL_BYTES))[0] == 414


def test_rates_are_bounded_for_each_client():
    now = [0.0]
    guard = Guard(echo, OPEN, clock=lambda: now[0])
    answers = [ask(guard)[0] for _ in range(int(REQUESTS_AT_ONCE) + 5)]
    assert answers.count(200) == REQUESTS_AT_ONCE
    assert answers[-5:] == [429] * 5
    assert ask(guard, client="5.6.7.8")[0] == 200
    now[0] = 10.0 / REQUESTS_PER_SECOND
    assert [ask(guard)[0] for _ in range(11)] == [200] * 10 + [429]


def test_web_sockets_are_not_answered():
    async def refuse(*_):
        raise AssertionError

    asyncio.run(Guard(refuse, OPEN)({"type": "websocket"}, refuse, refuse))
