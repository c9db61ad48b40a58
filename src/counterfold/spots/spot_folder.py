"""A solved spot on disk: what a run of `spot` adds to the folder of a run.

The identity of a run is all that describes its spot. The strategy is the sums behind the averages,
of each seat, so a folder is read back without any loss.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.errors import ArtifactError, CounterfoldError
from counterfold.ranges.range_pass import LearnedTables
from counterfold.ranges.range_solver import RangeSolver
from counterfold.ranges.spot import Spot
from counterfold.runs import run_folder
from counterfold.runs.run_folder import RunRecord
from counterfold.spots.solved_spot import SolvedSpot, SpotPoint, SpotProgress

KIND = "spot"
_AVERAGES = "averages"  # how the names of the tables begin that are the strategy on disk


def identify(spot: Spot) -> dict[str, Any]:
    """What must be equal for one call to resume another, as JSON reads it back."""
    content: dict[str, Any] = json.loads(json.dumps(spot.to_dict()))
    return content


def fingerprint(solver: RangeSolver) -> str:
    """A hash of what gives slots their meaning: the lines, the boards, the order of hands."""
    passes = solver.passes
    lines, boards, cards = passes.lines, passes.boards, passes.cards
    arrays: list[NDArray[Any]] = [lines.streets, lines.decisions, lines.lines]
    arrays += [array for seat in lines.seats for array in seat]
    arrays += [np.array(cards.board), *cards.hands, *cards.root_weights]
    arrays += [boards.street, boards.copies, boards.n_hands, boards.hand]
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.dtype}{array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def save_spot(folder: Path, spot: Spot, solver: RangeSolver, progress: SpotProgress) -> None:
    """Replace checkpoint and strategy, each complete at any moment."""
    record = make_record(spot, solver, progress)
    run_folder.save_checkpoint(folder, record, solver.tables)
    run_folder.save_strategy(folder, record, strategy_arrays(solver), {})


def make_record(spot: Spot, solver: RangeSolver, progress: SpotProgress) -> RunRecord:
    """What the manifests of a spot say."""
    return RunRecord(KIND, identify(spot), fingerprint(solver), asdict(progress))


def strategy_arrays(solver: RangeSolver) -> dict[str, NDArray[Any]]:
    """The tables of the averages under their names on disk."""
    return {
        name.replace(_AVERAGES, run_folder.STRATEGY): table
        for name, table in solver.tables.items()
        if name.startswith(_AVERAGES)
    }


def load_progress(folder: Path) -> SpotProgress:
    """How far the checkpoint in `folder` has come."""
    return _parse_progress(folder, run_folder.load_checkpoint_record(folder).progress)


def resume_spot(folder: Path, solver: RangeSolver, progress: SpotProgress) -> None:
    """Give a fresh `solver` the tables of the checkpoint in `folder`, which has this `progress`."""
    run_folder.load_tables(folder, fingerprint(solver), solver.tables)
    solver.adopt(solver.learned, progress.iterations)


def is_spot(folder: Path) -> bool:
    """Whether `folder` holds a solved spot."""
    return run_folder.run_kind(folder) == KIND


def load_spot(folder: Path | str, threads: int | None = None) -> SolvedSpot:
    """Read a run of `spot`."""
    folder = Path(folder)
    stored = run_folder.load_strategy(folder, KIND, (), mapped=True)
    progress = _parse_progress(folder, stored.record.progress)
    try:
        spot = Spot.from_dict(stored.record.identity)
        solver = spot.solver(threads=threads, packed=progress.packed)
    except (CounterfoldError, TypeError) as error:
        raise ArtifactError(f"{str(folder)!r} is damaged: {error}") from error
    if fingerprint(solver) != stored.record.fingerprint:
        raise ArtifactError(
            f"boards and lines of {str(folder)!r} are numbered differently in this version; "
            "solve the spot again"
        )
    for name, table in strategy_arrays(solver).items():
        _check_fits(folder, table, stored.arrays.get(name))
    _adopt(solver, stored.arrays, progress.iterations)
    return SolvedSpot(spot, solver, progress)


def _check_fits(folder: Path, table: NDArray[Any], saved: NDArray[Any] | None) -> None:
    if saved is None or saved.shape != table.shape or saved.dtype != table.dtype:
        raise ArtifactError(f"{str(folder)!r} is damaged: its strategy does not fit the spot")


def _adopt(solver: RangeSolver, arrays: Mapping[str, NDArray[Any]], iterations: int) -> None:
    """Let `solver` use a strategy where it lies, without a copy."""
    tables, scales = solver.learned
    found = [arrays[name] for name in strategy_arrays(solver)]
    tables = tables._replace(averages=(found[0], found[1]))
    if solver.passes.packed:
        scales = scales._replace(averages=(found[2], found[3]))
    solver.adopt(LearnedTables(tables, scales), iterations)


def _parse_progress(folder: Path, content: Mapping[str, Any]) -> SpotProgress:
    try:
        points = tuple(
            SpotPoint(
                int(point["iterations"]), float(point["seconds"]), float(point["exploitability"])
            )
            for point in content["points"]
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ArtifactError(f"{str(folder)!r} is damaged: its progress has {error}") from error
    iterations, seconds = int(content["iterations"]), float(content["seconds"])
    return SpotProgress(iterations, seconds, points, content.get("packed") is True)
