"""Value, best response, NashConv and exploitability."""

from counterfold.evaluation.exact import (
    Evaluation,
    best_response,
    evaluate,
    expected_values,
    exploitability,
    nash_conv,
)

__all__ = [
    "Evaluation",
    "best_response",
    "evaluate",
    "expected_values",
    "exploitability",
    "nash_conv",
]
