"""The page of spots: ranges as text and as grids, what a spot will cost, and solving it live."""

import asyncio
import secrets
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field
from starlette.responses import StreamingResponse

from counterfold.cards.pairs import (
    N_HAND_CLASSES,
    PAIR_HAND_CLASSES,
    format_hand_class,
    parse_hand_class,
)
from counterfold.cards.ranges import Range, format_range, parse_range
from counterfold.errors import BudgetError, SpotError, UnknownNameError
from counterfold.ranges.locks import Lock, parse_lock
from counterfold.ranges.spot import Spot
from counterfold.spots.solved_spot import SolvedSpot, SpotProgress
from counterfold.spots.spot_cost import check_cost, estimate_spot
from counterfold.spots.spot_run import make_budget, solve_spot
from counterfold.web.answers import Operation, Parameters
from counterfold.web.background import Background
from counterfold.web.event_stream import Told, stream_events
from counterfold.web.opened_runs import OpenedRuns

SPOTS = "spots"  # the folder of new spots, in one that is served
_LOOK_SECONDS = 0.2  # between two looks at a spot that is being solved
_MOST_CHIPS = 1_000_000
_MOST_LOCKS = 50


class RangeParameters(Parameters):
    """A range as text."""

    text: str


class GridParameters(Parameters):
    """A range as weights of classes of hands."""

    weights: dict[str, float] = Field(max_length=N_HAND_CLASSES)


class SpotParameters(Parameters):
    """A spot of no-limit hold'em, and how exactly to solve it."""

    board: str = Field(max_length=20)
    oop: str
    ip: str
    pot: int = Field(ge=1, le=_MOST_CHIPS)
    stack: int = Field(ge=1, le=_MOST_CHIPS)
    bets: str = Field("50%, 100%, allin", max_length=400)
    target: float = Field(0.5, gt=0.0, lt=100.0)  # percent of the pot
    rake: float = Field(0.0, ge=0.0, lt=100.0)  # percent of every pot
    rake_cap: float = Field(0.0, ge=0.0, le=_MOST_CHIPS)  # chips; 0 for no cap
    locks: list[Annotated[str, Field(max_length=1000)]] = Field([], max_length=_MOST_LOCKS)

    @property
    def spot(self) -> Spot:
        """The spot itself."""
        return Spot(
            self.board,
            self.oop,
            self.ip,
            self.pot,
            self.stack,
            self.bets,
            rake=self.rake / 100,
            rake_cap=self.rake_cap,
            locks=tuple(map(parse_lock, self.locks)),
        )


class RunParameters(Parameters):
    """A spot that was solved."""

    run: str


class JobParameters(Parameters):
    """A spot that is being solved."""

    job: str = Field(max_length=32)


@dataclass(eq=False)
class _Job(Background):
    name: str
    spot: Spot
    folder: Path
    progress: SpotProgress = field(default_factory=SpotProgress)

    def observe(self, progress: SpotProgress) -> None:
        """Note how far the run has come."""
        self.progress = progress


