import pytest

from counterfold.cards import parse_cards
from counterfold.contest.wire import PROTOCOLS
from counterfold.contest.wire.mit_clauses import read_action, say_action
from counterfold.contest.wire.mit_line_client import LineClientSession
from counterfold.errors import ProtocolError
from counterfold.games.holdem import VARIANTS
from helpers.recordings.recorded_matches import Script

ROB = VARIANTS["river-of-blood"]()
FIRST = "T30.000 P1 H2c,2h C"


def session(*actions, variant=ROB):
    return LineClientSession(Script(actions), variant)


@pytest.mark.parametrize("action", ["f", "k", "c", "r335"])
def test_actions_are_said_and_read(action):
    assert read_action(say_action(action)) == action


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["T30.000 H2c,2h"], None),  # no seat: nothing is followed yet
        (["T30.000 P0 H2c,2h C"], "this seat's turn"),
        (["T30.000 P0 H2c,2h,3c"], "hole cards"),
        (["T30.000 P1 H2c,2h R4 K"], "'k' is not legal"),
        (["T30.000 P1 H2c,2h R3"], "'r3' is not legal"),
        ([FIRST + " P1"], "not another seat"),
        ([FIRST + " T30.000"], "not another clock"),
        ([FIRST + " B3c,4c,5c"], "no street"),
        ([FIRST, "T30.000 K B2c,4c,5c"], "dealt twice"),
        ([FIRST, "T30.000 K B3c,4c,5c,6c"], "not 3"),
        ([FIRST, "T30.000 K B3c,4c,5c", "T30.000 K K B3c,4d,5c,6c"], "continues the one before"),
        ([FIRST, "T30.000 K D2"], "more actions"),
        (["T30.000 P1 H2c,2h F D-1"], "D1 after"),
        (["T30.000 P1 H2c,2h F D1 K"], "nothing after the chips won"),
        (["T30.000 P1 H2c,2h F D1 D1"], "nothing after the chips won"),
    ],
)
def test_messages_that_do_not_fit_the_game_are_faults(lines, expected):
    found = session("k", "k", "k")
    for line in lines:
        assert found.receive(line) == ("K",)
    if expected is None:
        assert found.n_faults == 0
    else:
        assert found.n_faults == 1
        assert expected in found.last_fault
        assert "engine wrote" in found.last_fault


def test_a_session_finds_its_way_back_in_the_next_hand():
    found = session("r6", "r8")
    assert found.receive(FIRST) == ("R6",)
    assert found.receive("T30.000 R3 C B3c,4c,5c") == ("K",)
    assert found.receive("T30.000 K R7") == ("K",)  # still lost
    assert found.receive("T30.000 F D-6") == ("K",)
    assert found.n_faults == 1
    assert found.receive("T30.000 P0 H2c,2h") == ("R8",)
    assert found.receive("T30.000 R8 F D2") == ("K",)
    assert (found.n_faults, found.chips, found.n_hands_ended) == (1, -4, 2)
    assert found.receive("Q") == ()
    assert found.over


def test_the_bot_sees_the_clock_and_the_shown_cards():
    found = session("c", "k", "k", "k")
    for line in ["T7.500 P0 H2c,2h", "T7.000 C K B3s,4d,5d K", "T6.000 K B3s,4d,5d,7d K"]:
        found.receive(line)
    found.receive("T5.000 K B3s,4d,5d,7d,9c K")
    found.receive("T4.000 K OAc,Kd D2")
    assert [view.clock_seconds for view in found.bot.views] == [7.5, 7.0, 6.0, 5.0]
    (result,) = found.bot.results
    assert (result.chips, result.opponent_hole) == (2, parse_cards("AcKd"))


def test_too_much_nonsense_is_not_forgiven():
    found = session()
    for _ in range(1000):
        assert found.receive("nonsense") == ("K",)
    with pytest.raises(ProtocolError, match="nonsense"):
        found.receive("nonsense")


@pytest.mark.parametrize("taken", ["K", "R8"])
def test_an_answer_that_the_engine_replaced_is_counted(taken):
    found = session("r6", "k")
    assert found.receive("T30.000 P1 H2c,2h C") == ("R6",)
    found.receive(f"T30.000 {taken} {'' if taken == 'K' else 'C '}B3c,4c,5c")
    assert (found.n_refused, found.n_faults) == (1, 1)
    assert f"took our r6 as {taken.lower()}" in found.last_fault


def test_an_answer_that_comes_back_as_it_was_is_no_fault():
    found = session("r6", "k")
    found.receive("T30.000 P1 H2c,2h C")
    assert found.receive("T30.000 R6 C B3c,4c,5c") == ("K",)
    assert (found.n_refused, found.n_faults) == (0, 0)


