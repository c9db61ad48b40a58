import pytest

from counterfold.errors import GameError, IllegalActionError
from counterfold.games import Leduc
from helpers.game_plays import all_infosets, play


@pytest.mark.parametrize(
    ("actions", "won"),
    [
        ("Ks Js call call Qs call call", 1),
        ("Js Ks call call Jh call call", 1),  # the pair beats the king
        ("Js Jh call call Qs raise call", 0),
        ("Js Ks raise fold", 1),
        ("Js Ks raise raise fold", -3),
        ("Qs Ks raise raise call Kh raise raise call", -13),  # 1 + 2 * 2 + 2 * 4
        ("Qs Ks call raise call Js call raise fold", -3),
        ("Qs Ks call raise raise call Qh raise fold", 5),
    ],
)
def test_payoffs(actions, won):
    assert play(Leduc(), *actions.split()).utilities == (won, -won)


def test_chips_follow_the_parameters():
    game = Leduc(ante=3, bets=(5, 7), raises=1)
    state = play(game, "Ks", "Js", "raise", "call", "Qs", "raise", "call")
    assert state.utilities == (15, -15)  # 3 + 5 + 7


def test_fold_is_offered_only_against_a_bet():
    deal = play(Leduc(), "Js", "Ks")
    assert deal.infoset.actions == ("call", "raise")
    assert deal.child("raise").infoset.actions == ("fold", "call", "raise")
    assert deal.child("raise").child("raise").infoset.actions == ("fold", "call")
    assert play(deal.game, "Js", "Ks", "call", "call", "Qs").infoset.actions == ("call", "raise")


def test_first_player_opens_both_rounds():
    game = Leduc()
    assert play(game, "Js", "Ks").infoset.player == 0
    assert play(game, "Js", "Ks", "call", "raise", "call", "Qs").infoset.player == 0


def test_board_is_dealt_from_the_cards_left():
    chance = play(Leduc(), "Js", "Ks", "call", "call").chance
    assert chance.outcomes() == tuple((card, 0.25) for card in ("Jh", "Qs", "Qh", "Kh"))


def test_infosets_exact_and_with_suits_merged():
    game = Leduc()
    infosets = all_infosets(game)
    assert len(infosets) == 936
    rank, board_rank = game.features["rank"], game.features["board_rank"]
    merged = {(i.player, rank(i), board_rank(i), i["history"]) for i in infosets}
    assert len(merged) == 288  # 3 * 6 + 9 * 5 * 6


def test_features():
    game = Leduc()
    infoset = play(game, "Js", "Kh", "call", "raise", "raise", "call", "Qs", "raise").infoset
    assert str(infoset) == "card=Kh board=Qs history=crrc/r pot=14"
    found = {name: feature(infoset) for name, feature in game.features.items()}
    assert found == {"rank": "K", "board_rank": "Q", "round": 2, "raises": 1}


@pytest.mark.parametrize(
    "parameters",
    [
        {"ranks": 1},
        {"ranks": 13},
        {"suits": 0},
        {"suits": 5},
        {"ranks": 2, "suits": 1},
        {"ante": 0},
        {"ante": 1.5},
        {"bets": 2},
        {"bets": (2,)},
        {"bets": (2, 4, 8)},
        {"bets": (2, 0)},
        {"bets": (2, "4")},
        {"raises": 0},
    ],
)
def test_parameters_are_checked(parameters):
    with pytest.raises(GameError, match="must be"):
        Leduc(**parameters)


def test_bets_may_be_a_list():
    assert hash(Leduc(bets=[2, 4])) == hash(Leduc())


@pytest.mark.parametrize(
    ("path", "action"),
    [
        ("", "call"),
        ("", "J"),
        ("", "As"),
        ("Js", "Js"),
        ("Js Ks", "fold"),
        ("Js Ks", "Qs"),
        ("Js Ks raise raise", "raise"),
        ("Js Ks call call", "call"),
        ("Js Ks raise fold", "call"),
        ("Js Ks call call Qs call call", "call"),
    ],
)
def test_illegal_actions(path, action):
    with pytest.raises(IllegalActionError):
        play(Leduc(), *path.split()).child(action)
