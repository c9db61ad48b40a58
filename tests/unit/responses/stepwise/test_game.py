"""What a local best response that is played step by step can follow."""

import numpy as np
import pytest

from counterfold.bots.played_run import policy_of
from counterfold.errors import UnsupportedGameError
from counterfold.games.holdem import VARIANTS, Auction, Bounty, Deal, Discard, Street, Swap, Variant
from counterfold.responses.stepwise.game import check_steps
from counterfold.responses.stepwise.step_responder import StepResponder

LAY = Discard(forced=True, redraw=False, to_board=True)
SHOW = Discard(count=2, forced=True, redraw=False, shown=True)


def variant(*steps, **rules):
    streets = (Street(first=0), Street(cards=3, steps=steps), Street(cards=1))
    return Variant("a game", streets, stack=20, **rules)


@pytest.mark.parametrize("name", ["auction", "bounty", "toss", "nolimit", "short-deck"])
def test_shipped_games_can_be_followed(name):
    check_steps(VARIANTS[name]())


@pytest.mark.parametrize("steps", [(LAY,), (SHOW,), (LAY, LAY), (Auction(price="first"),)])
def test_games_of_such_steps_can_be_followed(steps):
    check_steps(variant(*steps, hole_cards=3))


@pytest.mark.parametrize(
    ("steps", "rules", "obstacle"),
    [
        ((Auction(prize="look"),), {}, "an auction for a look"),
        ((Auction(), Auction()), {}, "more than one auction"),
        ((Auction(), Swap(0.1)), {}, "swaps beside other hidden cards"),
        ((Auction(), Deal(board=1)), {}, "deals along the way"),
        ((Discard(count=2),), {}, "discards other than of cards that must go and that both see"),
        ((Discard(redraw=False, to_board=True),), {}, "discards other than of cards that must go"),
        ((LAY,), {"hole_cards": 3, "bounty": Bounty()}, "bounties beside steps"),
        ((), {"hole_cards": 4}, "270,725 hands at first, more than 25,000"),
        ((), {"hole_cards": 3, "run_suits": "d"}, "a board that may run on"),
    ],
)
def test_what_cannot_be_followed_is_said_in_a_sentence(steps, rules, obstacle):
    with pytest.raises(UnsupportedGameError, match=rf"has {obstacle}.*; pass --learned$"):
        check_steps(variant(*steps, **rules))


def test_sets_of_cards_are_numbered_in_the_order_of_the_bot(small_runs):
    """In Toss with two cards and a deck of three ranks, by the lowest card first."""
    run = small_runs["toss"]
    game = StepResponder(run.plan.dealer, policy_of(run), run.cards).game
    hands = np.array([[40, 44], [40, 48], [44, 45]], np.uint8)
    assert game.sets_of(hands[:2], (49,), np.array([40], np.uint8)).tolist() == [0, 0]
    assert game.sets_of(hands[[0, 2]], (49,), np.array([44], np.uint8)).tolist() == [1, 0]