@pytest.mark.parametrize("lost", ["F K D-6", "nonsense", "C B3c,4c,3c D-6"])
def test_the_chips_of_a_hand_that_was_given_up_are_counted_once(lost):
    found = session("r6", "k")
    found.receive("T30.000 P0 H2c,2h")
    assert found.receive(f"T30.000 {lost}") == ("K",)
    found.receive("T30.000 K D-6")
    found.receive("T30.000 K D-6")
    assert (found.n_hands_ended, found.chips, found.view) == (1, -6, None)
    found.receive("T30.000 P1 H2c,2h F D1")
    assert (found.n_hands_ended, found.chips) == (2, -5)


def test_clauses_of_another_year_are_said_once_and_ignored(caplog):
    found = session("k", "r2", "k", "r2")
    for _ in range(2):
        assert found.receive("T30.000 P1 H2c,2h G6 C") == ("K",)
        assert found.receive("T30.000 K B3c,4c,5c U2c,2h") == ("R2",)
        assert found.receive("T30.000 R2 F D2 Y1#") == ("K",)
    assert (found.n_hands_ended, found.chips, found.n_bot_faults) == (2, 4, 0)
    assert found.n_faults == 3  # letters
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "wrote 'G6', which is ignored" in caplog.text


@pytest.mark.parametrize(("won", "n_faults"), [("D2", 0), ("D-2", 0), ("D0", 0), ("D3", 1)])
def test_who_wins_is_not_checked_where_the_order_of_ranks_is_secret(won, n_faults):
    protocol = PROTOCOLS["mit-2020"]
    found = protocol.client_session(Script("ckkk"), VARIANTS["permuted"](), None, "engine")
    for line in ["P0 H2c,2h", "C K B3s,4d,5d K", "K B3s,4d,5d,7d K", "K B3s,4d,5d,7d,9c K"]:
        found.receive(f"T30.000 {line}")
    found.receive(f"T30.000 K OAc,Kd {won}")
    assert (found.n_hands_ended, found.n_faults) == (1, n_faults)


def test_another_stack_is_said_once_and_played_on():
    protocol = PROTOCOLS["mit-2024"]
    bot = Script(["c", "a3", "k", "f"] * 2)
    found = protocol.client_session(bot, protocol.variant(), None, "engine")
    for _ in range(2):
        for line in ["P0 H2c,2h", "C K B3s,4d,5d A7", "A3 P0 N198,195_3,7_2c,2h B3s,4d,5d K"]:
            assert found.receive(f"T30.000 {line}") in (("C",), ("A3",), ("K",))
        assert found.receive("T30.000 K B3s,4d,5d,7d R2") == ("F",)
        found.receive("T30.000 F D-2")
    assert (found.n_faults, found.n_hands_ended, found.chips) == (1, 2, -4)
    assert "plays stacks of 200, not of 400" in found.last_fault


@pytest.mark.parametrize(
    "result", ["N398,395_3,7_2c,2h,9c", "N398,396_3,7_2c,2h", "N398,395_3,7_2d,2h"]
)
def test_results_of_auctions_that_cannot_be_are_faults(result):
    protocol = PROTOCOLS["mit-2024"]
    found = protocol.client_session(Script(["c", "a3", "k"]), protocol.variant(), None, "engine")
    found.receive("T30.000 P0 H2c,2h")
    found.receive("T30.000 C K B3s,4d,5d A7")
    assert found.receive(f"T30.000 A3 P0 {result} B3s,4d,5d K") == ("K",)
    assert found.n_faults == 1


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("K K B7c,8c D1 K B7c,8c,9c D0", None),
        ("K K B7c,8c D1 B7c,8c,9c", "continues the one before"),
        ("K K B7c,8c D1 K B7c,8c", "that a player laid there"),
        ("K K B7c,8c D1 K B7c,8c,2c", "not legal"),
        ("K K B7c,8c D1 D2", "no card laid onto the board"),
        ("K D1", "no card laid onto the board"),
    ],
)
def test_tosses_that_cannot_be_are_faults(line, expected):
    """Seat 0 has 2c 2h 3d; the first action of each line is its own call."""
    protocol = PROTOCOLS["mit-2026"]
    found = protocol.client_session(Script(["c", "d2h", "k"]), protocol.variant(), None, "engine")
    assert found.receive("T30.000 P0 H2c,2h,3d G") == ("C",)
    found.receive("T30.000 " + line.replace("K", "C", 1))
    assert found.n_faults == 1
    assert (expected or "turn in toss") in found.last_fault
