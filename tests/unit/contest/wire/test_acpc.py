import pytest

from counterfold.bots import Hand, ShuffledDeck
from counterfold.cards import parse_cards
from counterfold.contest.wire.acpc import (
    ACPC,
    AcpcClientSession,
    AcpcEngineSession,
    MatchState,
    format_match_state,
    parse_match_state,
)
from counterfold.errors import GameError, ProtocolError
from counterfold.games.holdem import VARIANTS
from helpers.recordings.recorded_matches import Script
from helpers.trained_runs import random_bot

NOLIMIT = ACPC.variant()
LIMIT = VARIANTS["limit"]()
DEAL = ShuffledDeck((parse_cards("Td4d"), parse_cards("8dJd")), parse_cards("As9d6s3d6c"))


def test_a_state_is_read_and_written_back():
    line = "MATCHSTATE:1:7:cr300c/cc/:|Td4d/As9d6s/3d"
    state = parse_match_state(line)
    assert state == MatchState(
        1, 7, "cr300c/cc/", ((), parse_cards("Td4d")), (parse_cards("As9d6s"), parse_cards("3d"))
    )
    assert format_match_state(state) == line


@pytest.mark.parametrize(
    "line",
    [
        "MATCHSTATE:1:0::",
        "MATCHSTATE:1:0::Td4d",
        "MATCHSTATE:0:0::|Td4d",
        "MATCHSTATE:2:0::|Td4d",
        "MATCHSTATE:1:x::|Td4d",
        "MATCHSTATE:1:0:rnan:|Td4d",
        "MATCHSTATE:1:0:b:|Td4d",
        "MATCHSTATE:1:0:r-5:|Td4d",
        "MATCHSTATE:1:0:r" + "9" * 1000 + ":|Td4d",
        "MATCHSTATE:1:0::|Td4",
        "MATCHSTATE:1:0::|TdTd",
        "MATCHSTATE:1:0::|1d4d",
        "MATCHSTATE:1:0::|Td4d|8d9d",
        "MATCHSTATE:1:0::|Td4d:f",
        "matchstate:1:0::|Td4d",
        "c",
    ],
)
def test_text_that_is_no_state_is_refused(line):
    with pytest.raises(ProtocolError):
        parse_match_state(line)
    session = AcpcClientSession(Script("c"), NOLIMIT)
    assert session.receive(line) == ()
    assert session.n_faults == 1


@pytest.mark.parametrize(
    "line",
    [
        "MATCHSTATE:1:0:r:|Td4d",  # no amount
        "MATCHSTATE:1:0:r150:|Td4d",  # too small
        "MATCHSTATE:1:0:r20001:|Td4d",
        "MATCHSTATE:1:0:cc:|Td4d",  # the flop is missing
        "MATCHSTATE:1:0:cc/:|Td4d",
        "MATCHSTATE:1:0:cc/:|Td4d/As9d",
        "MATCHSTATE:1:0:cc/:|Td4d/AsTd6s",
        "MATCHSTATE:1:0:ccf:|Td4d",
        "MATCHSTATE:1:0:ff:|Td4d",
    ],
)
def test_states_that_do_not_fit_the_game_and_ask_nothing_are_not_answered(line):
    session = AcpcClientSession(Script("c"), NOLIMIT)
    assert session.receive(line) == ()
    assert session.n_faults == 1
    assert session.receive("MATCHSTATE:1:0::|Td4d") == ("MATCHSTATE:1:0::|Td4d:c",)


@pytest.mark.parametrize(
    ("state", "move"),
    [
        ("MATCHSTATE:1:0::|Td4d/As9d6s", "c"),
        ("MATCHSTATE:1:0::|Td4d6s", "c"),
        ("MATCHSTATE:0:0:r150:AsAd|", "c"),  # too small
        ("MATCHSTATE:0:0:r999999:AsAd|", "c"),
        ("MATCHSTATE:0:0:r999999:2s3d|", "f"),
        ("MATCHSTATE:0:0:cr3r4r5c/cr999999:2s3d|/AsKsQd", "f"),
        ("MATCHSTATE:0:0:cr3r4r5c/cr999999:AdAh|/AsKsQd", "c"),
        ("MATCHSTATE:0:0:r3r4c/:2s3d|/AsKsQd", "c"),
    ],
)
def test_a_state_that_asks_is_answered_even_if_it_fits_no_game(state, move):
    session = AcpcClientSession(Script("c"), NOLIMIT)
    assert session.receive(state) == (f"{state}:{move}",)
    assert session.n_faults == 1


def test_a_client_goes_on_after_any_number_of_states_that_fit_no_game(caplog):
    session = AcpcClientSession(Script("c"), NOLIMIT)
    for number in range(1100):
        state = f"MATCHSTATE:0:{number}:r150:AsAd|"
        assert session.receive(state) == (f"{state}:c",)
    assert session.n_faults == 1100
    assert len(caplog.records) == 1  # said once


