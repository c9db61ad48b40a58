"""When players look at their cards, and how many hand paths lead there."""

import pytest

from counterfold.games.holdem import VARIANTS, Auction, Deal, Discard, Street, Swap, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.stages import (
    EACH_SEAT,
    LowestFirst,
    card_stages,
    seen_cards,
    shares_paths,
    stage_table,
)


def variant(*steps, hole_cards=2, **rules):
    streets = (Street(first=0), Street(3, steps=steps), Street(1))
    return Variant("made", streets, stack=20, hole_cards=hole_cards, **rules)


def test_without_choices_there_is_a_stage_for_each_street():
    stages = card_stages(VARIANTS["nolimit"]())
    assert [stage.street for stage in stages] == [0, 1, 2, 3]
    assert [stage.n_on_board for stage in stages] == [0, 3, 4, 5]
    assert all(stage.asks and stage.n_paths == 1 and stage.choice is None for stage in stages)


def test_a_run_repeats_the_last_street():
    variant = VARIANTS["river-of-blood"](deck="QKA/cd", board=(1,))
    stages = card_stages(variant)
    assert len(stages) == 2 + variant.max_runs
    assert [stage.n_on_board for stage in stages[1:]] == [*range(1, len(stages))]


def test_a_draw_keeps_or_discards_one_of_the_hole_cards():
    """Three ways for each of two draws."""
    stages = card_stages(VARIANTS["discard"]())
    assert [stage.n_paths for stage in stages] == [1, 1, 3, 3, 9, 9]
    assert [stage.before_draw for stage in stages] == [False, True, False, True, False, False]
    assert [stage.turns for stage in stages] == [(), (0, 1), (), (0, 1), (), ()]
    assert all(step.seat == EACH_SEAT for step in stages[-1].steps)


def test_a_card_that_is_laid_is_a_digit_of_both_paths():
    """Each lays one of three, so there are nine paths for either."""
    stages = card_stages(VARIANTS["toss"]())
    assert [stage.n_paths for stage in stages] == [1, 1, 3, 9, 9, 9]
    assert [stage.givers for stage in stages] == [(), (1,), (0,), (), (), ()]
    assert [stage.n_on_board for stage in stages] == [0, 2, 3, 4, 5, 6]
    last = stages[-1]
    assert [last.n_held(seat, 3) for seat in (0, 1)] == [2, 2]
    assert all(step.shared for step in last.steps)
    assert last.resized


def test_an_auction_is_won_or_not():
    stages = card_stages(VARIANTS["auction"]())
    assert [stage.bids for stage in stages] == ["", "card", "", "", ""]
    assert [stage.n_paths for stage in stages] == [1, 1, 2, 2, 2]
    assert stages[-1].n_held(0, 2) == 3
    look = card_stages(variant(Auction(prize="look")))
    assert look[1].bids == "look"
    assert (look[-1].n_held(0, 2), len(look[-1].looks)) == (2, 1)


def test_a_set_of_cards_is_one_digit():
    """Of four cards none, one or two may go: 1 + 4 + 6; exactly two: 6."""
    open_ = variant(Discard(count=2, redraw=False), hole_cards=4)
    forced = variant(Discard(count=2, redraw=False, forced=True), hole_cards=4)
    assert [card_stages(each)[-1].n_paths for each in (open_, forced)] == [11, 6]
    step = card_stages(forced)[-1].steps[0]
    assert [step.digit(number) for number in range(step.first_set, step.first_set + 6)] == [
        *range(6)
    ]
    free = card_stages(open_)[-1].steps[0]
    assert (free.digit(None), free.digit(0), free.may_keep) == (0, 1, True)


def test_where_hands_change_twice_a_stage_lies_between_at_which_nobody_acts():
    stages = card_stages(variant(Swap(0.1), Deal(holes=(1, 0))))
    assert [stage.asks for stage in stages] == [True, False, True, True]
    assert [type(stage.chance).__name__ for stage in stages] == [
        "NoneType", "Swap", "Deal", "NoneType",
    ]  # fmt: skip
    assert stages[-1].grown == (1, 0)


def test_paths_are_shared_where_the_opponent_sees_cards():
    hidden, shown = Discard(redraw=False), Discard(redraw=False, shown=True)
    assert not shares_paths(variant(hidden), hidden)
    assert shares_paths(variant(shown), shown)
    assert shares_paths(variant(hidden, shown, hole_cards=3), hidden)  # another is seen later


def test_stages_are_found_by_street_and_turn():
    stages = card_stages(VARIANTS["discard"]())
    table = stage_table(stages)
    assert table[:, 0].tolist() == [0, 2, 4, 5]  # of the betting
    assert [table[1, 1 + turn] for turn in (0, 1)] == [1, 1]
    assert [table[2, 1 + turn] for turn in (0, 1)] == [3, 3]
    made = card_stages(variant(Auction(), Discard(redraw=False, shown=True)))
    turns = [turn for stage in made for turn in stage.turns]
    assert turns == [0, 1, betting.TURNS, betting.TURNS + 1]


def test_cards_that_both_see_in_their_order():
    toss = VARIANTS["toss"]()
    assert seen_cards(toss, card_stages(toss)[-1]) == [
        "dealt", "dealt", "laid", "laid", "dealt", "dealt",
    ]  # fmt: skip
    shown = variant(Deal(board=1), Discard(redraw=False, shown=True))
    assert seen_cards(shown, card_stages(shown)[-1]) == ["dealt"] * 4 + ["shown"] * 2 + ["dealt"]
    runs = VARIANTS["river-of-blood"](deck="QKA/cd", board=(1,))
    last = card_stages(runs)[-1]
    assert seen_cards(runs, last) == ["dealt"] * last.n_on_board


@pytest.mark.parametrize("hole", [(3, 1, 2), (1, 2, 3), (9, 4, 0)])
def test_laying_begins_with_the_lowest_card(hole):
    places = LowestFirst().sort(hole, ())
    assert [hole[place] for place in places] == sorted(hole)
