"""Solving many spots: workers, progress, interrupts, rows that outlive a kill.

A folder gets one file for each spot as soon as it is solved, and at the end a table of all. A call
that resumes solves what is missing, and what failed before; results do not depend on who solved
what.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from counterfold.artifacts import write_json
from counterfold.cluster.workers import LocalWorkers, Workers
from counterfold.errors import ArtifactError
from counterfold.frames import make_frame
from counterfold.runs import run_folder
from counterfold.runs.interrupts import interrupting
from counterfold.runs.run_folder import RunRecord, claimed_folder
from counterfold.spots.row_files import write_csv
from counterfold.spots.spot_folder import is_spot
from counterfold.spots.spot_job import SpotFigures, SpotJob, SpotPiece
from counterfold.spots.spot_list import ListedSpot

KIND = "spots"
TABLE = "spots.csv"
STRATEGIES = "strategies"
_ROWS = "rows"
_RECORD = RunRecord(KIND, {}, KIND, {"iterations": 0, "seconds": 0.0})


@dataclass(frozen=True)
class BulkProgress:
    """How far a call is."""

    done: int  # spots, those that failed and those of earlier calls among them
    total: int
    failed: int
    seconds: float  # of this call
    done_now: int  # spots of this call
    name: str  # of the last one

    @property
    def per_second(self) -> float:
        """Spots by this call."""
        return self.done_now / max(self.seconds, 1e-9)

    @property
    def seconds_left(self) -> float:
        """By the rate of this call."""
        return (self.total - self.done) / max(self.per_second, 1e-9)


@dataclass
class SolvedSpots:
    """Rows of figures by name, and the errors of spots that have none."""

    names: tuple[str, ...]  # all that were asked for, in their order
    found: dict[str, dict[str, Any]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    interrupted: bool = False

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each spot that is solved, in the order that was asked for."""
        return [{"name": name, **self.found[name]} for name in self.names if name in self.found]

    def to_dict(self) -> dict[str, Any]:
        """All by name, as JSON has it."""
        failures = {name: self.failures[name] for name in self.names if name in self.failures}
        return {"spots": self.rows, "failures": failures, "interrupted": self.interrupted}

    def to_frame(self) -> Any:
        """A row per spot; needs pandas or polars."""
        return make_frame(self.rows)


def solve_spots(
    spots: Sequence[ListedSpot],
    *,
    folder: Path | None = None,
    resume: bool = False,
    strategies: bool = False,
    workers: Workers | None = None,
    observe: Callable[[BulkProgress], None] | None = None,
) -> SolvedSpots:
    """Solve all `spots`, each with one thread; with `workers` as many at a time as there are.

    With `folder`, each row is kept there once it is known, and with `strategies` the strategy, too,
    as a folder of a spot for `show`. Ctrl-C ends the call with what is there.
    """
    result = SolvedSpots(tuple(each.name for each in spots))
    with _claimed(folder, resume=resume):
        for each in spots:
            if each.options is None:
                result.failures[each.name] = each.error
            elif folder is not None and _is_known(folder, each, strategies):
                result.found[each.name] = _read_row(folder, each)
        missing = [each for each in spots if each.name not in {*result.found, *result.failures}]
        try:
            with interrupting() as check:
                for progress in _solve_missing(missing, result, folder, strategies, workers):
                    check()
                    if observe is not None:
                        observe(progress)
        except KeyboardInterrupt:
            result.interrupted = True
        if folder is not None and result.rows:
            write_csv(folder / TABLE, result.rows)
    return result


def _solve_missing(
    missing: Sequence[ListedSpot],
    result: SolvedSpots,
    folder: Path | None,
    strategies: bool,
    workers: Workers | None,
) -> Iterator[BulkProgress]:
    """Add what is missing to `result`, one after another."""
    began = time.monotonic()
    pieces = [
        SpotPiece(each.options.spot.to_dict(), each.options.budget)
        for each in missing
        if each.options is not None
    ]
    crew = (workers or LocalWorkers()).begin(SpotJob(strategies and folder is not None))
    for at, done in enumerate(crew.finish(pieces), 1):
        listed = missing[done.number]
        if done.error is not None:
            result.failures[listed.name] = str(done.error)
        else:
            if folder is not None:
                _write(folder, listed, done.result)
            result.found[listed.name] = done.result.row
        n_done, n_failed = len(result.found) + len(result.failures), len(result.failures)
        seconds = time.monotonic() - began
        yield BulkProgress(n_done, len(result.names), n_failed, seconds, at, listed.name)


@contextmanager
def _claimed(folder: Path | None, *, resume: bool) -> Iterator[None]:
    if folder is None:
        yield
        return
    with claimed_folder(folder, KIND, {}, resume=resume) as resuming:
        if not resuming:
            run_folder.save_checkpoint(folder, _RECORD, {})
        yield


def _is_known(folder: Path, listed: ListedSpot, strategies: bool) -> bool:
    """Whether a spot is solved there, with its strategy if that is wanted."""
    if not _row_file(folder, listed).exists():
        return False
    place = folder / STRATEGIES / listed.name
    return not strategies or (place.is_dir() and is_spot(place))


def _write(folder: Path, listed: ListedSpot, figures: SpotFigures) -> None:
    """The strategy first: where there is a row, the spot is done."""
    if figures.record is not None and figures.strategy is not None:
        place = folder / STRATEGIES / listed.name
        run_folder.save_strategy(place, figures.record, figures.strategy, {})
    path = _row_file(folder, listed)
    path.parent.mkdir(exist_ok=True)
    write_json(path, {"spot": listed.digest, "row": figures.row})


def _read_row(folder: Path, listed: ListedSpot) -> dict[str, Any]:
    path = _row_file(folder, listed)
    try:
        content: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        digest, row = content["spot"], content["row"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArtifactError(
            f"{str(path)!r} is damaged: {error}; delete it and solve it again"
        ) from error
    if digest != listed.digest:
        raise ArtifactError(
            f"{str(path)!r} is of another spot {listed.name!r} or of other limits; choose another "
            "folder"
        )
    return dict(row)


def _row_file(folder: Path, listed: ListedSpot) -> Path:
    return folder / _ROWS / f"{listed.name}.json"
