"""The runs of the folders that are served, those in use kept open.

A request names a run, and the name is looked up among those that were found: no part of it ever
becomes a path.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from counterfold.artifacts import MANIFEST
from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import ArtifactError, UnknownNameError
from counterfold.runs.run_listing import FoundRun, find_runs, read_run
from counterfold.spots.solved_spot import SolvedSpot
from counterfold.training.any_run import load_any_run
from counterfold.training.train_folder import TrainedRun
from counterfold.tree.solve_folder import SolvedRun

_MOST_OPEN = 8

Content = TrainedBot | SolvedSpot | SolvedRun


@dataclass(eq=False)
class OpenedRun:
    """A run, and the lock of those who look at a spot, whose solver has scratch memory.

    Bots and solved games are only read: any number of threads may ask at once.
    """

    found: FoundRun
    content: Content
    lock: threading.RLock = field(default_factory=threading.RLock)


class OpenedRuns:
    """Finds and opens the runs of some folders."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = tuple(folders)
        self._opened: OrderedDict[str, OpenedRun] = OrderedDict()
        self._lock = threading.Lock()  # of the dictionaries
        self._loading: dict[str, threading.Lock] = {}
        self._found: dict[str, FoundRun] = {}  # when they were last listed

    def list(self) -> list[FoundRun]:
        """All runs, as they are on disk now."""
        found = {run.name: run for folder in self.folders for run in find_runs(folder)}
        self._found = found
        return list(found.values())

    def new_folder(self) -> Path:
        """Where new runs go: into the first folder that is not a run itself."""
        for folder in self.folders:
            if not (folder / MANIFEST).exists():
                return folder.resolve()
        raise ArtifactError(
            "there is no folder for new runs; serve a folder of runs, not runs alone"
        )

    def find(self, name: str) -> FoundRun:
        """The run called `name`, as it is on disk now; the others are looked at if it is new."""
        known = self._found.get(name)
        run = None if known is None else read_run(known.path, name)
        if run is not None:
            return run
        self.list()
        if name not in self._found:
            raise UnknownNameError("run", name[:100], self._found)
        return self._found[name]

    def open(self, name: str) -> OpenedRun:
        """The run called `name`; read again if it has changed. The first time takes seconds."""
        run = self.find(name)
        with self._lock:
            loading = self._loading.setdefault(name, threading.Lock())
        with loading:
            with self._lock:
                opened = self._opened.get(name)
                if opened is not None and opened.found.modified == run.modified:
                    self._opened.move_to_end(name)
                    return opened
            content = load_any_run(run.path)
            bot = TrainedBot(content) if isinstance(content, TrainedRun) else content
            opened = OpenedRun(run, bot)
            with self._lock:
                self._opened[name] = opened
                if len(self._opened) > _MOST_OPEN:
                    self._opened.popitem(last=False)
            return opened
