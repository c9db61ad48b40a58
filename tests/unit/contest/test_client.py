import socket
import struct
import sys

import pytest

from counterfold.bots import BASELINES, Bot
from counterfold.contest import join_match
from counterfold.contest.wire import PROTOCOLS
from counterfold.errors import GameError, PeerError, ProtocolError
from counterfold.games.holdem import VARIANTS, Auction, Street, Variant
from helpers.processes.sockets import listening, other_side, port_of, stall
from helpers.recordings.recorded_matches import Script

MIT_2023 = PROTOCOLS["mit-2023"]


def visit(
    lines, *, protocol=MIT_2023, variant=None, bot=None, stalls=False, silence=60.0, end=b"\n"
):
    """Join an engine that writes `lines`, reading one line after each; what came of both sides."""
    heard = []

    def engine(server):
        raw, _ = server.accept()
        with raw, raw.makefile("rb") as stream:
            raw.settimeout(60.0)
            for line in lines:
                raw.sendall(line if isinstance(line, bytes) else line.encode() + end)
                if line != "Q":
                    heard.append(stream.readline().decode())
            if stalls:
                stall(raw)

    with listening() as server, other_side(engine, server):
        try:
            return (
                join_match(
                    bot or BASELINES["always-call"](),
                    protocol,
                    port_of(server),
                    host="127.0.0.1",
                    variant=variant,
                    connect_seconds=60.0,
                    silence_seconds=silence,
                ),
                heard,
            )
        except (PeerError, ProtocolError) as error:
            return error, heard


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_hand_over_a_socket(end):
    lines = [
        "T30.000 P1 H2c,2h R4",
        "T30.000 C B3c,4c,5c",
        "T30.000 K R6",
        "T30.000 C B3c,4c,5c,9d",
    ]
    found, heard = visit(lines, end=end)
    assert heard == ["C\n", "K\n", "C\n", "K\n"]
    assert isinstance(found, PeerError)  # the engine then leaves


def test_bids_before_the_first_betting():
    streets = Street(first=0, steps=(Auction(sealed=False),)), Street(3), Street(1), Street(1)
    lines = [
        "T30.000 P0 H2c,2h A7",
        "T30.000 A0 P0 N399,398_0,7_2c,2h",
        "T30.000 C K B3c,4c,5c K",
        "T30.000 K B3c,4c,5c,Td R2",
        "T30.000 F D-2",
        "Q",
    ]
    found, heard = visit(
        lines, protocol=PROTOCOLS["mit-2024"], variant=Variant("bids first", streets, stack=400),
        bot=Script(["a0", "c", "k", "f"]),
    )  # fmt: skip
    assert heard == ["A0\n", "C\n", "K\n", "F\n", "K\n"]
    assert (found.n_faults, found.n_bot_faults, found.chips) == (0, 0, -2)


def test_a_match_ends_with_the_quit_line():
    found, heard = visit(["T30.000 P1 H2c,2h F D1", "Q"])
    assert (found.n_hands, found.chips, found.n_faults) == (1, 1, 0)
    assert heard == ["K\n"]


def test_an_engine_that_never_says_anything():
    found, _ = visit([], stalls=True, silence=0.2)
    assert isinstance(found, PeerError)
    assert "silent for 0.2 s" in str(found)


def test_an_engine_that_sends_half_a_line():
    found, _ = visit([b"T30.000 P1 H2c,"], silence=0.2)
    assert isinstance(found, PeerError)


def test_an_engine_that_goes_away_within_a_hand():
    found, _ = visit(["T30.000 P1 H2c,2h C"])
    assert isinstance(found, PeerError)
    assert "closed the connection" in str(found)


def test_an_engine_that_never_accepts():
    with listening() as server, pytest.raises(PeerError, match="silent"):
        join_match(
            BASELINES["always-call"](),
            MIT_2023,
            port_of(server),
            host="127.0.0.1",
            silence_seconds=0.2,
        )


def test_nonsense_and_endless_lines_are_answered_and_counted():
    lines = ["nonsense", b"x" * 100_000 + b"\n", b"\xff\xfe\n", "T30.000 P1 H2c,2h F D1", "Q"]
    found, heard = visit(lines)
    assert heard == ["K\n"] * 4
    assert (found.n_faults, found.n_hands, found.chips) == (3, 1, 1)
    assert "expected" in found.last_fault


def test_an_engine_that_resets_the_connection():
    def engine(server):
        raw, _ = server.accept()
        linger = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        raw.close()

    with listening() as server, other_side(engine, server), pytest.raises(PeerError):
        join_match(
            BASELINES["random"](), MIT_2023, port_of(server), host="127.0.0.1", silence_seconds=3.0
        )


class Fails(Bot):
    def begin_hand(self, view):
        raise KeyError("hand")

    def act(self, view):
        raise KeyError("act")

    def end_hand(self, result):
        raise KeyError("end")


def test_a_bot_that_fails_checks_or_folds_and_the_match_goes_on():
    found, heard = visit(["T30.000 P1 H2c,2h R4", "T30.000 F D-2", "Q"], bot=Fails())
    assert heard == ["F\n", "K\n"]
    assert (found.n_bot_faults, found.n_faults, found.chips) == (3, 0, -2)


class Choosy(Bot):
    def begin_match(self, match):
        raise GameError(f"cannot play {match.variant.name}")

    def act(self, view):
        return view.passive_action


def test_a_bot_may_refuse_a_variant():
    with listening() as server, pytest.raises(GameError, match="cannot play"):
        join_match(Choosy(), PROTOCOLS["acpc"], port_of(server), host="127.0.0.1")


def test_a_variant_that_the_protocol_cannot_say_is_refused_before_connecting():
    with pytest.raises(GameError, match="not support draws"):
        join_match(BASELINES["random"](), MIT_2023, 1, variant=VARIANTS["discard"]())
