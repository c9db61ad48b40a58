"""Small games, exactly: all histories as flat arrays, solvers over them, exact evaluation."""

from counterfold.sampling import Sampling
from counterfold.tree.algorithms import (
    ALGORITHMS,
    DEFAULT_HORIZON,
    Algorithm,
    Solver,
    find_algorithm,
    make_solver,
)
from counterfold.tree.compiled_game import CompiledGame, abstract_tree, compile_game
from counterfold.tree.exact_evaluation import (
    Evaluation,
    best_response,
    evaluate,
    expected_values,
    exploitability,
    nash_conv,
)
from counterfold.tree.histories import CHANCE, TERMINAL, Tree, build_tree
from counterfold.tree.infoset_features import (
    ACTIONS,
    EVERYTHING,
    NOTHING,
    PLAYER,
    Abstraction,
    fact,
    parse_abstraction,
    reveal,
)
from counterfold.tree.linear_program import Solution, check_linear_program, solve_linear_program
from counterfold.tree.profile import Strategy, normalized, uniform_strategy
from counterfold.tree.profile_table import Row, tabulate
from counterfold.tree.sequence_form import Sequences
from counterfold.tree.solve_folder import Identity, Point, Progress, SolvedRun, load_solved
from counterfold.tree.solve_run import DEFAULT_ALGORITHM, SolveResult, solve
from counterfold.tree.tree_size import SizeEstimate, estimate_size

__all__ = [
    "ACTIONS",
    "ALGORITHMS",
    "CHANCE",
    "DEFAULT_ALGORITHM",
    "DEFAULT_HORIZON",
    "EVERYTHING",
    "NOTHING",
    "PLAYER",
    "TERMINAL",
    "Abstraction",
    "Algorithm",
    "CompiledGame",
    "Evaluation",
    "Identity",
    "Point",
    "Progress",
    "Row",
    "Sampling",
    "Sequences",
    "SizeEstimate",
    "Solution",
    "SolveResult",
    "SolvedRun",
    "Solver",
    "Strategy",
    "Tree",
    "abstract_tree",
    "best_response",
    "build_tree",
    "check_linear_program",
    "compile_game",
    "estimate_size",
    "evaluate",
    "expected_values",
    "exploitability",
    "fact",
    "find_algorithm",
    "load_solved",
    "make_solver",
    "nash_conv",
    "normalized",
    "parse_abstraction",
    "reveal",
    "solve",
    "solve_linear_program",
    "tabulate",
    "uniform_strategy",
]
