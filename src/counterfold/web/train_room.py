"""Training from shipped recipes: estimated, begun, watched and stopped here; one run at a time."""

import re
import secrets
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from counterfold.errors import BudgetError, UnknownNameError
from counterfold.training.cost import check_estimate, estimate_plan
from counterfold.training.plan import make_plan
from counterfold.training.recipe import load_recipe, shipped_recipes
from counterfold.training.train_metrics import Metrics
from counterfold.training.train_run import train
from counterfold.web.answers import Operation, Parameters
from counterfold.web.background import Background
from counterfold.web.opened_runs import OpenedRuns

_CHECKPOINT_SECONDS = 5.0  # so that a run is seen, and can be watched, soon after it has begun
_LONGEST_SECONDS = 7 * 24 * 3600


class RecipeParameters(Parameters):
    """A shipped recipe."""

    recipe: str = Field(max_length=100)


class TrainParameters(RecipeParameters):
    """How long to train it, and on how many threads."""

    seconds: float = Field(gt=0, le=_LONGEST_SECONDS)
    threads: int = Field(1, ge=1, le=256)


@dataclass(eq=False)
class _Training(Background):
    recipe: str
    folder: Path
    step: str = "preparing"
    metrics: Metrics | None = None

    def observe(self, metrics: Metrics) -> None:
        """Note how far the training has come."""
        self.step, self.metrics = "training", metrics

    def note_table(self, name: str, done: int, total: int) -> None:
        """Note how far the card tables have come."""
        self.step = f"building card tables: {name}, {100 * done // max(total, 1)}%"


class TrainRoom:
    """Answers requests to train."""

    def __init__(self, runs: OpenedRuns) -> None:
        self.runs = runs
        self._training: _Training | None = None
        self._lock = threading.Lock()

    @property
    def operations(self) -> list[Operation[Any]]:
        """What can be asked."""
        return [
            Operation("GET", "recipes", Parameters, self.list),
            Operation("GET", "cost", RecipeParameters, self.estimate),
            Operation("POST", "train", TrainParameters, self.train),
            Operation("POST", "end", Parameters, self.end),
            Operation("GET", "training", Parameters, self.look),
        ]

    def list(self, given: Parameters) -> dict[str, Any]:
        """The shipped recipes."""
        found = []
        for name, path in shipped_recipes().items():
            _, recipe = load_recipe(str(path))
            found.append({"name": name, "about": recipe.about, "variant": recipe.variant})
        return {"recipes": found}

    def estimate(self, given: RecipeParameters) -> dict[str, Any]:
        """What training will take, before anything is built."""
        return asdict(estimate_plan(make_plan(_find(given.recipe))))

    def train(self, given: TrainParameters) -> dict[str, Any]:
        """Begin to train a recipe, in a folder of its own."""
        path = _find(given.recipe)
        plan = make_plan(path, [f"solver.threads={given.threads}"])
        check_estimate(plan.recipe, estimate_plan(plan))
        with self._lock:
            if self._training is not None and not self._training.done:
                raise BudgetError("another recipe is being trained; stop it first, or wait")
            name = re.sub("[^a-z0-9-]", "-", given.recipe.lower())
            folder = self.runs.new_folder() / f"{name}-{secrets.token_hex(3)}"
            training = self._training = _Training(given.recipe, folder)

        def work() -> None:
            train(
                plan,
                folder,
                seconds=given.seconds,
                checkpoint_seconds=_CHECKPOINT_SECONDS,
                observe=training.observe,
                progress=training.note_table,
                stop=training.stop,
            )

        training.begin(work)
        return self.look(given)

    def end(self, given: Parameters) -> dict[str, Any]:
        """Stop, and keep what was trained so far."""
        if self._training is not None:
            self._training.stop.set()
        return self.look(given)

    def look(self, given: Parameters) -> dict[str, Any]:
        """How far the last training has come; null before the first."""
        training = self._training
        if training is None:
            return {"training": None}
        names = {run.path: run.name for run in self.runs.list()}
        metrics = training.metrics
        return {
            "training": {
                "recipe": training.recipe,
                "step": training.step,
                "iterations": 0 if metrics is None else metrics.iterations,
                "seconds": 0.0 if metrics is None else metrics.seconds,
                "rate": None if metrics is None else metrics.iterations_per_second,
                "trained": None if metrics is None else metrics.trained_infosets,
                "done": training.done,
                "stopped": training.stop.is_set(),
                "error": training.error,
                "run": names.get(training.folder, ""),
            }
        }


def _find(name: str) -> Path:
    found = shipped_recipes()
    if name not in found:
        raise UnknownNameError("recipe", name, found)
    return found[name]
