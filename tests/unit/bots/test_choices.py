"""Random numbers of a player as kernels draw them, and actions in the notation of views."""

import pytest

from counterfold.bots import first_view
from counterfold.bots.choices import LowerFirst, Numbers, write_action
from counterfold.cards import parse_cards
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem.betting_kernels import CALL, DISCARD, FOLD, KEEP, RAISE


def draws(numbers, n=3):
    return [numbers.draw() for _ in range(n)]


def test_a_seed_draws_the_same_numbers_again():
    one, two = Numbers(7), Numbers(7)
    for seat in (0, 1, 1):
        one.begin_hand(seat)
        two.begin_hand(seat)
        assert draws(one) == draws(two)
    assert all(0.0 <= number < 1.0 for number in draws(one, 50))


def test_hands_seats_players_and_seeds_have_streams_of_their_own():
    seen = set()
    for seed, player in ((7, 0), (7, 1), (8, 0)):
        for seat in (0, 1):
            numbers = Numbers(seed, player)
            for _ in range(3):
                numbers.begin_hand(seat)
                seen.add(numbers.draw())
    assert len(seen) == 3 * 2 * 3


@pytest.mark.parametrize(
    ("hole", "place"), [("AhKh", 1), ("KhAh", 0), ("2c", 0), ("7d7c", 1), ("7c7d", 0)]
)
def test_the_lower_card_has_place_0(hole, place):
    assert LowerFirst().first(parse_cards(hole), ()) == place


def test_actions_are_written_by_the_view():
    hole = parse_cards("AhKh")
    nolimit = first_view(VARIANTS["nolimit"](), seat=0, hole=hole)
    assert write_action(nolimit, FOLD, 0, hole) == "f"
    assert write_action(nolimit, CALL, 0, hole) == "c"
    assert write_action(nolimit, RAISE, 12, hole) == "r12"
    assert write_action(nolimit.after("c"), CALL, 0, hole) == "k"
    assert write_action(nolimit, KEEP, 0, hole) == "s"
    assert write_action(nolimit, DISCARD, 1, hole) == "dKh"
