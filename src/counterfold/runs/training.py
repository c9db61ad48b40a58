"""Training by a recipe: estimate, build, walk within a budget, checkpoint, resume.

A run's folder holds the strategy that can be played, with everything needed to play it; its folder
`checkpoint` holds the tables to go on with. Either is always one complete state, so a killed run
loses at most the time since the last checkpoint. `metrics.jsonl` gets a line with every checkpoint.
"""

import hashlib
import importlib.metadata
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold import artifacts
from counterfold.cards.table_files import Progress as TableProgress
from counterfold.compiled.card_maps import CardMap
from counterfold.compiled.classes import PublicGame
from counterfold.errors import ArtifactError, BudgetError
from counterfold.memory import check_memory
from counterfold.runs.budget import Budget, parse_bytes, parse_seconds
from counterfold.runs.interrupts import interruptible
from counterfold.runs.plan import Estimate, Plan
from counterfold.runs.recipe import Recipe, parse_recipe
from counterfold.runs.storage import check_unused
from counterfold.solvers.public import PublicSolver
from counterfold.strategies.blueprint import Blueprint, Loss, quantise

KIND = "blueprint"
CHECKPOINT_KIND = "checkpoint"
CHECKPOINT = "checkpoint"
METRICS = "metrics.jsonl"
CHECKPOINT_SECONDS = 30.0
_CHUNK_SECONDS = 0.5  # how long an interrupt may go unnoticed
_SAMPLED_SLOTS = 2_000_000  # by which the mean positive regret is measured


@dataclass(frozen=True)
class Metrics:
    """How far a run has come."""

    iterations: int  # deals, each walked for both players
    seconds: float  # of training, checkpoints not counted
    iterations_per_second: float  # lately
    nodes_per_second: float
    trained_infosets: float  # share
    mean_positive_regret: float  # chips a deal; a bound on nothing, but it should fall
    memory_bytes: int


@dataclass(frozen=True)
class TrainResult:
    """What training made."""

    name: str
    recipe: Recipe
    blueprint: Blueprint
    loss: Loss
    metrics: Metrics
    interrupted: bool


def budget_of(recipe: Recipe, seconds: float | None, iterations: int | None) -> Budget:
    """The limits of one call: those given, else those of the recipe."""
    if seconds is None and iterations is None:
        if recipe.budget.time is not None:
            seconds = parse_seconds(recipe.budget.time)
        iterations = recipe.budget.iterations
    if seconds is None and iterations is None:
        raise BudgetError("neither time nor iterations limit the training; pass --time 10m")
    return Budget(iterations=iterations, seconds=seconds)


def check_estimate(recipe: Recipe, estimate: Estimate) -> None:
    """Raise `TooLargeError` or `BudgetError` if training would not fit into memory."""
    needed = estimate.training_bytes
    if recipe.budget.memory is not None and needed > parse_bytes(recipe.budget.memory):
        raise BudgetError(
            f"training needs {needed / 1e9:,.2f} GB and the budget is {recipe.budget.memory}; "
            "use fewer buckets, bets or features"
        )
    check_memory("the tables of training", needed)


def train(
    name: str,
    plan: Plan,
    folder: Path,
    budget: Budget,
    *,
    resume: bool = False,
    bits: int = 8,
    observe: Callable[[Metrics], None] | None = None,
    progress: TableProgress | None = None,
) -> TrainResult:
    """Train `plan` within `budget` and leave the strategy in `folder`."""
    identity = _identity(plan.recipe)
    checkpoint = folder / CHECKPOINT
    resuming = resume and (checkpoint / artifacts.MANIFEST).exists()
    if resuming:
        _check_identity(folder, artifacts.load_manifest(checkpoint), identity)
    else:
        _check_unused(folder)
    solver = plan.solver(plan.cards(progress))
    seconds = 0.0
    if resuming:
        seconds = _restore(checkpoint, solver)
    return _Loop(name, plan.recipe, solver, folder, budget, seconds, bits, observe).run()


