"""The server behind `counterfold serve`: the page, what it asks for, and the guard before both."""

import contextlib
import logging
import secrets
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

import platformdirs
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from counterfold.errors import ServeError
from counterfold.web.answers import answer_error, report_fault
from counterfold.web.explorer import Explorer
from counterfold.web.guard import Access, App, Guard, RefusedError
from counterfold.web.match_room import MatchRoom
from counterfold.web.opened_runs import OpenedRuns
from counterfold.web.run_list import RunList
from counterfold.web.spot_room import SpotRoom
from counterfold.web.table_room import TableRoom
from counterfold.web.train_room import TrainRoom
from counterfold.web.value_room import ValueRoom

LOOPBACK = "127.0.0.1"
PORT = 8017
STATIC = Path(__file__).parent / "static"
_MOST_CONNECTIONS = 256
_MATCHES = "matches"  # a folder beside those of sessions, whose names have digits


def build_app(folders: Sequence[Path], access: Access, sessions: Path | None = None) -> App:
    """The server as an ASGI application; those who play find their `sessions` again."""
    runs = OpenedRuns(folders)
    kept = sessions or sessions_folder()
    tables, matches = TableRoom(runs, kept), MatchRoom(runs, kept / _MATCHES)
    values = ValueRoom(runs)
    parts = (
        RunList(runs),
        Explorer(runs, values),
        values,
        tables,
        SpotRoom(runs),
        TrainRoom(runs),
        matches,
    )
    routes = [operation.route for part in parts for operation in part.operations]
    app = Starlette(
        routes=[
            Route("/", _show_page),
            *routes,
            Mount("/static", StaticFiles(directory=STATIC, follow_symlink=False)),
        ],
        exception_handlers={
            RefusedError: _answer_refused,
            HTTPException: _answer_http,
            ClientDisconnect: _answer_nobody,
            Exception: report_fault,
        },
    )
    return Guard(app, access)


def serve(
    folders: Sequence[Path],
    *,
    host: str = LOOPBACK,
    port: int = PORT,
    sessions: Path | None = None,
    announce: Callable[[str], None] = print,
) -> None:
    """Serve until interrupted; `announce` gets the address of the page.

    An address other than that of this machine itself gets a token, which is part of the address.
    """
    access = make_access(host, port)
    with listen(host, port) as bound:
        announce(_write_address(host, bound.getsockname()[1], access.token))
        config = uvicorn.Config(
            build_app(folders, make_access(host, bound.getsockname()[1], access.token), sessions),
            log_level=logging.ERROR,
            server_header=False,
            date_header=False,
            ws="none",
            lifespan="off",
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_graceful_shutdown=1,
            timeout_keep_alive=30,
        )
        with contextlib.suppress(KeyboardInterrupt):  # which is how it ends
            uvicorn.Server(config).run(sockets=[bound])


def sessions_folder() -> Path:
    """Where sessions are kept by default: the user's folder for data."""
    return Path(platformdirs.user_data_dir("counterfold", appauthor=False)) / "sessions"


def make_access(host: str, port: int, token: str = "") -> Access:
    """Who may ask a server at `host`: this machine alone, or everybody who has the token."""
    if host in (LOOPBACK, "localhost", "::1"):
        names = (LOOPBACK, "localhost", "[::1]")
        return Access(frozenset(f"{name}:{port}" for name in names))
    return Access(None, token or secrets.token_urlsafe(24))


def listen(host: str, port: int) -> socket.socket:
    """A socket at an address; raises `ServeError` if it is taken or cannot be reached."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio sends each answer at once; else it waits 40 ms for more.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen()  # clients may connect as soon as they know the address
    except OSError as error:
        bound.close()
        raise ServeError(
            f"cannot listen on {host}, port {port}: {error.strerror or error}; choose another "
            "--port or --host"
        ) from error
    return bound


def _write_address(host: str, port: int, token: str) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/" + (f"#token={token}" if token else "")


async def _show_page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


async def _answer_refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    return answer_error(error.status, str(error))


async def _answer_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentences = {404: "there is nothing here", 405: "this cannot be done here"}
    return answer_error(error.status_code, sentences.get(error.status_code, error.detail))


async def _answer_nobody(request: Request, error: Exception) -> Response:
    return answer_error(400, "the request ended early")
