"""Spots as work for many: a piece is a spot, its result a row of figures, and its strategy."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from numpy.typing import NDArray

from counterfold.ranges.spot import Spot
from counterfold.runs.budget import Budget
from counterfold.runs.run_folder import RunRecord
from counterfold.spots.solved_spot import SolvedSpot
from counterfold.spots.spot_cost import check_cost, estimate_spot
from counterfold.spots.spot_folder import make_record, strategy_arrays
from counterfold.spots.spot_run import solve_spot

PLAYS = "plays "  # how the names of shares begin, before an action


class SpotPiece(NamedTuple):
    """A spot on its way to a worker."""

    spot: Mapping[str, Any]
    budget: Budget


class SpotFigures(NamedTuple):
    """What a worker found."""

    row: dict[str, Any]
    record: RunRecord | None = None  # with the strategy, if that was asked for
    strategy: Mapping[str, NDArray[Any]] | None = None


@dataclass(frozen=True)
class SpotJob:
    """Solves each spot with one thread; its numbers do not depend on where that is done."""

    strategies: bool = False  # whether to send them, too

    def prepare(self) -> Callable[[Any, SpotPiece], SpotFigures]:
        """Nothing is shared by spots."""
        return self._solve

    def _solve(self, published: Any, piece: SpotPiece) -> SpotFigures:
        spot = Spot.from_dict(piece.spot)
        # Packed tables would give other numbers wherever less memory is free.
        check_cost(estimate_spot(spot, 1, pack=False))
        result = solve_spot(spot, piece.budget, threads=1, device="cpu")
        if result.interrupted:
            raise KeyboardInterrupt
        if not self.strategies:
            return SpotFigures(find_row(result))
        record = make_record(spot, result.solver, result.progress)
        return SpotFigures(find_row(result), record, strategy_arrays(result.solver))


def find_row(result: SolvedSpot) -> dict[str, Any]:
    """The figures of a spot in one row: of the whole spot, and what is done first."""
    root, spot = result.at(), result.spot
    totals = root.totals()
    return {
        "board": spot.board,
        "iterations": result.progress.iterations,
        "seconds": result.progress.seconds,
        "exploitability": result.evaluation.exploitability,
        "exploitability_percent": result.evaluation.exploitability_percent,
        **{f"ev_{name}": ev for name, ev in result.evs.items()},
        **{f"equity_{name}": equity for name, equity in totals["equity"].items()},
        "position": root.position,
        **{PLAYS + label: share for label, share in totals["strategy"].items()},
    }
