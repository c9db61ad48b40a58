"""Hands of variants as they are played and seen."""

import pytest

from counterfold.errors import IllegalActionError
from counterfold.games.holdem import VARIANTS, Variant, parse_state

NOLIMIT = VARIANTS["nolimit"]()
DISCARD = VARIANTS["discard"]()
SWAP = VARIANTS["swap"]()
BLOOD = VARIANTS["river-of-blood"]()
DEAL = "AhKs QdQc "


def at(variant, text):
    return parse_state(variant, text)


def test_the_deal_is_two_hands_and_then_the_small_blind_acts():
    state = at(NOLIMIT, DEAL)
    assert (state.actor, state.to_call, state.spent) == (0, 1, (1, 2))
    assert state.actions()[:3] == ("f", "c", "r4")
    assert state.actions()[-1] == "r400"
    assert dict(state.infoset.facts) == {"cards": "AhKs", "draws": "", "board": "", "history": ""}


def test_raises_are_named_by_their_total_on_the_street():
    state = at(NOLIMIT, DEAL + "r10 c 2c7dTs")
    assert state.raise_bounds() == (2, 390)
    assert state.child("r30").spent == (10, 40)
    assert state.child("r30").raise_bounds() == (60, 390)


@pytest.mark.parametrize(
    ("text", "won"),
    [
        ("f", -1),
        ("c r6 f", -2),
        ("r10 r400 f", -10),  # what was not called goes back
        ("r400 f", 2),
        ("r400 c 2c7dTs 3c 4c", -400),
        ("c k 2c7dTs k k 3c k k Ac k k", 2),
        (
            "c k TsJsQs k k 8s k k 9s r5 c",
            7,
        ),  # a straight flush to the king beats the one on the board
        ("c k TcJdKh k k 9d k k 8c k k", -2),  # a straight to the king
    ],
)
def test_payoffs(text, won):
    assert at(NOLIMIT, DEAL + text).utilities == (won, -won)


def test_ties_pay_nothing():
    state = at(NOLIMIT, "AhKs AdKc c k TsJsQs k k 8s k k 9s r5 c")
    assert state.utilities == (7, -7)  # the king of spades again
    assert at(NOLIMIT, "AhKs AdKc c k TcJdQs k k 2s k k 2d r5 c").utilities == (0, 0)


def test_nobody_is_asked_once_all_chips_are_in():
    state = at(NOLIMIT, DEAL + "r400 c")
    assert state.utilities is None
    for cards in ("2c7dTs", "3c", "4c"):
        assert state.chance is not None
        state = state.child(cards)
    assert state.chance is None
    assert state.utilities == (-400, 400)


def test_an_all_in_below_the_minimum_raise_is_the_only_raise():
    state = at(NOLIMIT, DEAL + "r300")
    assert state.actions() == ("f", "c", "r400")


@pytest.mark.parametrize(
    ("text", "action", "words"),
    [
        ("", "r3", "action 'r3' is not one of f, c, r4 to r400 in nolimit: AhKs QdQc"),
        ("", "k", "not one of f, c, r4"),
        ("c", "f", "not one of k, r4 to r400"),
        ("c", "r04", "not one of k"),
        ("c", "r²", "not one of k"),
        ("c", "r" + "9" * 5000, "not one of k"),
        ("c k 2c7dTs", "c", "not one of k, r2 to r398"),
        ("r300", "r399", "not one of f, c, r400 in"),
        ("c k", "2c7dAh", "action '2c7dAh' is not an outcome of chance in"),  # the ace is dealt
        ("c k", "2c7d", "not an outcome of chance"),
        ("f", "f", "after the end of the game"),
    ],
)
def test_illegal_actions_name_the_legal_ones(text, action, words):
    with pytest.raises(IllegalActionError, match=words):
        at(NOLIMIT, DEAL + text).child(action)


def test_folding_for_free_is_a_rule_of_the_variant():
    variant = Variant("", NOLIMIT.streets, stack=400, fold_when_free=True)
    assert at(NOLIMIT, DEAL + "c").actions()[:2] == ("k", "r4")
    assert at(variant, DEAL + "c").actions()[:3] == ("f", "k", "r4")
    assert at(variant, DEAL + "c f").utilities == (2, -2)


def test_the_flush_quirk_is_an_option():
    text = "AsAc 3d4d c k 2s3s4s k k 5s k k 9h k k Th k k Jh k k Qh k k Kh k k 7c k k"
    streets = BLOOD.streets
    right = Variant("", streets, stack=400, run_suits="dh")
    assert at(right, text).utilities == (0, 0)  # both play the board's straight flush
    assert at(BLOOD, text).utilities == (-2, 2)  # eval7 gives seat 0 the one in spades


def test_features():
    state = at(NOLIMIT, DEAL + "c k 2c7dTs k k 3d")
    ranks, board, street = (
        NOLIMIT.features[name](state.infoset) for name in ("ranks", "board_ranks", "street")
    )
    assert (ranks, board, street) == ("QQ", "T72/3", 2)
    assert NOLIMIT.features["street"](at(NOLIMIT, DEAL).infoset) == 0


def test_notation():
    text = DEAL + "c k Ts7d2c k r4"
    assert at(NOLIMIT, text).notation == text
    assert at(NOLIMIT, DEAL + "/ c k / 2c7dTs k r4").notation == text
    assert repr(NOLIMIT.root()) == "nolimit: nothing dealt"
    with pytest.raises(IllegalActionError, match="word 4 of 'AhKs QdQc c c': action 'c' is not"):
        at(NOLIMIT, DEAL + "c c")
