"""A thousand spoiled messages to each side of each protocol: nothing crashes or hangs."""

import re
import socket
from contextlib import suppress

import numpy as np
import pytest

from counterfold.bots import Hand, MatchInfo, shuffle
from counterfold.bots.baselines import Random
from counterfold.contest import Limits, join_match
from counterfold.contest.wire import PROTOCOLS
from counterfold.contest.wire.acpc import VERSION
from counterfold.contest.wire.mit_clauses import parse_answer
from counterfold.errors import IllegalActionError, PeerError, ProtocolError
from helpers.processes.sockets import host_stranger, listening, other_side, port_of
from helpers.recordings.recorded_matches import read_recording

N_MESSAGES = 1000
NASTY = ["nan", "inf", "-1", "1e9", "Zz", "Ah,Ah", "9" * 300, "\x00", "é", *"KR:|/ "]


def spoil(line, rng):
    """The line with a piece cut out, doubled, exchanged or put in."""
    kind = rng.integers(5)
    if not line:
        return str(rng.choice(NASTY))
    at, to = sorted(int(place) for place in rng.integers(0, len(line) + 1, 2))
    if kind == 0:
        return line[:at] + line[to:]
    if kind == 1:
        return line[:to] + line[at:]
    if kind == 2:
        return line[:at] + str(rng.choice(NASTY)) + line[at:]
    if kind == 3:
        words = line.split(" ")
        rng.shuffle(words)
        return " ".join(words)
    letter = chr(int(rng.integers(32, 127)))
    return line[:at] + letter + line[at + 1 :]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_session_answers_spoiled_messages_and_never_illegally(name):
    """Messages of a hand are spoiled at random; while none is, all answers must be legal."""
    protocol = PROTOCOLS[name]
    rng = np.random.default_rng(7)
    variant = protocol.variant()
    session = protocol.client_session(Random(1), variant, None, "engine")
    engine, opponent = protocol.engine_session(), Random(2)
    n_spoiled = n_legal = number = 0

    def tell(lines, *, clean):
        nonlocal n_spoiled
        answers = ()
        for line in lines:
            if not clean and rng.random() < 0.7:
                line = spoil(line, rng)
                n_spoiled += 1
            answers = session.receive(line)
            assert all("\n" not in answer and len(answer) < 2000 for answer in answers)
            session.over = False
        return answers

    info = MatchInfo(variant, ("A", "B"), 1000, 30.0)
    tell(engine.begin_match(info), clean=True)
    while n_spoiled < N_MESSAGES and number < 5000:
        session.n_faults = 0
        clean = number % 2 == 0
        if clean and session.variant != variant:  # a spoiled NEWGAME was believed
            tell(engine.begin_match(info), clean=True)
            session.variant = variant  # or a spoiled raise was
        hand = Hand(
            variant,
            shuffle(variant, 3, number),
            number,
            ("A", "B"),
            checks_when_all_in=protocol.checks_when_all_in,
        )
        tell(engine.begin_hand(hand, 0, 30.0), clean=clean)
        while (seat := hand.waits_for) is not None:
            watched = tell(engine.watch(hand, 0), clean=clean)
            if seat == 1:
                hand.act("k" if hand.forced else opponent.act(hand.view(1)))
                continue
            answers = tell(engine.prompt(hand, 0, 30.0), clean=clean) or watched
            if clean:
                (answer,) = answers
                hand.act(engine.read(answer, hand, 0))  # raises if it is not legal
                n_legal += 1
            else:
                hand.act(_judge(engine, answers, hand))
        tell(engine.end_hand(hand, 0, 30.0), clean=clean)
        if clean:
            assert session.n_faults == 0, session.last_fault
        number += 1
    assert n_spoiled >= N_MESSAGES
    assert n_legal > 300
    assert session.n_bot_faults == 0


def _judge(engine, answers, hand):
    """The action that an engine takes an answer for."""
    for answer in answers:
        try:
            return engine.read(answer, hand, 0) or hand.passive_action
        except (IllegalActionError, ProtocolError):
            return hand.passive_action
    return hand.passive_action


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_client_survives_a_socket_full_of_spoiled_messages(name):
    recorded = read_recording("river_of_blood_wire_1000_rounds.log.gz").splitlines()
    lines = [line[2:] for line in recorded if line[0] == "<"][:200]
    lines += read_recording("acpc_nolimit_20_hands.log").splitlines()
    lines += ["NEWGAME A B 200 2 9 9.9", "NEWHAND 1 true Ah 6c 0 0 20.0", "MATCHSTATE:1:0::|Td4d"]
    lines += ["GETACTION 3 0 2 POST:1:A POST:2:B 3 CALL FOLD RAISE:4:200 19.0"]
    rng = np.random.default_rng(11)
    spoiled = [spoil(lines[int(rng.integers(len(lines)))], rng) for _ in range(N_MESSAGES)]
    data = "\n".join(spoiled).encode("utf-8", "replace")

    def engine(server):
        raw, _ = server.accept()
        with raw:
            raw.sendall(data)
            raw.settimeout(0.3)
            heard = b""
            try:
                while piece := raw.recv(65536):
                    heard += piece
            except OSError:
                pass
        return heard

    # It ends in silence, or is given up; neither is a crash.
    forgiven = suppress(PeerError, ProtocolError)
    with listening() as server, other_side(engine, server) as outcome, forgiven:
        join_match(
            Random(1), PROTOCOLS[name], port_of(server), host="127.0.0.1", silence_seconds=0.2
        )
    answers = outcome[0].decode().splitlines()
    if name == "acpc":
        assert answers[0] == VERSION
        assert all(re.fullmatch(r"MATCHSTATE:.*:(f|c|r\d*)", answer) for answer in answers[1:])
    elif name != "mit-2017":  # whose answers have no grammar of their own
        for answer in answers:
            parse_answer(answer)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_an_engine_survives_a_bot_that_answers_anything(name):
    rng = np.random.default_rng(13)
    words = [
        "K",
        "C",
        "F",
        "R4",
        "CHECK",
        "CALL",
        "FOLD",
        "RAISE:4",
        "BET:4",
        "DISCARD:Ah",
        "FINISH",
    ]

    def bot(port):
        with socket.create_connection(("127.0.0.1", port)) as raw, raw.makefile("rb") as stream:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            raw.sendall(b"VERSION:2.0.0\r\n" if name == "acpc" else b"")
            for line in stream:
                text = line.decode().strip()
                answer = spoil(str(rng.choice(words)), rng)
                if name == "acpc":
                    answer = f"{text}:{answer}"
                if not line.startswith((b"NEW", b"HANDOVER")):
                    raw.sendall(answer.replace("\n", "").encode() + b"\n")

    limits = Limits(20.0, 0.3, 60.0, 60.0, 0.2)
    result, _ = host_stranger(Random(1), PROTOCOLS[name], bot, n_hands=150, limits=limits)
    assert result.n_hands == 150
    assert sum(result.chips) == 0
    assert all(line.isascii() for line in result.log)
