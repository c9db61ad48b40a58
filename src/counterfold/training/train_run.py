"""Training by a recipe: plan, cards, solver, then the loop of a run.

With one thread, or with workers, the result depends on the recipe and the number of iterations
alone, not on checkpoints and interruptions.
"""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from counterfold.blueprints.blueprint import Blueprint, RoundingError, check_bits, quantize
from counterfold.cards.table_files import Progress as TableProgress
from counterfold.cluster.workers import Workers
from counterfold.errors import BudgetError
from counterfold.runs.budget import Budget, parse_seconds
from counterfold.runs.run_folder import claimed_folder
from counterfold.training.epochs.epoch_choice import Tried, adopt_epoch, choose_epoch
from counterfold.training.epochs.epoch_solver import (
    EpochSolver,
    Exchange,
    check_shareable,
    share_epochs,
)
from counterfold.training.metered_loop import MeteredLoop, Observer
from counterfold.training.plan import Plan, make_plan
from counterfold.training.recipe import Recipe
from counterfold.training.solver_factory import TableSolver, build_solver, find_chance
from counterfold.training.train_folder import (
    KIND,
    TrainedRun,
    identify,
    resume_training,
    save_training,
)
from counterfold.training.train_metrics import Metrics

CHECKPOINT_SECONDS = 30.0  # between them, without workers
_SAVING_SHARE = 0.1  # of the time, at most, that goes into checkpoints after each epoch of workers


@dataclass(frozen=True, eq=False)
class TrainResult:
    """What training made."""

    plan: Plan
    folder: Path
    blueprint: Blueprint
    loss: RoundingError
    metrics: Metrics
    interrupted: bool
    exchange: Exchange | None = None  # between the workers of a cluster

    @property
    def name(self) -> str:
        """Of the run."""
        return self.plan.name

    @property
    def recipe(self) -> Recipe:
        """What was trained, with all that was changed."""
        return self.plan.recipe

    @property
    def run(self) -> TrainedRun:
        """What `load_trained` would read from the folder."""
        return TrainedRun(self.name, self.plan, self.plan.cards(), self.blueprint, self.metrics)


def train(
    recipe: str | Path | Recipe | Plan,
    folder: Path | str,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    threads: int | None = None,
    overrides: Sequence[str] = (),
    resume: bool = False,
    bits: int = 8,
    checkpoint_seconds: float | None = None,
    observe: Observer | None = None,
    progress: TableProgress | None = None,
    stop: threading.Event | None = None,
    workers: Workers | None = None,
    fixed_epoch: bool = True,
    tried: Tried | None = None,
) -> TrainResult:
    """Train a recipe and leave the strategy in `folder`.

    Parameters
    ----------
    recipe
        The name of a shipped recipe, the path of a file, a `Recipe`, or a `Plan` made before.
    seconds, iterations
        When to stop: after this much time in this call, or at this total number of iterations. With
        neither, the limits of the recipe apply.
    threads, overrides
        Keys of the recipe to change: ``solver.threads``, and texts such as ``seed=2``.
    resume
        Continue the run in `folder`, or begin one if there is none.
    bits
        Bits per probability of the strategy: 8 or 16.
    checkpoint_seconds
        Time between checkpoints: 30 seconds unless given. With workers there is one after each
        epoch, unless they would take more than a tenth of the time.
    observe
        Called with the metrics about twice a second.
    progress
        Called with name, done and total while card tables are built.
    stop
        Once it is set, training saves and stops, as at Ctrl-C.
    workers
        Who walks the samples of an epoch, such as `RayWorkers`; this process by default. With
        workers, training ends where an epoch does.
    fixed_epoch, tried
        Without a fixed epoch, workers get one that is long enough, found by trials that are
        reported to `tried`; a resumed run keeps its own.
    """
    check_bits(bits)
    folder = Path(folder)
    changes = [*overrides, *([] if threads is None else [f"solver.threads={threads}"])]
    plan = make_plan(recipe, changes, folder.name)
    budget = find_budget(plan.recipe, seconds, iterations)
    if workers is not None:
        check_shareable(plan)
        plan = plan.on_processor()
        plan = plan if fixed_epoch or not resume else adopt_epoch(plan, folder)
    _ = plan.device  # raises if a GPU is asked for and cannot be used
    with claimed_folder(folder, KIND, identify(plan.recipe), resume=resume) as resuming:
        cards = plan.cards(progress)
        chance = find_chance(plan, cards, progress)
        solver = build_solver(plan, plan.game(cards.n_buckets), chance)
        if workers is not None:
            solver = shared = share_epochs(plan, solver, workers)
            if not (fixed_epoch or resuming):
                plan = choose_epoch(plan, shared, tried)
        before = resume_training(folder, plan, solver) if resuming else 0.0
        if checkpoint_seconds is None and workers is None:
            checkpoint_seconds = CHECKPOINT_SECONDS
        loop = _TrainLoop(
            plan, solver, folder, budget, bits, before, checkpoint_seconds, observe, stop
        )
        interrupted = loop.run()
    exchange = solver.exchange if isinstance(solver, EpochSolver) else None
    assert loop.saved is not None
    return TrainResult(plan, folder, *loop.saved, interrupted, exchange)


def find_budget(recipe: Recipe, seconds: float | None, iterations: int | None) -> Budget:
    """The limits of one call: those given, else those of the recipe."""
    if seconds is None and iterations is None:
        if recipe.budget.time is not None:
            seconds = parse_seconds(recipe.budget.time)
        iterations = recipe.budget.iterations
    if seconds is None and iterations is None:
        raise BudgetError(
            "training has no limit on time or iterations; pass one, such as --time 10m"
        )
    return Budget(iterations=iterations, seconds=seconds)


class _TrainLoop(MeteredLoop):
    """Saves checkpoint, strategy and metrics to the folder of the run."""

    def __init__(
        self,
        plan: Plan,
        solver: TableSolver,
        folder: Path,
        budget: Budget,
        bits: int,
        seconds: float,
        checkpoint_seconds: float | None,  # or after each epoch
        observer: Observer | None,
        stop: threading.Event | None,
    ) -> None:
        super().__init__(
            plan,
            solver,
            budget,
            observer,
            checkpoint_seconds=checkpoint_seconds or 0.0,
            seconds=seconds,
            stop=stop,
        )
        self.folder, self.bits = folder, bits
        self._saves_epochs = checkpoint_seconds is None
        self.saved: tuple[Blueprint, RoundingError, Metrics] | None = None  # by the last save

    def save(self) -> None:
        """Write the checkpoint, the strategy rounded to `bits`, and a line of metrics."""
        solver, started = self.solver, time.monotonic()
        self.saved = None  # the strategy before it needs as much memory again
        blueprint, loss = quantize(solver.game, solver.tables["averages"], self.bits, solver.layout)
        metrics = replace(self.metrics(), trained_infosets=blueprint.coverage)
        save_training(self.folder, self.plan, solver, blueprint, loss, metrics)
        self.saved = blueprint, loss, metrics
        if self._saves_epochs:
            self._checkpoint_seconds = (time.monotonic() - started) / _SAVING_SHARE
