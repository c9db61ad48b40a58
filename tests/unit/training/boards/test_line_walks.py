"""Walks along lines against walks node by node; those of CFR-BR are in `test_best_response`."""

import numpy as np
import pytest

from counterfold.training.boards.line_walks import LineWalks
from counterfold.training.boards.public_chance import PublicChanceSolver
from helpers.naive.naive_responders import mixed_regrets
from helpers.small_boards import LIMIT, SmallBoards

TWO_STREETS = "limit(bets=2, deck='JQKA/cd', board=(1, 1))"
NO_LIMIT = "nolimit(stack=9, deck='JQKA/cd', board=(1, 1))"


@pytest.mark.parametrize(
    ("game", "menu", "merge"),
    [
        ("kuhn-variant", "min", 0),
        ("leduc-variant", "min", 2),
        (LIMIT, "min", 0),
        (TWO_STREETS, "min", 3),
        (NO_LIMIT, "50%, 100%, allin", 3),
    ],
)
@pytest.mark.parametrize("at_once", [1, 3])
def test_players_who_meet_each_other_learn_as_by_nodes(game, menu, merge, at_once, rng):
    small = SmallBoards(game, menu, merge)
    by_nodes = PublicChanceSolver(small.game, small.dealer, small.boards_by_hand(), seed=5)
    walks = LineWalks(small.game, small.dealer, 1)
    walks.game = walks.game._replace(at_once=at_once)
    walks._memory = [walks._make_memory()]
    for number in rng.choice(len(by_nodes.source), 3):
        board = by_nodes.source.take(np.array([number]))
        regrets = mixed_regrets(small.game, rng).astype(np.float32)
        averages, nobody = np.zeros(small.game.n_slots, np.float32), regrets[:0]
        by_nodes.take_tables({"regrets": regrets, "averages": averages})
        by_nodes._walk_batch(board, 0, 0)
        n_nodes = walks.walk(board, 6, 0, (regrets, averages, nobody), 0)
        assert n_nodes == 2 * small.game.graph.n_nodes
        np.testing.assert_allclose(regrets, by_nodes.regrets, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(averages, by_nodes.averages, rtol=1e-4, atol=1e-4)
        assert averages.any()
