"""How long work is limited, interrupted and resumed."""

from counterfold.runs.budget import Budget, parse_seconds

__all__ = ["Budget", "parse_seconds"]
