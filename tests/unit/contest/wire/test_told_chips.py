"""What is learned of an engine's chips, and clients that play on with them."""

from dataclasses import replace

import pytest

from counterfold.bots import BASELINES, Hand, shuffle
from counterfold.contest.wire import PROTOCOLS
from counterfold.contest.wire.mit_line_client import LineClientSession
from counterfold.contest.wire.mit_years import LINE_PROTOCOLS
from counterfold.contest.wire.told_chips import ToldChips, with_blind
from counterfold.errors import GameError, IllegalActionError, ProtocolError
from counterfold.games import parse_game
from counterfold.games.holdem import VARIANTS
from helpers.recordings.recorded_matches import Script
from helpers.trained_runs import random_bot

NOLIMIT = VARIANTS["nolimit"]()  # 400 chips


@pytest.mark.parametrize(("total", "stack"), [(400, 400), (401, 800), (1300, 1600)])
def test_who_goes_beyond_a_stack_has_a_multiple_of_it(total, stack):
    assert ToldChips().put_in(total, NOLIMIT) == replace(NOLIMIT, stack=stack)


def test_what_is_refused_is_halved_until_somebody_goes_beyond():
    told, variant = ToldChips(), NOLIMIT
    variant = told.refuse(400, variant)
    assert variant.stack == 200
    assert told.refuse(200, variant).stack == 100
    variant = told.put_in(150, told.refuse(200, variant))
    assert variant.stack == 150
    assert told.refuse(180, variant).stack == 150  # it was put in


def test_a_small_bet_may_be_refused_for_other_reasons():
    assert ToldChips().refuse(19, NOLIMIT) is NOLIMIT
    assert ToldChips().refuse(20, NOLIMIT).stack == 10


def test_nonsense_is_not_believed_for_long():
    told = ToldChips()
    assert told.put_in(10**9, NOLIMIT) is NOLIMIT
    variant = told.put_in(900_000, NOLIMIT)
    assert told.refuse(900_000, variant).stack == 450_000
    assert told.refuse(3, replace(NOLIMIT, stack=3)).stack == 3


@pytest.mark.parametrize(
    ("game", "seat", "chips", "expected"),
    [
        ("nolimit", 0, 5, {"blinds": (5, 10)}),
        ("nolimit", 1, 100, {"blinds": (50, 100)}),
        ("nolimit", 1, 3, {"blinds": (1, 3)}),
    ],
)
def test_blinds_stay_in_proportion(game, seat, chips, expected):
    assert with_blind(parse_game(game), seat, chips) == replace(parse_game(game), **expected)


def test_an_ante_is_part_of_what_is_posted():
    variant = replace(NOLIMIT, ante=1, min_bet=4)
    found = with_blind(variant, 0, 8)
    assert (found.ante, found.blinds, found.min_bet) == (4, (4, 8), 16)


def test_a_stack_that_cannot_post_the_blinds_is_in_proportion_too():
    assert with_blind(NOLIMIT, 0, 199) == replace(NOLIMIT, blinds=(199, 398))
    assert with_blind(NOLIMIT, 0, 200) == replace(NOLIMIT, blinds=(200, 400), stack=80_000)


def test_blinds_that_nobody_could_post_are_no_blinds():
    told = ToldChips()
    with pytest.raises(GameError, match="must be an integer from 1 to 1000000, not 4000000000"):
        told.post(0, 10**7, NOLIMIT)
    assert told.posted == {}


def test_a_blind_that_is_known_is_not_changed_by_the_other():
    told = ToldChips()
    assert (variant := told.post(0, 5, NOLIMIT)).blinds == (5, 10)
    assert (variant := told.post(1, 40, variant)).blinds == (5, 40)
    assert told.post(0, 6, variant).blinds == (6, 40)


def test_a_check_of_the_small_blind_has_both_post_what_is_known():
    assert ToldChips().post_as("k", NOLIMIT).blinds == (2, 2)
    told = ToldChips()
    assert told.post_as("k", told.post(0, 5, NOLIMIT)).blinds == (5, 5)
    assert told.post_as("k", told.post(1, 5, NOLIMIT)).blinds == (5, 5)


@pytest.mark.parametrize("action", "cf")
def test_a_call_of_the_small_blind_is_of_a_larger_one(action):
    told = ToldChips()
    equal = told.post_as("k", told.post(0, 6, NOLIMIT))
    assert (variant := told.post_as(action, equal)).blinds == (3, 6)
    assert told.post(1, 8, variant).blinds == (4, 8)  # what was known before was wrong


def test_large_blinds_are_why_a_small_raise_was_refused():
    told = ToldChips()
    small = told.refuse(20, NOLIMIT)
    told.post(0, 50, small)
    assert told.put_in(450, NOLIMIT).stack == 800  # not 450: no stack was refused
    told.refuse(400, NOLIMIT)
    told.post(0, 2, NOLIMIT)
    assert told.put_in(450, NOLIMIT).stack == 450


def session(*actions, stack=400):
    return LineClientSession(Script(actions), replace(NOLIMIT, stack=stack))


def test_a_raise_beyond_the_stack_is_answered_with_a_larger_one(caplog):
    found = session("c", "k", "f", stack=200)
    assert found.receive("T30.000 P1 H2c,2h R300") == ("C",)
    assert found.receive("T30.000 C B3c,4c,5c") == ("K",)
    assert found.receive("T30.000 K R50") == ("F",)
    assert found.receive("T30.000 F D-300") == ("K",)
    assert (found.variant.stack, found.n_faults, found.n_bot_faults) == (400, 1, 0)
    assert "lets players put in 300, not only 200; a stack of 400 is assumed" in caplog.text


