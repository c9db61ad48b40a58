import re

import pytest

from counterfold.bots import Hand, MatchInfo, ShuffledDeck
from counterfold.cards import parse_cards
from counterfold.contest.wire.mit_2017 import MIT_2017, DiscardClientSession, DiscardEngineSession
from counterfold.contest.wire.mit_2017_packets import format_packet, parse_packet
from counterfold.errors import GameError, IllegalActionError, ProtocolError
from counterfold.games.holdem import VARIANTS
from helpers.recordings.recorded_matches import Script

DISCARD = VARIANTS["discard"]()
# A hand in the documented grammar, as the big blind is told it, with its answers.
WORKED = """\
NEWGAME P1 P2 200 2 1000 20.000000
NEWHAND 1 false Ah 6c 0 0 20.000000
GETACTION 4 0 3 POST:1:P2 POST:2:P1 CALL:P2 2 CHECK RAISE:4:200 19.99 -> CHECK
GETACTION 4 3 8s 8h 7c 2 CHECK:P1 DEAL:FLOP 3 CHECK DISCARD:Ah DISCARD:6c 19.98 -> DISCARD:6c
GETACTION 4 3 8s 8h 7c 2 DISCARD:6c:Kd:P1 DISCARD:P2 2 CHECK BET:2:198 19.97 -> BET:4
GETACTION 12 4 8s 8h 7c Ac 3 BET:4:P1 CALL:P2 DEAL:TURN 3 CHECK DISCARD:Ah DISCARD:Kd 19.96 -> CHECK
GETACTION 12 4 8s 8h 7c Ac 2 CHECK:P1 CHECK:P2 2 CHECK BET:2:194 19.95 -> BET:12
HANDOVER 6 -6 4 8s 8h 7c Ac 4 BET:12:P1 FOLD:P2 REFUND:12:P1 WIN:12:P1 19.94
REQUESTKEYVALUES -> FINISH
"""
TRAFFIC = [line.partition(" -> ")[::2] for line in WORKED.splitlines()]
ACTIONS = ["c", "k", "d6c", "d3d", "r4", "c", "s", "s", "r12", "f"]  # of both seats


def without_clock(line):
    return re.sub(r" [0-9.]+$", "", line)


def test_the_client_follows_the_worked_hand():
    session = DiscardClientSession(Script(["k", "d6c", "r4", "s", "r12"]), DISCARD)
    for line, answer in TRAFFIC:
        assert session.receive(line) == ((answer,) if answer else ())
    assert (session.n_faults, session.chips, session.n_hands_ended) == (0, 6, 1)
    assert session.over
    last = session.bot.views[-1]
    assert last.draws == "-6c+Kd"
    assert last.clock_seconds == 19.95


@pytest.mark.parametrize("spoiled", [3, 6])  # a question, and the end
def test_the_chips_of_a_hand_that_was_given_up_are_counted_once(spoiled):
    session = DiscardClientSession(Script(["k", "d6c", "r4", "s", "r12"]), DISCARD)
    for number, (line, _) in enumerate(TRAFFIC[:-1]):
        session.receive(line.replace("CHECK:P1", "CALL:P1").replace("FOLD:P2", "CHECK:P2")
                        if number == spoiled else line)  # fmt: skip
    assert (session.n_faults, session.view) == (1, None)
    session.receive(TRAFFIC[-2][0])
    assert (session.n_hands_ended, session.chips) == (1, 6)


def test_the_engine_tells_the_worked_hand():
    deal = ShuffledDeck((parse_cards("3d9h"), parse_cards("Ah6c")), parse_cards("8s8h7cKd4cAc"))
    engine, hand = DiscardEngineSession(), Hand(DISCARD, deal, 0, ("P2", "P1"))
    told = [*engine.begin_match(MatchInfo(DISCARD, ("P1", "P2"), 1000, 20.0))]
    told += engine.begin_hand(hand, 1, 20.0)
    answers = iter([answer for _, answer in TRAFFIC if answer])
    for action in ACTIONS:
        if hand.waits_for == 1:
            told += engine.prompt(hand, 1, 19.0)
            assert engine.read(next(answers), hand, 1) == action
        hand.act(action)
    told += engine.end_hand(hand, 1, 19.0)
    told += engine.end_match()
    assert [*map(without_clock, told)] == [without_clock(line) for line, _ in TRAFFIC]
    assert told[0] == TRAFFIC[0][0]


