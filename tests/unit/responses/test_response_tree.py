"""The betting of a responder and a bot, and where the bot believes to be."""

import numpy as np
import pytest

from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.bots.policy import make_policy
from counterfold.errors import TooLargeError, UnsupportedGameError
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.line_tree import find_lines
from counterfold.responses.bot_answers import BotAnswers
from counterfold.responses.bot_moves import ALWAYS, find_moves
from counterfold.responses.response_tree import grow_response_tree
from helpers.trained_runs import cardless_game


def make_answers(name, bets, rule="pseudo-harmonic"):
    """Those of a bot that ignores its cards and may do everything."""
    variant = parse_game(name)
    game, cards = cardless_game(variant, bets)
    quantized = np.random.default_rng(1).integers(1, 50, game.n_slots).astype(np.uint8)
    policy = make_policy(game, cards.dealer, quantized, cards.n_buckets, rule=rule)
    return variant, BotAnswers(variant, policy, tuple(cards.n_buckets))


def test_limit_holdem_has_its_known_lines():
    """Seven ways to the flop, and nine on each street to the next."""
    variant, answers = make_answers("limit", "limit-4")
    tree = grow_response_tree(variant, answers, 0)
    lines = find_lines(tree)
    assert np.diff(lines.streets).tolist() == [1, 7, 63, 567]
    moves = find_moves(tree, lines, answers, 1)
    assert moves.hidden[-1] == 0
    assert not moves.adds.any()
    begins = slice(0, int(moves.begins[-1]))
    assert (moves.answer[begins] == ALWAYS).all()
    assert (moves.weight == 1.0).all()


def test_answers_to_a_situation_add_up_to_one():
    variant, answers = make_answers("nolimit(stack=40)", "100%, allin; cap 3")
    menu = parse_spot_menu("50%, allin; cap 3")
    tree = grow_response_tree(variant, answers, 1, menu)
    assert answers.rows
    for found in answers._known.values():
        total = sum(answers.rows[answer.row].astype(np.float64) for answer in found)
        assert total == pytest.approx(np.ones_like(total), abs=1e-6)
    early = (tree.situations[:, betting.STREET] == 0) & (
        tree.situations[:, betting.PHASE] == betting.SHOWDOWN
    )
    assert not early.any()


@pytest.mark.parametrize(("rule", "has_hidden"), [("pseudo-harmonic", True), ("nearest", False)])
def test_a_reading_by_lot_is_hidden(rule, has_hidden):
    variant, answers = make_answers("nolimit(stack=40)", "100%, allin; cap 3", rule)
    tree = grow_response_tree(variant, answers, 0, parse_spot_menu("60%; cap 2"))
    moves = find_moves(tree, find_lines(tree), answers, 1)
    assert (moves.hidden[-1] > 0) == has_hidden


def test_a_tree_that_is_too_large_and_a_missing_menu_are_refused():
    variant, answers = make_answers("nolimit(stack=40)", "100%, allin; cap 3")
    with pytest.raises(TooLargeError, match="more than 100 nodes; offer the responder fewer bets"):
        grow_response_tree(variant, answers, 0, parse_spot_menu("50%, allin"), max_nodes=100)
    with pytest.raises(UnsupportedGameError, match="needs a menu of bets"):
        grow_response_tree(variant, answers, 0)
