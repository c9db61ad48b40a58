"""A budget and a game → a folder of artifacts."""

from counterfold.runs.budget import Budget, parse_seconds
from counterfold.runs.solve import DEFAULT_ALGORITHM, SolveResult, solve
from counterfold.runs.storage import Identity, Point, Progress, Run, load_run
from counterfold.runs.variants import find_game, format_variant, parse_variant, read_game

__all__ = [
    "DEFAULT_ALGORITHM",
    "Budget",
    "Identity",
    "Point",
    "Progress",
    "Run",
    "SolveResult",
    "find_game",
    "format_variant",
    "load_run",
    "parse_seconds",
    "parse_variant",
    "read_game",
    "solve",
]