@pytest.mark.parametrize("line", [line for line, _ in TRAFFIC] + ["KEYVALUE a b"])
def test_packets_are_read_and_written_back(line):
    packet = parse_packet(line)
    assert without_clock(format_packet(packet)) == without_clock(line)
    assert parse_packet(format_packet(packet)) == packet


@pytest.mark.parametrize(
    "line",
    [
        "",
        "HELLO",
        "NEWGAME P1 P2 200 2 1000",
        "NEWGAME P1 P2 200 2 1000 20.0 x",
        "NEWGAME P1 P2 nan 2 1000 20.0",
        "NEWHAND 1 maybe Ah 6c 0 0 20.0",
        "NEWHAND 1 true Ah Ah 0 0 20.0",
        "NEWHAND 1 true Ah 6x 0 0 20.0",
        "NEWHAND 1 true Ah 6c inf 0 20.0",
        "GETACTION 4 0 3 POST:1:P2 2 CHECK",
        "GETACTION 4 999999999 0 0 1.0",
        "GETACTION 4 0 1 JUMP:P1 0 1.0",
        "GETACTION 4 0 1 BET:nan:P1 0 1.0",
        "GETACTION 4 0 0 1 RAISE:4 1.0",
        "GETACTION 4 0 0 1 DISCARD:Zz 1.0",
        "GETACTION 4 0 0 0 nan",
        "GETACTION 4 2 Ah Ah 0 0 1.0",
        "HANDOVER 1 1 0 1 DEAL:OCEAN 1.0",
        "REQUESTKEYVALUES please",
    ],
)
def test_text_that_is_no_packet_is_refused(line):
    with pytest.raises(ProtocolError):
        parse_packet(line)
    session = DiscardClientSession(Script([]), DISCARD)
    assert session.receive(line) == (("CHECK",) if line.startswith("GETACTION") else ())
    assert session.n_faults == 1


def begun(*actions, hole="Ah 6c", button="true"):
    session = DiscardClientSession(Script(actions), DISCARD)
    session.receive("NEWGAME P1 P2 200 2 1000 20.0")
    session.receive(f"NEWHAND 1 {button} {hole} 0 0 20.0")
    return session


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("GETACTION 3 0 2 POST:1:P1 POST:2:P2 3 CALL FOLD RAISE:6:200 19.0", "FOLD"),  # not 4
        ("GETACTION 3 0 2 POST:1:P1 POST:2:P2 2 CALL FOLD 19.0", "FOLD"),  # no raise
        ("GETACTION 9 0 2 POST:1:P1 POST:2:P2 3 CALL FOLD RAISE:4:200 19.0", "FOLD"),  # the pot
        ("GETACTION 3 0 1 CALL:P2 2 CHECK RAISE:4:200 19.0", "CHECK"),  # not its turn
        ("GETACTION 3 0 1 CALL:P3 2 CHECK RAISE:4:200 19.0", "CHECK"),  # who?
        ("GETACTION 3 0 1 FOLD:P1 1 CHECK 19.0", "CHECK"),
        ("GETACTION 3 3 2c 3c 4c 1 DEAL:FLOP 3 CALL FOLD RAISE:4:200 19.0", "FOLD"),
        ("GETACTION 3 0 1 DISCARD:6c:Kd:P1 3 CALL FOLD RAISE:4:200 19.0", "FOLD"),
    ],
)
def test_only_what_the_engine_offers_is_answered(line, answer):
    assert begun("r4").receive(line) == (answer,)


