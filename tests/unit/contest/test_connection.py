import socket
import time

import pytest

from counterfold.contest.connection import (
    MAX_LINE_BYTES,
    Connection,
    LineTooLongError,
    SilenceError,
    connect,
)
from counterfold.errors import PeerError
from helpers.sockets import listening, port_of


@pytest.fixture
def ends():
    with listening() as server:
        raw = socket.create_connection(("127.0.0.1", port_of(server)))
        connected, _ = server.accept()
    with raw, Connection(connected, "peer") as connection:
        yield raw, connection


def write_many(connection, line):
    for _ in range(1000):
        connection.write(line, 0.1)


def test_lines_end_in_lf_or_cr_lf_and_come_in_pieces(ends):
    raw, connection = ends
    for piece in (b"one\r", b"\ntw", b"o\nthree\r\n\n"):
        raw.sendall(piece)
    assert [connection.read(0.2) for _ in range(4)] == ["one", "two", "three", ""]


def test_silence_ends_at_the_deadline(ends):
    _, connection = ends
    begin = time.monotonic()
    with pytest.raises(SilenceError, match=r"peer was silent for 0\.1 s"):
        connection.read(0.1)
    assert 0.09 < time.monotonic() - begin < 0.5
    with pytest.raises(SilenceError):
        connection.read(0.0)


def test_a_trickle_of_bytes_does_not_move_the_deadline(ends):
    raw, connection = ends
    raw.sendall(b"K")
    begin = time.monotonic()
    with pytest.raises(SilenceError):
        connection.read(0.1)
    raw.sendall(b"K")
    with pytest.raises(SilenceError):
        connection.read(0.1)
    assert time.monotonic() - begin < 0.5
    raw.sendall(b"\n")
    assert connection.read(0.1) == "KK"  # what came is kept


def test_a_partial_line_at_the_end_is_no_line(ends):
    raw, connection = ends
    raw.sendall(b"K\nR1")
    raw.close()
    assert connection.read(0.2) == "K"
    with pytest.raises(PeerError, match="closed the connection"):
        connection.read(0.2)


def test_long_lines_are_dropped_and_the_next_one_is_read(ends):
    raw, connection = ends
    raw.sendall(b"x" * (3 * MAX_LINE_BYTES) + b"\nK\n" + b"y" * (MAX_LINE_BYTES + 1) + b"\nF\n")
    with pytest.raises(LineTooLongError) as caught:
        connection.read(0.5)
    assert len(caught.value.text) <= 200
    assert connection.read(0.2) == "K"
    with pytest.raises(LineTooLongError, match="'yyy"):
        connection.read(0.2)
    assert connection.read(0.2) == "F"


def test_bytes_that_are_no_text_are_text_to_refuse(ends):
    raw, connection = ends
    raw.sendall(b"\xff\x00K\n")
    assert connection.read(0.2) == "�\x00K"


def test_a_peer_that_does_not_read_is_not_waited_for(ends):
    _, connection = ends
    begin = time.monotonic()
    with pytest.raises(SilenceError, match="took no line"):
        write_many(connection, "x" * 100_000)
    assert time.monotonic() - begin < 5.0


def test_a_peer_that_is_gone_is_noticed_when_writing(ends):
    raw, connection = ends
    raw.close()
    with pytest.raises(PeerError, match="is gone"):
        write_many(connection, "x")


def test_nobody_listens():
    with listening() as server:
        port = port_of(server)
    begin = time.monotonic()
    with pytest.raises(PeerError, match="is it listening"):
        connect("127.0.0.1", port, 0.2)
    assert time.monotonic() - begin < 1.0
    with pytest.raises(PeerError, match="cannot connect"):
        connect("127.0.0.1", 70_000, 0.2)


def test_someone_listens_a_little_later():
    with listening() as server:
        port = port_of(server)
        with connect("127.0.0.1", port, 0.5, "\r\n") as connection:
            accepted, _ = server.accept()
            with accepted:
                connection.write("VERSION:2.0.0", 0.2)
                assert accepted.recv(100) == b"VERSION:2.0.0\r\n"