class _Loop:
    """One call of `train`."""

    def __init__(
        self,
        name: str,
        recipe: Recipe,
        solver: PublicSolver,
        folder: Path,
        budget: Budget,
        seconds: float,
        bits: int,
        observe: Callable[[Metrics], None] | None,
    ) -> None:
        self.name, self.recipe, self.solver, self.folder = name, recipe, solver, folder
        self.budget, self.bits, self.observe = budget, bits, observe
        self.seconds = self.already = seconds
        self.rate, self.node_rate = 1.0, 0.0

    def run(self) -> TrainResult:
        with interruptible() as interrupted:
            self.solver.run(0)
            saved = time.monotonic()
            self._step(1)  # loads or compiles the kernels
            while not (interrupted.is_set() or self._done()):
                self._step(max(1, int(self.rate * _CHUNK_SECONDS)))
                if self.observe is not None:
                    self.observe(self._metrics(self._trained_share()))
                if time.monotonic() - saved > CHECKPOINT_SECONDS:
                    self._save()
                    saved = time.monotonic()
            blueprint, loss, metrics = self._save()
            stopped = interrupted.is_set() and not self._done()
            return TrainResult(self.name, self.recipe, blueprint, loss, metrics, stopped)

    def _done(self) -> bool:
        budget = self.budget
        return (budget.iterations is not None and self.solver.iterations >= budget.iterations) or (
            budget.seconds is not None and self.seconds - self.already >= budget.seconds
        )

    def _step(self, deals: int) -> None:
        if self.budget.iterations is not None:
            deals = min(deals, self.budget.iterations - self.solver.iterations)
        if deals <= 0:
            return
        visited = self.solver.visited
        started = time.perf_counter()
        self.solver.run(deals)
        elapsed = time.perf_counter() - started
        self.seconds += elapsed
        self.rate = deals / elapsed
        self.node_rate = (self.solver.visited - visited) / elapsed

    def _save(self) -> tuple[Blueprint, Loss, Metrics]:
        """Checkpoint and strategy, each complete at any moment."""
        solver = self.solver
        state = {
            "kind": CHECKPOINT_KIND,
            **_identity(self.recipe),
            "fingerprint": fingerprint(solver.game),
            "iterations": solver.iterations,
            "visited": solver.visited,
            "seconds": self.seconds,
        }
        artifacts.save(self.folder / CHECKPOINT, state, solver.tables)
        blueprint, loss = quantise(solver.game, solver.averages, self.bits)
        metrics = self._metrics(blueprint.coverage)
        manifest = {
            "kind": KIND,
            "counterfold": importlib.metadata.version("counterfold"),
            "name": self.name,
            "recipe": self.recipe.model_dump(),
            "fingerprint": fingerprint(solver.game),
            "infosets": solver.game.n_infosets,
            "trained": blueprint.n_trained,
            "bits": self.bits,
            "loss": vars(loss),
            "metrics": vars(metrics),
        }
        artifacts.save(self.folder, manifest, {"strategy": blueprint.steps})
        with open(self.folder / METRICS, "a", encoding="utf-8") as file:
            file.write(json.dumps(vars(metrics)) + "\n")
        return blueprint, loss, metrics

    def _trained_share(self) -> float:
        """Share of slots in a sample that were played: a lower bound on the share of infosets."""
        averages = self.solver.averages
        every = max(1, averages.size // _SAMPLED_SLOTS)
        return float((averages[::every] > 0.0).mean())

    def _metrics(self, trained: float) -> Metrics:
        solver = self.solver
        every = max(1, solver.regrets.size // _SAMPLED_SLOTS)
        positive = np.maximum(solver.regrets[::every], 0.0).mean(dtype=np.float64)
        return Metrics(
            solver.iterations,
            self.seconds,
            self.rate,
            self.node_rate,
            trained,
            float(positive) / max(1, solver.iterations),
            sum(table.nbytes for table in solver.tables.values()),
        )


@dataclass(frozen=True, eq=False)
class TrainedRun:
    """A strategy read back, with what it takes to play it."""

    name: str
    plan: Plan
    cards: CardMap
    blueprint: Blueprint
    manifest: dict[str, Any]


def load_training(folder: Path, progress: TableProgress | None = None) -> TrainedRun:
    """Read a trained strategy; card tables are built if the cache does not have them."""
    manifest, arrays = artifacts.load(folder)
    if manifest.get("kind") != KIND:
        raise ArtifactError(
            f"{str(folder)!r} holds a {manifest.get('kind')!r}, no trained strategy"
        )
    try:
        recipe = parse_recipe(manifest["recipe"], f"the recipe of {str(folder)!r}")
        steps: NDArray[Any] = arrays["strategy"]
        trained, made_by = int(manifest["trained"]), str(manifest["fingerprint"])
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, ArtifactError):
            raise
        raise ArtifactError(f"{str(folder)!r} is damaged: {error}") from error
    plan = Plan(recipe)
    cards = plan.cards(progress)
    game = plan.game(cards.n_buckets)
    if fingerprint(game) != made_by:
        raise ArtifactError(
            f"the game of {str(folder)!r} has changed since it was trained; train it again"
        )
    return TrainedRun(str(manifest["name"]), plan, cards, Blueprint(game, steps, trained), manifest)


def fingerprint(game: PublicGame) -> str:
    """Hash of all that gives a slot its meaning."""
    graph = game.graph
    digest = hashlib.sha256(graph.variant.name.encode())
    arrays: list[NDArray[Any]] = [graph.situations, graph.starts, graph.children, graph.kinds]
    for array in (*arrays, graph.amounts, game.classes, game.n_buckets, game.offsets):
        digest.update(array.tobytes())
    return digest.hexdigest()[:16]


def _identity(recipe: Recipe) -> dict[str, Any]:
    """What must be equal for one run to continue another; budget, threads and play may change."""
    content = recipe.model_dump(exclude={"about", "budget", "play"})
    content["solver"].pop("threads")
    return {"recipe": content}


def _check_identity(folder: Path, manifest: dict[str, Any], identity: dict[str, Any]) -> None:
    found, wanted = manifest.get("recipe"), identity["recipe"]
    if not isinstance(found, dict):
        raise ArtifactError(f"{str(folder)!r} is damaged: its checkpoint names no recipe")
    for key, value in wanted.items():
        if found.get(key) != value:
            raise ArtifactError(
                f"{str(folder)!r} holds a run with {key} {found.get(key)!r}, not {value!r}; "
                "choose another folder"
            )


def _check_unused(folder: Path) -> None:
    """Raise `ArtifactError` if a new run would overwrite something, a first checkpoint included."""
    checkpoint = folder / CHECKPOINT
    if (checkpoint / artifacts.MANIFEST).exists():
        raise ArtifactError(
            f"{str(folder)!r} already holds a run; pass --resume to continue it or choose "
            "another folder"
        )
    died = checkpoint.is_dir() and artifacts.is_vacant(checkpoint)  # while it first saved
    if not (died and [path.name for path in folder.iterdir()] == [CHECKPOINT]):
        check_unused(folder)


def _restore(checkpoint: Path, solver: PublicSolver) -> float:
    manifest, arrays = artifacts.load(checkpoint)
    if manifest.get("fingerprint") != fingerprint(solver.game):
        raise ArtifactError(
            f"the game of {str(checkpoint)!r} has changed since it was saved; train it anew"
        )
    for name, table in solver.tables.items():
        saved = arrays.get(name)
        if saved is None or saved.shape != table.shape or saved.dtype != table.dtype:
            raise ArtifactError(f"{str(checkpoint)!r} is damaged: its table {name!r} does not fit")
        table[:] = saved
    solver.iterations = int(manifest["iterations"])
    solver.visited = int(manifest["visited"])
    return float(manifest["seconds"])
