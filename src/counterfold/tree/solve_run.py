"""Solving a compiled game within a budget: evaluation on the way, checkpoints, resumption.

The iterations that a run makes do not depend on when it was evaluated, saved or interrupted, so a
run that was killed and resumed ends with the same tables, bit for bit, as one that was not.
"""

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from counterfold.artifacts import is_vacant
from counterfold.discounting import Discounting
from counterfold.games import Game
from counterfold.games.files import find_game
from counterfold.runs.budget import Budget, evaluation_points
from counterfold.runs.interrupts import interruptible
from counterfold.runs.locks import locked
from counterfold.tree.algorithms import DEFAULT_HORIZON, Solver, find_algorithm, make_solver
from counterfold.tree.compiled_game import CompiledGame, compile_game
from counterfold.tree.exact_evaluation import Evaluation, evaluate
from counterfold.tree.linear_program import solve_linear_program
from counterfold.tree.profile import Strategy
from counterfold.tree.sampled import Sampling
from counterfold.tree.solve_folder import (
    Identity,
    Point,
    Progress,
    check_unused,
    identify,
    load_tables,
    save_run,
)

DEFAULT_ALGORITHM = "dcfr"
_DEFAULT_FULL, _DEFAULT_SAMPLED = 1_000, 1_000_000  # iterations when no budget is given

_CHUNK_SECONDS = 0.1  # how long an interrupt may go unnoticed
_CHECKPOINT_SECONDS = 10.0


@dataclass(frozen=True)
class SolveResult:
    """What a run found."""

    game: CompiledGame
    algorithm: str
    strategy: Strategy
    evaluation: Evaluation
    iterations: int
    seconds: float
    points: tuple[Point, ...]
    interrupted: bool = False

    @property
    def iterations_per_second(self) -> float:
        """Rate over the whole run."""
        return self.iterations / self.seconds if self.seconds > 0 else 0.0


def solve(
    game: CompiledGame | Game | str,
    algorithm: str | Discounting | Sampling = DEFAULT_ALGORITHM,
    budget: Budget | int | None = None,
    *,
    seed: int = 0,
    folder: Path | None = None,
    resume: bool = False,
    observe: Callable[[int, float, float], None] | None = None,
) -> SolveResult:
    """Solve `game`, given compiled, as rules, by name, or by the path of a file.

    `algorithm` is a name or a method of your own. `budget` may be a number of iterations. With
    `folder`, tables are saved there every ten seconds and at the end, also on Ctrl-C or SIGTERM;
    with `resume` a run that is there goes on. `observe` is called with iterations, seconds and the
    latest NashConv.
    """
    if isinstance(game, str):
        game = find_game(game)
    if isinstance(game, Game):
        game = compile_game(game)
    method = find_algorithm(algorithm).method if isinstance(algorithm, str) else algorithm
    with locked(folder) if folder is not None else nullcontext():
        return _solve(game, str(algorithm), method, budget, seed, folder, resume, observe)


def _solve(
    game: CompiledGame,
    algorithm: str,
    method: Discounting | Sampling | None,
    budget: Budget | int | None,
    seed: int,
    folder: Path | None,
    resume: bool,
    observe: Callable[[int, float, float], None] | None,
) -> SolveResult:
    identity = identify(game, algorithm, seed)
    resuming = folder is not None and resume and not is_vacant(folder)
    if folder is not None and not resuming:
        check_unused(folder)
    if method is None:
        if folder is not None and resuming:
            load_tables(folder, identity, {"averages": np.empty(game.n_slots)})
        return _solve_exactly(game, identity, folder)
    if budget is None:
        full = isinstance(method, Discounting)
        budget = _DEFAULT_FULL if full else _DEFAULT_SAMPLED
    if isinstance(budget, int):
        budget = Budget(iterations=budget)
    horizon = budget.iterations or DEFAULT_HORIZON
    solver = make_solver(game, method, seed=seed, horizon=horizon)
    progress = Progress(0, 0.0, horizon, ())
    if folder is not None and resuming:
        progress, tables = load_tables(folder, identity, solver.tables)
        solver = make_solver(game, method, seed=seed, horizon=progress.horizon)
        for name, table in solver.tables.items():
            table[:] = tables[name]
        solver.iterations = progress.iterations
    return _Loop(game, solver, identity, progress, budget, folder, observe).run()


