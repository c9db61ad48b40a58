"""Letters, kinds and words of actions agree with each other and with the rules."""

import pytest

from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import (
    CALL,
    CHECK,
    KINDS,
    WORDS,
    letter_of,
    name_action,
    tell_action,
)


def test_every_letter_has_a_kind_and_a_word():
    kinds = [betting.FOLD, betting.CALL, betting.RAISE, betting.KEEP, betting.DISCARD, betting.BID]
    assert WORDS.keys() == KINDS.keys()
    assert {*KINDS.values()} == {*kinds} == {*range(6)}


def test_a_call_of_nothing_is_a_check():
    assert (letter_of(betting.CALL, 0), letter_of(betting.CALL, 3)) == (CHECK, CALL)
    for letter, kind in KINDS.items():
        assert letter_of(kind, int(letter == CALL)) == letter


@pytest.mark.parametrize(
    ("action", "opens", "named", "told"),
    [
        ("f", False, "fold", "folds"),
        ("k", True, "check", "checks"),
        ("c", False, "call", "calls"),
        ("r12", False, "raise to 12", "raises to 12"),
        ("r12", True, "bet 12", "bets 12"),
        ("s", False, "keep", "keeps"),
        ("dAh", False, "discard Ah", "discards Ah"),
        ("d", False, "discard", "discards"),
    ],
)
def test_actions_in_words(action, opens, named, told):
    assert name_action(action, opens=opens) == named
    assert tell_action(action, opens=opens) == told


def test_states_write_actions_with_these_letters():
    state = VARIANTS["discard"]().root().child("AhKs").child("QdQc")
    assert {action[0] for action in state.actions()} == {"f", "c", "r"}
    state = state.child("c").child("k").child("2c7dTs")
    assert state.actions() == ("s", "dQd", "dQc")
