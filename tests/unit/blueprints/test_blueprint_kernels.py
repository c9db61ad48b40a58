"""Hands that a strategy plays against itself, where what they win can be counted by hand."""

import numpy as np
import pytest

from counterfold.blueprints.blueprint_kernels import DECISIONS, UNTRAINED, play_deals
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.walk_kernels import NODE_DEGREE, NODE_SLOT
from counterfold.public.walk_order import SampledDeals, walk_graph
from helpers.trained_runs import cardless_game

VARIANT = VARIANTS["nolimit"](stack=20)
ROOT, N = 0, 2000


@pytest.fixture(scope="module")
def table():
    game, cards = cardless_game(VARIANT, "100%, allin; cap 2")
    graph = walk_graph(game, cards.dealer)
    return game, graph, SampledDeals(cards.dealer, cards).batch(1, 0, N)


def played(table, strategy):
    """Chips of seat 0 in each hand, and the counts."""
    _, graph, deals = table
    counts, winnings = np.zeros(2, np.int64), np.empty(N)
    play_deals(graph, deals, strategy, 5, 0, counts, winnings)
    return winnings, counts


def passive(game, graph, kind):
    """A strategy that always does `kind`, or calls where it cannot."""
    strategy = np.zeros(game.n_slots, np.uint8)
    for node in np.flatnonzero(game.graph.phase == betting.BET):
        kinds = game.graph.kinds[game.graph.starts[node] : game.graph.starts[node + 1]]
        does = kind if (kinds == kind).any() else betting.CALL
        slot = graph.nodes[node, NODE_SLOT]
        strategy[slot : slot + kinds.size] = kinds == does
    return strategy


def test_seat_0_wins_what_the_other_folds(table):
    """It folds its chip a quarter of the time, and else wins two by raises that are never met."""
    game, graph, _ = table
    strategy = passive(game, graph, betting.FOLD)
    slot = graph.nodes[ROOT, NODE_SLOT]
    strategy[slot : slot + 4] = [1, 0, 1, 2]  # fold, call, the pot, all-in
    winnings, counts = played(table, strategy)
    raised = winnings == 2.0
    assert ((winnings == -1.0) | raised).all()
    assert raised.mean() == pytest.approx(0.75, abs=0.04)  # four standard deviations
    assert counts[DECISIONS] == N + raised.sum()
    assert counts[UNTRAINED] == 0


def test_the_better_hand_wins_the_blinds_if_all_is_checked(table):
    game, graph, deals = table
    winnings, counts = played(table, passive(game, graph, betting.CALL))
    margins = np.sign(deals.strengths[:, 0, 0] - deals.strengths[:, 1, 0])
    assert winnings.tolist() == (2.0 * margins).tolist()
    assert counts.tolist() == [8 * N, 0]


def test_untrained_decisions_take_all_actions_equally_often(table):
    game, graph, _ = table
    strategy = passive(game, graph, betting.FOLD)
    slot, width = graph.nodes[ROOT, NODE_SLOT], graph.nodes[ROOT, NODE_DEGREE]
    strategy[slot : slot + width] = 0
    winnings, counts = played(table, strategy)
    assert counts[UNTRAINED] == N
    assert (winnings == -1.0).mean() == pytest.approx(1 / width, abs=0.04)
