"""Lines over a TCP connection, with a limit to their length and to every wait.

A wait is a deadline for a whole line: a peer that sends a byte now and then gains nothing by it.
Lines may end in LF or CR LF, whatever the protocol itself writes.
"""

import socket
import time
from types import TracebackType

from counterfold.errors import PeerError, ProtocolError

MAX_LINE_BYTES = 16_384  # the longest line of any protocol here has about a thousand

_CHUNK = 4096
_QUOTED = 200  # bytes of a line that is too long
_RETRY_SECONDS = 0.05


class SilenceError(PeerError):
    """No line came in time."""


class LineTooLongError(ProtocolError):
    """A line has more bytes than any message."""


class Connection:
    """A connected socket that reads and writes lines of ASCII text."""

    def __init__(self, connected: socket.socket, peer: str, line_end: str = "\n") -> None:
        self._socket = connected
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._line_end = line_end
        self._buffer = bytearray()
        self.peer = peer

    def write(self, line: str, seconds: float) -> None:
        """Send one line; raises `PeerError` if the peer does not take it in time."""
        data = (line + self._line_end).encode("ascii", "replace")
        try:
            self._socket.settimeout(max(seconds, 0.001))
            self._socket.sendall(data)
        except TimeoutError as error:
            raise SilenceError(f"{self.peer} did not accept a line for {seconds:.3g} s") from error
        except OSError as error:
            raise PeerError(f"{self.peer} is gone: {error}") from error

    def read(self, seconds: float) -> str:
        """The next line without its end.

        Raises `SilenceError` if none is complete within `seconds`, `PeerError` if the peer has
        closed the connection, and `LineTooLongError` for a line that is too long, which is dropped.
        """
        deadline = time.monotonic() + seconds
        dropped = b""  # the beginning of a line that is too long
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > MAX_LINE_BYTES:
                dropped = dropped or bytes(self._buffer[:_QUOTED])
                self._buffer.clear()
            self._receive(deadline, seconds)
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        if not dropped and len(line) > MAX_LINE_BYTES:
            dropped = line[:_QUOTED]
        if dropped:
            text = dropped.decode("ascii", "replace")
            raise LineTooLongError(text, f"at most {MAX_LINE_BYTES} bytes in a line", self.peer)
        return line.removesuffix(b"\r").decode("ascii", "replace")

    def _receive(self, deadline: float, seconds: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise SilenceError(f"{self.peer} was silent for {seconds:.3g} s")
        try:
            self._socket.settimeout(left)
            data = self._socket.recv(_CHUNK)
        except TimeoutError as error:
            raise SilenceError(f"{self.peer} was silent for {seconds:.3g} s") from error
        except OSError as error:
            raise PeerError(f"{self.peer} is gone: {error}") from error
        if not data:
            raise PeerError(f"{self.peer} closed the connection")
        self._buffer += data

    def close(self) -> None:
        """Close the connection; harmless if already closed."""
        self._socket.close()

    def __enter__(self) -> "Connection":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def connect(host: str, port: int, seconds: float, line_end: str = "\n") -> Connection:
    """A connection to a listening peer; tries again until `seconds` have passed."""
    peer = f"{host}:{port}"
    deadline = time.monotonic() + seconds
    while True:
        left = max(deadline - time.monotonic(), 0.001)
        try:
            connected = socket.create_connection((host, port), timeout=left)
            return Connection(connected, peer, line_end)
        except OSError as error:
            if time.monotonic() + _RETRY_SECONDS >= deadline:
                raise PeerError(f"cannot connect to {peer}: {error}; is it listening?") from error
        except OverflowError as error:
            raise PeerError(f"cannot connect to {peer}: {error}") from error
        time.sleep(_RETRY_SECONDS)