def test_an_old_call_with_an_amount_is_understood():
    session = begun("k", button="false")
    line = "GETACTION 4 0 3 POST:1:P2 POST:2:P1 CALL:2:P2 2 CHECK RAISE:4:200 19.99"
    assert session.receive(line) == ("CHECK",)
    assert session.n_faults == 0


def test_a_drawing_round_may_be_skipped_when_the_stacks_are_in():
    session = begun("r200")
    line = "GETACTION 3 0 2 POST:1:P1 POST:2:P2 3 CALL FOLD RAISE:4:200 19.0"
    assert session.receive(line) == ("RAISE:200",)
    line = (
        "HANDOVER 200 -200 5 Ac Ad 2s 3s 4d 7 RAISE:200:P1 CALL:P2 DEAL:FLOP DEAL:TURN DEAL:RIVER "
    )
    assert session.receive(line + "SHOW:Kc:Kd:P2 WIN:400:P1 18.0") == ()
    assert (session.n_faults, session.chips) == (0, 200)


def test_a_hand_that_ends_untold_counts_by_the_banks():
    session = begun()
    assert session.receive("HANDOVER 20 -20 5 Ac Ad 2s 3s 4d 1 WIN:20:P2 19.99") == ()
    assert (session.n_faults, session.chips) == (0, 20)


def test_the_match_may_have_other_stacks():
    session = DiscardClientSession(Script(["r10"]), DISCARD)
    session.receive("NEWGAME P1 P2 1000 10 50 20.0")
    assert session.variant == VARIANTS["discard"](1000, (5, 10))
    session = DiscardClientSession(Script([]), DISCARD)
    session.receive("NEWGAME P1 P2 1 10 50 20.0")
    assert "stack 1 is below" in session.last_fault
    session.receive("NEWGAME P1 P1 200 2 50 20.0")
    assert "different names" in session.last_fault
    session.receive("NEWHAND 1 true Ah 6c 0 0 20.0")
    assert "NEWGAME first" in session.last_fault


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("check", ProtocolError),
        ("", ProtocolError),
        ("BET:x", ProtocolError),
        ("RAISE:.57", ProtocolError),
        ("RAISE:12.", ProtocolError),
        ("RAISE:1e2", ProtocolError),
        ("RAISE:-4.5", ProtocolError),
        ("RAISE:3.99", IllegalActionError),
        ("DISCARD:x", ProtocolError),
        ("CHECK", IllegalActionError),
        ("BET:4", IllegalActionError),  # RAISE is offered
        ("RAISE:3", IllegalActionError),
        ("DISCARD:Ah", IllegalActionError),
    ],
)
def test_an_engine_reads_only_what_it_offered(line, error):
    deal = ShuffledDeck((parse_cards("Ah6c"), parse_cards("3d9h")), parse_cards("8s8h7cKd4cAc"))
    with pytest.raises(error):
        DiscardEngineSession().read(line, Hand(DISCARD, deal), 0)


@pytest.mark.parametrize(
    ("line", "action"), [("RAISE:12", "r12"), ("RAISE:12.57", "r12"), ("RAISE:4.999999", "r4")]
)
def test_an_engine_drops_the_fraction_of_an_amount(line, action):
    """Bots of 2017 send such amounts, and the real engine logged whole ones."""
    deal = ShuffledDeck((parse_cards("Ah6c"), parse_cards("3d9h")), parse_cards("8s8h7cKd4cAc"))
    assert DiscardEngineSession().read(line, Hand(DISCARD, deal), 0) == action


def test_only_discard_holdem_is_played():
    MIT_2017.check_variant(VARIANTS["discard"](1000, (5, 10)))
    for variant in (VARIANTS["nolimit"](), VARIANTS["limit"]()):
        with pytest.raises(GameError, match="the 2017 protocol plays only Discard Hold'em"):
            MIT_2017.check_variant(variant)
    with pytest.raises(GameError, match="the small blind must be half the big blind"):
        MIT_2017.check_variant(VARIANTS["discard"](200, (1, 3)))
