"""Counterfold turns the rules of a poker variant into a near-equilibrium bot.

The names here are what most users need; each layer has more of its own.
"""

from counterfold.compiled import compile_game
from counterfold.evaluation import best_response, evaluate, expected_values, exploitability
from counterfold.games import GAMES, Game, Infoset, Outcomes, State, parse_game
from counterfold.runs import Budget, load_run, solve
from counterfold.strategies import Strategy, uniform_strategy

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