def _solve_exactly(game: CompiledGame, identity: Identity, folder: Path | None) -> SolveResult:
    """The linear program has no intermediate state: it is solved, then saved."""
    started = time.perf_counter()
    solution = solve_linear_program(game)
    seconds = time.perf_counter() - started
    evaluation = evaluate(solution.strategy)
    points = (Point(solution.iterations, seconds, evaluation.nash_conv),)
    if folder is not None:
        progress = Progress(solution.iterations, seconds, DEFAULT_HORIZON, points)
        save_run(folder, identity, progress, {"averages": solution.strategy.probabilities})
    return SolveResult(
        game,
        identity.algorithm,
        solution.strategy,
        evaluation,
        solution.iterations,
        seconds,
        points,
    )


class _Loop:
    """One call of `solve` that iterates."""

    def __init__(
        self,
        game: CompiledGame,
        solver: Solver,
        identity: Identity,
        progress: Progress,
        budget: Budget,
        folder: Path | None,
        observe: Callable[[int, float, float], None] | None,
    ) -> None:
        self.game, self.solver, self.identity, self.budget = game, solver, identity, budget
        self.folder, self.observe = folder, observe
        self.horizon = progress.horizon
        self.points = list(progress.points)
        self.seconds = progress.seconds
        self.already = progress.seconds
        self.latest = self.points[-1].nash_conv if self.points else np.inf
        self.rate = 1.0  # iterations per second, as far as is known

    def run(self) -> SolveResult:
        """Iterate until the budget is spent or somebody interrupts."""
        with interruptible() as interrupted:
            self.solver.run(0)  # loads or compiles the kernels, which the clock should not see
            self._save()  # a folder that cannot be written to is better found now
            saved = time.monotonic()
            while not (interrupted.is_set() or self._done()):
                self._step()
                if self.observe is not None:
                    self.observe(self.solver.iterations, self.seconds, self.latest)
                if time.monotonic() - saved > _CHECKPOINT_SECONDS:
                    self._save()
                    saved = time.monotonic()
            self._save()
            strategy = self.solver.average_strategy()
            return SolveResult(
                self.game,
                self.identity.algorithm,
                strategy,
                evaluate(strategy),
                self.solver.iterations,
                self.seconds,
                tuple(self.points),
                interrupted.is_set(),
            )

    def _done(self) -> bool:
        budget = self.budget
        return (
            (budget.iterations is not None and self.solver.iterations >= budget.iterations)
            or (budget.until is not None and self.latest / 2 <= budget.until)
            or (budget.seconds is not None and self.seconds - self.already >= budget.seconds)
        )

    def _step(self) -> None:
        """Run up to the next evaluation, or for a moment, whichever is sooner."""
        done = self.solver.iterations
        target = evaluation_points(done)
        if self.budget.iterations is not None:
            target = min(target, self.budget.iterations)
        step = min(target - done, max(1, int(self.rate * _CHUNK_SECONDS)))
        started = time.perf_counter()
        self.solver.run(step)
        elapsed = time.perf_counter() - started
        self.seconds += elapsed
        self.rate = max(step / max(elapsed, 1e-9), self.rate * 0.5)
        if self.solver.iterations == target:
            self.latest = evaluate(self.solver.average_strategy()).nash_conv
            self.points.append(Point(self.solver.iterations, self.seconds, self.latest))

    def _save(self) -> None:
        if self.folder is not None:
            progress = Progress(
                self.solver.iterations, self.seconds, self.horizon, tuple(self.points)
            )
            save_run(self.folder, self.identity, progress, self.solver.tables)
