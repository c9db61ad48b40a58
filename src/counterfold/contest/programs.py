"""Bots that are programs: built and started from a folder, connected to, and stopped.

A contest's bot is a folder with `commands.json`: `build` and `run`, two lists of words. The port
to connect to is appended to `run`.
"""

import json
import logging
import os
import socket
import subprocess
import threading
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

from counterfold.contest.connection import Connection
from counterfold.contest.engine_seats import Limits, last_line
from counterfold.contest.process_trees import MARK, kill_tree
from counterfold.errors import ArtifactError, PeerError

COMMANDS_FILE = "commands.json"
MAX_OUTPUT_BYTES = 524_288  # of a program's own output that is kept, from its beginning
MAX_BUILD_BYTES = 65_536  # of the output of its build, from the end, where errors are

_POLL_SECONDS = 0.05

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Program:
    """How a bot is built and started. `folder` is where its commands run."""

    run: tuple[str, ...]
    folder: Path = Path()
    build: tuple[str, ...] = ()


def load_program(folder: Path) -> Program:
    """The program that `commands.json` in `folder` describes."""
    path = folder / COMMANDS_FILE
    try:
        commands = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ArtifactError(
            f"cannot read {path}: {error}; the folder of a bot must have one"
        ) from error
    words = [commands.get(key) if isinstance(commands, dict) else None for key in ("build", "run")]
    for key, given in zip(("build", "run"), words, strict=True):
        if not isinstance(given, list) or not all(isinstance(word, str) for word in given):
            raise ArtifactError(f"{path}: {key!r} must be a list of words, not {given!r}")
    build, run = words
    if not run:
        raise ArtifactError(f"{path}: 'run' must name a program")
    return Program(tuple(run), folder, tuple(build or ()))


class RunningProgram:
    """A program while it plays: its connection, if it came, and its process, if ours.

    Given a listening socket instead of a program, it waits for one that someone else starts.
    A program that cannot be built or started, or does not connect in time, has no connection and
    a `problem`. It is stopped at the end of a `with` block, at once if that ends with an error.
    """

    def __init__(
        self, program: Program | socket.socket, name: str, limits: Limits, line_end: str = "\n"
    ) -> None:
        self.name = name
        self.limits = limits
        self.output = bytearray()
        self.problem = ""  # why there is no connection
        self.connection: Connection | None = None
        self._mark = uuid.uuid4().hex  # in the environment of all its processes
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        try:
            if isinstance(program, socket.socket):
                connected = self._accept(program)
            else:
                self._build(program)
                connected = self._start(program)
            self.connection = Connection(connected, name, line_end)
        except (OSError, ValueError, subprocess.SubprocessError, PeerError) as error:
            self.problem = str(error)
        except BaseException:
            self.stop(0.0)
            raise

    def explain(self) -> str:
        """The problem, and what the program printed last."""
        if self._reader is not None:
            self._reader.join(_POLL_SECONDS * 10)
        words = last_line(self.output.decode("ascii", "replace"))
        return f"{self.problem}, after printing {words!r}" if words else self.problem

    def __enter__(self) -> "RunningProgram":
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self.stop(0.0 if kind or self.problem else self.limits.quit_seconds)

    def stop(self, seconds: float) -> None:
        """Wait `seconds` for the process to end, then kill what is left of it and its children."""
        if self.connection is not None:
            self.connection.close()
        if self._process is None:
            return
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass
        finally:
            kill_tree(self._process, self._mark)
        assert self._reader is not None
        # A grandchild may hold the pipe open forever.
        self._reader.join(_POLL_SECONDS * 10)

    def _build(self, program: Program) -> None:
        if not program.build:
            return
        tail = bytearray()
        process = self._spawn(program.build, program.folder)
        reader = threading.Thread(target=_read_tail, args=(process, tail), daemon=True)
        reader.start()
        try:
            process.wait(self.limits.build_seconds)
        finally:
            kill_tree(process, self._mark)
            reader.join(_POLL_SECONDS * 10)
            self._keep(bytes(tail))
        if process.returncode:
            _log.warning("the build of %s ended with status %s", self.name, process.returncode)

    def _spawn(self, words: tuple[str, ...], folder: Path) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            words,
            cwd=folder,
            env={**os.environ, MARK: self._mark},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a group of its own, to be killed as a whole
        )

    def _start(self, program: Program) -> socket.socket:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            self._process = self._spawn((*program.run, str(port)), program.folder)
            self._reader = threading.Thread(target=self._listen, daemon=True)
            self._reader.start()
            return self._accept(server)

    def _accept(self, server: socket.socket) -> socket.socket:
        server.settimeout(_POLL_SECONDS)
        deadline = time.monotonic() + self.limits.connect_seconds
        while time.monotonic() < deadline:
            try:
                return server.accept()[0]
            except TimeoutError:
                if self._process is not None and self._process.poll() is not None:
                    code = self._process.returncode
                    raise PeerError(f"{self.name} ended with status {code}") from None
        raise PeerError(f"{self.name} did not connect within {self.limits.connect_seconds:.3g} s")

    def _listen(self) -> None:
        """Read all output, so that the process does not block, and keep the beginning of it."""
        assert self._process is not None
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            while data := stream.read1(65536):  # type: ignore[attr-defined]
                self._keep(data)

    def _keep(self, data: bytes) -> None:
        self.output += data[: max(0, MAX_OUTPUT_BYTES - len(self.output))]


def _read_tail(process: subprocess.Popen[bytes], tail: bytearray) -> None:
    """Read all output, and keep the end of it."""
    assert process.stdout is not None
    with process.stdout as stream:
        while data := stream.read1(65536):  # type: ignore[attr-defined]
            tail += data
            del tail[: max(0, len(tail) - MAX_BUILD_BYTES)]
