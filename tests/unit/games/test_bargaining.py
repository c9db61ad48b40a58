import pytest

from counterfold.errors import GameError, IllegalActionError
from counterfold.games import NashBargaining


@pytest.mark.parametrize(
    ("first", "second", "utilities"),
    [
        ("5", "5", (5, 5)),
        ("7", "3", (7, 3)),
        ("2", "3", (2, 3)),  # what is left over is lost
        ("6", "5", (0, 0)),
        ("10", "0", (10, 0)),
        ("10", "10", (0, 0)),
    ],
)
def test_payoffs(first, second, utilities):
    assert NashBargaining().root().child(first).child(second).utilities == utilities


def test_demands_are_simultaneous_and_general_sum():
    game = NashBargaining(2)
    assert not game.zero_sum
    assert game.root().infoset.actions == ("0", "1", "2")
    assert game.root().child("0").infoset == game.root().child("2").infoset


@pytest.mark.parametrize("units", [0, 1001, 2.5, "3"])
def test_units_are_checked(units):
    with pytest.raises(GameError, match="units must be an integer from 1 to 1000"):
        NashBargaining(units)


@pytest.mark.parametrize("action", ["3", "-1", 1])
def test_illegal_demands(action):
    with pytest.raises(IllegalActionError):
        NashBargaining(2).root().child(action)
