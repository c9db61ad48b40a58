"""Exact rules: the protocol, and one file per small game."""

from counterfold.games.kuhn import Kuhn
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
)

__all__ = [
    "GAMES",
    "Action",
    "Chance",
    "Feature",
    "Game",
    "Infoset",
    "Kuhn",
    "ListedChance",
    "Outcomes",
    "State",
    "parse_game",
]
