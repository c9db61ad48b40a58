import numpy as np
import pytest

from counterfold.errors import GameError, UnsupportedGameError
from counterfold.games import Kuhn, Leduc, parse_game
from counterfold.tree import CHANCE, TERMINAL, build_tree
from counterfold.tree import histories as trees
from helpers.compiled_games import compiled
from helpers.game_plays import choices
from helpers.toy_games import Dice, LoadedCoin, Paying, Spinner, Toy

GAMES = (
    "kuhn",
    "leduc",
    "liars-dice(faces=3)",
    "goofspiel(3)",
    "goofspiel(3, order=random)",
    "rps",
    "nash-bargaining(3)",
    "toy",
)


@pytest.fixture(params=GAMES)
def tree(request):
    return compiled(request.param).tree


def test_a_parent_precedes_its_children_and_owns_them(tree):
    assert (tree.parent[1:] < np.arange(1, tree.n_nodes)).all()
    owner = np.repeat(np.arange(tree.n_nodes), np.diff(tree.first_child))
    assert tree.first_child[0] == 1
    assert tree.first_child[-1] == tree.n_nodes
    np.testing.assert_array_equal(tree.parent[1:], owner)  # siblings are neighbors


def test_levels_hold_the_nodes_of_one_depth(tree):
    depth = np.zeros(tree.n_nodes, int)
    for node in range(1, tree.n_nodes):
        depth[node] = depth[tree.parent[node]] + 1
    level = np.repeat(np.arange(tree.levels.size - 1), np.diff(tree.levels))
    np.testing.assert_array_equal(depth, level)


def test_chance_probabilities_sum_to_one_and_other_edges_are_certain(tree):
    sums = np.bincount(tree.parent[1:], tree.chance[1:], minlength=tree.n_nodes)
    natures = tree.player == CHANCE
    assert sums[natures] == pytest.approx(1.0, abs=1e-12)
    assert (tree.chance[1:][~natures[tree.parent[1:]]] == 1.0).all()
    assert tree.chance[0] == 1.0


def test_the_kth_child_is_the_state_after_the_kth_action(tree):
    """The arrays say what the states of the protocol say, node by node."""
    states = {0: tree.game.root()}
    for node in range(tree.n_nodes):
        state = states.pop(node)
        if tree.player[node] == TERMINAL:
            assert tuple(tree.utilities[tree.infoset[node]]) == state.utilities
        elif tree.player[node] == CHANCE:
            below = slice(tree.first_child[node], tree.first_child[node + 1])
            assert tree.chance[below].tolist() == [p for _, p in state.chance.outcomes()]
        else:
            assert tree.infosets[tree.infoset[node]] == state.infoset
            assert tree.player[node] == state.infoset.player
        for child, (action, _) in enumerate(choices(state), start=int(tree.first_child[node])):
            states[child] = state.child(action)
    assert not states


def test_infosets_are_numbered_by_player_then_by_first_occurrence(tree):
    players = [infoset.player for infoset in tree.infosets]
    assert players == sorted(players)
    deciding = tree.player >= 0
    met = list(dict.fromkeys(tree.infoset[deciding].tolist()))
    for player in range(tree.game.n_players):
        own = [i for i in met if players[i] == player]
        assert own == sorted(own)
    assert sorted(met) == list(range(len(tree.infosets)))


@pytest.mark.parametrize(
    ("game", "nodes", "terminals", "infosets"),
    [
        # Deals, times the nine histories of betting, five of them final; 3 cards × 4 histories.
        ("kuhn", 1 + 3 + 6 * 9, 6 * 5, 12),
        ("leduc", 9457, 5520, 936),  # derived in reference/test_games_against_openspiel.py
        # 24 deals in 17 chance nodes, then three choices of two; 4 cards × (1 + 2 + 4) histories.
        ("toy", 17 + 24 * 15, 24 * 8, 28),
    ],
)
def test_counts(game, nodes, terminals, infosets):
    tree = compiled(game).tree
    found = tree.n_nodes, np.count_nonzero(tree.player == TERMINAL), len(tree.infosets)
    assert found == (nodes, terminals, infosets)
    assert tree.utilities.shape == (terminals, tree.game.n_players)


def test_a_game_without_decisions_is_a_tree():
    tree = build_tree(Toy(Dice()))
    assert tree.n_nodes == 3
    assert tree.infosets == ()
    assert tree.utilities.tolist() == [[1.0, -1.0], [2.0, -2.0]]


def test_utilities_that_do_not_sum_to_zero_are_refused():
    with pytest.raises(GameError, match=r"declared zero-sum but pays \(1.0, 1.0\) in ToyState"):
        build_tree(Toy(Paying((1.0, 1.0))))


def test_utilities_of_the_wrong_number_are_refused():
    with pytest.raises(GameError, match="3 utilities for 2 players in ToyState"):
        build_tree(Toy(Paying((1.0, -1.0, 0.0))))


def test_utilities_that_are_no_numbers_are_refused():
    with pytest.raises(GameError, match="nan"):
        build_tree(Toy(Paying((float("nan"), float("nan")))))


def test_chance_that_can_only_be_sampled_is_refused():
    with pytest.raises(UnsupportedGameError, match="can only be sampled, so Spinner has no finite"):
        build_tree(Toy(Spinner()))


def test_progress_is_reported(monkeypatch):
    monkeypatch.setattr(trees, "_REPORT_EVERY", 20)
    seen = []
    build_tree(Kuhn(), lambda nodes, expected: seen.append((nodes, expected)))
    assert [nodes for nodes, _ in seen] == [20, 40]  # of 58
    assert seen[0][1] == pytest.approx(58, rel=0.1)  # the estimate, tested in test_tree_size.py


@pytest.mark.parametrize(
    "other",
    [
        Leduc(ante=2),  # utilities alone differ
        Leduc(bets=(2, 5)),
        Leduc(raises=3),
        Leduc(suits=3),
        Kuhn(),
    ],
    ids=lambda game: game.name,
)
def test_fingerprints_differ_when_rules_differ(other):
    assert build_tree(other).fingerprint != compiled("leduc").tree.fingerprint


@pytest.mark.parametrize(
    "other",
    [Paying((2.0, -2.0)), Paying(question="what"), Paying(labels=("left", "up"))],
    ids=["utilities", "facts", "actions"],
)
def test_fingerprints_see_every_part_of_the_rules(other):
    assert build_tree(Toy(other)).fingerprint != build_tree(Toy(Paying())).fingerprint


@pytest.mark.parametrize("game", ["kuhn", "goofspiel(3)"])
def test_fingerprints_do_not_depend_on_the_process_or_the_object(game):
    assert build_tree(parse_game(game)).fingerprint == compiled(game).tree.fingerprint


def test_probabilities_that_do_not_sum_to_one_are_refused():
    with pytest.raises(GameError, match=r"sum to 0.95, not to one, in ToyState"):
        build_tree(Toy(LoadedCoin()))
