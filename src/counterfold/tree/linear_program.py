"""The sequence-form linear program (Koller, Megiddo and von Stengel 1994).

Player 0 chooses the realization weights x of its sequences, and one number v per decision point of
player 1 bounds what player 1 can hold it to there: maximize v of the start, subject to x being a
realization plan and, for each sequence of player 1, v of its point being at most what the sequence
pays now plus v of the points that follow. The dual variables of the latter are the realization
weights of player 1, so one program gives both strategies.
"""

from dataclasses import dataclass

import numpy as np
import scipy  # whose parts are imported when they are used, and would double every start
from numpy.typing import NDArray

from counterfold.errors import UnsupportedGameError
from counterfold.tree.compiled_game import CompiledGame
from counterfold.tree.profile import Strategy, normalized


@dataclass(frozen=True)
class Solution:
    """An equilibrium, its value to player 0 and the simplex or barrier steps it took."""

    strategy: Strategy
    value: float
    iterations: int


def check_linear_program(game: CompiledGame) -> None:
    """Raise `UnsupportedGameError` unless the program can solve `game`."""
    if not game.is_two_player_zero_sum:
        raise UnsupportedGameError(
            f"the linear program needs a two-player zero-sum game, and {game.name} is not one; "
            "use cfr+ and check its NashConv"
        )
    if not game.perfect_recall:
        raise UnsupportedGameError(
            f"the linear program needs perfect recall, which {game.name} does not have; use cfr+ "
            "or another abstraction"
        )


def solve_linear_program(game: CompiledGame) -> Solution:
    """Both equilibrium strategies and the value of a two-player zero-sum game."""
    check_linear_program(game)
    plan, start = _realization_constraints(game, 0)
    plan_other, start_other = _realization_constraints(game, 1)
    payoff = _payoffs(game)  # [sequences of 0, sequences of 1]
    n_own, n_bounds = plan.shape[1], plan_other.shape[0]

    objective = np.concatenate((np.zeros(n_own), -start_other))
    stack, matrix = scipy.sparse.hstack, scipy.sparse.csr_matrix
    result = scipy.optimize.linprog(
        objective,
        A_ub=stack((-payoff.T, plan_other.T), format="csr"),
        b_ub=np.zeros(payoff.shape[1]),
        A_eq=stack((plan, matrix((plan.shape[0], n_bounds))), format="csr"),
        b_eq=start,
        bounds=[(0, None)] * n_own + [(None, None)] * n_bounds,
        method="highs",
    )
    assert result.success, result.message  # a finite zero-sum game always has a solution
    sums = np.zeros(game.n_slots)
    _store(game, 0, result.x[:n_own], sums)
    _store(game, 1, -result.ineqlin.marginals, sums)
    return Solution(normalized(game, sums), float(-result.fun), int(result.nit))


def _local(game: CompiledGame, player: int, sequences: NDArray[np.int32]) -> NDArray[np.int64]:
    """Number the sequences of one player from 0, the empty one first."""
    form = game.sequences
    start = int(form.first[form.points[player]])
    return np.where(sequences == player, 0, sequences.astype(np.int64) - start + 1)


def _n_sequences(game: CompiledGame, player: int) -> int:
    form = game.sequences
    low, high = form.first[form.points[player : player + 2]]
    return int(high - low) + 1


def _realization_constraints(
    game: CompiledGame, player: int
) -> tuple["scipy.sparse.csr_matrix", NDArray[np.float64]]:
    """The matrix E and right side e with E x = e exactly for realization plans x ≥ 0."""
    form = game.sequences
    low, high = (int(j) for j in form.points[player : player + 2])
    widths = np.diff(form.first[low : high + 1])
    n = _n_sequences(game, player)
    point = np.repeat(np.arange(1, high - low + 1), widths)
    rows = np.concatenate(([0], point, np.arange(1, high - low + 1)))
    columns = np.concatenate(([0], np.arange(1, n), _local(game, player, form.parent[low:high])))
    signs = np.concatenate(([1.0], np.ones(n - 1), -np.ones(high - low)))
    right = np.zeros(high - low + 1)
    right[0] = 1.0
    return scipy.sparse.csr_matrix((signs, (rows, columns)), shape=(high - low + 1, n)), right


def _payoffs(game: CompiledGame) -> "scipy.sparse.csr_matrix":
    form = game.sequences
    rows, columns = (_local(game, p, form.terminals[p]) for p in (0, 1))
    shape = (_n_sequences(game, 0), _n_sequences(game, 1))
    return scipy.sparse.csr_matrix((form.weights[0], (rows, columns)), shape=shape)


def _store(
    game: CompiledGame, player: int, weights: NDArray[np.float64], sums: NDArray[np.float64]
) -> None:
    """Write realization weights into the slots; rounding errors of the program are cut off."""
    form = game.sequences
    low, high = form.points[player : player + 2]
    widths = np.diff(form.first[low : high + 1])
    starts = np.concatenate(([0], np.cumsum(widths)[:-1]))
    slots = np.repeat(form.slot[low:high] - starts, widths) + np.arange(widths.sum())
    weights = np.where(weights[1:] < _ROUNDING, 0.0, weights[1:])
    sums[slots] = weights


_ROUNDING = 1e-9
