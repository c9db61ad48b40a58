import socket
import threading
import time
from dataclasses import replace

import pytest

from counterfold.bots import Bot
from counterfold.bots.baselines import AllIn, AlwaysCall, CheckFold, Random
from counterfold.contest import Limits, host_match, write_logs
from counterfold.contest.wire import PROTOCOLS
from counterfold.errors import BudgetError, GameError, PeerError
from counterfold.games.holdem import VARIANTS
from helpers.processes.sockets import (
    HASTY,
    PATIENT,
    host_client,
    host_stranger,
    listening,
    other_side,
    port_of,
    stall,
)

MIT_2023 = PROTOCOLS["mit-2023"]
GAMES = [
    ("mit-2017", None),
    ("mit-plain", None),
    ("mit-2023", None),
    ("acpc", None),
    ("acpc", VARIANTS["limit"]()),
    ("mit-plain", VARIANTS["nolimit"](20)),
    *((f"mit-{year}", None) for year in (2020, 2022, 2024, 2025, 2026)),
    ("mit-2022", VARIANTS["swap"](20)),
    ("mit-2024", VARIANTS["auction"](20)),
    ("mit-2024", VARIANTS["auction"](40, sealed=True)),
    ("mit-2025", VARIANTS["bounty"](20)),
    ("mit-2026", VARIANTS["toss"](20)),
]


@pytest.mark.parametrize(("protocol", "variant"), GAMES)
@pytest.mark.parametrize("client", [Random, AllIn])
def test_a_match_over_sockets_is_the_match_without(protocol, variant, client):
    options = {"variant": variant, "n_hands": 40, "seed": 3, "limits": Limits()}
    result, joined = host_client(Random(1), client(), PROTOCOLS[protocol], **options)
    local = host_match((Random(1), client()), PROTOCOLS[protocol], **options)
    assert result.log == local.log
    assert result.n_faults == (0, 0)
    assert sum(result.chips) == 0
    assert (joined.n_faults, joined.n_bot_faults, joined.n_hands) == (0, 0, 40)
    assert joined.chips == result.chips[1]


def test_the_clock_is_that_of_the_contest():
    told = []

    class Listens(AlwaysCall):
        def begin_match(self, match):
            told.append(match.clock_seconds)

    for name in ("mit-plain", "mit-2026"):
        host_match((Listens(), AlwaysCall()), PROTOCOLS[name], n_hands=1)
    assert told == [30.0, 60.0]


def raw_bot(*answers, then=None, first=b""):
    """A client that answers one line after the other, then does something else, or closes."""

    def work(port):
        with socket.create_connection(("127.0.0.1", port)) as raw, raw.makefile("rb") as stream:
            raw.sendall(first)
            for answer in answers:
                if not stream.readline():
                    return "closed"
                raw.sendall(answer)
            if then is not None:
                then(raw)
        return "done"

    return work


def play(work, *, protocol=MIT_2023, bot=None, n_hands=6, limits=PATIENT):
    result, _ = host_stranger(bot or AlwaysCall(), protocol, work, n_hands=n_hands, limits=limits)
    assert sum(result.chips) == 0
    assert result.n_hands == n_hands
    return result, "\n".join(result.log)


def test_a_bot_that_disconnects_checks_and_folds_to_the_end():
    result, log = play(raw_bot(b"K\n"))
    assert log.count("B disconnected") == 1
    assert result.seconds_left[1] == 0.0
    assert "Round #6" in log


def test_a_bot_that_stalls_runs_out_of_time_once():
    result, log = play(raw_bot(b"K\n", then=stall), limits=HASTY)
    assert log.count("B ran out of time") == 1
    assert result.seconds_left[1] == 0.0


def test_a_half_open_bot_that_never_says_a_line():
    _, log = play(raw_bot(first=b"K", then=stall), limits=HASTY)
    assert log.count("B ran out of time") == 1


def test_a_game_clock_that_runs_out():
    def think(raw):
        with raw.makefile("rb") as stream:
            while stream.readline():
                time.sleep(0.05)
                raw.sendall(b"K\n")

    limits = replace(PATIENT, game_seconds=0.3)
    result, log = play(raw_bot(then=think), limits=limits)
    assert log.count("B ran out of time") == 1
    assert result.seconds_left[1] == 0.0


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"R1\n", "attempted illegal RaiseAction"),
        (b"R999999\n", "attempted illegal RaiseAction"),
        (b"F\n", "attempted illegal FoldAction"),
        (b"Rnan\n", "response misformatted: Rnan"),
        (b"\n", "response misformatted: "),
        (b"\xff\x00\x1b[2J\n", "response misformatted: ???[2J"),
        (b"hello\r\n", "response misformatted: hello"),
        (b"x" * 50_000 + b"\n", "response misformatted: xxx"),
    ],
)
def test_bad_answers_are_checks(answer, words):
    _, log = play(raw_bot(answer, b"K\n", b"K\n", b"K\n"), n_hands=1)
    lines = log.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith(f"B {words}"))
    assert lines[at + 1] == "B checks"


def test_a_check_that_is_not_legal_is_a_fold():
    result, log = play(raw_bot(b"K\n", b"K\n"), bot=AllIn(), n_hands=1)
    assert "B attempted illegal CheckAction\nB folds" in log
    assert result.chips == (2, -2)


