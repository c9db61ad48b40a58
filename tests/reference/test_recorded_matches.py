"""Recorded traffic and logs of real engines: we follow them, and write the same."""

import re
from dataclasses import replace

import pytest

from counterfold.bots import Hand, ShuffledDeck
from counterfold.cards import parse_cards
from counterfold.contest import BotSeat, Limits, play_seats
from counterfold.contest.wire.acpc import (
    ACPC,
    AcpcClientSession,
    format_match_state,
    parse_match_state,
)
from counterfold.contest.wire.mit_clauses import format_message, parse_message
from counterfold.contest.wire.mit_line_client import LineClientSession
from counterfold.contest.wire.mit_line_engine import LineEngineSession
from counterfold.contest.wire.mit_years import MIT_2023
from counterfold.games.holdem import VARIANTS, Street
from counterfold.games.holdem.betting_kernels import BASE
from helpers.recordings.recorded_matches import Script, read_recording, read_rounds

WIRE = read_recording("river_of_blood_wire_1000_rounds.log.gz").splitlines()
GAME_LOG = read_recording("river_of_blood_gamelog_1000_rounds.txt.gz")
MESSAGES = [line[2:] for line in WIRE if line.startswith("< ")]
ANSWERS = [line[2:] for line in WIRE if line.startswith("> ")]
RIVER_OF_BLOOD = VARIANTS["river-of-blood"]()
# The competition's limit game has chips five times ours, and three raises before the flop.
ACPC_LIMIT = replace(
    VARIANTS["limit"](),
    title="acpc-limit",
    blinds=(5, 10),
    streets=tuple(
        Street(cards, first, bet, 4)
        for cards, first, bet in [(0, 0, 10), (3, 1, 10), (1, 1, 20), (1, 1, 20)]
    ),
)


def without_clock(line):
    return re.sub(r"^T[0-9.]+", "T", line)


def test_every_recorded_message_is_read_and_written_back():
    assert len(MESSAGES) == len(ANSWERS) + 1  # no answer to the last
    for message in MESSAGES:
        assert format_message(parse_message(message)) == message


def test_our_client_follows_a_thousand_recorded_rounds():
    bot = Script([])
    session = LineClientSession(bot, RIVER_OF_BLOOD)
    for message, answer in zip(MESSAGES, ANSWERS, strict=False):
        bot.actions = [answer.lower()]
        assert session.receive(message) == (answer,), (message, session.last_fault)
    assert session.receive(MESSAGES[-1]) == ()
    assert session.over
    # The chips of every round were compared with what our rules say of the shown cards.
    assert (session.n_faults, session.n_bot_faults) == (0, 0)
    assert (session.n_hands_ended, session.chips) == (1000, 704)
    deltas = [int(clause[1:]) for line in MESSAGES for clause in line.split() if clause[0] == "D"]
    assert [result.chips for result in bot.results] == deltas


def test_our_engine_writes_the_recorded_lines_and_log():
    rounds = read_rounds(GAME_LOG)
    banks = {"A": 0, "B": 0}
    engine, lines = LineEngineSession(), []
    log = MIT_2023.log.begin(("A", "B"), RIVER_OF_BLOOD)
    for number, recorded in enumerate(rounds):
        names = recorded.names[0], recorded.names[1]
        hand = Hand(
            RIVER_OF_BLOOD,
            recorded.deal,
            number,
            names,
            (banks[names[0]], banks[names[1]]),
            checks_when_all_in=True,
        )
        seat = names.index("B")
        engine.begin_hand(hand, seat, 30.0)
        for name, action in recorded.actions:
            assert hand.waits_for == names.index(name)
            if name == "B":
                lines += engine.prompt(hand, seat, 30.0)
                assert engine.read(ANSWERS[len(lines) - 1], hand, seat) == action
            hand.act(action)
        lines += engine.end_hand(hand, seat, 30.0)
        assert hand.waits_for is None
        for each, chips in zip(names, hand.chips, strict=True):
            banks[each] += chips
        log += MIT_2023.log.hand(hand)
    lines += engine.end_match()
    log += MIT_2023.log.end(("A", "B"), (banks["A"], banks["B"]), 1000)
    assert [*map(without_clock, lines)] == [*map(without_clock, MESSAGES)]
    assert log == GAME_LOG.split("\n")


