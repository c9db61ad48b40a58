"""A spot with its strategy: what a run of `spot` returns, and what is read back from its folder."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from counterfold.frames import make_frame
from counterfold.ranges.range_solver import RangeEvaluation, RangeSolver
from counterfold.ranges.spot import POSITIONS, Spot
from counterfold.ranges.spot_node import SpotNode
from counterfold.ranges.spot_view import SpotView


@dataclass(frozen=True)
class SpotPoint:
    """One evaluation during a run."""

    iterations: int
    seconds: float  # of solving and of evaluations; checkpoints are not counted
    exploitability: float  # chips


@dataclass(frozen=True)
class SpotProgress:
    """How far a run has come."""

    iterations: int = 0
    seconds: float = 0.0
    points: tuple[SpotPoint, ...] = ()
    packed: bool = False  # whether tables are of 16-bit integers


@dataclass(frozen=True, eq=False)
class SolvedSpot:
    """A strategy of both seats; `at` looks at any line.

    If it was read back from a folder, the solver has the strategy but no regrets.
    """

    spot: Spot
    solver: RangeSolver
    progress: SpotProgress
    interrupted: bool = False

    @cached_property
    def evaluation(self) -> RangeEvaluation:
        """Values and best responses of the strategy."""
        return self.solver.evaluate()

    @property
    def evs(self) -> dict[str, float]:
        """What each position wins of the pot on average, in chips."""
        values = self.evaluation.values
        return {
            name: values[seat] + self.spot.pot / 2
            for name, seat in zip(POSITIONS, self.spot.positions, strict=True)
        }

    @property
    def exploitability_mb(self) -> float:
        """In thousandths of a big blind."""
        return 1000 * self.evaluation.exploitability / self.spot.variant.big_blind

    @cached_property
    def view(self) -> SpotView:
        """What to look at it with."""
        return SpotView(self.spot, self.solver)

    def at(self, line: str = "", *, exploit: str = "") -> SpotNode:
        """The decision that `line` leads to, with cards inline, such as ``k k | 7h | b50%``.

        With `exploit`, ``oop`` or ``ip``, that position plays its best response from there on.
        """
        return self.view.at(line, exploit=exploit)

    def street(self, line: str = "", *, exploit: str = "") -> Iterator[SpotNode]:
        """The decision that `line` leads to and all that may follow it on its street."""
        return self.view.street(line, exploit=exploit)

    def to_dict(self) -> dict[str, Any]:
        """All figures of the whole spot by name."""
        totals = self.at().totals()
        return {
            "spot": self.spot.to_dict(),
            "iterations": self.progress.iterations,
            "seconds": self.progress.seconds,
            "interrupted": self.interrupted,
            "packed": self.progress.packed,
            **self.evaluation.to_dict(),
            "exploitability_mb": self.exploitability_mb,
            "ev": self.evs,
            "equity": totals["equity"],
            "strategy": totals["strategy"],
            "convergence": [asdict(point) for point in self.progress.points],
        }

    def to_frame(self) -> Any:
        """A row per evaluation of the run; needs pandas or polars."""
        return make_frame([asdict(point) for point in self.progress.points])

    def __repr__(self) -> str:
        spot, done = self.spot, self.progress.iterations
        return f"<SolvedSpot {spot.board or 'preflop'}, pot {spot.pot}, {done:,} iterations>"

    def __str__(self) -> str:
        evs = ", ".join(f"{name} {ev:.4g}" for name, ev in self.evs.items())
        return (
            f"{self.spot.board or 'preflop'}, pot {self.spot.pot}: EV {evs} chips, exploitability "
            f"{self.evaluation.exploitability_percent:.3g}% of the pot after "
            f"{self.progress.iterations:,} iterations in {self.progress.seconds:.3g} s"
        )
