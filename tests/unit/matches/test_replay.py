"""Hands replayed by the exact rules, and what they refuse."""

from dataclasses import replace

import pytest

from counterfold.errors import HistoryError
from counterfold.games import parse_game
from counterfold.matches.hand_histories import HandHistory, format_history
from counterfold.matches.replay import find_hand, replay_hand, variant_of

NOLIMIT = parse_game("nolimit(stack=20)")
ALL_IN = "AhAs KdQd r20 c 7c5c2h Kh 2d"
HAND = HandHistory(
    hand=1,
    deal=1,
    variant=NOLIMIT.name,
    players=("one", "two"),
    state=ALL_IN,
    chips=(20, -20),
    adjusted=(16.0, -16.0),
)


def test_a_legal_hand_ends_as_it_says():
    assert replay_hand(HAND, NOLIMIT).utilities == (20.0, -20.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variant": "limit"}, "variant 'limit' is not 'nolimit"),
        ({"state": "AhAs KdQd k"}, "the rules refuse it"),
        ({"state": "AhAs KdQd r20 c 7c5cAh Kh 2d"}, "the rules refuse it"),  # a card twice
        ({"state": "AhAs KdQd r20 c 7c5c2h"}, "is not the end of a hand"),
        ({"chips": (-20, 20)}, r"chips \[-20, 20\] are not the \[20, -20\] of the state"),
        ({"adjusted": (21.0, -21.0)}, "cannot be an expectation"),
        ({"state": "AhAs KdQd f", "chips": (-1, 1)}, "adjusted .* cannot be an expectation"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused(change, message):
    with pytest.raises(HistoryError, match=message):
        replay_hand(replace(HAND, **change), NOLIMIT)


def test_a_hand_is_found_by_its_number(tmp_path):
    path = tmp_path / "hands.jsonl"
    hands = [HAND, replace(HAND, hand=2, state="AhAs KdQd f", chips=(-1, 1), adjusted=None)]
    path.write_text("".join(f"{format_history(hand)}\n" for hand in hands))
    history, state = find_hand(path, 2)
    assert (history, state.utilities) == (hands[1], (-1.0, 1.0))
    with pytest.raises(HistoryError, match="has no hand 3 among its 2"):
        find_hand(path, 3)


def test_a_wrong_hand_is_told_with_its_line(tmp_path):
    path = tmp_path / "hands.jsonl"
    hands = [HAND, replace(HAND, hand=2, chips=(0, 0))]
    path.write_text("".join(f"{format_history(hand)}\n" for hand in hands))
    assert find_hand(path, 1)[0] == HAND
    with pytest.raises(HistoryError, match=r"line 2 of .*hands\.jsonl.*: chips"):
        find_hand(path, 2)


@pytest.mark.parametrize(
    ("name", "message"),
    [("my-game", "unknown variant 'my-game'; pass its file"), ("kuhn", "is not a hold'em variant")],
)
def test_a_variant_must_be_known_by_its_name(name, message):
    with pytest.raises(HistoryError, match=message):
        variant_of(replace(HAND, variant=name))
