import socket

import pytest

from counterfold.contest import connection as module
from counterfold.contest.connection import (
    MAX_LINE_BYTES,
    Connection,
    LineTooLongError,
    SilenceError,
    connect,
)
from counterfold.errors import PeerError
from helpers.processes.sockets import listening, port_of


class Clock:
    """Stands for the module `time`: nothing takes time but sleep and waiting for a socket."""

    def __init__(self):
        self.now = 100.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setattr(module, "time", clock := Clock())
    return clock


class SlowSocket:
    """A socket on which a byte comes every `pause` seconds of a clock, and that takes none."""

    def __init__(self, clock, pause):
        self.clock, self.pause = clock, pause
        self.timeout = None

    def setsockopt(self, *_):
        pass

    def settimeout(self, seconds):
        self.timeout = seconds

    def recv(self, _):
        self._wait(self.pause)
        return b"K"

    def sendall(self, _):
        self._wait(float("inf"))

    def _wait(self, seconds):
        self.clock.now += min(seconds, self.timeout)
        if seconds > self.timeout:
            raise TimeoutError


@pytest.fixture
def ends():
    with listening() as server:
        raw = socket.create_connection(("127.0.0.1", port_of(server)))
        connected, _ = server.accept()
    with raw, Connection(connected, "peer") as connection:
        yield raw, connection


LONG = 60.0  # seconds, for what has been sent


def write_many(connection, line):
    for _ in range(1000):
        connection.write(line, 0.1)


def test_lines_end_in_lf_or_cr_lf_and_come_in_pieces(ends):
    raw, connection = ends
    for piece in (b"one\r", b"\ntw", b"o\nthree\r\n\n"):
        raw.sendall(piece)
    assert [connection.read(LONG) for _ in range(4)] == ["one", "two", "three", ""]


def test_silence_ends_the_wait(ends):
    raw, connection = ends
    with pytest.raises(SilenceError, match=r"peer was silent for 0\.1 s"):
        connection.read(0.1)
    with pytest.raises(SilenceError):
        connection.read(0.0)
    raw.sendall(b"K")
    with pytest.raises(SilenceError):
        connection.read(0.1)
    raw.sendall(b"K\n")
    assert connection.read(LONG) == "KK"  # what came is kept


@pytest.mark.parametrize("pause", [0.01, 0.3, 0.99, 5.0])
def test_a_trickle_of_bytes_does_not_move_the_deadline(clock, pause):
    connection = Connection(SlowSocket(clock, pause), "peer")
    for n in (1, 2):
        with pytest.raises(SilenceError):
            connection.read(1.0)
        assert clock.now == pytest.approx(100.0 + n)


def test_a_partial_line_at_the_end_is_no_line(ends):
    raw, connection = ends
    raw.sendall(b"K\nR1")
    raw.close()
    assert connection.read(LONG) == "K"
    with pytest.raises(PeerError, match="closed the connection"):
        connection.read(LONG)


def test_long_lines_are_dropped_and_the_next_one_is_read(ends):
    raw, connection = ends
    raw.sendall(b"x" * (3 * MAX_LINE_BYTES) + b"\nK\n" + b"y" * (MAX_LINE_BYTES + 1) + b"\nF\n")
    with pytest.raises(LineTooLongError) as caught:
        connection.read(LONG)
    assert len(caught.value.text) <= 200
    assert connection.read(LONG) == "K"
    with pytest.raises(LineTooLongError, match="'yyy"):
        connection.read(LONG)
    assert connection.read(LONG) == "F"


def test_bytes_that_are_no_text_are_text_to_refuse(ends):
    raw, connection = ends
    raw.sendall(b"\xff\x00K\n")
    assert connection.read(LONG) == "�\x00K"


def test_a_peer_that_does_not_read_is_not_waited_for(ends):
    _, connection = ends
    with pytest.raises(SilenceError, match="not accept a line"):
        write_many(connection, "x" * 100_000)


def test_a_peer_that_does_not_read_is_waited_for_until_the_deadline(clock):
    with pytest.raises(SilenceError, match=r"did not accept a line for 0\.1 s"):
        Connection(SlowSocket(clock, 1.0), "peer").write("K", 0.1)
    assert clock.now == pytest.approx(100.1)


def test_a_peer_that_is_gone_is_noticed_when_writing(ends):
    raw, connection = ends
    raw.close()
    with pytest.raises(PeerError, match="is gone"):
        write_many(connection, "x")


def test_nobody_listens():
    with listening() as server:
        port = port_of(server)
    with pytest.raises(PeerError, match="is it listening"):
        connect("127.0.0.1", port, 0.2)
    with pytest.raises(PeerError, match="cannot connect"):
        connect("127.0.0.1", 70_000, 0.2)


def test_it_is_tried_again_until_the_time_is_over(clock, monkeypatch):
    tries = []

    def refuse(address, timeout):
        tries.append(timeout)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", refuse)
    with pytest.raises(PeerError, match="is it listening"):
        connect("127.0.0.1", 1, 1.0)
    assert 100.9 < clock.now <= 101.0
    assert len(tries) > 10
    assert tries == sorted(tries, reverse=True)  # none may last longer than what is left


def test_someone_listens_a_little_later():
    with listening() as server:
        port = port_of(server)
        with connect("127.0.0.1", port, 0.5, "\r\n") as connection:
            accepted, _ = server.accept()
            with accepted:
                connection.write("VERSION:2.0.0", 0.2)
                assert accepted.recv(100) == b"VERSION:2.0.0\r\n"
