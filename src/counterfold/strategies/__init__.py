"""Probabilities per information set: look-up, averaging, lifting."""

from counterfold.strategies.strategy import Strategy, normalized, uniform_strategy
from counterfold.strategies.table import Row, tabulate

__all__ = ["Row", "Strategy", "normalized", "tabulate", "uniform_strategy"]
