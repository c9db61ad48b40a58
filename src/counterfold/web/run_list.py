"""The list of runs, with what the manifest of each says."""

from typing import Any

from counterfold.runs.run_listing import FoundRun
from counterfold.web.answers import Operation, Parameters
from counterfold.web.opened_runs import OpenedRuns


class RunList:
    """Answers which runs there are."""

    def __init__(self, runs: OpenedRuns) -> None:
        self.runs = runs

    @property
    def operations(self) -> list[Operation[Any]]:
        """What can be asked."""
        return [Operation("GET", "runs", Parameters, self.list)]

    def list(self, given: Parameters) -> dict[str, Any]:
        """All runs of the folders that are served."""
        folders = [str(folder) for folder in self.runs.folders]
        return {"folders": folders, "runs": [_describe(run) for run in self.runs.list()]}


def _describe(run: FoundRun) -> dict[str, Any]:
    return {
        "name": run.name,
        "kind": run.kind,
        "game": _name_game(run),
        "iterations": run.iterations,
        "seconds": run.seconds,
        "modified": run.modified,
    }


def _name_game(run: FoundRun) -> str:
    """The game of a run, in a few words."""
    identity = run.identity
    if run.kind == "spot":
        return f"{identity.get('board') or 'preflop'}, pot {identity.get('pot')}"
    return str(identity.get("variant") or identity.get("game") or "")
