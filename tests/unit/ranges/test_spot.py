"""Spots as data, and all that cannot be one."""

import pytest

from counterfold.errors import CounterfoldError
from counterfold.ranges.locks import Lock
from counterfold.ranges.spot import Spot

GOOD = {"board": "Kc7c2d9h", "oop": "AA,KQs", "ip": "QQ,T9s", "pot": 10, "stack": 30, "bets": "50%"}


def test_a_spot_is_its_dictionary() -> None:
    spot = Spot(**GOOD, locks=(Lock("k", "k=1"),), removed=("b50%",), rake=0.05, rake_cap=3)
    assert Spot.from_dict(spot.to_dict()) == spot


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"board": "Kc7c2dKc"}, "Kc"),
        ({"board": "Kc7c"}, "2 cards"),
        ({"oop": "KcKd", "ip": "QQ", "board": "Kc7c2d9h"}, "oop has no hand"),
        ({"oop": "AcAd", "ip": "AcKh"}, "shares a card"),
        ({"oop": "XX"}, "range of oop"),
        ({"pot": 0}, "pot"),
        ({"stack": 0}, "stack"),
        ({"rake": 1.5}, "rake"),
        ({"rake_cap": -1}, "rake_cap"),
        ({"game": "kuhn"}, "hold'em"),
        ({"game": "discard"}, "draws"),
        ({"bets": "5000"}, "5000"),
        ({"bets": "potato"}, "potato"),
        ({"removed": ("b99%",)}, "b99%"),
        ({"color": "red"}, "color"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, object], message: str) -> None:
    with pytest.raises(CounterfoldError, match=message):
        _ = Spot.from_dict({**GOOD, **change}).lines


def test_one_hole_card_is_written_as_a_rank_or_a_card() -> None:
    spot = Spot(
        board="9c", oop="K,Qd:0.5", ip="random", pot=4, stack=10, bets="allin",
        game="limit(bets=2, deck='9TJQK/cd', board=(1, 1), hole_cards=1)",
    )  # fmt: skip
    weights = spot.weights[spot.positions[0]]
    assert weights.sum() == pytest.approx(4.5)
    solver = spot.solver()
    solver.run(5)
    assert solver.evaluate().exploitability >= 0
