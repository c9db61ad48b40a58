"""The peers: OpenSpiel's C++ solvers and LiteEFG, on the same games.

An iteration updates both players once, in all of them. OpenSpiel's CFR+ is ours step by step: equal
profiles up to rounding. LiteEFG averages the strategy after an update, not the one before, so its
average is one iteration ahead. All of them run on one thread.
"""

import os
import tempfile
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from typing import Protocol
from unittest.mock import patch

import pyspiel

from counterfold.runs.budget import evaluation_points
from timing.measure import Run, repeat, seconds_of

_GOOFSPIEL = "imp_info=True,num_cards=5,points_order=descending,returns_type=point_difference"
_GAMES = {
    "leduc": "leduc_poker",
    "liars-dice": "liars_dice",
    "goofspiel(5)": f"turn_based_simultaneous_game(game=goofspiel({_GOOFSPIEL}))",
}

# For a fresh process: what `counterfold solve leduc` does, 1000 iterations and NashConv.
OPENSPIEL_PROGRAM = """
import pyspiel
game = pyspiel.load_game("leduc_poker")
solver = pyspiel.CFRPlusSolver(game)
for _ in range(1000):
    solver.evaluate_and_update_policy()
print(pyspiel.nash_conv(game, solver.tabular_average_policy()))
"""


class PeerSolver(Protocol):
    """CFR+ of a peer."""

    run: Run

    def nash_conv(self) -> float:
        """Of the average strategy."""


class OpenSpiel:
    """`CFRPlusSolver` in C++."""

    def __init__(self, game: str) -> None:
        self.game = _load(game)
        self.solver = pyspiel.CFRPlusSolver(self.game)
        self.run = repeat(self.solver.evaluate_and_update_policy)

    def average_policy(self) -> pyspiel.TabularPolicy:
        return self.solver.tabular_average_policy()

    def nash_conv(self) -> float:
        return float(pyspiel.nash_conv(self.game, self.average_policy()))


class LiteEfg:
    """The baseline `CFRplus` over all histories, driven as LiteEFG's own training loop does."""

    def __init__(self, game: str) -> None:
        import LiteEFG  # here, so that other peers are measured where it is not installed
        from LiteEFG.baselines import CFRplus

        # It prints, and keeps a text file of the game in the home directory.
        with tempfile.TemporaryDirectory() as home, redirect_stdout(StringIO()):
            with patch.dict(os.environ, HOME=home):
                self.env = LiteEFG.OpenSpielEnv(_load(game), traverse_type="Enumerate")
            self.graph = CFRplus.graph()
        self.env.set_graph(self.graph)
        self.run = repeat(self._step)

    def _step(self) -> None:
        self.graph.update_graph(self.env)
        self.env.update_strategy(self.graph.current_strategy())

    def nash_conv(self) -> float:
        strategy = self.graph.current_strategy()
        return sum(self.env.exploitability(strategy, "linear-avg-iterate"))


def external_sampling(game: str) -> Run:
    """OpenSpiel's external sampling: one walk per player and iteration, as ours."""
    return repeat(pyspiel.ExternalSamplingMCCFRSolver(_load(game), seed=1).run_iteration)


def outcome_sampling(game: str) -> Run:
    """OpenSpiel's outcome sampling: one history per player and iteration, epsilon 0.6, as ours.

    So in version 2.0.2; an iteration of much older ones updates one player only.
    """
    return repeat(pyspiel.OutcomeSamplingMCCFRSolver(_load(game), seed=1).run_iteration)


def seconds_to(nash_conv: float, solver: PeerSolver) -> float:
    """Time that a fresh solver iterates until NashConv is reached.

    It is looked at after the same iterations as in our runs, and that time is not counted.
    """
    done, seconds = 0, 0.0
    while done == 0 or solver.nash_conv() > nash_conv:
        steps = evaluation_points(done) - done
        seconds += seconds_of(partial(solver.run, steps))
        done += steps
    return seconds


def _load(game: str) -> pyspiel.Game:
    return pyspiel.load_game(_GAMES[game])
