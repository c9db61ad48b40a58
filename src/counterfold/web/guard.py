"""What every request must pass before it is answered, and the headers of every answer.

Pages of other sites can make a browser send requests here. They are told apart by the headers that
a browser adds and a page cannot change: `Host`, which must name this server, `Origin` and
`Sec-Fetch-Site`, which must not name another site. There are no cookies, so no browser carries
rights along; a server for other machines has a token that the page sends with each request.
"""

import hmac
import json
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

API = "/api/"
MOST_BODY_BYTES = 64 * 1024
MOST_URL_BYTES = 8 * 1024
REQUESTS_PER_SECOND = 100.0
REQUESTS_AT_ONCE = 400.0  # after a pause
_LATIN = "latin-1"  # the encoding of headers
_MOST_CLIENTS = 1000  # whose rates are remembered

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass(frozen=True)
class Access:
    """Who may ask."""

    hosts: frozenset[str] | None  # that `Host` may name, with the port; None for any
    token: str = ""  # empty if none is needed


class RefusedError(Exception):
    """A request that is not answered: the status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Guard:
    """The outermost layer of the server; `clock` counts seconds."""

    def __init__(
        self, app: App, access: Access, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.app, self.access = app, access
        self._rates = _Rates(clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # nothing here speaks over web sockets
        try:
            self._check(scope)
            await self.app(scope, _limited(scope, receive), _dressed(scope, send))
        except RefusedError as refused:
            await _refuse(refused, _dressed(scope, send))

    def _check(self, scope: Scope) -> None:
        headers = {key.decode(_LATIN): value.decode(_LATIN) for key, value in scope["headers"]}
        host = headers.get("host", "").lower()
        if self.access.hosts is not None and host not in self.access.hosts:
            raise RefusedError(403, f"this server is not {host[:100]!r}")
        _check_site(scope, headers, host)
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MOST_URL_BYTES:
            raise RefusedError(414, f"an address has at most {MOST_URL_BYTES} bytes")
        client = scope.get("client") or ("", 0)
        if not self._rates.allows(client[0]):
            raise RefusedError(429, "too many requests at once; wait a second")
        if scope["path"].startswith(API):
            self._check_token(headers.get("authorization", ""))

    def _check_token(self, sent: str) -> None:
        wanted = f"Bearer {self.access.token}"
        if self.access.token and not hmac.compare_digest(sent.encode(), wanted.encode()):
            raise RefusedError(401, "the token is missing or wrong; open the address as printed")


def _check_site(scope: Scope, headers: Mapping[str, str], host: str) -> None:
    """Refuse what a page of another site asks for; a link to the page itself may be followed."""
    origin = headers.get("origin")
    if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
        raise RefusedError(403, f"requests from {origin[:100]!r} are not answered")
    site = headers.get("sec-fetch-site", "none")
    follows = headers.get("sec-fetch-mode") == "navigate" and scope["method"] == "GET"
    if site not in ("same-origin", "none") and not (follows and scope["path"] == "/"):
        raise RefusedError(403, "requests from other sites are not answered")
    if scope["method"] in ("GET", "HEAD"):
        return
    if headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise RefusedError(415, "the content must be application/json")


def _limited(scope: Scope, receive: Receive) -> Receive:
    """`receive` for a body of limited size."""
    n_bytes = 0

    async def read() -> MutableMapping[str, Any]:
        nonlocal n_bytes
        message = await receive()
        n_bytes += len(message.get("body", b""))
        if n_bytes > MOST_BODY_BYTES:
            raise RefusedError(413, f"a request has at most {MOST_BODY_BYTES} bytes")
        return message

    return read


def _dressed(scope: Scope, send: Send) -> Send:
    """`send` with the headers that every answer has."""
    extra = dict(_HEADERS)
    extra["cache-control"] = "no-store" if scope["path"].startswith(API) else "no-cache"

    async def write(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            own = [(key, value) for key, value in message["headers"] if key.decode() not in extra]
            added = [(key.encode(), value.encode()) for key, value in extra.items()]
            message = {**message, "headers": [*own, *added]}
        await send(message)

    return write


async def _refuse(refused: RefusedError, send: Send) -> None:
    body = json.dumps({"error": str(refused)}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class _Rates:
    """How many requests each client may still make: some at once, and more as time goes by."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, client: str) -> bool:
        """Whether `client` may make one more request now, which is counted."""
        now = self._clock()
        left, before = self._left.pop(client, (REQUESTS_AT_ONCE, now))
        left = min(REQUESTS_AT_ONCE, left + REQUESTS_PER_SECOND * (now - before))
        self._left[client] = (max(left - 1.0, 0.0), now)
        if len(self._left) > _MOST_CLIENTS:
            self._left.popitem(last=False)
        return left >= 1.0
