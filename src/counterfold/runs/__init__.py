"""A budget and a game → a folder of artifacts."""

from counterfold.runs.budget import Budget, parse_seconds
from counterfold.runs.solve import DEFAULT_ALGORITHM, SolveResult, solve
from counterfold.runs.storage import Identity, Point, Progress, Run, load_run

__all__ = [
    "DEFAULT_ALGORITHM",
    "Budget",
    "Identity",
    "Point",
    "Progress",
    "Run",
    "SolveResult",
    "load_run",
    "parse_seconds",
    "solve",
]