def test_a_bot_that_never_connects():
    with listening() as server:
        limits = replace(PATIENT, connect_seconds=0.2)
        result = host_match((AlwaysCall(), server), MIT_2023, n_hands=4, limits=limits)
    assert "B failed to start: B did not connect within 0.2 s" in result.log
    assert result.n_hands == 4


def test_a_bot_that_never_connects_can_be_an_error():
    with listening() as server:
        entrants, limits = (AlwaysCall(), server), replace(PATIENT, connect_seconds=0.2)
        with pytest.raises(PeerError, match=r"did not connect within 0.2 s"):
            host_match(entrants, MIT_2023, n_hands=4, limits=limits, absence_forfeits=False)


def test_a_bot_that_never_reads():
    over = threading.Event()
    with listening() as server, other_side(raw_bot(then=lambda _: over.wait(60)), port_of(server)):
        players = AlwaysCall(), server
        result = host_match(players, PROTOCOLS["mit-2017"], n_hands=6, limits=HASTY)
        over.set()
    assert "\n".join(result.log).count("B ran out of time") == 1


@pytest.mark.parametrize("first", [b"", b"VERSION:1.0.0\r\n", b"\xff\n"])
def test_a_client_that_greets_badly_forfeits(first):
    result, _ = play(
        raw_bot(first=first, then=stall),
        protocol=PROTOCOLS["acpc"],
        limits=replace(HASTY, connect_seconds=1.0),
    )
    assert result.seconds_left[1] == 0.0
    assert result.n_faults[1] == 1


def test_stale_answers_are_ignored():
    def work(port):
        with socket.create_connection(("127.0.0.1", port)) as raw, raw.makefile("rb") as stream:
            raw.sendall(b"VERSION:2.0.0\r\n# hello\r\n")
            for line in stream:
                raw.sendall(b"MATCHSTATE:0:99::AhAd|:f\r\n" + line.strip() + b":c\r\n")

    result, _ = play(work, protocol=PROTOCOLS["acpc"])
    assert result.n_faults == (0, 0)


class Fails(Bot):
    def begin_hand(self, view):
        raise KeyError("begin")

    def act(self, view):
        raise KeyError("act")

    def end_hand(self, result):
        raise KeyError("end")


def test_a_bot_of_ours_that_crashes_folds_and_the_match_goes_on():
    result = host_match((Fails(), AlwaysCall()), MIT_2023, n_hands=2)
    log = "\n".join(result.log)
    assert "A KeyError: 'act'\nA folds" in log
    assert result.n_hands == 2
    assert result.n_faults[0] >= 6


class Slow(Bot):
    def act(self, view):
        time.sleep(0.03)
        return view.passive_action


@pytest.fixture
def clock(monkeypatch):
    """A clock on which nothing takes time but `time.sleep`."""
    now = [0.0]

    def sleep(seconds):
        now[0] += seconds

    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(time, "sleep", sleep)


@pytest.mark.usefixtures("clock")
def test_a_bot_of_ours_has_a_clock():
    result = host_match((Slow(), CheckFold()), MIT_2023, n_hands=20, limits=Limits(0.1, 1.0))
    assert "\n".join(result.log).count("A ran out of time") == 1
    assert result.seconds_left[0] == 0.0


def test_names_and_variants_are_checked():
    for names in [("A", "A"), ("A B", "C"), ("", "A"), ("A:1", "B")]:
        with pytest.raises(GameError, match="two different words"):
            host_match((Slow(), Slow()), MIT_2023, names=names)
    with pytest.raises(GameError):
        host_match((Slow(), Slow()), MIT_2023, variant=VARIANTS["discard"]())


@pytest.mark.usefixtures("clock")
def test_a_match_tells_what_each_hand_brought_and_how_long_it_took():
    told = []
    limits = Limits(0.1, 1.0), Limits()
    result = host_match((Slow(), AllIn()), MIT_2023, n_hands=12, limits=limits, on_hand=told.append)
    assert [hand.number for hand in told] == [*range(12)]
    assert sum(result.winnings) == result.chips[0]
    assert result.winnings == (-1, -2) * 6  # it folds its blinds
    slow, quick = result.paces
    assert slow.slowest_seconds == slow.seconds / slow.n_decisions == pytest.approx(0.03)
    assert slow.n_decisions == 4  # 0.12 s of 0.1 s
    assert quick.slowest_seconds == 0.0
    assert result.n_answers[0] == slow.n_decisions - 1  # the last one came too late
    assert quick.n_decisions == result.n_answers[1]
    assert result.forfeits[0].startswith("ran out of time in hand ")
    assert result.forfeits[1] == ""


def test_times_are_checked():
    for seconds in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(BudgetError, match="action_seconds"):
            Limits(action_seconds=seconds)


def test_the_last_line_names_first_who_would_deal_next():
    for n_hands, first in ((2, "A"), (3, "B")):
        result = host_match((CheckFold(), CheckFold()), MIT_2023, n_hands=n_hands)
        assert result.log[-1].startswith(f"Final, {first} (")


def test_logs_are_written(tmp_path):
    result = host_match((AlwaysCall(), CheckFold()), MIT_2023, n_hands=2)
    write_logs(result, tmp_path / "logs")
    assert (tmp_path / "logs" / "gamelog.txt").read_text().split("\n") == result.log
