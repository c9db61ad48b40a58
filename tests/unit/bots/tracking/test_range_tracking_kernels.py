"""Readings and weights of a range after single actions, counted by hand."""

import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.bots.follow_kernels import find_readings
from counterfold.bots.policy import make_policy
from counterfold.bots.policy_kernels import passive_edge
from counterfold.bots.tracking import range_tracking_kernels as tracking
from counterfold.bots.tracking.range_room import empty_range, range_room
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.public.walk_kernels import NODE_SLOT

VARIANT = VARIANTS["nolimit"](stack=200)
MENU = "50%, 100%, allin; cap 4"
ROOT, STAGE, N_BUCKETS = 0, 0, 3
LABELS = np.array([0, 1, 2, 2], np.int32)  # four hands in three buckets, from weak to strong
WEIGHTS = (1.0, 0.5, 0.25, 1.0)


@pytest.fixture(scope="module")
def untrained():
    """A policy with buckets in which nothing was trained."""
    dealer = Dealer(VARIANT)
    graph = build_graph(VARIANT, parse_menu(MENU), merge=True)
    n_buckets = (N_BUCKETS,) * len(dealer.stages)
    game = classify(graph, parse_public_abstraction("pot * to_call * raises * cards"), n_buckets)
    return make_policy(game, dealer, np.zeros(game.n_slots, np.uint8), n_buckets)


@pytest.fixture(scope="module")
def trained(untrained):
    """The policy with a strategy at the root: fold, call, 50%, 100%, all-in."""
    quantized = untrained.quantized.copy()
    slot = untrained.nodes[ROOT, NODE_SLOT]
    quantized[slot : slot + 10] = [60, 40, 0, 0, 0, 0, 30, 50, 20, 0]
    return untrained._replace(quantized=quantized)  # nothing for the last bucket


@pytest.fixture
def held():
    """Four hands with different weights at the root."""
    held = empty_range(len(WEIGHTS))
    held.n[0] = 1
    held.weights[0] = WEIGHTS
    return held


@pytest.fixture
def room(untrained):
    return range_room(len(WEIGHTS), untrained, N_BUCKETS)


def readings(held):
    """The weights of hands by node."""
    return {int(held.nodes[r]): held.weights[r].tolist() for r in range(held.n[0])}


def scaled(*factors):
    return pytest.approx(np.multiply(WEIGHTS, factors).tolist())


@pytest.mark.parametrize("total", [3, 4, 5, 9, 200])
def test_hands_go_to_each_reading_of_a_raise_as_often_as_the_bot_takes_it(
    untrained, held, room, total
):
    action = betting.RAISE, total, betting.first_situation(VARIANT.rules), VARIANT.stack
    low, high, share = find_readings(untrained, ROOT, *action)
    expected = {low: scaled(*[1.0] * 4)} if low == high else {}
    if low != high:
        expected = {low: scaled(*[share] * 4), high: scaled(*[1.0 - share] * 4)}
    assert tracking.count_readings(untrained, *action, held, room) == len(expected)
    tracking.range_after_opponent(untrained, *action, held, room)
    assert readings(held) == expected


def after_bot(policy, held, room, kind, amount=0):
    situation = betting.first_situation(VARIANT.rules)
    tracking.range_after_bot(
        policy, VARIANT.rules, situation, STAGE, LABELS, kind, amount, held, room
    )
    return readings(held)


# One chip for a pot of four needs to beat a quarter of the hands: the weakest bucket beats 1/6.
@pytest.mark.parametrize(
    ("kind", "shares"), [(betting.CALL, (0, 1, 1, 1)), (betting.FOLD, (1, 0, 0, 0))]
)
def test_hands_without_a_strategy_stay_where_the_odds_let_them_do_what_was_done(
    untrained, held, room, kind, shares
):
    call = untrained.children[passive_edge(untrained, ROOT)]
    assert after_bot(untrained, held, room, kind) == {call: scaled(*shares)}


def test_what_was_paid_at_auctions_is_in_the_pot_that_odds_count(untrained, held, room):
    """One chip for a pot of seven needs a seventh of the hands; the weakest bucket beats 1/6."""
    situation = list(betting.first_situation(VARIANT.rules))
    situation[betting.PAID_1] = 3
    call = untrained.children[passive_edge(untrained, ROOT)]
    tracking.range_after_bot(
        untrained, VARIANT.rules, tuple(situation), STAGE, LABELS, betting.CALL, 0, held, room
    )
    assert readings(held) == {call: scaled(1, 1, 1, 1)}


def test_hands_without_a_strategy_never_raise(untrained, held, room):
    assert after_bot(untrained, held, room, betting.RAISE, 4) == {}


def test_hands_stay_as_often_as_they_do_what_the_bot_has_done(trained, held, room):
    call = trained.children[passive_edge(trained, ROOT)]
    # The last bucket is not trained and calls by the odds.
    assert after_bot(trained, held, room, betting.CALL) == {call: scaled(0.4, 0.3, 1.0, 1.0)}


def after_seen(policy, held, room, kind, amount=0):
    situation = betting.first_situation(VARIANT.rules)
    known = tracking.range_after_seen(
        policy, VARIANT.rules, situation, STAGE, LABELS, kind, amount, held, room
    )
    return known, readings(held)


def test_hands_stay_as_often_as_they_would_do_what_was_seen(trained, held, room):
    """What was not trained says nothing about a hand."""
    call = passive_edge(trained, ROOT)
    expected = {trained.children[call]: scaled(0.4, 0.3, 1.0, 1.0)}
    assert after_seen(trained, held, room, betting.CALL) == (True, expected)


def test_hands_stay_as_often_as_they_would_make_the_raise_that_was_seen(trained, held, room):
    small = trained.children[passive_edge(trained, ROOT) + 1]
    expected = {small: scaled(0.0, 0.5, 1.0, 1.0)}
    assert after_seen(trained, held, room, betting.RAISE, 4) == (True, expected)


def test_a_range_stays_as_it_is_if_no_hand_does_what_was_seen(trained, held, room):
    held.weights[0, 1:] = 0.0
    assert after_seen(trained, held, room, betting.RAISE, 4) == (False, {ROOT: [1.0, 0, 0, 0]})
