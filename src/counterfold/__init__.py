"""Counterfold turns the rules of a poker variant into a near-equilibrium bot.

The names listed here are the API. They are imported when they are first used, so that `import
counterfold` and `counterfold --help` take no time. Everything else in the package is internal: it
may change from one version to the next.
"""

from importlib import import_module, metadata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from counterfold.games import GAMES, Game, Infoset, Outcomes, State, parse_game
    from counterfold.runs.budget import Budget
    from counterfold.training.train_folder import load_trained
    from counterfold.training.train_run import train
    from counterfold.tree.compiled_game import compile_game
    from counterfold.tree.exact_evaluation import (
        best_response,
        evaluate,
        expected_values,
        exploitability,
    )
    from counterfold.tree.profile import Strategy, uniform_strategy
    from counterfold.tree.solve_folder import load_solved
    from counterfold.tree.solve_run import solve

# Where each name lives; a test compares this with the imports above.
_HOMES = {
    "GAMES": "games",
    "Budget": "runs.budget",
    "Game": "games",
    "Infoset": "games",
    "Outcomes": "games",
    "State": "games",
    "Strategy": "tree.profile",
    "best_response": "tree.exact_evaluation",
    "compile_game": "tree.compiled_game",
    "evaluate": "tree.exact_evaluation",
    "expected_values": "tree.exact_evaluation",
    "exploitability": "tree.exact_evaluation",
    "load_solved": "tree.solve_folder",
    "load_trained": "training.train_folder",
    "parse_game": "games",
    "solve": "tree.solve_run",
    "train": "training.train_run",
    "uniform_strategy": "tree.profile",
}

__all__ = [
    "GAMES",
    "Budget",
    "Game",
    "Infoset",
    "Outcomes",
    "State",
    "Strategy",
    "best_response",
    "compile_game",
    "evaluate",
    "expected_values",
    "exploitability",
    "load_solved",
    "load_trained",
    "parse_game",
    "solve",
    "train",
    "uniform_strategy",
]


def __getattr__(name: str) -> Any:
    """A name of the API, imported now; `__version__` as it was installed."""
    if name == "__version__":
        value: Any = metadata.version("counterfold")
    elif name in _HOMES:
        value = getattr(import_module(f"counterfold.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module 'counterfold' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
