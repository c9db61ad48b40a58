"""A seat at our engine: its clock, its faults, and what it does once it is no longer asked."""

import logging
from itertools import repeat
from types import SimpleNamespace

import pytest

from counterfold.bots import Bot
from counterfold.bots.hand import Hand
from counterfold.bots.shuffled_deck import shuffle
from counterfold.contest import Limits, engine_seats
from counterfold.contest.connection import SilenceError
from counterfold.contest.engine_seats import BotSeat, Pace, ProgramSeat, last_line
from counterfold.errors import BudgetError, IllegalActionError, PeerError, ProtocolError
from counterfold.games import parse_game

NOLIMIT = parse_game("nolimit(stack=20)")


@pytest.fixture
def clock(monkeypatch):
    """Stands for the time; whoever takes some adds to it."""
    now = SimpleNamespace(now=0.0)
    monkeypatch.setattr(
        engine_seats,
        "time",
        SimpleNamespace(perf_counter=lambda: now.now, monotonic=lambda: now.now),
    )
    return now


@pytest.fixture
def hand():
    return Hand(NOLIMIT, shuffle(NOLIMIT, seed=1, number=0), number=6)


class Slow(Bot):
    """Calls after a while."""

    def __init__(self, clock, seconds, action="c"):
        self.clock, self.seconds, self.action = clock, seconds, action

    def act(self, view):
        self.clock.now += self.seconds
        return self.action


def test_thought_is_taken_off_the_clock_of_the_match(clock, hand):
    seat = BotSeat("slow", Slow(clock, 2.0), Limits(game_seconds=5.0))
    assert [seat.act(hand, 0) for _ in range(2)] == ["c", "c"]
    assert (seat.seconds_left, seat.n_answers, seat.n_faults) == (1.0, 2, 0)
    assert seat.pace == Pace(2, 4.0, 2.0)


@pytest.mark.parametrize("limits", [Limits(action_seconds=1.0), Limits(game_seconds=1.5)])
def test_out_of_time_is_out_of_the_match(clock, hand, limits):
    seat = BotSeat("slow", Slow(clock, 2.0), limits)
    assert seat.act(hand, 0) == "f"  # there is a blind to call
    assert not seat.is_asked
    assert seat.forfeit == "ran out of time in hand 7"
    seat.bot.action = None  # it is not asked again
    assert seat.act(hand, 0) == "f"
    assert (seat.n_faults, seat.pace.n_decisions) == (1, 1)


def test_an_illegal_answer_is_a_fault_and_the_match_goes_on(clock, hand, caplog):
    seat = BotSeat("wild", Slow(clock, 0.0, "r99"), Limits())
    with caplog.at_level(logging.WARNING):
        assert seat.act(hand, 0) == "f"
        seat.act(hand, 0)
        seat.report_faults()
    assert seat.is_asked
    assert (seat.n_faults, seat.n_answers) == (2, 0)
    assert "r99" in caplog.records[-1].getMessage()
    assert "2 times, this first" in caplog.records[-1].getMessage()
    assert "in hand 7" in caplog.records[-1].getMessage()


def test_a_bot_that_fails_between_decisions_is_logged_and_asked_again(clock, hand):
    class Breaks(Slow):
        def begin_hand(self, view):
            raise RuntimeError("no cards, please")

    seat = BotSeat("breaks", Breaks(clock, 0.0), Limits())
    seat.begin_hand(hand, 0)
    assert (seat.n_faults, seat.is_asked, seat.act(hand, 0)) == (1, True, "c")


class Wire:
    """A connection whose peer answers as it was told; an exception is raised."""

    def __init__(self, *answers):
        self.answers, self.written, self.closed = iter(answers), [], False

    def write(self, line, seconds):
        self.written.append((line, seconds))

    def read(self, seconds):
        answer = next(self.answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self):
        self.closed = True


