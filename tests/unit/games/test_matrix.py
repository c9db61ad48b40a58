import numpy as np
import pytest

from counterfold.errors import GameError, IllegalActionError
from counterfold.games import Matrix, RockPaperScissors


def test_payoffs_by_row_and_column():
    game = Matrix([[1, 2, 3], [4, 5, -6]])
    assert game.root().child("1").child("2").utilities == (-6, 6)
    assert game.zero_sum


def test_general_sum():
    game = Matrix(((3, 0), (5, 1)), ((3, 5), (0, 1)), rows=("stay", "go"), columns=["stay", "go"])
    assert not game.zero_sum
    assert game.root().infoset.actions == ("stay", "go")
    assert game.root().child("stay").child("go").utilities == (0, 5)


def test_zero_sum_follows_from_the_numbers():
    assert Matrix(((1, -2),), ((-1, 2),)).zero_sum
    assert not Matrix(((1, -2),), ((-1, 3),)).zero_sum


def test_the_column_player_does_not_see_the_row():
    root = RockPaperScissors().root()
    assert root.child("rock").infoset == root.child("paper").infoset
    assert root.infoset != root.child("rock").infoset


@pytest.mark.parametrize(
    ("row", "column", "won"),
    [
        ("rock", "scissors", 1),
        ("rock", "paper", -1),
        ("paper", "scissors", -1),
        ("rock", "rock", 0),
    ],
)
def test_rock_paper_scissors(row, column, won):
    assert RockPaperScissors().root().child(row).child(column).utilities == (won, -won)


def test_lists_and_arrays_are_made_hashable():
    assert Matrix([[1, 2], [3, 4]]) == Matrix(np.array([[1, 2], [3, 4]]))
    assert hash(Matrix([[1, 2]])) == hash(Matrix(((1.0, 2.0),)))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (((),), "at least one row and one column"),
        ((((),),), "at least one row and one column"),
        ((((1, 2), (3,)),), "row 1 has 1 entries, row 0 has 2"),
        ((((1, float("nan")),),), "payoffs must be finite, not nan in row 0"),
        ((((1,), (float("inf"),)),), "payoffs must be finite, not inf in row 1"),
        ((5,), "payoffs must be rows of numbers, not 5"),
        (((1, 2),), "payoffs must be rows of numbers"),
        (((("a",),),), "payoffs must be rows of numbers"),
        ((((1, 2),), ((1,),)), "column_payoffs must be 1 by 2 like payoffs, not 1 by 1"),
        ((((1, 2),), None, ("a", "b")), "rows must be 1 distinct words"),
        ((((1, 2),), None, (), ("a", "a")), "columns must be 2 distinct words"),
        ((((1, 2),), None, (), (0, 1)), "columns must be a sequence of words"),
        ((((1, 2),), None, (), "ab"), "columns must be a sequence of words"),
        ((((1, 2),), None, (), 3), "columns must be a sequence of words"),
    ],
)
def test_bad_matrices(arguments, sentence):
    with pytest.raises(GameError, match=sentence):
        Matrix(*arguments)


@pytest.mark.parametrize("path", [(), ("rock",), ("rock", "paper")])
@pytest.mark.parametrize("action", ["lizard", "", None, 0])
def test_illegal_actions(path, action):
    state = RockPaperScissors().root()
    for step in path:
        state = state.child(step)
    with pytest.raises(IllegalActionError):
        state.child(action)