def test_our_engine_writes_the_recorded_log_of_a_time_out():
    text = read_recording("river_of_blood_gamelog_timeout.txt")
    rounds = read_rounds(text)
    scripts = {
        name: Script([action for each in rounds for who, action in each.actions if who == name])
        for name in "AB"
    }

    class Stalls(BotSeat):
        def act(self, hand, seat):
            if hand.number == 1 and self.is_asked:
                self._fault(hand, seat, "ran out of time", forfeits=True)
            return super().act(hand, seat)

    players = (
        BotSeat("A", scripts["A"], Limits()),
        Stalls("B", scripts["B"], Limits()),
    )
    result = play_seats(players, MIT_2023, RIVER_OF_BLOOD, [each.deal for each in rounds])
    assert result.log == text.split("\n")


def acpc_hands(name):
    for line in read_recording(name).splitlines():
        if line.startswith("STATE:"):
            _, number, betting, cards, chips, names = line.split(":")
            holes, *board = cards.split("/")
            yield line, int(number), betting, holes.split("|"), board, chips, names


ACPC_LOGS = [("acpc_limit_20_hands.log", ACPC_LIMIT), ("acpc_nolimit_20_hands.log", ACPC.variant())]


class Recorded(Script):
    """Plays the moves of a dealer's log, whose raises count all chips since the hand began."""

    def act(self, view):
        move = super().act(view)
        if move == "f":
            return "f"
        if move == "c":
            return "c" if view.to_call else "k"
        if move == "r":
            return f"r{view.raise_bounds()[0]}"
        return f"r{int(move[1:]) - view.situation[BASE]}"


@pytest.mark.parametrize(("name", "variant"), ACPC_LOGS, ids=["limit", "nolimit"])
@pytest.mark.parametrize("position", [0, 1])
def test_our_client_follows_recorded_hands(name, variant, position):
    bot = Recorded([])
    session = AcpcClientSession(bot, variant)
    n_answers = 0
    for _, number, betting, holes, board, chips, _ in acpc_hands(name):
        moves = re.findall(r"f|c/*|r[0-9]*", betting)
        for n_moves in range(len(moves) + 1):
            done = "".join(moves[:n_moves])
            seen = ["", ""]
            seen[position] = holes[position]
            if n_moves == len(moves) and not done.endswith("f"):
                seen = holes
            line = f"MATCHSTATE:{position}:{number}:{done}:"
            line += "/".join(["|".join(seen), *board[: done.count("/")]])
            assert format_match_state(parse_match_state(line)) == line
            bot.actions = [move.rstrip("/") for move in moves[n_moves : n_moves + 1]]
            answers = session.receive(line)
            if answers:
                n_answers += 1
                assert session.view.my_turn
                assert answers == (f"{line}:{moves[n_moves].rstrip('/')}",)
        assert bot.results[-1].chips == int(chips.split("|")[position])
    assert (session.n_faults, session.n_bot_faults, session.n_refused) == (0, 0, 0)
    assert session.n_hands_ended == 20
    assert n_answers > 40


@pytest.mark.parametrize(("name", "variant"), ACPC_LOGS, ids=["limit", "nolimit"])
def test_our_engine_writes_the_recorded_hands(name, variant):
    log, totals = [], {"seat-a": 0, "seat-b": 0}
    for line, number, betting, holes, board, _, names in acpc_hands(name):
        first, second = names.split("|")
        deal = ShuffledDeck(
            (parse_cards(holes[1]), parse_cards(holes[0])), parse_cards("".join(board))
        )
        hand = Hand(variant, deal, number, (second, first))
        engines = [ACPC.engine_session(), ACPC.engine_session()]
        for move in re.findall(r"f|c|r[0-9]*", betting):
            seat = hand.waits_for
            (state,) = engines[seat].watch(hand, seat)
            hand.act(engines[seat].read(f"{state}:{move}", hand, seat))
        assert hand.waits_for is None
        (written,) = ACPC.log.hand(hand)
        assert written == line
        log.append(written)
        for each, chips in zip(hand.names, hand.chips, strict=True):
            totals[each] += chips
    recorded = read_recording(name).splitlines()
    score = ACPC.log.end(("seat-a", "seat-b"), (totals["seat-a"], totals["seat-b"]), 20)
    assert [*log, *score] == [line for line in recorded if not line.startswith("#")]
