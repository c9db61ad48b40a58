import pytest

from counterfold.errors import GameError, IllegalActionError
from counterfold.games import Goofspiel
from helpers.game_plays import play


@pytest.mark.parametrize(
    ("order", "actions", "won"),
    [
        ("descending", "3 2 2 1", 2),  # 3 and 2 won, the last trick lost: 5 to 1
        ("descending", "3 3 2 1", 0.5),  # the prize of 3 is discarded: 2 to 1
        ("descending", "1 1 2 2", 0),
        ("ascending", "3 2 2 1", 0),  # 1 and 2 against 3
        ("random", "2 3 1 3 2 3", -1),  # 2 against 3 and, at the end, 1
        ("random", "1 3 3 2 2 1", -0.5),  # 1 discarded, 2 against 3
    ],
)
def test_payoffs_are_half_the_difference(order, actions, won):
    assert play(Goofspiel(3, order), *actions.split()).utilities == (won, -won)


def test_the_last_trick_plays_itself():
    state = play(Goofspiel(3), "3", "2", "2", "1")
    assert state.bids == (("3", "2", "1"), ("2", "1", "3"))
    assert state.prizes == ("3", "2", "1")
    assert state.wins == "001"


def test_players_see_their_own_bids_and_the_winners():
    state = play(Goofspiel(4), "2", "1", "3")
    assert str(state.infoset) == "prizes=4,3 bids=1 wins=0"
    assert state.infoset == play(Goofspiel(4), "3", "1", "4").infoset
    assert state.infoset.actions == ("2", "3", "4")


def test_random_prizes_are_shown_before_the_bids():
    game = Goofspiel(3, "random")
    assert game.root().chance.outcomes() == tuple((prize, 1 / 3) for prize in "123")
    left = play(game, "2", "1", "1").chance
    assert left.outcomes() == (("1", 0.5), ("3", 0.5))


def test_features():
    game = Goofspiel(4)
    state = play(game, "2", "1")
    found = {name: feature(state.infoset) for name, feature in game.features.items()}
    assert found == {"score": 4, "hand": ("1", "3", "4"), "prize": "3"}
    assert game.features["score"](state.child("1").infoset) == -4
    assert game.features["score"](game.root().infoset) == 0


@pytest.mark.parametrize("parameters", [(1,), (14,), ("4",), (4, "sideways"), (4, None)])
def test_parameters_are_checked(parameters):
    with pytest.raises(GameError, match="must be"):
        Goofspiel(*parameters)


@pytest.mark.parametrize(
    ("order", "path", "action"),
    [
        ("descending", "", "4"),
        ("descending", "", 1),
        ("descending", "1", "0"),
        ("descending", "1 2", "1"),
        ("descending", "1 2 2", "2"),
        ("descending", "1 2 2 1", "3"),
        ("random", "1 1 1", "1"),
    ],
)
def test_illegal_actions(order, path, action):
    with pytest.raises(IllegalActionError):
        play(Goofspiel(3, order), *path.split()).child(action)
