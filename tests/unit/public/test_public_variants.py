"""Which variants public graphs represent, and what is said of the others."""

from dataclasses import replace

import pytest

from counterfold.errors import UnsupportedGameError
from counterfold.games import parse_game
from counterfold.games.holdem import Deal, Discard, Street, Swap
from counterfold.public.public_variants import check_pairs, check_public, is_public
from helpers.public_games import LAY

TOSS = parse_game("toss")


def with_steps(*steps, **changes):
    """Toss with other steps on the flop."""
    streets = (TOSS.streets[0], Street(cards=2, steps=steps), *TOSS.streets[2:])
    return replace(TOSS, streets=streets, **changes)


@pytest.mark.parametrize(
    ("variant", "obstacle"),
    [
        (with_steps(hole_cards=3), "has 3 hole cards"),
        (with_steps(replace(LAY, forced=False)), "shows discarded cards"),
        (with_steps(LAY, Swap(0.1)), "both lays cards onto the board and exchanges them"),
        (with_steps(LAY, Discard()), "both lays cards onto the board and exchanges them"),
        (with_steps(LAY, Deal(board=1)), "deals cards between choices"),
        (replace(TOSS, rank_order="A23456789TJQK"), "has another order of hands"),
        (replace(TOSS, run_suits="d"), "a board that may run on"),
    ],
)
def test_what_no_public_graph_can_represent(variant, obstacle):
    assert not is_public(variant)
    with pytest.raises(UnsupportedGameError, match=obstacle):
        check_public(variant)


def test_toss_is_public_but_not_for_methods_of_pairs():
    assert is_public(TOSS)
    check_pairs(parse_game("discard"), "a method")
    with pytest.raises(UnsupportedGameError, match=r"^a method needs hands of .* unlike toss$"):
        check_pairs(TOSS, "a method")
