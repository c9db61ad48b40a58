import pytest

from counterfold.contest.wire.acpc import ACPC
from counterfold.contest.wire.acpc_games import (
    check_game_definition,
    load_game_definition,
    parse_game_definition,
)
from counterfold.errors import ExportError
from counterfold.games.holdem import VARIANTS

NOLIMIT = """# two players
GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
LIMIT = """GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def check(text, variant):
    check_game_definition(parse_game_definition(text, "file.game"), variant)


def test_the_games_of_the_contest_fit_their_variants():
    check(NOLIMIT, ACPC.variant())
    check(LIMIT, VARIANTS["limit"]())
    check(NOLIMIT.lower(), ACPC.variant())


@pytest.mark.parametrize(
    ("text", "variant", "message"),
    [
        (NOLIMIT, VARIANTS["nolimit"](), "says blind = 100 50"),
        (NOLIMIT, VARIANTS["nolimit"](10000, (50, 100)), "says stack = 20000 20000"),
        (NOLIMIT, VARIANTS["limit"](), "is a no-limit game"),
        (LIMIT, VARIANTS["limit"](bets=3), "says maxRaises = 3 4 4 4"),
        (LIMIT.replace("10 10 20", "10 10 30"), VARIANTS["limit"](), "says raiseSize"),
        (LIMIT.replace("Ranks = 13", "Ranks = 6"), VARIANTS["limit"](), "says numRanks = 6"),
        (NOLIMIT.replace("2 1 1 1", "1 1 1 1"), ACPC.variant(), "says firstPlayer"),
        (NOLIMIT.replace("Players = 2", "Players = 3"), ACPC.variant(), "says numPlayers = 3"),
    ],
)
def test_another_game_is_refused_with_what_differs(text, variant, message):
    with pytest.raises(ExportError, match=message):
        check(text, variant)


@pytest.mark.parametrize("text", ["", "nolimit", "GAMEDEF\nblind = x\nEND GAMEDEF", LIMIT + "more"])
def test_text_that_is_not_a_definition_is_refused(text):
    with pytest.raises(ExportError):
        parse_game_definition(text)


def test_a_file_that_cannot_be_read_is_an_error_of_one_sentence(tmp_path):
    with pytest.raises(ExportError, match="cannot read the game definition"):
        load_game_definition(tmp_path / "missing.game")
