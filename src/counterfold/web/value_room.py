"""The EV of a bot's hands: computed while somebody waits, reported as it goes, and kept."""

import secrets
import threading
import time
from collections import OrderedDict
from typing import Any

from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from counterfold.blueprints.action_values import ActionValues, ValueEstimate, check_valued
from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import UnknownNameError, UnsupportedGameError
from counterfold.web.answers import Operation, Parameters
from counterfold.web.event_stream import Told, stream_events
from counterfold.web.opened_runs import OpenedRun, OpenedRuns
from counterfold.web.runouts import SEATS

_TELL_SECONDS = 0.2
_MOST_KEPT = 64
_MOST_AT_ONCE = 4


class ValueParameters(Parameters):
    """A decision of a bot."""

    run: str
    line: str = ""
    runouts: int = Field(0, ge=0, le=100_000)  # how many to take; 0 for as many as is usual


class WorkParameters(Parameters):
    """A computation that is running."""

    work: str = Field(max_length=32)


class ValueRoom:
    """Answers requests for EVs; a computation ends when nobody listens anymore."""

    def __init__(self, runs: OpenedRuns) -> None:
        self.runs = runs
        self._kept: OrderedDict[tuple[OpenedRun, str], ActionValues] = OrderedDict()
        self._lock = threading.Lock()
        self._at_work: dict[str, threading.Event] = {}  # by name, to stop them

    @property
    def operations(self) -> list[Operation[Any]]:
        """What can be asked."""
        return [
            Operation("GET", "values", ValueParameters, self.compute),
            Operation("POST", "settle", WorkParameters, self.settle),
        ]

    def compute(self, given: ValueParameters) -> StreamingResponse:
        """Compute the values of a decision, and tell how far it has come."""
        opened = self.runs.open(given.run)
        if not isinstance(opened.content, TrainedBot):
            raise UnsupportedGameError(f"{given.run!r} is not a trained bot: its EV is known")
        estimate = opened.content.estimate_values(opened.content.strategy(history=given.line))
        wanted = given.runouts or estimate.n_wanted
        return stream_events(self._tell(opened, given.line, estimate, wanted))

    def settle(self, given: WorkParameters) -> dict[str, Any]:
        """Let a computation end with what it has found."""
        if given.work not in self._at_work:
            raise UnknownNameError("computation", given.work, self._at_work)
        self._at_work[given.work].set()
        return {}

    def find(self, opened: OpenedRun, line: str) -> ActionValues | None:
        """The values of a decision, if they are known."""
        return self._kept.get((opened, line))

    def describe(self, opened: OpenedRun, bot: TrainedBot, line: str) -> dict[str, Any]:
        """What is known about the values of a decision: the ranges', or why there are none."""
        found = self.find(opened, line)
        if found is not None:
            ranges = zip(SEATS, found.ranges, strict=True)
            return {
                "told": found.describe(),
                "ranges": {name: each.to_dict() for name, each in ranges},
            }
        try:
            check_valued(bot.variant)
        except UnsupportedGameError as error:
            return {"refused": str(error)}
        return {}

    def compute_at_once(self, opened: OpenedRun, bot: TrainedBot, line: str) -> None:
        """Find values where nothing more is dealt, which takes a moment."""
        if self.find(opened, line) is None:
            table = bot.strategy(history=line)
            if len(table.board) == bot.variant.board_cards():
                self._keep(opened, line, bot.values(table))

    async def _tell(
        self, opened: OpenedRun, line: str, estimate: ValueEstimate, wanted: int
    ) -> Told:
        if len(self._at_work) >= _MOST_AT_ONCE:
            yield {"error": "others are waiting for EVs; try again in a moment"}
            return
        name, stop = secrets.token_hex(8), threading.Event()
        self._at_work[name] = stop
        try:
            more = True
            while more and not stop.is_set():
                more = await run_in_threadpool(_work, estimate, wanted)
                yield {"work": name, "runouts": estimate.n_runouts, "wanted": wanted}
        finally:
            del self._at_work[name]
            if estimate.n_runouts > 1 or estimate.n_runouts == estimate.n_runouts_in_all:
                self._keep(opened, line, estimate.values())

    def _keep(self, opened: OpenedRun, line: str, values: ActionValues) -> None:
        with self._lock:
            self._kept[opened, line] = values
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)


def _work(estimate: ValueEstimate, wanted: int) -> bool:
    """Take run-outs for a moment; says whether some are left.

    Nobody waits for it: an estimate has memory of its own, and the bot is only read.
    """
    end = time.monotonic() + _TELL_SECONDS
    while estimate.n_runouts < wanted:
        if not estimate.add_runout():
            return False
        if time.monotonic() > end:
            break
    return estimate.n_runouts < wanted