class SpotRoom:
    """Answers requests to solve spots; one is solved at a time."""

    def __init__(self, runs: OpenedRuns) -> None:
        self.runs = runs
        self._job: _Job | None = None
        self._lock = threading.Lock()

    @property
    def operations(self) -> list[Operation[Any]]:
        """What can be asked."""
        return [
            Operation("GET", "range", RangeParameters, self.read_range),
            Operation("POST", "range", GridParameters, self.write_range),
            Operation("GET", "spot", RunParameters, self.describe),
            Operation("POST", "estimate", SpotParameters, self.estimate),
            Operation("POST", "solve", SpotParameters, self.solve),
            Operation("POST", "stop", JobParameters, self.stop),
            Operation("GET", "progress", JobParameters, self.watch),
        ]

    def read_range(self, given: RangeParameters) -> dict[str, Any]:
        """The mean weight of each class of hands."""
        weights = parse_range(given.text).weights
        totals = np.bincount(PAIR_HAND_CLASSES, weights, N_HAND_CLASSES)
        counts = np.bincount(PAIR_HAND_CLASSES, minlength=N_HAND_CLASSES)
        means = {format_hand_class(k): float(totals[k] / counts[k]) for k in range(N_HAND_CLASSES)}
        return {"weights": means, "hands": float(weights.sum())}

    def write_range(self, given: GridParameters) -> dict[str, Any]:
        """The text of a range whose classes have these weights."""
        by_class = np.zeros(N_HAND_CLASSES)
        for name, weight in given.weights.items():
            by_class[parse_hand_class(name)] = weight
        return {"text": format_range(Range(by_class[PAIR_HAND_CLASSES]))}

    def describe(self, given: RunParameters) -> dict[str, Any]:
        """A solved spot as the page describes one, to change something and solve it again."""
        solved = self.runs.open(given.run).content
        if not isinstance(solved, SolvedSpot):
            raise SpotError(f"{given.run!r} is not a spot")
        spot = solved.spot
        if spot.game != "nolimit" or spot.removed:
            raise SpotError(
                f"{given.run!r} needs the command line: it is not plain no-limit hold'em"
            )
        return {
            "board": spot.board,
            "oop": spot.oop,
            "ip": spot.ip,
            "pot": spot.pot,
            "stack": spot.stack,
            "bets": spot.bets,
            "rake": 100 * spot.rake,
            "rake_cap": spot.rake_cap,
            "locks": [_write_lock(lock) for lock in spot.locks],
        }

    def estimate(self, given: SpotParameters) -> dict[str, Any]:
        """What solving will cost."""
        spot = given.spot
        cost = estimate_spot(spot, device="auto")
        check_cost(cost)
        seconds = cost.expected_seconds(make_budget(spot, given.target / 100))
        return cost.to_dict() | {"expected_seconds": seconds}

    def solve(self, given: SpotParameters) -> dict[str, Any]:
        """Begin to solve a spot, in a folder of its own."""
        spot = given.spot
        cost = estimate_spot(spot, device="auto")
        check_cost(cost)
        _ = spot.lines  # what is wrong with the menu is found out here
        with self._lock:
            if self._job is not None and not self._job.done:
                raise BudgetError("another spot is being solved; stop it first, or wait")
            name = secrets.token_hex(4)
            job = self._job = _Job(name, spot, self.runs.new_folder() / SPOTS / name)
        budget = make_budget(spot, given.target / 100)

        def work() -> None:
            solved = solve_spot(
                spot,
                budget,
                folder=job.folder,
                packed=cost.packed,
                device="auto" if cost.device_bytes else "cpu",
                observe=job.observe,
                stop=job.stop,
            )
            job.observe(solved.progress)  # a run that is stopped at once has told nothing

        job.begin(work)
        return {"job": job.name}

    def stop(self, given: JobParameters) -> dict[str, Any]:
        """Stop, and keep what was solved so far."""
        self._find(given.job).stop.set()
        return {}

    def _find(self, name: str) -> _Job:
        job = self._job
        if job is None or job.name != name:
            raise UnknownNameError("spot", name, [] if job is None else [job.name])
        return job

    def watch(self, given: JobParameters) -> StreamingResponse:
        """How far a spot has come, told as it happens."""
        return stream_events(self._events(self._find(given.job)))

    async def _events(self, job: _Job) -> Told:
        while True:
            done = job.done
            yield self._describe(job, done)
            if done:
                return
            await asyncio.sleep(_LOOK_SECONDS)

    def _describe(self, job: _Job, done: bool) -> dict[str, Any]:
        progress = job.progress
        names = {run.path: run.name for run in self.runs.list()} if done else {}
        return {
            "iterations": progress.iterations,
            "seconds": round(progress.seconds, 3),
            "points": [
                [point.iterations, round(100 * point.exploitability / job.spot.pot, 6)]
                for point in progress.points
            ],
            "done": done,
            "stopped": job.stop.is_set(),
            "error": job.error,
            "run": names.get(job.folder, ""),
        }


def _write_lock(lock: Lock) -> str:
    parts = (lock.line, lock.hands, lock.actions) if lock.hands else (lock.line, lock.actions)
    return " : ".join(parts)
