"""Exact figures of a strategy profile: value, best responses, NashConv, exploitability.

All of them are one sum over terminals and one pass up the decision points of each player. Without
perfect recall a best response is hard to compute; there the responder is allowed to remember its
own sequence, which bounds from above what a forgetful one could gain.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.errors import UnsupportedGameError
from counterfold.frames import NamedFigures
from counterfold.tree import sequence_form_kernels
from counterfold.tree.compiled_game import CompiledGame
from counterfold.tree.profile import Strategy


@dataclass(frozen=True)
class Evaluation(NamedFigures):
    """How good a profile is, in the unit of the game."""

    values: tuple[float, ...]  # expected utility of each player
    responses: tuple[float, ...]  # of each player's best response to the others
    nash_conv: float  # sum over players of what they could still gain
    exploitability: float | None  # NashConv / 2; only in two-player zero-sum games
    bound: bool  # whether the gains are upper bounds, because recall is imperfect

    def to_dict(self) -> dict[str, Any]:
        """All figures by name."""
        return {
            "value": self.values[0],
            "values": self.values,
            "best_responses": self.responses,
            "exploitability": self.exploitability,
            "nash_conv": self.nash_conv,
            "upper_bound": self.bound,
        }

    def __str__(self) -> str:
        at_most = "at most " if self.bound else ""
        values = ", ".join(f"{value:+.6f}" for value in self.values)
        if self.exploitability is None:
            return f"values {values}, NashConv {at_most}{self.nash_conv:.3e}"
        return f"value {self.values[0]:+.6f}, exploitability {at_most}{self.exploitability:.3e}"


def expected_values(strategy: Strategy) -> NDArray[np.float64]:
    """Expected utility of each player."""
    form = strategy.game.sequences
    reach = _reach(strategy)
    joint = np.prod(reach[form.terminals], axis=0)
    return np.asarray(form.weights @ joint, np.float64)


def best_response(strategy: Strategy, player: int) -> tuple[float, Strategy]:
    """What `player` can get against the others, and the profile in which it does.

    Raises `UnsupportedGameError` if the player forgets, because its information sets could not hold
    the response; `evaluate` still gives the bound.
    """
    game = strategy.game
    if not game.perfect_recall:
        raise UnsupportedGameError(
            f"a best response in {game.name} cannot be represented because recall is imperfect; "
            "lift the strategy to the exact game first"
        )
    value, choice = _respond(game, _reach(strategy), player)
    form = game.sequences
    probabilities = strategy.probabilities.copy()
    low, high = form.points[player], form.points[player + 1]
    probabilities[game.offsets[game.owners[player]] : game.offsets[game.owners[player + 1]]] = 0.0
    probabilities[form.slot[low:high] + choice[low:high]] = 1.0
    return value, Strategy(game, probabilities)


def evaluate(strategy: Strategy) -> Evaluation:
    """All figures of `strategy` in its own game; lift it first to measure it in the exact one."""
    game = strategy.game
    reach = _reach(strategy)
    values = expected_values(strategy)
    responses = [_respond(game, reach, p)[0] for p in range(game.game.n_players)]
    nash_conv = float(np.sum(responses - values))
    return Evaluation(
        tuple(values.tolist()),
        tuple(responses),
        nash_conv,
        nash_conv / 2 if game.is_two_player_zero_sum else None,
        not game.perfect_recall,
    )


def evaluate_lifted(strategy: Strategy) -> Evaluation | None:
    """The figures in the exact game of a strategy of an abstraction, None if it has none."""
    return None if strategy.game.is_exact else evaluate(strategy.lift())


def nash_conv(strategy: Strategy) -> float:
    """Sum over players of what a best response would gain."""
    return evaluate(strategy).nash_conv


def exploitability(strategy: Strategy) -> float:
    """Mean over both players of what a best response would gain; zero-sum games of two only."""
    result = evaluate(strategy).exploitability
    if result is None:
        raise UnsupportedGameError(
            f"exploitability is defined for two-player zero-sum games, and {strategy.game.name} "
            "is not one; use nash_conv"
        )
    return result


def _reach(strategy: Strategy) -> NDArray[np.float64]:
    form = strategy.game.sequences
    reach = np.empty(form.n_sequences)
    for p in range(strategy.game.game.n_players):
        sequence_form_kernels.reach_sequences(form, p, strategy.probabilities, reach)
    return reach


def _respond(
    game: CompiledGame, reach: NDArray[np.float64], player: int
) -> tuple[float, NDArray[np.int32]]:
    form = game.sequences
    values = np.empty(form.n_sequences)
    choice = np.zeros(form.parent.size, np.int32)
    sequence_form_kernels.value_terminals(form, player, reach, values)
    sequence_form_kernels.respond(form, player, values, choice)
    return float(values[player]), choice
