"""Measuring a best response board by board: progress, interrupts, rows that outlive a kill.

A folder keeps one row for each board as soon as it is known. A call that resumes reads them back
and continues; its result does not depend on when or where the others were found.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np

from counterfold import artifacts
from counterfold.cards.text import format_cards
from counterfold.checksums import hash_parts
from counterfold.cluster.workers import Workers
from counterfold.devices import Device
from counterfold.errors import ArtifactError, DeviceError
from counterfold.responses.device.device_responder import find_library, respond_on_device
from counterfold.responses.exact_response import (
    BoardRow,
    ExactResponder,
    ExactResponse,
    NextBoard,
)
from counterfold.responses.response_job import ResponseJob
from counterfold.runs import run_folder
from counterfold.runs.interrupts import interruptible
from counterfold.runs.run_folder import RunRecord, claimed_folder
from counterfold.training.run_parcel import RunParcel
from counterfold.training.train_folder import TrainedRun

KIND = "respond"
_BOARDS = "boards"
_NUMBERS = np.dtype(np.float64)
_LEAST = 4  # boards of an estimate: two in each half

Observer = Callable[["ResponseProgress"], None]
Respond = Callable[[Sequence[NextBoard], Callable[[], bool]], Iterator[BoardRow]]


@dataclass(frozen=True)
class ResponseProgress:
    """How far a measurement is."""

    done: int  # boards
    total: int
    seconds: float  # of this call
    boards_of_call: int
    result: ExactResponse | None  # what the boards so far say

    @property
    def seconds_left(self) -> float:
        """By the rate of this call."""
        return (self.total - self.done) * self.seconds / max(self.boards_of_call, 1)


@dataclass(frozen=True)
class Measured:
    """What a call of `measure_response` found."""

    result: ExactResponse | None  # None if too few boards are known
    done: int
    total: int
    seconds: float


def measure_response(
    responder: ExactResponder,
    run: TrainedRun,
    boards: Sequence[NextBoard],
    *,
    sampled: bool,
    folder: Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    workers: Workers | None = None,
    device: Device = "auto",
    observe: Observer | None = None,
) -> Measured:
    """Respond on `boards`, all or a sample: with `workers`, a GPU, or threads of this process.

    Ctrl-C ends it with the figures so far.
    """
    if workers is not None and device == "gpu":
        raise DeviceError("a cluster responds on processors; leave out --cluster or --device gpu")
    library = None if workers is not None else find_library(responder, device)

    def respond(missing: Sequence[NextBoard], stopped: Callable[[], bool]) -> Iterator[BoardRow]:
        if library is not None:
            return respond_on_device(responder, missing, library, threads, stopped)
        if workers is None:
            return responder.respond(missing, threads, stopped)
        job = ResponseJob(RunParcel.of(run), responder.menu, responder.sides[0].by_street)
        rows: Iterator[BoardRow] = workers.begin(job).do(missing)
        return takewhile(lambda _: not stopped(), rows)

    with _claimed(folder, responder, run, resume=resume):
        known = {} if folder is None else _read_rows(folder, responder, boards)
        return _Call(responder, boards, sampled, folder, known, observe).run(respond)


class _Call:
    """One call: boards in, figures out."""

    def __init__(
        self,
        responder: ExactResponder,
        boards: Sequence[NextBoard],
        sampled: bool,
        folder: Path | None,
        known: dict[NextBoard, BoardRow],
        observe: Observer | None,
    ) -> None:
        self.responder, self.boards, self.sampled = responder, boards, sampled
        self.folder, self.known, self.observe = folder, known, observe
        self.began = time.monotonic()
        self.n_new = 0

    def run(self, respond: Respond) -> Measured:
        missing = [b for b in dict.fromkeys(self.boards) if b not in self.known]
        with interruptible() as interrupted:
            for row in respond(missing, interrupted.is_set):
                self._add(row)
        return Measured(self._result(), len(self._rows()), len(self.boards), self._seconds())

    def _add(self, row: BoardRow) -> None:
        self.known[row.board] = row
        self.n_new += 1
        if self.folder is not None:
            _write_row(self.folder, row)
        if self.observe is not None:
            done = len(self._rows())
            result = self._result()
            self.observe(
                ResponseProgress(done, len(self.boards), self._seconds(), self.n_new, result)
            )

    def _rows(self) -> list[BoardRow]:
        """Rows of the boards that are known; of a sample up to the first that is not."""
        rows = []
        for board in self.boards:
            if board in self.known:
                rows.append(self.known[board])
            elif self.sampled:
                break
        return rows

    def _result(self) -> ExactResponse | None:
        rows = self._rows()
        if self.sampled:
            return self.responder.estimate(rows) if len(rows) >= _LEAST else None
        return self.responder.combine(rows) if len(rows) == len(self.boards) else None

    def _seconds(self) -> float:
        return time.monotonic() - self.began


@contextmanager
def _claimed(
    folder: Path | None, responder: ExactResponder, run: TrainedRun, *, resume: bool
) -> Iterator[None]:
    """Keep `folder` for this bot and these settings."""
    if folder is None:
        yield
        return
    identity = identify(responder, run)
    with claimed_folder(folder, KIND, identity, resume=resume) as resuming:
        if not resuming:
            record = RunRecord(
                KIND, identity, identity["strategy"], {"iterations": 0, "seconds": 0.0}
            )
            run_folder.save_checkpoint(folder, record, {})
        yield


def identify(responder: ExactResponder, run: TrainedRun) -> dict[str, Any]:
    """What rows depend on."""
    return {
        "bot": run.name,
        "strategy": strategy_digest(run),
        "variant": responder.variant.name,
        "menu": responder.menu.name if responder.menu else "",
        "layers": responder.sides[0].by_street,
        "precision": str(responder.sides[0].dtype),
    }


def strategy_digest(run: TrainedRun) -> str:
    """A hash of what a run plays: its strategy, and how the recipe says it is played."""
    return hash_parts(run.blueprint.quantized, run.plan.recipe.play.model_dump_json())


def _write_row(folder: Path, row: BoardRow) -> None:
    cards = format_cards(row.board.all_cards)
    manifest = {"board": list(row.board.all_cards), "copies": row.board.copies}
    arrays = {"worth-0": row.worth[0], "worth-1": row.worth[1]}
    artifacts.save(folder / _BOARDS / cards, manifest, arrays)


def _read_rows(
    folder: Path, responder: ExactResponder, boards: Sequence[NextBoard]
) -> dict[NextBoard, BoardRow]:
    rows = {}
    shapes = [_shape(responder, seat) for seat in (0, 1)]
    for board in dict.fromkeys(boards):
        place = folder / _BOARDS / format_cards(board.all_cards)
        if not place.exists():
            continue
        _, arrays = artifacts.load(place)
        worth = (arrays["worth-0"], arrays["worth-1"])
        if any(
            w.shape[:2] != s or w.dtype != np.float64 for w, s in zip(worth, shapes, strict=True)
        ):
            raise ArtifactError(f"{str(place)!r} is damaged: its rows do not fit the betting")
        rows[board] = BoardRow(board, worth)
    return rows


def _shape(responder: ExactResponder, seat: int) -> tuple[int, int]:
    side = responder.sides[seat]
    return int(side.n_layers[1]), int(side.lines.streets[2] - side.lines.streets[1])
