import pytest

from counterfold.errors import GameError, IllegalActionError
from counterfold.games import LiarsDice
from helpers.game_plays import play


@pytest.mark.parametrize(
    ("actions", "won"),
    [
        ("2 5 1x2 liar", 1),
        ("2 5 1x3 liar", -1),
        ("2 5 1x2 1x5 liar", -1),  # player 1 bid, and has the five
        ("2 6 2x2 liar", 1),  # the six is wild
        ("6 6 2x3 liar", 1),
        ("2 6 2x6 liar", -1),  # but only sixes are sixes
        ("1 1 1x1 2x1 2x2 liar", -1),
    ],
)
def test_payoffs(actions, won):
    assert play(LiarsDice(), *actions.split()).utilities == (won, -won)


def test_bids_rise_and_the_highest_can_only_be_called():
    game = LiarsDice(faces=2)
    assert play(game, "1", "1").infoset.actions == ("1x1", "1x2", "2x1", "2x2")
    assert play(game, "1", "1", "1x2").infoset.actions == ("2x1", "2x2", "liar")
    assert play(game, "1", "1", "2x2").infoset.actions == ("liar",)


def test_a_player_knows_its_own_dice_in_order():
    game = LiarsDice(faces=6, dice=2)
    state = play(game, "5", "3", "6", "1", "2x4")
    assert state.hands == ("35", "16")
    assert str(state.infoset) == "hand=16 bids=2x4"
    assert play(game, "3", "5", "6", "1", "2x4") == state


def test_last_bid():
    game = LiarsDice()
    last_bid = game.features["last_bid"]
    assert last_bid(play(game, "1", "1").infoset) == ""
    assert last_bid(play(game, "1", "1", "1x2", "2x5").infoset) == "2x5"


@pytest.mark.parametrize("parameters", [{"faces": 1}, {"faces": 10}, {"dice": 0}, {"dice": "1"}])
def test_parameters_are_checked(parameters):
    with pytest.raises(GameError, match="must be an integer from"):
        LiarsDice(**parameters)


@pytest.mark.parametrize(
    ("path", "action"),
    [
        ("", "7"),
        ("", 1),
        ("1", "1x1"),
        ("1 1", "liar"),
        ("1 1", "1"),
        ("1 1 1x2", "1x2"),
        ("1 1 1x2", "1x1"),
        ("1 1 1x2 liar", "liar"),
        ("1 1 1x2 liar", "2x1"),
    ],
)
def test_illegal_actions(path, action):
    with pytest.raises(IllegalActionError):
        play(LiarsDice(), *path.split()).child(action)


def test_nature_rolls_every_die_and_then_is_done():
    game = LiarsDice(faces=3, dice=1)
    outcomes = game.root().chance
    assert outcomes.actions == ("1", "2", "3")
    assert outcomes.probabilities == pytest.approx((1 / 3,) * 3)
    assert play(game, "1").chance == outcomes
    assert play(game, "1", "2").chance is None


def test_nine_dice_of_nine_faces_are_the_most():
    assert LiarsDice(faces=9, dice=9).dice == 9
