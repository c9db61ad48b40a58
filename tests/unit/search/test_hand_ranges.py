"""Ranges through a hand, against one hand of cards at a time in plain Python."""

import numpy as np
import pytest

from counterfold.bots import Hand, shuffle
from counterfold.bots.played_run import policy_of
from counterfold.cards import parse_cards
from counterfold.cards.pairs import index_pair
from counterfold.games.holdem import betting_kernels as betting
from helpers.naive.naive_local_response import NaiveBot
from helpers.naive.naive_ranges import NaiveRanges
from helpers.searched_games import hand_ranges, random_blueprint

CLOSE = 1e-12
SMALL = "nolimit(stack=12, deck='QKA/cd', board=(1, 1))"


def random_last_street(variant, rng, number, menu=None):
    """The board by street and the history of a hand that comes to the last street, or None."""
    hand = Hand(variant, shuffle(variant, 3, number))
    while hand.waits_for is not None:
        view = hand.view(hand.waits_for)
        if view.street == len(variant.streets) - 1:
            return view.board, view.history
        actions = [action for action in view.actions() if action != "f"]
        if menu is not None:
            actions = [action for action in menu.offered(hand.state) if action != "f"]
        likely = [a for a in actions if a[0] != "r"] if rng.random() < 0.5 else actions
        hand.act(str(rng.choice(likely)))
    return None


@pytest.mark.parametrize("play", [{}, {"threshold": 0.2}, {"purify": True}, {"rule": "nearest"}])
def test_ranges_are_those_of_every_hand_by_itself(rng, play):
    found = random_blueprint(
        SMALL,
        rng,
        bets="50%, 100%, allin; cap 3",
        **play,
    )
    variant = found.plan.variant
    bot = NaiveBot(found.blueprint.game, found.blueprint.quantized, found.cards, **play)
    naive = NaiveRanges(bot, found.plan.dealer)
    ranges = found.ranges
    n_raised = n_checked = 0
    for number in range(40):
        dealt = random_last_street(variant, rng, number)
        if dealt is None:
            continue
        board, history = dealt
        for seat in (0, 1):
            street = ranges.follow(variant, board, history, seat)
            expected = naive.weights(board, history, seat)
            for who in (0, 1):
                weights = ranges.weights(street.held[who])
                wanted = np.zeros(1326)
                for hand, weight in expected[who].items():
                    wanted[index_pair(*hand)] = weight
                if not wanted.any():  # it died out: the note says so
                    assert street.notes
                    continue
                if not street.notes:
                    assert weights == pytest.approx(wanted, abs=CLOSE)
                    n_checked += 1
        n_raised += "r" in history
    assert n_checked > 12
    assert n_raised > 5


def test_what_no_hand_does_says_nothing_and_is_told(rng):
    """The strategy always calls; a raise of the opponent leaves its range as it was."""
    found = random_blueprint(
        "nolimit(stack=12, deck='QKA/cd', board=(1, 1))", rng, bets="100%, allin"
    )
    graph = found.blueprint.game.graph
    quantized = np.zeros_like(found.policy.quantized)
    for node in np.flatnonzero(graph.phase == betting.BET):
        kinds = graph.kinds[graph.starts[node] : graph.starts[node + 1]]
        first = int(found.blueprint.game.node_offsets[node])
        for bucket in range(found.cards.n_buckets[int(graph.situations[node, betting.STREET])]):
            at = first + kinds.size * bucket
            quantized[at : at + kinds.size] = kinds == betting.CALL
    policy = found.policy._replace(quantized=quantized)
    ranges = hand_ranges(found.plan.dealer, found.cards, policy)
    board = (tuple(parse_cards("Ac")), tuple(parse_cards("Kc")))
    street = ranges.follow(found.plan.variant, board, "r6c/kk/", 1)
    (note,) = street.notes
    assert "no hand of the strategy would raise to 6" in note
    for held in street.held:
        weights = ranges.weights(held)
        assert np.count_nonzero(weights) == 6  # pairs of the four cards that are left
        assert np.unique(weights[weights > 0]).size == 1


def test_the_policy_of_a_run_is_followed(small_runs):
    run = small_runs["nolimit"]
    ranges = hand_ranges(run.plan.dealer, run.cards, policy_of(run))
    menu = run.blueprint.game.graph.menu
    rng = np.random.default_rng(5)
    for number in range(20):
        dealt = random_last_street(run.plan.variant, rng, number, menu)
        if dealt is None:
            continue
        street = ranges.follow(run.plan.variant, *dealt, 0)
        for held in street.held:
            assert np.count_nonzero(ranges.weights(held)) <= 15
            assert ranges.weights(held).any()
        assert street.acts == ()