def test_a_bet_after_both_were_all_in_tells_of_a_larger_stack():
    found = session("c", "c", stack=200)
    assert found.receive("T30.000 P1 H2c,2h R200") == ("C",)
    assert found.receive("T30.000 C B3c,4c,5c") == ("K",)
    assert found.receive("T30.000 K R60") == ("C",)
    assert (found.view.spent, found.variant.stack) == ((260, 200), 400)
    assert found.n_faults == 1


def test_a_refused_all_in_is_a_smaller_one_the_next_time(caplog):
    found = session("r400", "r200", "k")
    assert found.receive("T30.000 P0 H2c,2h") == ("R400",)
    assert found.receive("T30.000 F D-1") == ("K",)
    assert found.variant.stack == 200
    assert found.receive("T30.000 P0 H2c,2h") == ("R200",)
    assert found.receive("T30.000 R200 C B3c,4c,5c K") == ("K",)
    assert (found.n_refused, found.n_bot_faults) == (1, 0)
    assert [each.getMessage() for each in caplog.records] == [
        "engine took our r400 as f",
        "engine does not let us put in 400; a stack of 200 is assumed",
    ]


def test_a_refused_bet_was_a_check_and_the_hand_goes_on():
    found = session("c", "r398", "r100")
    found.receive("T30.000 P0 H2c,2h")
    assert found.receive("T30.000 C K B3c,4c,5c K") == ("R398",)
    assert found.receive("T30.000 K B3c,4c,5c,6c K") == ("R100",)
    assert (found.view.spent, found.variant.stack) == ((2, 2), 200)


def test_blinds_are_learned_from_folds_before_the_flop(caplog):
    found = session("f", "f", "f", "r8")
    found.receive("T30.000 P0 H2c,2h")
    assert found.receive("T30.000 F D-2") == ("K",)
    assert found.variant.blinds == (2, 4)
    assert found.receive("T30.000 P1 H2c,2h R12") == ("F",)
    assert found.receive("T30.000 F D-4") == ("K",)
    assert found.receive("T30.000 P1 H2c,2h F D2") == ("K",)
    assert (found.n_faults, found.chips, found.n_hands_ended) == (1, -4, 3)
    assert "plays blinds of 2 and 4, not of 1 and 2" in caplog.text


def test_a_check_before_the_flop_tells_of_equal_blinds(caplog):
    found = session("f", "r15", "k", "f", "k")
    found.receive("T30.000 P1 H2c,2h R12")
    assert found.receive("T30.000 F D-5") == ("K",)
    assert found.variant.blinds == (2, 5)
    assert found.receive("T30.000 P1 H2c,2h K") == ("R15",)
    assert found.variant.blinds == (5, 5)
    assert found.receive("T30.000 R15 F D5") == ("K",)
    assert found.receive("T30.000 P0 H2c,2h") == ("K",)
    assert found.receive("T30.000 K R10") == ("F",)
    assert found.receive("T30.000 F D-5") == ("K",)
    assert (found.n_faults, found.n_refused, found.chips, found.n_hands_ended) == (1, 0, -5, 3)
    assert len(caplog.records) == 1
    assert found.receive("T30.000 P1 H2c,2h C") == ("K",)
    assert (found.variant.blinds, found.n_faults) == ((2, 5), 1)


def test_chips_that_no_blinds_explain_stay_faults():
    found = session("f")
    found.receive("T30.000 P0 H2c,2h")
    found.receive("T30.000 F D1")
    assert "expected D-1 after" in found.last_fault
    assert found.variant == NOLIMIT


@pytest.mark.parametrize("stack", [60, 150, 390, 1000])
@pytest.mark.parametrize("blinds", [(1, 2), (3, 6), (5, 5), (5, 7)])
@pytest.mark.parametrize("name", [each.name for each in LINE_PROTOCOLS])
def test_a_bot_plays_on_with_chips_that_it_was_not_trained_for(name, blinds, stack):
    protocol = PROTOCOLS[name]
    trained = protocol.variant()
    variant = replace(trained, stack=stack, blinds=blinds)
    bot, _ = random_bot(trained, "100%, allin; cap 2")
    ours, other = protocol.client_session(bot, trained, None, "engine"), BASELINES["random"](2)
    other.begin_match(type("Match", (), {"variant": variant}))
    engine, refused, late, chips = protocol.engine_session(), 0, 0, 0
    for number in range(80):
        hand = Hand(variant, shuffle(variant, 5, number), number, checks_when_all_in=True)
        seat = number % 2
        engine.begin_hand(hand, seat, 30.0)
        other.begin_hand(hand.view(1 - seat))
        while (actor := hand.waits_for) is not None:
            if actor != seat:
                hand.act("k" if hand.forced else other.act(hand.view(actor)))
                continue
            (answer,) = ours.receive(engine.prompt(hand, seat, 30.0)[0])
            try:
                hand.act(engine.read(answer, hand, seat))
            except (IllegalActionError, ProtocolError):
                hand.act(hand.passive_action)
                refused += 1
                late += number >= 40
        ours.receive(engine.end_hand(hand, seat, 30.0)[0])
        chips += hand.chips[seat]
    assert (ours.n_bot_faults, ours.n_hands_ended, ours.chips) == (0, 80, chips)
    assert refused <= 12
    assert late <= 3
    assert ours.variant.blinds == blinds
