"""The CFR family, full and sampled, and the sequence-form linear program."""

from counterfold.solvers.algorithms import (
    ALGORITHMS,
    DEFAULT_HORIZON,
    Algorithm,
    Solver,
    find_algorithm,
    make_solver,
)
from counterfold.solvers.linear_program import (
    Solution,
    check_linear_program,
    solve_linear_program,
)
from counterfold.solvers.sampled import Sampling
from counterfold.solvers.variants import Discounting, Exponent

__all__ = [
    "ALGORITHMS",
    "DEFAULT_HORIZON",
    "Algorithm",
    "Discounting",
    "Exponent",
    "Sampling",
    "Solution",
    "Solver",
    "check_linear_program",
    "find_algorithm",
    "make_solver",
    "solve_linear_program",
]
