"""What a player may tell apart: the algebra of features."""

from counterfold.abstraction.features import (
    ACTIONS,
    EVERYTHING,
    NOTHING,
    PLAYER,
    Abstraction,
    fact,
    parse_abstraction,
    reveal,
)

__all__ = [
    "ACTIONS",
    "EVERYTHING",
    "NOTHING",
    "PLAYER",
    "Abstraction",
    "fact",
    "parse_abstraction",
    "reveal",
]
