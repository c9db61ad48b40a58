"""A server of the page, asked without a network or through one."""

import asyncio
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from counterfold.web.guard import Access
from counterfold.web.server import LOOPBACK, build_app, listen, make_access

HOST = "127.0.0.1:8017"


@dataclass
class Client:
    """Asks an application directly; a mistake of the application is raised unless `forgiving`."""

    app: Any
    headers: dict = field(default_factory=dict)
    forgiving: bool = False

    def request(self, method, path, **given):
        return asyncio.run(self._request(method, path, **given))

    async def _request(self, method, path, **given):
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=not self.forgiving)
        base = f"http://{HOST}"
        async with httpx.AsyncClient(
            transport=transport, base_url=base, headers=self.headers
        ) as client:
            return await client.request(method, path, **given)

    def get(self, path, **given):
        return self.request("GET", path, **given)

    def post(self, path, content):
        return self.request("POST", path, json=content)


def client_of(*folders, sessions=Path("nowhere")):
    """A client of a server of `folders`, which looks like the page."""
    return Client(build_app([*folders], Access(frozenset({HOST})), sessions))


@contextmanager
def running_server(*folders, sessions, token=""):
    """The address of a server that runs in a thread; with a `token`, every request needs it."""
    with listen(LOOPBACK, 0) as bound:
        port = bound.getsockname()[1]
        access = Access(None, token) if token else make_access(LOOPBACK, port)
        app = build_app([*folders], access, sessions)
        config = uvicorn.Config(app, log_level="error", ws="none", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield f"http://{LOOPBACK}:{port}"
        finally:
            server.should_exit = True
            thread.join()
