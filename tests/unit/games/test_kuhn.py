import pytest

from counterfold.errors import GameError, IllegalActionError
from counterfold.games import Kuhn
from helpers.game_plays import play


@pytest.mark.parametrize(
    ("cards", "betting", "won"),
    [
        ("KQ", ("pass", "pass"), 1),
        ("JQ", ("pass", "pass"), -1),
        ("JK", ("bet", "pass"), 1),
        ("QK", ("bet", "bet"), -2),
        ("KJ", ("pass", "bet", "pass"), -1),
        ("KJ", ("pass", "bet", "bet"), 2),
    ],
)
def test_payoffs(cards, betting, won):
    assert play(Kuhn(), *cards, *betting).utilities == (won, -won)


@pytest.mark.parametrize("ranks", [1, 13, 3.0, True, "3", None])
def test_ranks_are_checked(ranks):
    with pytest.raises(GameError, match="ranks must be an integer from 2 to 12, not "):
        Kuhn(ranks)


@pytest.mark.parametrize(
    ("path", "action"),
    [
        ("", "pass"),
        ("", "T"),
        ("", "JQ"),  # two cards are not one
        ("", ""),
        ("", None),
        ("J", "J"),
        ("JQ", "fold"),
        ("JQ", "K"),
    ],
)
def test_illegal_actions(path, action):
    with pytest.raises(IllegalActionError):
        play(Kuhn(), *path).child(action)


def test_nothing_follows_the_end():
    with pytest.raises(IllegalActionError, match="after the end"):
        play(Kuhn(), "J", "Q", "bet", "bet").child("bet")


@pytest.mark.parametrize(
    ("path", "player", "card"), [("JQ", 0, "J"), ("JQ pass", 1, "Q"), ("JQ pass bet", 0, "J")]
)
def test_players_take_turns_and_see_their_own_card(path, player, card):
    cards, *betting = path.split()
    infoset = play(Kuhn(), *cards, *betting).infoset
    assert (infoset.player, dict(infoset.facts)["card"]) == (player, card)
