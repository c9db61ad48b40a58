"""What solving and training share: the budget, the loop, interrupts, the folder of a run."""

from counterfold.runs.budget import Budget, parse_seconds

__all__ = ["Budget", "parse_seconds"]
