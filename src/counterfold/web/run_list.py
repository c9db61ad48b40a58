"""The list of runs, with what the manifest of each says."""

from collections.abc import Mapping
from typing import Any

import tomli_w

from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import ArtifactError, CounterfoldError
from counterfold.responses.known_responses import describe_known, known_responses
from counterfold.responses.response_run import strategy_digest
from counterfold.runs.run_listing import FoundRun
from counterfold.training.train_folder import load_metrics
from counterfold.web.answers import Operation, Parameters
from counterfold.web.opened_runs import OpenedRuns


class CurveParameters(Parameters):
    """A run."""

    run: str


class RunList:
    """Answers which runs there are."""

    def __init__(self, runs: OpenedRuns) -> None:
        self.runs = runs

    @property
    def operations(self) -> list[Operation[Any]]:
        """What can be asked."""
        return [
            Operation("GET", "runs", Parameters, self.list),
            Operation("GET", "curve", CurveParameters, self.curve),
            Operation("GET", "measures", CurveParameters, self.measures),
        ]

    def list(self, given: Parameters) -> dict[str, Any]:
        """All runs of the folders that are served."""
        folders = [str(folder) for folder in self.runs.folders]
        return {"folders": folders, "runs": [_describe(run) for run in self.runs.list()]}

    def curve(self, given: CurveParameters) -> dict[str, Any]:
        """The progress of a run by its iterations; read from disk, so it can be watched."""
        run = self.runs.find(given.run)
        if run.kind == "train":
            curves = _tell_training(load_metrics(run.path))
        else:
            curves = [_tell_points(run)]
        return _describe(run) | {"curves": curves, "recipe": _write_recipe(run)}

    def measures(self, given: CurveParameters) -> dict[str, Any]:
        """What has been measured of a bot in the real game by `counterfold respond`; null of a run
        that is not a bot, or not yet.
        """
        self.runs.find(given.run)
        try:
            opened = self.runs.open(given.run)
        except CounterfoldError:
            return {"measures": None}
        if not isinstance(opened.content, TrainedBot):
            return {"measures": None}
        known = known_responses(opened.found.path, strategy_digest(opened.content.run))
        return {"measures": [describe_known(entry) for entry in known]}


def _tell_training(metrics: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Regret, which is not exploitability, and how much of the strategy is trained."""
    titles = (
        ("mean_positive_regret", "Mean positive regret, which bounds nothing", "chips", 1.0),
        ("trained_infosets", "Trained information sets", "%", 100.0),
        ("iterations_per_second", "Iterations per second", "", 1.0),
    )
    return [
        {
            "title": title,
            "unit": unit,
            "points": [[row["iterations"], factor * row[key]] for row in metrics if key in row],
        }
        for key, title, unit, factor in titles
    ]


def _tell_points(run: FoundRun) -> dict[str, Any]:
    """The evaluations of a spot or of a solved game."""
    try:
        points = run.progress["points"]
        if run.kind == "spot":
            percent = 100.0 / run.identity["pot"]
            found = [[point["iterations"], percent * point["exploitability"]] for point in points]
            return {"title": "Exploitability", "unit": "% of the pot", "points": found}
        found = [[point["iterations"], float(point["nash_conv"])] for point in points]
        return {"title": "NashConv", "unit": "", "points": found}
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise ArtifactError(f"{run.name!r} is damaged: its progress has {error}") from error


def _write_recipe(run: FoundRun) -> dict[str, str]:
    """The recipe of a bot with its name, else what identifies the run, as TOML."""
    name, recipe = run.details.get("name"), run.details.get("recipe")
    text = tomli_w.dumps(_leave_out_none(recipe or run.identity))
    return {"name": str(name) if recipe else "", "text": text}


def _leave_out_none(content: Any) -> Any:
    """The same without unset keys, which TOML cannot express."""
    if isinstance(content, Mapping):
        return {key: _leave_out_none(each) for key, each in content.items() if each is not None}
    if isinstance(content, list):
        return [_leave_out_none(each) for each in content if each is not None]
    return content


def _describe(run: FoundRun) -> dict[str, Any]:
    return {
        "name": run.name,
        "kind": run.kind,
        "game": _name_game(run),
        "iterations": run.progress.get("iterations"),
        "seconds": run.progress.get("seconds"),
        "modified": run.modified,
    }


def _name_game(run: FoundRun) -> str:
    """The game of a run, in a few words."""
    identity = run.identity
    if run.kind == "spot":
        return f"{identity.get('board') or 'preflop'}, pot {identity.get('pot')}"
    return str(identity.get("variant") or identity.get("game") or "")
