"""Counterfold turns the rules of a poker variant into a near-equilibrium bot.

The names here are what most users need; each layer has more of its own.
"""

from counterfold.games import GAMES, Game, Infoset, Outcomes, State, parse_game
from counterfold.runs.budget import Budget
from counterfold.tree.compiled_game import compile_game
from counterfold.tree.exact_evaluation import (
    best_response,
    evaluate,
    expected_values,
    exploitability,
)
from counterfold.tree.profile import Strategy, uniform_strategy
from counterfold.tree.solve_folder import load_run
from counterfold.tree.solve_run import solve

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
    "load_run",
    "parse_game",
    "solve",
    "uniform_strategy",
]
