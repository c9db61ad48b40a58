"""Random heads-up hands agree with pokerkit on what is legal, on the bounds of raises, on payoffs.

In pokerkit player 0 posts the big blind: its players are our seats in reverse.
"""

import numpy as np
import pytest
from pokerkit import Automation, BettingStructure, FixedLimitTexasHoldem, NoLimitTexasHoldem

from counterfold.games.holdem import VARIANTS, Street, Variant

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
    Automation.RUNOUT_COUNT_SELECTION,
)
HANDS = 60
STREETS = (Street(first=0), Street(3), Street(1), Street(1))
# Pokerkit does not count the big blind as the first of four bets.
LIMIT_STREETS = (
    Street(first=0, bet=2, max_bets=5),
    Street(3, bet=2, max_bets=4),
    Street(1, bet=4, max_bets=4),
    Street(1, bet=4, max_bets=4),
)


class PotLimitTexasHoldem(NoLimitTexasHoldem):
    """Which pokerkit has the parts for."""

    betting_structure = BettingStructure.POT_LIMIT


def unlimited(kind, stack, blinds=(1, 2), ante=0):
    return kind.create_state(AUTOMATIONS, False, ante, blinds, max(blinds), stack, 2)


def limited(stack):
    return FixedLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, (1, 2), 2, 4, stack, 2)


GAMES = {
    "no-limit": (VARIANTS["nolimit"](stack=400), lambda: unlimited(NoLimitTexasHoldem, 400)),
    "short": (VARIANTS["nolimit"](stack=7), lambda: unlimited(NoLimitTexasHoldem, 7)),
    "competition": (
        VARIANTS["nolimit"](stack=20_000, blinds=(50, 100)),
        lambda: unlimited(NoLimitTexasHoldem, 20_000, (50, 100)),
    ),
    "antes": (
        Variant("", STREETS, stack=100, ante=3),
        lambda: unlimited(NoLimitTexasHoldem, 100, ante=3),
    ),
    "pot-limit": (VARIANTS["potlimit"](stack=400), lambda: unlimited(PotLimitTexasHoldem, 400)),
    "limit": (Variant("", LIMIT_STREETS, "limit"), lambda: limited(1_000_000)),
    "short limit": (Variant("", LIMIT_STREETS, "limit", stack=13), lambda: limited(13)),
}


def choose(state, rng):
    """Small and large raises, not too many folds."""
    actions = state.actions()
    raises = [action for action in actions if action[0] == "r"]
    if raises and rng.random() < 0.4:
        return raises[int(len(raises) * rng.random() ** 3)]
    return "f" if "f" in actions and rng.random() < 0.1 else actions["f" in actions]


def compare(state, other):
    """That a decision is the same on both sides."""
    assert other.actor_index == 1 - state.actor
    assert other.can_fold() == ("f" in state.actions())
    assert other.checking_or_calling_amount == state.to_call
    bounds = state.raise_bounds()
    assert other.can_complete_bet_or_raise_to() == (bounds is not None)
    if bounds is not None:
        low = other.min_completion_betting_or_raising_to_amount
        high = other.max_completion_betting_or_raising_to_amount
        assert (low, high) == bounds


def answer(other, action):
    if action == "f":
        other.fold()
    elif action in "kc":
        other.check_or_call()
    else:
        other.complete_bet_or_raise_to(int(action[1:]))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_random_hands(name):
    variant, make = GAMES[name]
    rng = np.random.default_rng(7)
    for _ in range(HANDS):
        state, other = variant.root(), make()
        hands = [state.chance.sample(rng)]
        hands.append(state.child(hands[0]).chance.sample(rng))
        state = state.child(hands[0]).child(hands[1])
        for cards in reversed(hands):  # to pokerkit's player 0 first
            other.deal_hole(cards)
        while state.utilities is None:
            if (chance := state.chance) is not None:
                cards = chance.sample(rng)
                other.deal_board(cards)
                state = state.child(cards)
                continue
            compare(state, other)
            action = choose(state, rng)
            answer(other, action)
            state = state.child(action)
        assert not other.status
        assert tuple(reversed(other.payoffs)) == state.utilities, state
