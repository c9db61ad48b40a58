"""Exact rules: the protocol, and one file per small game."""

from counterfold.games.bargaining import NashBargaining
from counterfold.games.files import find_game, format_variant, parse_variant, read_game
from counterfold.games.goofspiel import Goofspiel
from counterfold.games.kuhn import Kuhn
from counterfold.games.leduc import Leduc
from counterfold.games.liars_dice import LiarsDice
from counterfold.games.matrix import Matrix, RockPaperScissors
from counterfold.games.names import GAMES, parse_game
from counterfold.games.protocol import (
    Action,
    Chance,
    Feature,
    Game,
    Infoset,
    ListedChance,
    Outcomes,
    State,
    check_parameter,
    illegal,
)

__all__ = [
    "GAMES",
    "Action",
    "Chance",
    "Feature",
    "Game",
    "Goofspiel",
    "Infoset",
    "Kuhn",
    "Leduc",
    "LiarsDice",
    "ListedChance",
    "Matrix",
    "NashBargaining",
    "Outcomes",
    "RockPaperScissors",
    "State",
    "check_parameter",
    "find_game",
    "format_variant",
    "illegal",
    "parse_game",
    "parse_variant",
    "read_game",
]
