import numpy as np
import pytest

from counterfold.tree import compile_game, expected_values, uniform_strategy
from helpers.compiled_games import LOSSLESS, compiled, random_pure_strategy, random_strategy, slots
from helpers.naive import textbook_cfr
from helpers.toy_games import Dice, Toy

FORMS = (
    ("kuhn", "everything"),
    ("kuhn", "card"),  # forgets the betting: imperfect recall
    ("kuhn", "nothing"),  # a player plays alike everywhere, even twice in one history
    ("leduc", "everything"),
    ("leduc", LOSSLESS),
    ("leduc", "rank * round * raises"),  # imperfect recall
    ("liars-dice(faces=3)", "hand * last_bid"),  # imperfect recall
    ("goofspiel(3)", "everything"),
    ("goofspiel(3, order=random)", "score * hand * prize"),  # imperfect recall
    ("rps", "everything"),
    ("nash-bargaining(3)", "everything"),
    ("toy", "everything"),
    ("toy", "card"),  # three players who forget what they saw, but each acts once
)


@pytest.fixture(params=FORMS, ids=" under ".join)
def game(request):
    return compiled(*request.param)


def as_dictionary(strategy):
    """The probabilities at every exact infoset of the rules."""
    game = strategy.game
    return {
        infoset: strategy.probabilities[slots(game, i)].tolist()
        for infoset, i in zip(game.tree.infosets, game.infoset_of, strict=True)
    }


@pytest.mark.parametrize("draw", [random_strategy, random_pure_strategy])
def test_expected_values_are_those_of_the_plain_recursion(game, draw, rng):
    root = textbook_cfr.unfold(game.game.root())
    for _ in range(3):
        strategy = draw(game, rng)
        expected = textbook_cfr.expected_values(root, as_dictionary(strategy), game.game.n_players)
        # Sums of at most 10^4 terms below 13 in size: rounding stays far below 1e-11.
        assert expected_values(strategy) == pytest.approx(expected, abs=1e-11)


def test_parents_come_first_and_belong_to_the_same_player(game):
    form = game.sequences
    n_players = game.game.n_players
    owner = np.empty(form.n_sequences, int)
    owner[:n_players] = np.arange(n_players)
    for player in range(n_players):
        low, high = form.points[player], form.points[player + 1]
        owner[form.first[low] : form.first[high]] = player
        assert (form.parent[low:high] < form.first[low:high]).all()
        assert (owner[form.parent[low:high]] == player).all()
        assert (owner[form.terminals[player]] == player).all()
    assert form.first[0] == n_players


def test_a_point_has_the_slots_of_its_infoset(game):
    form = game.sequences
    infoset = np.searchsorted(game.offsets, form.slot)
    np.testing.assert_array_equal(game.offsets[infoset], form.slot)
    np.testing.assert_array_equal(np.diff(form.first), np.diff(game.offsets)[infoset])
    assert set(infoset.tolist()) == set(range(game.n_infosets))


def test_no_two_points_are_the_same_sequence_and_infoset(game):
    form = game.sequences
    assert len(set(zip(form.parent, form.slot, strict=True))) == form.parent.size


def test_no_two_terminals_are_the_same_for_all_players(game):
    rows = game.sequences.terminals
    assert np.unique(rows, axis=1).shape == rows.shape


@pytest.mark.parametrize(
    ("game", "abstraction", "sequences"),
    [
        # One empty sequence and two actions at each of a player's six infosets.
        ("kuhn", "everything", 2 * (1 + 6 * 2)),
        # A round offers each player three decisions with seven actions: of 2, 3 and 2 for the one,
        # of 3, 2 and 2 for the other. It is entered with a card, or with two and one of 5 lines.
        ("leduc", "everything", 2 * (1 + 6 * 7 + 30 * 5 * 7)),
        ("leduc", LOSSLESS, 2 * (1 + 3 * 7 + 9 * 5 * 7)),  # 3 ranks, 9 pairs of ranks
    ],
)
def test_number_of_sequences(game, abstraction, sequences):
    form = compiled(game, abstraction).sequences
    assert form.n_sequences == sequences
    assert form.parent.size == compiled(game, abstraction).n_infosets


def test_a_forgetful_player_has_more_points_than_infosets():
    game = compiled("kuhn", "card")
    assert game.n_infosets == 6  # two players, three cards
    # Player 0 acts first, or again after pass: two points a card, and player 1 after a pass or a
    # bet: two histories but one sequence.
    assert np.diff(game.sequences.points).tolist() == [6, 3]
    assert not game.perfect_recall


def test_a_game_without_decisions_has_a_value():
    game = compile_game(Toy(Dice()))
    # One with probability 1/4, two with 3/4.
    assert expected_values(uniform_strategy(game)) == pytest.approx([1.75, -1.75])