def session(read=lambda line, hand, seat: line or None, **settings):
    lines = {
        name: lambda *_, text=name: [text]
        for name in ("begin_match", "begin_hand", "watch", "prompt", "end_hand", "end_match")
    }
    plain = {"greets": False, "acknowledges": False, "last_word": "", "read": read}
    return SimpleNamespace(**lines, **plain | settings)


def program(*answers, limits=Limits(), **settings):  # noqa: B008
    return ProgramSeat("program", Wire(*answers), session(**settings), limits)


def test_a_program_that_never_came_is_never_asked(clock, hand):
    seat = ProgramSeat("nobody", None, session(), Limits())
    seat.begin_match(None)
    seat.begin_hand(hand, 0)
    assert seat.act(hand, 0) == "f"
    seat.end_hand(hand, 0)
    seat.end_match()
    assert (seat.forfeit, seat.n_faults) == ("never connected", 0)


def test_lines_that_are_no_answer_are_read_over(clock, hand):
    seat = program("", "", "c")
    assert (seat.act(hand, 0), seat.n_answers, seat.n_faults) == ("c", 1, 0)
    assert seat.connection.written == [("prompt", 10.0)]


@pytest.mark.parametrize(
    ("error", "why"),
    [(SilenceError("quiet"), "ran out of time"), (PeerError("gone"), "disconnected")],
)
def test_silence_and_hanging_up_forfeit_the_match(clock, hand, error, why):
    seat = program(error)
    assert seat.act(hand, 0) == "f"
    assert seat.forfeit == f"{why} in hand 7"
    seat.begin_hand(hand, 0)
    seat.end_hand(hand, 0)
    assert [line for line, _ in seat.connection.written] == ["prompt"]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (IllegalActionError("R99"), "attempted illegal R99"),
        (ProtocolError("cannot read it", "gibberish"), "response misformatted"),
    ],
)
def test_a_wrong_answer_costs_the_decision_alone(clock, hand, error, text):
    def read(line, hand, seat):
        raise error

    seat = program("anything", read=read)
    assert seat.act(hand, 0) == "f"
    assert (seat.n_faults, seat.is_asked) == (1, True)
    assert text in hand.events[-1].text


def test_the_greeting_has_its_own_time(clock):
    read = []
    seat = program("hello", greets=True, check_greeting=read.append)
    seat.begin_match(None)
    assert read == ["hello"]
    assert [line for line, _ in seat.connection.written] == ["begin_match"]
    rude = program(PeerError("gone"), greets=True, check_greeting=read.append)
    rude.begin_match(None)
    assert rude.forfeit == "did not begin the match properly: gone"


def test_some_protocols_acknowledge_results(clock, hand):
    seat = program("ok", acknowledges=True)
    seat.end_hand(hand, 0)
    assert next(seat.connection.answers, None) is None
    quiet = program("ok")
    quiet.end_hand(hand, 0)
    assert next(quiet.connection.answers) == "ok"


def test_the_last_word_is_waited_for(clock):
    seat = program("still here", "bye ", "never read", last_word="bye")
    seat.end_match()
    assert next(seat.connection.answers) == "never read"
    assert seat.connection.closed


def test_a_program_that_stalls_its_goodbye_is_closed(clock):
    class Stalls(Wire):
        def read(self, seconds):
            clock.now += 1.0
            if seconds == 0.0:
                raise SilenceError("quiet")
            return super().read(seconds)

    seat = ProgramSeat("stalls", Stalls(*repeat("no", 99)), session(last_word="bye"), Limits())
    seat.end_match()
    assert seat.connection.closed


@pytest.mark.parametrize("name", ["game_seconds", "action_seconds", "quit_seconds"])
@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), 1e9])
def test_limits_are_times(name, seconds):
    with pytest.raises(BudgetError, match=f"{name} must be a time of at most"):
        Limits(**{name: seconds})


def test_logs_have_one_short_printable_line():
    assert last_line("first\nsecond\n") == "second"
    assert last_line("") == ""
    assert last_line("x" * 500) == "x" * 200
    assert last_line("naïve\x07") == "na?ve?"
