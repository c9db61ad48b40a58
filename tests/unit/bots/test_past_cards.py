"""What a player held and saw before, by hand."""

import pytest

from counterfold.bots.past_cards import list_discards, past_cards
from counterfold.bots.view import view_of
from counterfold.cards import parse_cards
from counterfold.games.holdem import Discard, Street, Variant, parse_state
from counterfold.public.deals_kernels import NO_CARD
from counterfold.public.stages import card_stages

MIXED = Variant(
    "mixed",
    (
        Street(first=0, steps=(Discard(1, 2),)),
        Street(2, steps=(Discard(0, redraw=False, to_board=True),)),
        Street(1, 0, steps=(Discard(0, 2, forced=True, shown=True),)),
    ),
    stack=20,
    hole_cards=3,
)
LINE = "AhKhQh JdTd9d dTd d9d +2c +3c dQh s +4c c k 5s5c s dJd k k 7s dAh dKh +8s +9s"


def cards(*texts):
    return [sorted(parse_cards(text)) for text in texts]


@pytest.mark.parametrize(
    ("seat", "hands"),
    [
        (0, ["AhKhQh", "AhKh4c", "AhKh4c", "AhKh4c", "AhKh4c", "AhKh4c", "4c8s9s"]),
        (1, ["JdTd9d", "Jd2c3c", "Jd2c3c", "Jd2c3c", "2c3c", "2c3c", "2c3c"]),
    ],
)
def test_hands_and_boards_are_taken_back_stage_by_stage(seat, hands):
    state = parse_state(MIXED, LINE)
    stages = card_stages(MIXED)
    # Before the flop one hidden turn for each seat and the betting, then two turns and the betting.
    at = next(k for k, stage in enumerate(stages) if (stage.street, stage.turns) == (2, (2,)))
    view = view_of(state, seat)
    sights = past_cards(MIXED, stages[: at + 1], view, shown=True)
    held = [sorted(hand) for hand, _ in sights]
    assert held[0] == cards(hands[0])[0]
    for hand in cards(*hands):
        assert hand in held
    assert held[-1] == cards(hands[-1])[0]
    board = sights[-1][1]
    assert board[:2] == (*parse_cards("5s5c"),)
    assert board[2:] == (NO_CARD, *parse_cards("Jd7sAhKh"))
    assert past_cards(MIXED, stages[: at + 1], view, shown=False)[-1][1] == board[:-2]


def test_discards_are_listed_by_stage_and_seat():
    stages = card_stages(MIXED)
    found = [*list_discards(stages, "dddsck/sdJdkk/dAhdKh").values()]
    assert found[:4] == [["d", "d"], ["d"], [], ["dJd"]]
    assert [len(words) for words in found] == [2, 1, 0, 1, 2, 0]