def test_chips_of_the_dealer_are_adopted_if_they_fit():
    bot, _ = random_bot(VARIANTS["nolimit"]())
    session = AcpcClientSession(bot, bot.variant)
    state = "MATCHSTATE:0:0:r16638:8dJd|"
    (answer,) = session.receive(state)
    assert answer.startswith(f"{state}:")
    assert session.n_faults == session.n_bot_faults == 0
    assert session.variant.stack == 20000


def test_comments_are_skipped_and_only_our_turns_answered():
    session = AcpcClientSession(Script(["k", "r150"]), NOLIMIT)
    assert session.greeting == ("VERSION:2.0.0",)
    for line in ["# hello", "; hello", "", "MATCHSTATE:0:0::8dJd|"]:
        assert session.receive(line) == ()
    state = "MATCHSTATE:0:0:c:8dJd|"
    assert session.receive(state) == (f"{state}:c",)
    state = "MATCHSTATE:0:0:cc/:8dJd|/As9d6s"
    assert session.receive(state) == (f"{state}:r250",)  # 150 on the flop, 250 over the hand
    assert not session.ends_with_connection
    assert session.receive("MATCHSTATE:0:0:cc/r250f:8dJd|/As9d6s") == ()
    assert (session.chips, session.n_hands_ended, session.n_faults) == (100, 1, 0)
    assert session.ends_with_connection


def test_limit_raises_have_no_amount():
    session = AcpcClientSession(Script(["r4"]), LIMIT)
    assert session.receive("MATCHSTATE:1:0::|Td4d") == ("MATCHSTATE:1:0::|Td4d:r",)
    assert session.receive("MATCHSTATE:1:0:r4:|Td4d") == ()
    assert "r alone in limit games" in session.last_fault


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("f", "f"),
        ("c", "c"),
        ("r200", "r200"),
        ("r1", "r200"),  # clamped
        ("r99999", "r20000"),
        ("r" + "9" * 3000, "r20000"),
        ("r", "c"),
        ("rnan", "c"),
        ("x", "c"),
        ("", "c"),
    ],
)
def test_bad_answers_are_repaired(answer, action):
    hand, engine = Hand(NOLIMIT, DEAL), AcpcEngineSession()
    (state,) = engine.watch(hand, 0)
    assert state == "MATCHSTATE:1:0::|Td4d"
    assert engine.read(f"{state}:{answer}", hand, 0) == action
    hand.act("c")
    (state,) = engine.watch(hand, 1)
    assert state == "MATCHSTATE:0:0:c:8dJd|"
    assert engine.read(f"{state}:f", hand, 1) == "k"  # there is nothing to fold to


@pytest.mark.parametrize("line", ["c", "MATCHSTATE:1:1::|Td4d:c", "MATCHSTATE:1:0::|Td4d", ""])
def test_answers_to_other_states_are_ignored(line):
    assert AcpcEngineSession().read(line, Hand(NOLIMIT, DEAL), 0) is None


def test_limit_answers():
    hand, engine = Hand(LIMIT, DEAL), AcpcEngineSession()
    (state,) = engine.watch(hand, 0)
    assert engine.read(f"{state}:r", hand, 0) == "r4"
    assert engine.read(f"{state}:r4", hand, 0) == "c"
    for action in ("r4", "r6", "r8"):
        hand.act(action)
    (state,) = engine.watch(hand, 1)
    assert engine.read(f"{state}:r", hand, 1) == "c"  # the fifth bet


def test_the_version_is_checked():
    AcpcEngineSession().check_greeting("VERSION:2.0.0")
    for line in ["VERSION:1.0.0", "VERSION", "hello"]:
        with pytest.raises(ProtocolError):
            AcpcEngineSession().check_greeting(line)


@pytest.mark.parametrize(
    "name",
    ["discard", "river-of-blood", "potlimit", "swap", "kuhn-variant", "auction", "bounty", "toss"],
)
def test_variants_that_it_cannot_say_are_refused(name):
    with pytest.raises(GameError):
        ACPC.check_variant(VARIANTS[name]())


@pytest.mark.parametrize(("betting", "n"), [("r20000", 0), ("r10000", 1), ("c", 1)])
def test_a_raise_that_the_dealer_moved_is_counted(betting, n):
    session = AcpcClientSession(Script(["r20000"]), NOLIMIT)
    assert session.receive("MATCHSTATE:1:0::|Td4d") == ("MATCHSTATE:1:0::|Td4d:r20000",)
    assert session.receive(f"MATCHSTATE:1:0:{betting}:|Td4d") == ()
    assert (session.n_refused, session.n_faults) == (n, n)
