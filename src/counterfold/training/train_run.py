"""Training by a recipe: build, walk within a budget, checkpoint, resume.

A run's folder holds the strategy that can be played, with everything needed to play it; its folder
`checkpoint` holds the tables to go on with. Either is always one complete state, so a killed run
loses at most the time since the last checkpoint. `metrics.jsonl` gets a line with every checkpoint.
With one thread the result depends on the recipe and the number of deals alone, not on checkpoints
and interruptions.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from counterfold.blueprints import blueprint_kernels
from counterfold.blueprints.blueprint import Blueprint, RoundingError, check_bits, quantise
from counterfold.cards.table_files import Progress as TableProgress
from counterfold.errors import BudgetError, TooLargeError
from counterfold.memory import free_memory_bytes, resident_bytes
from counterfold.public.infosets import PublicGame, SlotLayout
from counterfold.runs.budget import Budget, parse_bytes, parse_seconds
from counterfold.runs.interrupts import interruptible
from counterfold.runs.locks import locked
from counterfold.training.checkpoints import (
    TableSolver,
    append_metrics,
    check_folder_unused,
    check_same_recipe,
    has_checkpoint,
    load_checkpoint,
    save_checkpoint,
)
from counterfold.training.cost import Estimate
from counterfold.training.plan import DISCOUNTINGS, Plan
from counterfold.training.recipe import Recipe
from counterfold.training.solver_factory import build_solver
from counterfold.training.train_folder import save_strategy

CHECKPOINT_SECONDS = 30.0
_CHUNK_SECONDS = 0.5  # how long an interrupt may go unnoticed
_SAMPLED_SLOTS = 2_000_000  # by which the mean positive regret is measured
_SAMPLED_INFOSETS = 100_000  # by which the share of visited ones is measured


@dataclass(frozen=True)
class Metrics:
    """How far a run has come."""

    iterations: int  # deals, each walked for both players
    seconds: float  # of training, checkpoints not counted
    iterations_per_second: float  # lately
    nodes_per_second: float
    visited_infosets: float  # share with any regret; that of a sample
    trained_infosets: float  # share with an average strategy; on the way that of a sample
    mean_positive_regret: float  # chips a deal; a bound on nothing, but it should fall
    memory_bytes: int  # that the process occupies


@dataclass(frozen=True)
class TrainResult:
    """What training made."""

    name: str
    recipe: Recipe
    blueprint: Blueprint
    loss: RoundingError
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
    advice = f"use fewer buckets, bets or features than make {estimate.infosets:,} information sets"
    if recipe.budget.memory is not None and needed > parse_bytes(recipe.budget.memory):
        raise BudgetError(
            f"training needs {needed / 1e9:,.2f} GB and budget.memory is "
            f"{recipe.budget.memory}; {advice}"
        )
    free = free_memory_bytes()
    if needed > free:
        raise TooLargeError(
            f"training needs {needed / 1e9:,.2f} GB and {free / 1e9:,.2f} GB of memory are free; "
            f"{advice}"
        )


def train(
    name: str,
    plan: Plan,
    folder: Path,
    budget: Budget,
    *,
    resume: bool = False,
    bits: int = 8,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    observe: Callable[[Metrics], None] | None = None,
    progress: TableProgress | None = None,
) -> TrainResult:
    """Train `plan` within `budget` and leave the strategy in `folder`."""
    check_bits(bits)
    with locked(folder):
        resuming = resume and has_checkpoint(folder)
        if resuming:
            check_same_recipe(folder, plan.recipe)
        else:
            check_folder_unused(folder)
        solver = build_solver(plan, plan.cards(progress), progress)
        seconds = load_checkpoint(folder, solver) if resuming else 0.0
        loop = _Loop(name, plan.recipe, solver, folder, budget, seconds, bits, observe)
        return loop.run(checkpoint_seconds)


class _Loop:
    """One call of `train`."""

    def __init__(
        self,
        name: str,
        recipe: Recipe,
        solver: TableSolver,
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
        self.deals = 1  # of the last step
        self.past = _Past(recipe, getattr(solver, "epoch", 1))

    def run(self, checkpoint_seconds: float) -> TrainResult:
        """Walk until the budget is spent or somebody interrupts."""
        with interruptible() as interrupted:
            saved = time.monotonic()
            if not self._done():
                self._step(1)  # loads or compiles the kernels,
                self.seconds = self.already  # which the clock should not see
            while not (interrupted.is_set() or self._done()):
                # The rate of few deals says little, so steps grow by and by.
                self._step(max(1, min(int(self.rate * self._chunk_seconds()), 4 * self.deals)))
                if self.observe is not None:
                    self.observe(self._metrics())
                if time.monotonic() - saved > checkpoint_seconds:
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

    def _chunk_seconds(self) -> float:
        if self.budget.seconds is None:
            return _CHUNK_SECONDS
        return min(_CHUNK_SECONDS, self.budget.seconds - (self.seconds - self.already))

    def _step(self, deals: int) -> None:
        if self.budget.iterations is not None:
            deals = min(deals, self.budget.iterations - self.solver.iterations)
        visited = self.solver.visited
        started = time.perf_counter()
        self.solver.run(deals)
        elapsed = time.perf_counter() - started
        self.seconds += elapsed
        self.rate, self.deals = deals / elapsed, deals
        self.node_rate = (self.solver.visited - visited) / elapsed

    def _save(self) -> tuple[Blueprint, RoundingError, Metrics]:
        """Checkpoint and strategy, each complete at any moment."""
        save_checkpoint(self.folder, self.recipe, self.solver, self.seconds)
        solver = self.solver
        blueprint, loss = quantise(solver.game, solver.tables["averages"], self.bits, solver.layout)
        metrics = replace(self._metrics(), trained_infosets=blueprint.coverage)
        save_strategy(self.folder, self.name, self.recipe, blueprint, loss, asdict(metrics))
        append_metrics(self.folder, asdict(metrics))
        return blueprint, loss, metrics

    @cached_property
    def _sample(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return sample_infosets(self.solver.game, self.solver.layout, _SAMPLED_INFOSETS)

    def _metrics(self) -> Metrics:
        solver = self.solver
        regrets = solver.tables["regrets"]
        every = max(1, regrets.size // _SAMPLED_SLOTS)
        positive = np.maximum(regrets[::every], 0.0).mean(dtype=np.float64)
        starts, widths = self._sample
        counts = np.zeros(2, np.int64)
        blueprint_kernels.count_reached(regrets, solver.tables["averages"], starts, widths, counts)
        visited, trained = (counts / starts.size).tolist()
        return Metrics(
            solver.iterations,
            self.seconds,
            self.rate,
            self.node_rate,
            visited,
            trained,
            float(positive) / max(1.0, self.past.weight(solver.iterations)),
            resident_bytes(),
        )


def sample_infosets(
    game: PublicGame, layout: SlotLayout, n: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First slots and numbers of actions of `n` information sets, of all if there are no more."""
    if game.n_infosets <= n:
        chosen = np.arange(game.n_infosets)
    else:
        chosen = np.sort(np.random.default_rng(0).integers(0, game.n_infosets, n))
    ends = np.cumsum(game.n_buckets)
    classes = np.searchsorted(ends, chosen, side="right")
    buckets = chosen - (ends - game.n_buckets)[classes]
    starts = layout.starts[classes] + buckets * layout.strides[classes]
    return np.asarray(starts, np.int64), game.n_actions[classes]


class _Past:
    """How many deals the regrets stand for, those that have faded counted for what is left."""

    def __init__(self, recipe: Recipe, epoch: int) -> None:
        self.discounting = DISCOUNTINGS[recipe.solver.discounting]
        self.epoch = epoch
        self.n_epochs, self.sum = 0, 0.0

    def weight(self, iterations: int) -> float:
        """After so many deals, which must not go back."""
        last = iterations // self.epoch
        if last > self.n_epochs:
            for positive, _, _ in self.discounting.weights(self.n_epochs + 1, last, 1_000):
                self.sum = (self.sum + self.epoch) * positive
            self.n_epochs = last
        return self.sum + iterations % self.epoch
